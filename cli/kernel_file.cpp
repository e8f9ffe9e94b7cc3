#include "kernel_file.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "arguments.hpp"
#include "request_words.hpp"

namespace sonoma::cli {
namespace {

constexpr std::string_view begins = "// sonoma emit ", goes_on = "//     ";

// Lines of a text, one after the other.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

// "sonoma emit ..." of every kernel, each on a line.
std::vector<std::string> commands_in(std::string_view text) {
  std::vector<std::string> commands;
  bool inside = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with(begins)) {
      commands.emplace_back(line.substr(3));
    } else if (inside && line.starts_with(goes_on)) {
      commands.back() += ' ' + std::string(line.substr(goes_on.size()));
    } else {
      inside = false;
      continue;
    }
    inside = true;
  }
  return commands;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Of every "__global__ ... NAME(" the NAME.
std::set<std::string, std::less<>> kernels_in(std::string_view text) {
  constexpr std::string_view mark = "__global__", bounds = "__launch_bounds__";
  std::set<std::string, std::less<>> names;
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string_view::npos;) {
    at += mark.size();
    std::size_t from = at;
    const std::size_t limits = text.find(bounds, from);
    if (limits < text.find('{', from)) from = text.find(')', limits) + 1;
    const std::size_t end = text.find('(', from);
    if (end == std::string_view::npos || from > end) continue;
    std::size_t last = end;
    while (last > from && !is_word(text[last - 1])) --last;
    std::size_t first = last;
    while (first > from && is_word(text[first - 1])) --first;
    if (last > first) names.emplace(text.substr(first, last - first));
  }
  return names;
}

}  // namespace

struct KernelFile::Use {
  std::mutex mutex;
  std::set<std::string, std::less<>> defined;
  std::set<std::string> taken, others;
  std::string expected;  // the command of a kernel of a name in it, but of another text
};

KernelFile::KernelFile(const std::string& path)
    : path_(path),
      text_(read_file(path)),
      commands_(commands_in(text_)),
      use_(std::make_shared<Use>()) {
  use_->defined = kernels_in(text_);
  if (use_->defined.empty()) {
    throw BadArgument("--kernel", path,
                      "defines no kernel: must be a text as `sonoma emit --out FILE` writes it, "
                      "with extern \"C\" __global__ and the kernel's name");
  }
  if (commands_.size() != 1) return;
  std::vector<std::string> words = words_of(commands_.front());
  words.erase(words.begin(), words.begin() + 2);
  if (!parse_request(words, "the command in " + path).pass) words_ = std::move(words);
}

RequestOptions KernelFile::completed(RequestOptions own) const {
  if (words_.empty()) return own;
  return with_all_of(std::move(own), parse_request(words_, "the command in " + path_).options);
}

EditKernel KernelFile::edit() const {
  return [use = use_, text = text_,
          commands = commands_](const CudaSource& source) -> std::optional<std::string> {
    const std::scoped_lock lock(use->mutex);
    use->others.insert(source.name);
    if (!use->defined.contains(source.name)) return std::nullopt;
    const std::vector<std::string> own = commands_in(source.text);
    const bool same = commands.empty() || own.empty() ||
                      std::ranges::find(commands, own.front()) != commands.end();
    if (!same) use->expected = own.front();
    if (!same) return std::nullopt;
    use->taken.insert(source.name);
    return text;
  };
}

void KernelFile::require_used() const {
  const std::scoped_lock lock(use_->mutex);
  if (!use_->taken.empty()) return;
  if (!use_->expected.empty()) {
    throw BadArgument("--kernel", path_,
                      fmt::format("was made of the kernel of `{}`; the plan's is that of `{}`. Ask "
                                  "for that kernel with the same options, or emit it anew",
                                  commands_.front(), use_->expected));
  }
  throw BadArgument(
      "--kernel", path_,
      fmt::format("defines {}, and the plan launches {}: say the request that it was emitted for",
                  fmt::join(use_->defined, ", "), fmt::join(use_->others, ", ")));
}

void refuse_code(const RequestOptions& request) {
  for (const auto& [name, code] :
       {std::pair{"--load-code", &request.load_code}, {"--store-code", &request.store_code}}) {
    if (!*code) continue;
    throw BadArgument(name, **code, "cannot be verified: only you know what it should compute");
  }
}

void add_kernel_options(CLI::App& command, KernelOptions& options) {
  auto* file = command
                   .add_option("--kernel", options.kernel,
                               "an edited kernel, as `emit --out` wrote it and you changed it, in "
                               "the place of the emitted one; what no option says of the request "
                               "is what the command in its first lines says")
                   ->group("Edited kernels");
  command
      .add_flag("--overrides", options.overrides,
                "kernels that `sonoma override add` has kept, in the place of the emitted ones")
      ->group("Edited kernels")
      ->excludes(file);
}

KernelInUse::KernelInUse(const KernelOptions& options, RequestOptions& request)
    : overrides_(options.overrides) {
  if (options.kernel.empty()) return;
  file_ = std::make_shared<const KernelFile>(options.kernel);
  request = file_->completed(std::move(request));
}

void KernelInUse::apply(PlanOptions& options) const {
  if (file_) options.edit_kernel = file_->edit();
  options.overrides = overrides_;
}

EditKernel KernelInUse::edit() const { return file_->edit(); }

void KernelInUse::require_used() const {
  if (file_) file_->require_used();
}

}  // namespace sonoma::cli
