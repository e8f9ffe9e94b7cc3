// The kernels kept in generated/.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sonoma/generate.hpp"

namespace sonoma::test {

struct Golden {
  std::string name;  ///< of the file, without .cu
  FftProblem problem;
  Tuning tuning;
  std::string arch;

  /// The only launch: of one pass, or of two in turns.
  [[nodiscard]] LaunchKernel generated(const Target& target) const;
  [[nodiscard]] std::string text() const { return generated(target_for(arch)).source.text; }
  [[nodiscard]] std::string file() const { return name + ".cu"; }
};

[[nodiscard]] const std::vector<Golden>& goldens();

std::ostream& operator<<(std::ostream& stream, const Golden& golden);

}  // namespace sonoma::test
