// Convolutions with a filter on the emulated device: by the whole protocol, and against sums over
// its taps.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <span>

#include "filters.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generated.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/program.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/memory.hpp"

namespace sonoma::test {
namespace {

using verification::Complex;
using verification::ComplexD;

struct Case {
  std::string name;
  FftProblem problem;
  Tuning tuning = {};
};

std::ostream& operator<<(std::ostream& stream, const Case& c) { return stream << c.name; }

class Filters : public testing::TestWithParam<Case> {};

TEST_P(Filters, MeetTheProtocol) {
  const auto report = protocol_report(GetParam().problem, GetParam().tuning);
  EXPECT_TRUE(report.pass()) << to_string(report);
}

Case& add(std::vector<Case>& all, const std::string& name, std::int64_t n) {
  all.push_back({name, problem_of({n})});
  return all.back();
}

// By pairs, but for odd lengths and distances, and in passes.
void add_real(std::vector<Case>& all) {
  add(all, "real_96", 96).problem.convolution->real = true;
  add(all, "real_odd_correlation", 105).problem.convolution = Convolution{true, true};
  add(all, "real_f16_in_place", 256).problem.convolution = Convolution{true};
  all.back().problem.storage = Storage::f16, all.back().problem.placement = Placement::in_place;
  add(all, "real_padded", 512).problem.convolution = Convolution{true};
  all.back().problem.ends = {400, 500, "", ""};
  add(all, "real_of_all_points", 64).problem.convolution = Convolution{true};
  all.back().tuning.decomposition = Decomposition{{8, 8}};
  add(all, "real_4", 4).problem.convolution = Convolution{true, true};
  add(all, "real_6", 6).problem.convolution = Convolution{true};
  add(all, "real_1024_correlation", 1024).problem.convolution = Convolution{true, true};
  add(all, "real_mma", 256).problem.convolution = Convolution{true};
  all.back().tuning.engine = Engine::mma;
  add(all, "real_passes", 1024).problem.convolution = Convolution{true};
  all.back().tuning.pass_lengths = {32, 32};
  add(all, "real_three_passes", 945).problem.convolution = Convolution{true};
  all.back().tuning.pass_lengths = {9, 15, 7};
}

// Of butterflies q and -q, of each an even and an odd number of points; laps; two a block; two
// steps in that phase.
void add_opposite(std::vector<Case>& all) {
  struct Opposite {
    const char* tree;
    unsigned points, transforms, threads;
  };
  for (const auto& [tree, points, transforms, threads] :
       {Opposite{"(gs 4 (dft 6))", 12, 2, 32}, Opposite{"(gs 9 (dft 4))", 18, 1, 0},
        Opposite{"(gs 6 (dft 5))", 12, 3, 0}, Opposite{"(gs 9 (dft 5))", 18, 2, 0},
        Opposite{"(gs 7 (gs 11 (dft 13)))", 26, 1, 32},
        Opposite{"(gs 16 (gs 16 (dft 8)))", 16, 1, 0},
        Opposite{"(gs 2 (gs 3 (gs 8 (gs 3 (dft 2)))))", 16, 1, 0}}) {
    const auto steps = parse_decomposition(tree);
    for (const bool correlate : {false, true}) {
      const std::string name = "real_opposite_" + std::to_string(2 * steps.n());
      all.push_back({name + (correlate ? "_correlation" : ""), problem_of({2 * steps.n()})});
      FftProblem& problem = all.back().problem;
      problem.convolution = Convolution{true, correlate};
      if (correlate) problem.placement = Placement::in_place, problem.scale = 0.375;
      Tuning& tuning = all.back().tuning;
      tuning.decomposition = steps, tuning.engine = Engine::simt, tuning.opposite = true;
      tuning.points_per_thread = points;
      tuning.block_points = transforms * static_cast<unsigned>(steps.n());
      if (threads > 0) tuning.threads = threads;
    }
  }
  add(all, "real_opposite_padded", 60).problem.convolution = Convolution{true};
  all.back().problem.ends = {50, 40, "", ""}, all.back().tuning.opposite = true;
  add(all, "real_opposite_f16", 60).problem.convolution = Convolution{true};
  all.back().problem.storage = Storage::f16, all.back().tuning.opposite = true;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  add(all, "64", 64);
  add(all, "correlation_2", 2).problem.convolution->correlate = true;
  add(all, "1024_scaled", 1024).problem.scale = 1.0 / 1024;
  add(all, "360_correlation", 360).problem.convolution->correlate = true;
  add(all, "in_place", 512).problem.placement = Placement::in_place;
  add(all, "mma", 256).tuning.engine = Engine::mma;
  add(all, "mma_512", 512).tuning.engine = Engine::mma;
  add(all, "f16", 240).problem.storage = Storage::f16;
  add(all, "bf16_to_f32", 128).problem.storage = Storage::bf16;
  all.back().problem.out_storage = Storage::f32;
  add(all, "padded", 256).problem.ends = {200, 229, "", ""};
  add(all, "strided", 96).problem.layout = {2, 3, 0, 0, {}};
  add(all, "cluster", 1024).tuning.cluster = 2u;
  all.back().tuning.decomposition = Decomposition{{16, 4, 16}};
  all.back().tuning.block_points = 1024u;
  add(all, "passes", 1024).tuning.pass_lengths = {32, 32};
  add(all, "passes_padded", 1200).tuning.pass_lengths = {30, 40};
  all.back().problem.ends = {1000, 1100, "", ""};
  all.back().problem.convolution->correlate = true;
  add_real(all);
  add_opposite(all);
  add(all, "three_passes", 960).tuning.pass_lengths = {8, 10, 12};
  all.back().problem.storage = Storage::f16;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Requests, Filters, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

// ---- against sums over the taps

std::vector<Complex> spectrum_of(const FftProblem& problem, const std::vector<Complex>& taps,
                                 std::int64_t count) {
  const FftProblem wanted = spectrum_problem(problem, count);
  return executed(plan_of(wanted, wanted.batch), taps);
}

// y[t] = sum h[s] x[t - s], or sum conj(h[s]) x[t + s], of what lies within x.
ComplexD sum_at(std::int64_t t, std::span<const Complex> x, std::span<const Complex> h,
                bool correlate) {
  ComplexD sum = 0;
  for (std::int64_t s = 0; s < std::ssize(h); ++s) {
    const std::int64_t at = correlate ? t + s : t - s;
    if (at < 0 || at >= std::ssize(x)) continue;
    const ComplexD tap = h[static_cast<std::size_t>(s)];
    sum += (correlate ? std::conj(tap) : tap) * ComplexD(x[static_cast<std::size_t>(at)]);
  }
  return sum;
}

void expect_near(Complex value, ComplexD exact, double size, const std::string& where) {
  EXPECT_LT(std::abs(ComplexD(value) - exact), 20 * 0x1p-24 * size) << where;
}

TEST(Filter, IsALinearConvolutionOfPaddedSignals) {
  for (const bool real : {false, true}) {
    for (const bool correlate : {false, true}) {
      FftProblem problem = problem_of({60}, real);
      problem.ends = {50, 50, "", ""};
      problem.scale = 1.0 / 60;
      problem.convolution->correlate = correlate;
      const auto h = some_points(7, real, 0.7), x = some_points(3 * 50, real, 0.13);
      const auto y = executed(plan_of(problem, 3), x, spectrum_of(problem, h, 7));
      for (std::int64_t row = 0; row < 3; ++row) {
        const auto signal = std::span(x).subspan(static_cast<std::size_t>(row * 50), 50);
        for (std::int64_t t = 0; t < 50; ++t) {
          expect_near(y[static_cast<std::size_t>(row * 50 + t)], sum_at(t, signal, h, correlate), 7,
                      std::to_string(row) + ", " + std::to_string(t));
        }
      }
    }
  }
}

// Frames that overlap, and a filter rotated so that the results that wrap around are the last ones.
TEST(Filter, FiltersALongSignalInFrames) {
  constexpr std::int64_t n = 64, taps = 9, hop = n - taps + 1, frames = 5;
  FftProblem problem = problem_of({n}, true);
  problem.scale = 1.0 / n;
  problem.ends.out_length = hop;
  problem.layout.in_dist = problem.layout.out_dist = hop;
  const auto h = some_points(taps, true, 0.9), x = some_points((frames - 1) * hop + n, true, 0.21);
  std::vector<Complex> rotated(n);
  for (std::int64_t s = 0; s < taps; ++s) {
    rotated[static_cast<std::size_t>((s - (taps - 1) + n) % n)] = h[static_cast<std::size_t>(s)];
  }
  const auto y = executed(plan_of(problem, frames), x, spectrum_of(problem, rotated, n));
  for (std::int64_t t = 0; t < frames * hop; ++t) {
    expect_near(y[static_cast<std::size_t>(t)], sum_at(t + taps - 1, x, h, false), taps,
                std::to_string(t));
  }
}

TEST(Filter, MayBeEachSignalsOwn) {
  for (const auto& lengths : {std::vector<std::int64_t>{}, {32, 32}}) {
    FftProblem problem = problem_of({lengths.empty() ? 48 : 1024});
    problem.batch = 5;
    problem.convolution->spectrum_dist = problem.n() + 3;
    Tuning tuning;
    if (!lengths.empty()) tuning.pass_lengths = lengths;
    if (!lengths.empty()) tuning.workspace_points = 2 * problem.n();  // not all together
    const auto spectrum = verification::random_spectrum(problem, 3);
    const auto x = some_points(5 * problem.n(), false, 0.31);
    const auto y = executed(plan_of(problem, 5, tuning), x, spectrum);
    const auto exact = verification::reference_convolution(x, problem, spectrum);
    for (std::size_t i = 0; i < y.size(); ++i) {
      expect_near(y[i], exact[i], 3.0 * static_cast<double>(problem.n()), std::to_string(i));
    }
  }
}

// One loop over filters, of which all read the same signal; pairs in shared memory, in registers.
class SpectraOfALoop : public testing::TestWithParam<bool> {};
TEST_P(SpectraOfALoop, MeetEverySignal) {
  constexpr std::int64_t n = 40, filters = 3, signals = 4;
  Tuning tuning;
  tuning.opposite = GetParam();
  FftProblem problem = problem_of({n}, true);
  problem.batch = signals;
  problem.layout.in_dist = n, problem.layout.out_dist = filters * n;
  problem.layout.loops = {{filters, 0, n}};
  const FftProblem alone = problem_of({n}, true);
  problem.convolution->spectrum_strides = {spectrum_length(alone)};
  const auto spectrum = verification::random_spectrum(problem, 5);
  ASSERT_EQ(std::ssize(spectrum), filters * spectrum_length(alone));
  const auto x = some_points(signals * n, true, 0.17);
  const Plan plan = plan_of(problem, signals, tuning);
  EXPECT_EQ(plan.generated().schedule.shape.opposite, GetParam());
  const auto y = executed(plan, x, spectrum);
  ASSERT_EQ(std::ssize(y), signals * filters * n);
  for (std::int64_t f = 0; f < filters; ++f) {
    const std::vector<Complex> own(spectrum.begin() + f * spectrum_length(alone),
                                   spectrum.begin() + (f + 1) * spectrum_length(alone));
    const auto exact = verification::reference_convolution(x, alone, own);
    for (std::int64_t i = 0; i < signals * n; ++i) {
      const std::int64_t at = (i / n * filters + f) * n + i % n;
      expect_near(y[static_cast<std::size_t>(at)], exact[static_cast<std::size_t>(i)], 3.0 * n,
                  std::to_string(at));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Opposite, SpectraOfALoop, testing::Bool());

// ---- what is refused

std::string refusal(const std::function<void(FftProblem&)>& ask, const Tuning& tuning = {}) {
  FftProblem problem = problem_of({64});
  ask(problem);
  try {
    (void)plan_of(problem, problem.batch, tuning);
  } catch (const UnsupportedProblem& error) {
    return error.what();
  }
  return "nothing";
}

void expect_refused(const std::string& refused, const std::string& field, const std::string& way) {
  EXPECT_EQ(refused.find(field), 0u) << refused;
  EXPECT_NE(refused.find(way), std::string::npos) << refused;
}

TEST(Filter, RefusesWhatIsNoConvolution) {
  const auto with_n = [](std::int64_t n) {
    return refusal([=](FftProblem& p) { p.lengths = {n}; });
  };
  expect_refused(with_n(67), "n = 67 ", "the next one is 68");
  expect_refused(with_n(1), "n = 1 ", "the next one is 2");
  expect_refused(with_n(1009), "n = 1009 ", "the next one is 1012");
  expect_refused(refusal([](FftProblem& p) { p.domain = Domain::r2c; }), "domain = r2c",
                 "convolution.real");
  expect_refused(refusal([](FftProblem& p) { p.direction = Direction::inverse; }),
                 "direction = inverse", "forward");
  expect_refused(refusal([](FftProblem& p) { p.order = Order::transposed; }), "order = transposed",
                 "natural");
  expect_refused(refusal([](FftProblem& p) { p.convolution->spectrum_dist = -1; }),
                 "convolution.spectrum_dist = -1", "0 (one spectrum for all)");
  expect_refused(refusal([](FftProblem& p) { p.convolution->spectrum_strides = {64}; }),
                 "convolution.spectrum_strides.size() = 1", "one for each of layout.loops: 0");
  Tuning tuning;
  tuning.method = Method::bluestein;
  expect_refused(refusal([](FftProblem&) {}, tuning), "method = bluestein", "drop it");
  tuning = {};
  tuning.rounds = 2u, tuning.block_points = 4096u;
  expect_refused(refusal([](FftProblem& p) { p.lengths = {4096}; }, tuning), "rounds = 2", "1");
  tuning = {};
  tuning.pass_lengths = {32, 32}, tuning.fused = true;
  expect_refused(refusal([](FftProblem& p) { p.lengths = {1024}; }, tuning), "fused = true",
                 "drop it");
  EXPECT_THROW((void)spectrum_problem(problem_of({64}), 65), UnsupportedProblem);
  EXPECT_THROW((void)spectrum_problem(problem_of({64}), 0), UnsupportedProblem);
}

std::string complaint(const Plan& plan, const std::vector<Complex>& memory, const void* spectrum) {
  auto* const in = const_cast<Complex*>(memory.data());
  ExecuteOptions options;
  options.spectrum = spectrum;
  try {
    plan.execute(in, in + 64, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Filter, RefusesBadSpectra) {
  const Plan plan = plan_of(problem_of({64}), 1);
  const std::vector<Complex> memory(4 * 64);
  EXPECT_EQ(complaint(plan, memory, memory.data() + 128), "nothing");
  EXPECT_NE(complaint(plan, memory, nullptr).find("the spectrum is null"), std::string::npos);
  EXPECT_NE(complaint(plan, memory, memory.data() + 129).find("not 16-byte aligned"),
            std::string::npos);
  EXPECT_NE(complaint(plan, memory, memory.data() + 126).find("overlaps out"), std::string::npos);
  FftProblem transform;
  transform.lengths = {64};
  EXPECT_NE(complaint(plan_of(transform, 1), memory, memory.data() + 128).find("no convolution"),
            std::string::npos);
}

}  // namespace
}  // namespace sonoma::test
