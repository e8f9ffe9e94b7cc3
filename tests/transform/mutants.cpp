#include "mutants.hpp"

#include <numeric>
#include <span>

#include "host_compiler.hpp"
#include "kernel_text.hpp"
#include "parallel.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::test {

CudaSource source_of(const KernelCase& c) {
  return generate(c.problem(), target_for(c.arch), c.tuning()).source;
}

std::vector<Op> operations(const KernelCase& c) {
  return generate(c.problem(), target_for(c.arch), c.tuning()).ir.ops;
}

namespace {

Roundings roundings_of(const KernelCase& c) {
  if (c.packed) return {.arithmetic = Arithmetic::packed};
  return sonoma::roundings_of(resolve(c.tuning(), c.problem(), target_for(c.arch)));
}

using Object = std::vector<std::uint8_t>;

verification::Report report_of(const Mutant& mutant, const Object& object,
                               const verification::CheckOptions& options) {
  const std::int64_t n = mutant.kernel.n;
  const EmulatedKernel kernel(object, mutant.source);
  const auto transform = [&](const std::byte* in, std::byte* out, std::int64_t batch) {
    const auto bytes = static_cast<std::size_t>(batch * n) * point_bytes(mutant.kernel.storage);
    kernel.launch({in, bytes}, {out, bytes}, mutant.source.tables,
                  static_cast<std::uint64_t>(batch), {.check_races = true, .host_threads = 1});
  };
  const FftProblem problem = mutant.kernel.problem();
  return verification::check_transform(
      verification::unpacked(problem.storage, problem.storage, n, transform), problem,
      roundings_of(mutant.kernel), options);
}

verification::CheckOptions whole_check(const Mutant& mutant) {
  return {.random_transforms = random_rows(mutant.kernel.n)};
}

// Most faults show in random rows.
verification::CheckOptions short_check(const Mutant& mutant) {
  return {.random_transforms = random_rows(mutant.kernel.n),
          .adversarial = false,
          .properties = false,
          .bit_exact = false};
}

std::string faults_of(const Mutant& mutant, const Object& object,
                      const verification::CheckOptions& options) {
  try {
    const auto report = report_of(mutant, object, options);
    return report.pass() ? "" : summary(report);
  } catch (const EmulationError& error) {
    return error.what();
  }
}

}  // namespace

verification::Report report_of(const Mutant& mutant) {
  return report_of(mutant, compiled(mutant.source), whole_check(mutant));
}

std::string faults_of(const Mutant& mutant) {
  return faults_of(mutant, compiled(mutant.source), whole_check(mutant));
}

Emulated emulated(const CudaSource& source, const KernelCase& c, std::uint64_t batch,
                  bool in_place) {
  const std::size_t words = batch * static_cast<std::size_t>(c.n) * point_bytes(c.storage) / 4;
  std::vector<std::uint32_t> in(words), out(words, 0xffffffffu);
  std::iota(in.begin(), in.end(), c.storage == Storage::f32 ? 0x3f800000u : 0x3c003c00u);
  const EmulatedKernel kernel(compiled(source), source);
  auto& to = in_place ? in : out;
  const auto report =
      kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(to)),
                    source.tables, batch, {.check_races = true});
  return {to, report};
}

std::string miscounts(const Generated& generated) {
  const CudaSource& source = generated.source;
  const FftProblem& problem = generated.problem;
  const std::uint64_t batch = 2 * source.launch.transforms_per_block + 1;
  // Points more, for frequencies of real numbers: one for each row.
  const auto in =
      pack(problem.storage, verification::concatenate(verification::random_inputs(
                                2 * problem.n(), static_cast<int>(batch), 9, problem.storage)));
  std::vector<std::byte> out(in.size());
  const EmulatedKernel kernel(compiled(source), source);
  const auto report =
      kernel.launch(in, out, source.tables, batch, {.check_races = true, .count_wavefronts = true});
  std::string wrong;
  const auto compare = [&](const std::string& what, std::uint64_t counted, std::uint64_t of_block) {
    if (counted == 3 * of_block) return;
    wrong += what + ": " + std::to_string(counted) + " in 3 blocks, predicted for each " +
             std::to_string(of_block) + "\n";
  };
  const KernelCosts& costs = generated.costs;
  compare("blocks", report.blocks, 1);
  compare("barriers", report.block_barriers, costs.barriers);
  compare("wavefronts", report.loads.total + report.stores.total, costs.shared_wavefronts);
  compare("wavefronts without conflicts", report.loads.minimum + report.stores.minimum,
          costs.shared_wavefronts_minimum);
  return wrong;
}

std::string faults_of(const KernelCase& c) { return faults_of(Mutant{"", c, source_of(c)}); }

std::string faults_of_shape(const KernelCase& c, unsigned points_per_thread, unsigned block_points,
                            bool staged) {
  Tuning tuning = c.tuning();
  tuning.points_per_thread = points_per_thread;
  tuning.block_points = block_points;
  tuning.stage_load = tuning.stage_store = staged;
  return faults_of({"", c, generate(c.problem(), target_for(c.arch), tuning).source});
}

std::string faults_of_all(const std::vector<KernelCase>& cases) {
  return in_parallel(
      cases, [](const KernelCase& c) { return name(c); },
      [](const KernelCase& c) { return faults_of(c); });
}

std::string survivors(const std::vector<Mutant>& mutants) {
  return in_parallel(
      mutants, [](const Mutant& m) { return name(m.kernel) + ", " + m.what; },
      [](const Mutant& m) -> std::string {
        Object object;
        try {
          object = compiled(m.source);
        } catch (const EmulationError& error) {
          return "does not compile: " + error.log();
        }
        const bool caught = !faults_of(m, object, short_check(m)).empty() ||
                            !faults_of(m, object, whole_check(m)).empty();
        return caught ? "" : "survived";
      });
}

Mutant mutant(const KernelCase& c, const Damage& damage) {
  Mutant result{damage.what, c, source_of(c)};
  result.source.text = damage.text;
  return result;
}

std::vector<Mutant> mutants(const KernelCase& c, const std::vector<Damage>& damages) {
  std::vector<Mutant> all;
  for (const Damage& damage : damages) all.push_back(mutant(c, damage));
  return all;
}

Mutant replaced(const KernelCase& c, const std::string& from, const std::string& to) {
  return mutant(c, replaced(source_of(c).text, from, to));
}

std::vector<Mutant> each_match(const KernelCase& c, const std::vector<std::string>& functions,
                               const std::string& pattern, const std::string& to) {
  const std::string text = source_of(c).text;
  std::vector<Mutant> all;
  for (const auto& function : functions) {
    append(all, mutants(c, each_in_function(text, function, pattern, to)));
  }
  return all;
}

std::vector<Mutant> in_each_function(const KernelCase& c) {
  const std::string text = source_of(c).text;
  std::vector<Mutant> all = mutants(c, without_statements(text));
  append(all, mutants(c, off_by_one(text)));
  return all;
}

Mutant of_operations(const KernelCase& c, const std::string& what, const std::vector<Op>& ops) {
  Generated generated = generate(c.problem(), target_for(c.arch), c.tuning());
  generated.ir.ops = ops;
  return mutant(c, {what, unit_text({kernel_text(generated)})});
}

void append(std::vector<Mutant>& mutants, const std::vector<Mutant>& more) {
  mutants.insert(mutants.end(), more.begin(), more.end());
}

}  // namespace sonoma::test
