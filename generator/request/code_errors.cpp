#include "sonoma/code_errors.hpp"

#include <sstream>

namespace sonoma {
namespace {

// NVRTC: "load_code(2): error: text"; GCC and Clang: "load_code:2:5: error: text".
std::string error_in(const std::string& name, const std::string& line) {
  constexpr std::string_view error = "error: ", digits = "0123456789";
  const std::size_t text = line.find(error);
  if (!line.starts_with(name) || text == line.npos) return {};
  const std::size_t first = name.size() + 1;
  if (line.at(name.size()) != '(' && line.at(name.size()) != ':') return {};
  const std::size_t end = line.find_first_not_of(digits, first);
  if (end == line.npos || end == first) return {};
  return "; " + name + ", line " + line.substr(first, end - first) + ": " +
         line.substr(text + error.size());
}

}  // namespace

std::string code_error(std::string_view log) {
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    for (const char* const name : {"load_code", "store_code"}) {
      if (std::string found = error_in(name, line); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace sonoma
