// Emitted kernels on the emulated device, by the whole protocol: as they are, and with one fault
// each, which the checker or the device must catch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "damage_text.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {

struct Mutant {
  std::string what;
  KernelCase kernel;
  CudaSource source;
};

[[nodiscard]] CudaSource source_of(const KernelCase& c);
[[nodiscard]] std::vector<Op> operations(const KernelCase& c);

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

/// The kernel with each of the faults, see damage_text.hpp.
[[nodiscard]] Mutant mutant(const KernelCase& c, const Damage& damage);
[[nodiscard]] std::vector<Mutant> mutants(const KernelCase& c, const std::vector<Damage>& damages);

/// `from`, which must be there, replaced by `to` at each place.
[[nodiscard]] Mutant replaced(const KernelCase& c, const std::string& from, const std::string& to);

/// One mutant for each match of `pattern`, with `to` in its place, within the functions named.
[[nodiscard]] std::vector<Mutant> each_match(const KernelCase& c,
                                             const std::vector<std::string>& functions,
                                             const std::string& pattern, const std::string& to);

/// One fault in each function of the plan, twice: see without_statements() and off_by_one().
[[nodiscard]] std::vector<Mutant> in_each_function(const KernelCase& c);

/// The kernel of other operations.
[[nodiscard]] Mutant of_operations(const KernelCase& c, const std::string& what,
                                   const std::vector<Op>& ops);

/// One mutant for each operation of the kind, damaged.
template <class O>
[[nodiscard]] std::vector<Mutant> each_op(const KernelCase& c, const std::string& what,
                                          const std::function<void(O&)>& damage) {
  const std::vector<Op> right = operations(c);
  std::vector<Mutant> all;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!std::holds_alternative<O>(right[i])) continue;
    std::vector<Op> ops = right;
    damage(std::get<O>(ops[i]));
    if (ops != right) all.push_back(of_operations(c, what + " of op " + std::to_string(i), ops));
  }
  return all;
}

/// One mutant for each operation of the kind, without it; `needed`: of those alone.
template <class O>
[[nodiscard]] std::vector<Mutant> without_each(
    const KernelCase& c,
    const std::function<bool(const std::vector<Op>&, std::size_t)>& needed = {}) {
  const std::vector<Op> right = operations(c);
  std::vector<Mutant> all;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!std::holds_alternative<O>(right[i]) || (needed && !needed(right, i))) continue;
    std::vector<Op> ops = right;
    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back(of_operations(c, "without op " + std::to_string(i), ops));
  }
  return all;
}

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
