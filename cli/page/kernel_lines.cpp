#include "kernel_lines.hpp"

#include <cctype>
#include <charconv>
#include <map>
#include <ranges>
#include <span>

namespace sonoma::cli::page {
namespace {

constexpr std::string_view rule = "// ===== ";

// The comment of a line that has nothing else and is indented.
std::string_view comment_in(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == 0 || first == std::string_view::npos || !line.substr(first).starts_with("// ")) {
    return {};
  }
  return line.substr(first + 3);
}

Stage stage_named(const std::string& title) {
  Stage stage{title};
  if (title.starts_with("Load")) stage.part = Part::load;
  if (title.starts_with("Exchange") || title.starts_with("The turn")) stage.part = Part::exchange;
  if (title.starts_with("To registers") || title.starts_with("From the")) stage.part = Part::read;
  if (title.starts_with("Point q") && title.find("to registers") != std::string::npos) {
    stage.part = Part::read;
  }
  if (title.starts_with("Store")) stage.part = Part::store;
  if (title.starts_with("Step ")) {
    stage.part = Part::step;
    std::from_chars(title.data() + 5, title.data() + title.size(), stage.step);
    --stage.step;
  }
  return stage;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The identifiers before a parenthesis or template arguments.
std::vector<std::string> calls_in(const std::string& line) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end > i && end < line.size() && (line[end] == '(' || line[end] == '<')) {
      names.push_back(line.substr(i, end - i));
    }
    i = end + 1;
  }
  return names;
}

class Reader {
 public:
  explicit Reader(std::string_view text) {
    while (!text.empty()) {
      const std::size_t size = std::min(text.find('\n'), text.size());
      result_.lines.push_back({std::string(text.substr(0, size))});
      text.remove_prefix(std::min(size + 1, text.size()));
    }
    find_sections();
    for (const Section& section : result_.sections) {
      if (!section.primitives) find_stages(section);
    }
    find_callees();
  }
  KernelLines result() && { return std::move(result_); }

 private:
  void find_sections() {
    result_.sections.push_back({"head", 0, 0, false});
    for (std::size_t i = 0; i < result_.lines.size(); ++i) {
      const std::string& line = result_.lines[i].text;
      if (line.starts_with(rule)) {
        const std::string title = line.substr(rule.size(), line.rfind(" =====") - rule.size());
        result_.sections.push_back({title, i, 0, title.ends_with(".cuh")});
      }
      ++result_.sections.back().count;
    }
  }
  void find_stages(const Section& section) {
    int stage = no_stage;
    bool in_comment = false;
    for (std::size_t i = section.first; i < section.first + section.count; ++i) {
      Line& line = result_.lines[i];
      const std::string_view comment = comment_in(line.text);
      if (line.text.starts_with("}")) stage = no_stage;
      if (!comment.empty() && in_comment) {
        result_.stages.back().title += " " + std::string(comment);
      } else if (!comment.empty()) {
        result_.stages.push_back(stage_named(std::string(comment)));
        stage = static_cast<int>(result_.stages.size()) - 1;
      }
      in_comment = !comment.empty();
      line.stage = stage, line.own = stage != no_stage;
    }
  }
  // Functions of this plan belong to the first stage that calls them.
  void find_callees() {
    std::map<std::string, std::pair<std::size_t, std::size_t>> functions;
    for (const Section& section : result_.sections) {
      for (std::size_t i = section.first; i < section.first + section.count; ++i) {
        const std::string& line = result_.lines[i].text;
        if (!section.primitives && line.starts_with("DEVICE ")) {
          std::size_t end = i;
          while (end + 1 < result_.lines.size() && !result_.lines[end].text.ends_with("}")) ++end;
          const auto names = calls_in(line);
          if (!names.empty()) functions[names.front()] = {i, end};
        }
        if (!result_.lines[i].own) continue;
        for (const std::string& name : calls_in(line)) {
          const auto found = functions.find(name);
          if (found != functions.end()) give(found->second, result_.lines[i].stage);
        }
      }
    }
  }
  void give(std::pair<std::size_t, std::size_t> range, int stage) {
    for (Line& line :
         std::span(result_.lines).subspan(range.first, range.second + 1 - range.first)) {
      if (line.stage == no_stage) line.stage = stage;
    }
  }

  KernelLines result_;
};

}  // namespace

KernelLines lines_of(std::string_view text) { return Reader(text).result(); }

int stage_of(const KernelLines& kernel, const std::vector<unsigned>& lines) {
  for (const unsigned line : std::views::reverse(lines)) {
    if (line == 0 || line > kernel.lines.size()) continue;
    const Line& one = kernel.lines[line - 1];
    if (one.own) return one.stage;
  }
  return no_stage;
}

}  // namespace sonoma::cli::page
