// Emitted kernels on the emulated device, by the whole protocol: as they are, and with one fault
// each, which the checker or the device must catch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {

struct Mutant {
  std::string what;
  KernelCase kernel;
  CudaSource source;
};

[[nodiscard]] CudaSource source_of(const KernelCase& c);

/// What a launch leaves in the output, and its counts.
struct Emulated {
  std::vector<std::uint32_t> bits;
  EmulationReport report;
};
/// Of rows whose words count up from those of 1. Throws EmulationError, for races too.
[[nodiscard]] Emulated emulated(const CudaSource& source, const KernelCase& c, std::uint64_t batch,
                                bool in_place);

/// Empty if two full blocks and a part of one have the barriers and wavefronts that the generator
/// predicts. Throws EmulationError, for races too.
[[nodiscard]] std::string miscounts(const Generated& generated);

/// `from`, which must be there, replaced by `to` at each place.
[[nodiscard]] Mutant replaced(const KernelCase& c, const std::string& from, const std::string& to);

/// One mutant for each place of `statement`, behind `from`, without it there.
[[nodiscard]] std::vector<Mutant> without_each(const KernelCase& c, const std::string& statement,
                                               const std::string& from = "===== the kernel");

/// One mutant for each match of `pattern`, with `to` in its place, within the functions named.
[[nodiscard]] std::vector<Mutant> each_match(const KernelCase& c,
                                             const std::vector<std::string>& functions,
                                             const std::string& pattern, const std::string& to);

void append(std::vector<Mutant>& mutants, const std::vector<Mutant>& more);

/// Of the whole protocol, races included. Throws EmulationError.
[[nodiscard]] verification::Report report_of(const Mutant& mutant);

/// Empty if all is well with the kernel.
[[nodiscard]] std::string faults_of(const Mutant& mutant);
[[nodiscard]] std::string faults_of(const KernelCase& c);

/// Of the kernel in another shape.
[[nodiscard]] std::string faults_of_shape(const KernelCase& c, unsigned points_per_thread,
                                          unsigned block_points, bool staged);

/// A line for each case that has faults.
[[nodiscard]] std::string faults_of_all(const std::vector<KernelCase>& cases);

/// A line for each mutant that nothing caught, or that does not compile: it proves nothing.
[[nodiscard]] std::string survivors(const std::vector<Mutant>& mutants);

}  // namespace sonoma::test
