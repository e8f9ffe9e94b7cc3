// Suites, input and judgement of transforms with a real side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "sonoma/verify/reference.hpp"
#include "suite.hpp"
#include "workload.hpp"

namespace sonoma::bench {
namespace {

TEST(BenchSuite, EverySuiteTakesADomain) {
  Selection selection;
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    selection.like.domain = domain;
    if (domain == Domain::c2r) selection.like.direction = Direction::inverse;
    for (const Suite& suite :
         {pow2_suite(selection), smooth_suite(selection), planes_suite(selection),
          cubes_suite(selection), columns_suite(selection), single_suite(selection),
          plan_suite(selection)}) {
      const bool large = suite.name != "single" && suite.name != "plan";
      EXPECT_EQ(suite.about.ends_with(to_string(domain)),
                suite.name != "columns" && suite.name != "plan")
          << suite.about;
      ASSERT_FALSE(suite.problems.empty());
      for (const FftProblem& problem : suite.problems) {
        validate(problem);
        EXPECT_EQ(problem.domain, domain);
        const std::int64_t n = problem.n(), last = problem.lengths.back();
        EXPECT_TRUE(!large || points_of(problem) + n > 1 << 26) << dims_of(problem);
        const std::int64_t bytes = 4 * n + 8 * (n / last * (last / 2 + 1));
        EXPECT_EQ(bytes_of(problem), static_cast<std::size_t>(transforms_of(problem) * bytes / 2));
        EXPECT_EQ(type_of(problem), to_string(domain) + " f32");
      }
    }
  }
}

TEST(BenchSuite, ColumnsOfARealSideLieSideBySide) {
  Selection selection;
  selection.like.domain = Domain::r2c;
  const FftProblem problem = columns_suite(selection).problems.at(0);
  EXPECT_EQ(problem.layout.in_dist, 64 * 64);
  EXPECT_EQ(problem.layout.out_dist, 33 * 64);
  EXPECT_EQ(problem.in_points(), points_of(problem));
  EXPECT_EQ(problem.out_points(), transforms_of(problem) * 33);
}

TEST(BenchSuite, TypesNameDomainAndStorages) {
  FftProblem problem;
  problem.lengths = {10};
  EXPECT_EQ(type_of(problem), "f32");
  problem.storage = Storage::i16, problem.out_storage = Storage::f16;
  EXPECT_EQ(type_of(problem), "i16 to f16");
  problem.domain = Domain::r2c;
  EXPECT_EQ(type_of(problem), "r2c i16 to f16");
  EXPECT_EQ(bytes_of(problem), (10u * 2 + 6 * 4) / 2);
}

struct Real {
  std::vector<std::int64_t> lengths;
  Storage storage;
  DataLayout layout;
};

const std::vector<Real> real_cases = {
    {{64}, Storage::f32, {}},
    {{15}, Storage::f32, advanced_layout(2, 40, 3, 50)},
    {{1}, Storage::f32, {}},
    {{2}, Storage::f16, {}},
    {{16}, Storage::i16, {}},
    {{6, 8}, Storage::f32, {}},
    {{4, 5, 6}, Storage::bf16, {}},
    {{3, 7}, Storage::f32, advanced_layout({3, 9}, 1, 40, {3, 8}, 2, 70)}};

FftProblem problem_of(const Real& real, Domain domain) {
  FftProblem problem;
  problem.lengths = real.lengths;
  problem.batch = 5;
  problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  problem.storage = real.storage, problem.out_storage = Storage::f32;
  problem.layout = real.layout;
  validate(problem);
  return problem;
}

Workload workload_for(const FftProblem& problem) {
  const std::int64_t points = std::max(problem.in_points(), 2 * problem.out_points());
  Workload workload(Device::cpu, problem.storage, static_cast<std::size_t>(points));
  if (problem.domain == Domain::c2r) workload.make_hermitian(problem);
  return workload;
}

/// Where a side has point t of its first transform, by the words of problem.hpp; -1: it has not.
std::int64_t place_of(const FftProblem& problem, bool input, std::int64_t t) {
  std::int64_t place = 0;
  const std::vector<Axis> axes = problem.axes();
  for (std::size_t a = axes.size(); a-- > 0; t /= axes[a].n) {
    if (t % axes[a].n >= axes[a].length(input)) return -1;
    place += t % axes[a].n * axes[a].stride(input);
  }
  return place;
}

// Real numbers are the components of the workload; frequencies follow from the transform of all.
TEST(BenchSample, JudgesFrequenciesOfRealNumbers) {
  for (const Real& real : real_cases) {
    const FftProblem problem = problem_of(real, Domain::r2c);
    Workload workload = workload_for(problem);
    auto* out = static_cast<std::complex<float>*>(workload.out());
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      std::vector<std::complex<float>> row;
      for (std::int64_t t = 0; t < problem.n(); ++t) {
        const auto at =
            static_cast<std::size_t>(start_of_input(problem, b) + place_of(problem, true, t));
        const std::complex<float> two = workload.host().at(at / 2);
        row.emplace_back(at % 2 == 0 ? two.real() : two.imag());
      }
      const auto exact = verification::reference_dft(row, problem.lengths, problem.direction);
      for (std::int64_t k = 0; k < problem.n(); ++k) {
        const std::int64_t place = place_of(problem, false, k);
        if (place >= 0)
          out[start_of_output(problem, b) + place] =
              std::complex<float>(exact[static_cast<std::size_t>(k)]);
      }
    }
    const Sample sample(workload, problem);
    EXPECT_LT(sample.relative_l2(workload.output()), 0x1p-24) << to_string(problem);
    out[problem.out_points() - 1] +=
        0.1F * static_cast<float>(1 + std::abs(out[problem.out_points() - 1]));
    EXPECT_GT(sample.relative_l2(workload.output()), 1e-3) << to_string(problem);
  }
}

// The transform of all frequencies is real, or else the input was none of real numbers.
TEST(BenchSample, JudgesRealNumbersOfFrequencies) {
  for (const Real& real : real_cases) {
    const FftProblem problem = problem_of(real, Domain::c2r);
    Workload workload = workload_for(problem);
    auto* out = static_cast<float*>(workload.out());
    const auto n = static_cast<std::size_t>(problem.n());
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      std::vector<std::complex<float>> row(n);
      for (std::size_t k = 0; k < n; ++k) {
        std::size_t mirror = 0, stride = 1, rest = k;
        for (std::size_t a = problem.lengths.size(); a-- > 0;) {
          const auto length = static_cast<std::size_t>(problem.lengths[a]);
          mirror += (length - rest % length) % length * stride;
          rest /= length, stride *= length;
        }
        const std::int64_t place = place_of(problem, true, static_cast<std::int64_t>(k));
        if (place < 0) continue;
        row[k] = workload.host().at(static_cast<std::size_t>(start_of_input(problem, b) + place));
        if (place_of(problem, true, static_cast<std::int64_t>(mirror)) < 0)
          row[mirror] = std::conj(row[k]);
      }
      const auto exact = verification::reference_dft(row, problem.lengths, problem.direction);
      for (std::size_t t = 0; t < n; ++t) {
        EXPECT_LT(std::abs(exact[t].imag()), 1e-9) << to_string(problem);
        out[start_of_output(problem, b) + place_of(problem, false, static_cast<std::int64_t>(t))] =
            static_cast<float>(exact[t].real());
      }
    }
    const Sample sample(workload, problem);
    EXPECT_LT(sample.relative_l2(workload.output()), 0x1p-24) << to_string(problem);
    float& last = out[problem.out_points() - 1];
    last += 0.1F * (1 + std::abs(last));
    EXPECT_GT(sample.relative_l2(workload.output()), 1e-3) << to_string(problem);
  }
}

// The device has what the host has, and what has no mirror in memory stays random.
TEST(BenchWorkload, HermitianInputIsWhatTheDeviceHolds) {
  const FftProblem problem = problem_of({{8}, Storage::f32, {}}, Domain::c2r);
  const Workload workload = workload_for(problem);
  const auto in = static_cast<const std::complex<float>*>(workload.in());
  EXPECT_TRUE(std::equal(workload.host().begin(), workload.host().end(), in));
  for (std::size_t i = 0; i < 25; ++i) {
    EXPECT_EQ(in[i].imag() == 0, i % 5 == 0 || i % 5 == 4) << i;
    EXPECT_NE(in[i].real(), 0) << i;
  }
}

}  // namespace
}  // namespace sonoma::bench
