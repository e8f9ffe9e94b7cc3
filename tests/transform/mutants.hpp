// Emitted kernels with one fault each, which the checker or the emulated device must catch.
#pragma once

#include <string>
#include <vector>

#include "cases.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {

struct Mutant {
  std::string what;
  KernelCase kernel;
  CudaSource source;
};

[[nodiscard]] CudaSource source_of(const KernelCase& c);

/// `from`, which must be there, replaced by `to` at each place.
[[nodiscard]] Mutant replaced(const KernelCase& c, const std::string& from, const std::string& to);

/// One mutant for each match of `pattern`, with `to` in its place, within the functions named.
[[nodiscard]] std::vector<Mutant> each_match(const KernelCase& c,
                                             const std::vector<std::string>& functions,
                                             const std::string& pattern, const std::string& to);

void append(std::vector<Mutant>& mutants, const std::vector<Mutant>& more);

/// Of the whole protocol, races included. Throws EmulationError.
[[nodiscard]] verification::Report report_of(const Mutant& mutant);

/// Empty if all is well with the kernel.
[[nodiscard]] std::string faults_of(const Mutant& mutant);

/// A line for each mutant that nothing caught, or that does not compile: it proves nothing.
[[nodiscard]] std::string survivors(const std::vector<Mutant>& mutants);

}  // namespace sonoma::test
