#include "sonoma/ends.hpp"

#include <algorithm>
#include <string_view>

#include "quoted.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// Nothing, or why `code` could reach beyond the parentheses that it is put in.
std::string fault_of(std::string_view code) {
  constexpr std::string_view open = "([{", closed = ")]}";
  constexpr std::string_view forbidden[] = {";",  "#",  "\\", "\"", "'",  "//", "/*",
                                            "*/", "??", "%:", "<%", "%>", "<:", ":>"};
  for (const std::string_view text : forbidden) {
    if (code.find(text) != code.npos) return "has " + std::string(text);
  }
  std::string waiting;  // for these brackets
  for (const char c : code) {
    if ((c < ' ' && c != '\n' && c != '\t') || c > '~') return "has a character that is no ASCII";
    if (const auto kind = open.find(c); kind != open.npos) waiting += closed[kind];
    if (closed.find(c) == closed.npos) continue;
    if (waiting.empty() || waiting.back() != c) return std::string("closes ") + c + " unopened";
    waiting.pop_back();
  }
  return waiting.empty() ? "" : "does not close " + std::string(1, waiting.back());
}

}  // namespace

void validate_code(const std::string& field, const std::string& code) {
  const std::string fault = fault_of(code);
  const bool blank = !code.empty() && code.find_first_not_of(" \n\t") == code.npos;
  if (fault.empty() && !blank) return;
  throw UnsupportedProblem(
      field, "\"" + code + "\"",
      (blank ? "it is blank" : "it " + fault) +
          "; one expression of type float2 over value, index, transform and user (of several axes "
          "i0, i1 ... too), with brackets in pairs, and no statements, comments, preprocessor, "
          "strings, characters or backslashes");
}

std::string to_string(const Ends& ends) {
  std::string text;
  const auto shape = [](std::vector<std::int64_t> lengths, std::int64_t last) {
    std::string all;
    lengths.push_back(last);
    for (const std::int64_t n : lengths) {
      all += (all.empty() ? "" : "x") + (n == 0 ? "n" : std::to_string(n));
    }
    return all == "n" ? "" : all;
  };
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  const std::string in = shape(ends.in_lengths, ends.in_length),
                    out = shape(ends.out_lengths, ends.out_length);
  if (!in.empty()) add("in " + in);
  if (!out.empty()) add("out " + out);
  if (!ends.load_code.empty()) add("load_code=" + quoted(ends.load_code));
  if (!ends.store_code.empty()) add("store_code=" + quoted(ends.store_code));
  return text;
}

}  // namespace sonoma
