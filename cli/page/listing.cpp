#include "listing.hpp"

#include <spdlog/fmt/fmt.h>

#include <string_view>

#include "markup.hpp"

namespace sonoma::cli::page {
namespace {

std::string group_of(int stage) {
  return stage == no_stage ? ""
                           : fmt::format(" class=\"{}\" data-g=\"{}\"", colour_of(stage), stage);
}

// "Step 1", "To registers".
std::string short_title(const std::string& title) {
  const std::size_t end = std::min(title.find(':'), title.find(','));
  if (end != std::string::npos) return title.substr(0, end);
  const std::size_t second = title.find(' ', title.find(' ') + 1);
  return title.substr(0, second);
}

std::string line_text(const KernelLines& kernel, std::size_t i, const std::string& id) {
  const Line& line = kernel.lines[i];
  return fmt::format("<i id=\"{}-{}\"{}>{}</i>\n", id, i + 1, group_of(line.stage),
                     escaped(line.text));
}

std::string fold(const std::string& title, const std::string& lines, bool open,
                 const std::string& kind) {
  return fmt::format("<details{}{}><summary>{}</summary><pre>{}</pre></details>\n",
                     kind.empty() ? "" : fmt::format(" class=\"{}\"", kind),
                     open ? " open=\"open\"" : "", title, lines);
}

class Listing {
 public:
  Listing(const KernelLines& kernel, const std::vector<Instruction>& code, std::string id)
      : kernel_(kernel), code_(code), id_(std::move(id)), counts_(kernel.stages.size()) {
    for (const Instruction& one : code) {
      const int stage = stage_of(kernel, one.lines);
      if (stage != no_stage) ++counts_[static_cast<std::size_t>(stage)];
    }
  }

  std::string chips() const {
    std::string text = "<p class=\"chips\">";
    for (std::size_t g = 0; g < kernel_.stages.size(); ++g) {
      const std::string& title = kernel_.stages[g].title;
      text += fmt::format(
          "<button type=\"button\" class=\"chip {}\" data-g=\"{}\" title=\"{}\">{}</button>\n",
          colour_of(static_cast<int>(g)), g, escaped(title), escaped(short_title(title)));
    }
    return text + "</p>\n";
  }

  std::string text() const {
    std::string all;
    for (const Section& section : kernel_.sections) {
      const std::string title =
          section.title == "head" ? "What it is, and how to launch it" : escaped(section.title);
      const bool open = !section.primitives && section.title != "head";
      all += section.title == "the kernel"
                 ? kernel_section(section)
                 : fold(title, lines(section.first, section.count), open, "");
    }
    return all;
  }

  std::string machine() const {
    std::string all = "<pre class=\"sass\">";
    for (const Instruction& one : code_) {
      std::string lines;
      for (const unsigned line : one.lines)
        lines += fmt::format("{}{}", lines.empty() ? "" : " ", line);
      all +=
          fmt::format("<i{} data-l=\"{}\">{:04x}  {}</i>\n", group_of(stage_of(kernel_, one.lines)),
                      lines, one.address, escaped(one.text));
    }
    return all + "</pre>\n";
  }

 private:
  std::string lines(std::size_t first, std::size_t count) const {
    std::string all;
    for (std::size_t i = first; i < first + count; ++i) all += line_text(kernel_, i, id_);
    return all;
  }
  // Each stage folds on its own.
  std::string kernel_section(const Section& section) const {
    std::string all;
    const std::size_t end = section.first + section.count;
    for (std::size_t i = section.first; i < end;) {
      const int stage = kernel_.lines[i].stage;
      std::size_t next = i;
      while (next < end && kernel_.lines[next].stage == stage) ++next;
      all += stage == no_stage
                 ? fold(i == section.first ? "the kernel" : "...", lines(i, next - i), true, "")
                 : fold(stage_title(stage), lines(i, next - i), true, "stage " + colour_of(stage));
      i = next;
    }
    return all;
  }
  std::string stage_title(int stage) const {
    const auto g = static_cast<std::size_t>(stage);
    std::string title = escaped(kernel_.stages[g].title);
    if (!code_.empty()) title += fmt::format(" <small>{} instructions</small>", counts_[g]);
    return title;
  }

  const KernelLines& kernel_;
  const std::vector<Instruction>& code_;
  std::string id_;
  std::vector<unsigned> counts_;
};

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  for (const std::string_view start : starts) {
    if (text.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

std::string listing(const KernelLines& kernel, const std::vector<Instruction>& code,
                    const std::string& why_no_code, const std::string& id) {
  const Listing all(kernel, code, id);
  const std::string machine =
      code.empty() ? fmt::format("<p class=\"missing\">{}</p>\n", escaped(why_no_code))
                   : all.machine();
  return fmt::format(
      "<div class=\"listing\" data-id=\"{}\">\n{}<div class=\"two{}\">\n<div class=\"cuda\">\n"
      "<h4>CUDA</h4>\n{}</div>\n<div class=\"machine\">\n<h4>SASS</h4>\n{}</div>\n</div>\n</div>\n",
      id, all.chips(), code.empty() ? " alone" : "", all.text(), machine);
}

InstructionCounts count(const std::vector<Instruction>& code) {
  InstructionCounts counts;
  for (const Instruction& one : code) {
    std::string_view op = one.text;
    if (op.starts_with('@')) op.remove_prefix(std::min(op.find(' ') + 1, op.size()));
    ++counts.all;
    if (op.starts_with("FFMA"))
      ++counts.fused;
    else if (starts_with_any(op, {"FADD", "FMUL"}))
      ++counts.float32;
    else if (starts_with_any(op, {"HMMA", "IMMA", "HGMMA"}))
      ++counts.tensor;
    else if (starts_with_any(op, {"LDG", "STG", "LDGSTS"}))
      ++counts.global;
    else if (starts_with_any(op, {"LDS", "STS", "LDSM"}))
      ++counts.shared;
    else if (starts_with_any(
                 op, {"I", "LEA", "LOP", "SHF", "UIADD", "UIMAD", "ULOP", "USHF", "ULEA", "PRMT"}))
      ++counts.integer;
    else
      ++counts.other;
  }
  return counts;
}

}  // namespace sonoma::cli::page
