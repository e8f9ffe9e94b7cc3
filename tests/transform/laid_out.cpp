#include "laid_out.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <type_traits>

#include "sonoma/storage.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

constexpr Complex poison{12345.0f, -5432.0f};

std::size_t size_of(std::int64_t points) { return static_cast<std::size_t>(points + 2 * guard); }

int sign_of(const FftProblem& problem) {
  return problem.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
}

using MakePlan = std::function<fftw_plan(fftw_complex* in, fftw_complex* out)>;

MemoryD executed(const FftProblem& problem, const Memory& in, const MakePlan& make) {
  MemoryD from(in.begin(), in.end()), to(size_of(problem.out_points()));
  const std::unique_ptr<std::remove_pointer_t<fftw_plan>, void (*)(fftw_plan)> plan(
      make(reinterpret_cast<fftw_complex*>(from.data() + guard),
           reinterpret_cast<fftw_complex*>(to.data() + guard)),
      fftw_destroy_plan);
  fftw_execute(plan.get());
  for (ComplexD& value : to) value *= static_cast<double>(static_cast<float>(problem.scale));
  return to;
}

}  // namespace

Memory random_input(const FftProblem& problem, float unit) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Memory memory(size_of(problem.in_points()));
  for (auto& x : memory) {
    x = rounded_to(problem.storage, Complex{unit * normal(random), unit * normal(random)});
  }
  return memory;
}

Memory poisoned_output(const FftProblem& problem) {
  return Memory(size_of(problem.out_points()), rounded_to(problem.result_storage(), poison));
}

std::vector<std::int64_t> places(const FftProblem& problem, bool input) {
  std::vector<std::int64_t> all = {0};
  for (const Axis& axis : problem.axes()) {
    const std::vector<std::int64_t> before = std::move(all);
    all.clear();
    for (const std::int64_t place : before) {
      for (std::int64_t t = 0; t < axis.n; ++t) all.push_back(place + t * axis.stride(input));
    }
  }
  return all;
}

MemoryD expected_by_advanced(const FftProblem& problem, const Memory& in) {
  const DataLayout& layout = problem.layout;
  const int n = static_cast<int>(problem.n()), batch = static_cast<int>(problem.batch);
  const auto i = [](std::int64_t value) { return static_cast<int>(value); };
  return executed(problem, in, [&](fftw_complex* from, fftw_complex* to) {
    return fftw_plan_many_dft(1, &n, batch, from, nullptr, i(layout.in_stride),
                              i(problem.in_dist()), to, nullptr, i(layout.out_stride),
                              i(problem.out_dist()), sign_of(problem),
                              FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  });
}

MemoryD expected_by_guru(const FftProblem& problem, const Memory& in) {
  std::vector<fftw_iodim64> axes;
  for (const Axis& axis : problem.axes()) axes.push_back({axis.n, axis.in_stride, axis.out_stride});
  std::vector<fftw_iodim64> loops = {{problem.batch, problem.in_dist(), problem.out_dist()}};
  for (const Loop& loop : problem.layout.loops) {
    loops.push_back({loop.count, loop.in_stride, loop.out_stride});
  }
  return executed(problem, in, [&](fftw_complex* from, fftw_complex* to) {
    return fftw_plan_guru64_dft(static_cast<int>(axes.size()), axes.data(),
                                static_cast<int>(loops.size()), loops.data(), from, to,
                                sign_of(problem), FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  });
}

void execute_on(const Plan& plan, const Memory& in, Memory& out, void* workspace) {
  const FftProblem& problem = plan.problem();
  const bool in_place = problem.placement == Placement::in_place;
  std::vector<std::byte> from = pack(problem.storage, in), to = pack(problem.result_storage(), out);
  const std::vector<std::byte> given = from;
  auto* const first = from.data() + guard * point_bytes(problem.storage);
  auto* const result = to.data() + guard * point_bytes(problem.result_storage());
  ExecuteOptions options;
  options.workspace = workspace;
  plan.execute(in_place ? result : first, result, options);
  EXPECT_TRUE(from == given) << "the input has changed";
  out = unpack(problem.result_storage(), to);
}

void expect_transforms(const FftProblem& problem, const MemoryD& exact, const Memory& out,
                       Memory untouched, double limit) {
  const std::vector<std::int64_t> points = places(problem, false);
  double worst = 0;
  for (const std::int64_t start : starts(problem, false)) {
    double error = 0, norm = 0;
    for (const std::int64_t place : points) {
      const auto at = static_cast<std::size_t>(guard + start + place);
      const ComplexD difference = ComplexD(out[at]) - exact[at];
      error += std::norm(difference), norm += std::norm(exact[at]);
      worst = std::max({worst, std::abs(difference.real()), std::abs(difference.imag())});
      untouched[at] = out[at];
    }
    if (problem.result_storage() != Storage::i16) {
      EXPECT_LT(std::sqrt(error / norm), limit) << "from " << start;
    }
  }
  if (problem.result_storage() == Storage::i16) {
    EXPECT_LT(worst, 0.51);
  }
  EXPECT_TRUE(out == untouched) << "points that are of no transform";
}

std::vector<std::int64_t> random_strides(std::mt19937& random,
                                         const std::vector<std::int64_t>& counts) {
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::int64_t> strides(counts.size());
  std::int64_t end = 1;
  for (const std::size_t i : order) {
    strides[i] = end + static_cast<std::int64_t>(random() % 4);
    end += (counts[i] - 1) * strides[i];
  }
  return strides;
}

}  // namespace sonoma::test
