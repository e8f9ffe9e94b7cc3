#include "plan_transform.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sonoma/gpu.hpp"

namespace sonoma::test {
namespace {

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

Plan plan_of(const KernelCase& c, Device device, Placement placement, std::int64_t batch) {
  FftProblem problem = c.problem(batch);
  problem.placement = placement;
  PlanOptions options;
  options.tuning = c.tuning();
  options.device = device;
  if (device == Device::cpu) options.target = target_for(c.arch);
  return make_plan(problem, options);
}

}  // namespace

PlanTransform::PlanTransform(cli::PlanOf plan_of) : plan_of_(std::move(plan_of)) {}

PlanTransform::PlanTransform(const KernelCase& c, Device device, Placement placement)
    : PlanTransform([=](std::int64_t batch) { return plan_of(c, device, placement, batch); }) {}

void PlanTransform::operator()(const Complex* in, Complex* out, std::int64_t batch) const {
  const FftProblem problem = plan(batch).problem();
  verification::InMemory memory(problem, cli::executions_of(plan_of_).execute);
  verification::unpacked(problem.storage, problem.result_storage(), problem.n(), std::ref(memory))(
      in, out, batch);
  if (memory.changed() != 0) throw std::runtime_error("memory of no output has changed");
}

verification::Report PlanTransform::check(const verification::CheckOptions& options) const {
  const Plan one = plan(1);
  return verification::check_executions(cli::executions_of(plan_of_), one.problem(),
                                        roundings_of(one.program()), options);
}

std::vector<Complex> all_inputs(const KernelCase& c, int count) {
  auto rows = verification::concatenate(verification::random_inputs(c.n, count, 7, c.storage));
  const auto table = verification::concatenate(verification::adversarial_inputs(c.n, 7, c.storage));
  rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}

std::vector<Complex> run(const PlanTransform& transform, const std::vector<Complex>& x,
                         std::int64_t n) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<Complex> y(x.size(), Complex{nan, nan});
  transform(x.data(), y.data(), static_cast<std::int64_t>(x.size()) / n);
  return y;
}

std::int64_t differing(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  if (a.size() != b.size()) throw std::invalid_argument("differing: sizes");
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += same_bits(a[i].real(), b[i].real()) && same_bits(a[i].imag(), b[i].imag()) ? 0 : 1;
  }
  return count;
}

}  // namespace sonoma::test
