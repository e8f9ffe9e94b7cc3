// Emitted text with one fault: of a primitive, or of a function of the plan.
#pragma once

#include <string>
#include <vector>

namespace sonoma::test {

struct Damage {
  std::string what, text;
};

/// `from` replaced by `to` wherever it stands. Throws std::invalid_argument where it does not.
[[nodiscard]] Damage replaced(const std::string& text, const std::string& from,
                              const std::string& to);

/// Within the function or kernel called `name` each match of the regular expression replaced by
/// `to`
/// ($1: what the first group matched), all in one. Throws std::invalid_argument where there is
/// none.
[[nodiscard]] Damage in_function(const std::string& text, const std::string& name,
                                 const std::string& pattern, const std::string& to);
/// One fault for each match.
[[nodiscard]] std::vector<Damage> each_in_function(const std::string& text, const std::string& name,
                                                   const std::string& pattern,
                                                   const std::string& to);

/// Of each function of the plan one fault: without one of its statements.
[[nodiscard]] std::vector<Damage> without_statements(const std::string& text);
/// Of each function of the plan one fault, as far as it has such a number: a place, an index or a
/// table entry off by one.
[[nodiscard]] std::vector<Damage> off_by_one(const std::string& text);

}  // namespace sonoma::test
