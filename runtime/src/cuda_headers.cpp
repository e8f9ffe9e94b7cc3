#include "cuda_headers.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "sha256.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t";

std::string_view without_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blanks);
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

// The name in `#include <name>` or `#include "name"`; empty for any other line.
std::string_view included_by(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return {};
  line = without_blanks(line.substr(1));
  if (!line.starts_with("include")) return {};
  line = without_blanks(line.substr(7));
  if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
  const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(1, end - 1);
}

std::vector<std::string> includes_of(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    if (const auto name = included_by(text.substr(0, size)); !name.empty())
      names.emplace_back(name);
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return names;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// Appends every file that `text`, which lies in `own_folder`, includes and that has not been seen.
void collect(std::string_view text, const fs::path& own_folder, const fs::path& folder,
             std::set<fs::path>& seen, std::string& all) {
  for (const std::string& name : includes_of(text)) {
    fs::path path = own_folder / name;
    if (!is_file(path)) path = folder / name;
    path = path.lexically_normal();
    if (!is_file(path) || !seen.insert(path).second) continue;
    const std::string content = read_file(path);
    all.append(name).append(" ").append(std::to_string(content.size())).append("\n");
    all.append(content);
    collect(content, path.parent_path(), folder, seen, all);
  }
}

}  // namespace

std::optional<std::string> first_include(std::string_view text) {
  const std::vector<std::string> names = includes_of(text);
  return names.empty() ? std::nullopt : std::optional(names.front());
}

std::vector<fs::path> cuda_folders(const std::vector<fs::path>& roots,
                                   std::span<const char* const> suffixes) {
  std::vector<fs::path> folders;
  for (const fs::path& root : roots) {
    if (root.empty()) continue;
    for (const char* suffix : suffixes) folders.push_back(*suffix != '\0' ? root / suffix : root);
  }
  return folders;
}

std::optional<fs::path> find_include_folder(const Config& config, const std::string& header) {
  static constexpr const char* suffixes[] = {"",
                                             "include",
                                             "targets/x86_64-linux/include",
                                             "targets/sbsa-linux/include",
                                             "nvidia/cu13/include",
                                             "nvidia/cuda_runtime/include"};
  std::vector<fs::path> roots = {config.cuda_path};
  roots.insert(roots.end(), config.cuda_roots.begin(), config.cuda_roots.end());
  roots.emplace_back("/usr/include");
  for (const fs::path& folder : cuda_folders(roots, suffixes)) {
    if (is_file(folder / header)) return folder;
  }
  return std::nullopt;
}

std::string hash_of_includes(std::string_view text, const fs::path& folder) {
  std::set<fs::path> seen;
  std::string all;
  collect(text, folder, folder, seen, all);
  return sha256(all);
}

}  // namespace sonoma
