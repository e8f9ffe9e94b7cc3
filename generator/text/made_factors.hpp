// The text of factors that are read, and of those that are made of them.
#pragma once

#include <complex>
#include <set>
#include <string>
#include <vector>

namespace sonoma {

[[nodiscard]] std::string times(const std::string& point, const std::string& factor);
/// An entry of what a thread reads of a table: two lie in each unit.
[[nodiscard]] std::string factor_of(int entry);

/// Factors that are made of others, each declared where it is first taken: times constants, one for
/// each register; squares, cubes, and those by cosines.
class MadeFactors {
 public:
  MadeFactors(std::vector<std::string>& statements, std::vector<std::complex<float>> constants,
              const char* type);

  /// (the entry times the constant of this register)^power; either may be -1: there is none. "":
  /// there is neither.
  [[nodiscard]] std::string of(int entry, int constant, unsigned power = 1);

  /// The entry w^far times the entry w^near, 0 < near < 4, by Twiddles::cosines.
  [[nodiscard]] std::string by_cosine(int near_entry, unsigned near, int far_entry, unsigned far);

 private:
  std::string turned(int entry, int constant, const std::string& own);
  std::string named(const std::string& name, const std::string& value);
  [[nodiscard]] std::string text_of(int constant) const;

  std::vector<std::string>& statements_;
  std::vector<std::complex<float>> constants_;
  std::string type_;
  std::set<std::string> known_;
};

}  // namespace sonoma
