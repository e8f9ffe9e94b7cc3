// Loops of transforms, and channels that are summed: the definition as the transform under test,
// and what is wrong with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "sonoma/storage.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/memory.hpp"

namespace sonoma::verification {
namespace {

using Points = std::vector<Complex>;

// Of an image, without its guards.
Points points_of(std::span<const std::byte> image) {
  return unpack(Storage::f32, image.subspan(guard_bytes, image.size() - 2 * guard_bytes));
}

// Calls with where each transform begins in the input and the output.
template <class Call>
void for_each_transform(const FftProblem& problem, const Call& call) {
  std::int64_t transforms = problem.batch;
  for (const Loop& loop : problem.layout.loops) transforms *= loop.count;
  for (std::int64_t i = 0; i < transforms; ++i) {
    std::int64_t rest = i, in = 0, out = 0;
    for (const Loop& loop : problem.layout.loops) {
      in += rest % loop.count * loop.in_stride, out += rest % loop.count * loop.out_stride;
      rest /= loop.count;
    }
    call(in + rest * problem.in_dist(), out + rest * problem.out_dist());
  }
}

// What `row` makes of the signals of each transform.
ExecuteFn by_rows(const std::function<std::vector<ComplexD>(const Points& signals)>& row) {
  return [=](const FftProblem& problem, std::span<std::byte> in, std::span<std::byte> out) {
    const bool in_place = problem.placement == Placement::in_place;
    const Points from = points_of(in_place ? out : in);
    Points to = points_of(out);
    for_each_transform(problem, [&](std::int64_t first, std::int64_t target) {
      Points signals;
      for (std::int64_t c = 0; c < problem.channels(); ++c) {
        for (std::int64_t t = 0; t < problem.points(); ++t) {
          const auto place = place_of(problem.axes(), true, t) + first + c * problem.channel_dist();
          signals.push_back(from.at(static_cast<std::size_t>(place)));
        }
      }
      const auto exact = row(signals);
      for (std::int64_t k = 0; k < problem.points(); ++k) {
        const auto place = place_of(problem.axes(), false, k) + target;
        to.at(static_cast<std::size_t>(place)) = Complex(exact[static_cast<std::size_t>(k)]);
      }
    });
    std::ranges::copy(pack(Storage::f32, to), out.begin() + guard_bytes);
  };
}

ExecuteFn transforms_of(const FftProblem& problem) {
  return by_rows(
      [=](const Points& x) { return reference_dft(x, problem.lengths, problem.direction); });
}

bool failed(const Report& report, const std::string& name) {
  return std::ranges::any_of(report.findings,
                             [&](const Finding& f) { return !f.pass && f.check == name; });
}

Report check(const FftProblem& problem, const ExecuteFn& execute, std::int64_t least_batch = 1,
             const CheckOptions& options = {}) {
  Executions executions;
  executions.execute = execute, executions.least_batch = least_batch;
  if (least_batch > 1) executions.most = least_batch;
  return check_executions(executions, problem, {}, options);
}

// Axes 1 and 3 of 3 x 5 x 4 x 6 x 2.
FftProblem of_array(Placement placement = Placement::out_of_place) {
  FftProblem problem;
  problem.lengths = {5, 6}, problem.placement = placement;
  problem.layout = {2, 2, 240, 240, {{2, 1, 1}, {4, 12, 12}}, {48}, {48}};
  validate(problem);
  return problem;
}

TEST(InMemory, HasLoops) {
  for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
    const FftProblem problem = of_array(placement);
    for (const std::int64_t least_batch : {1, 3}) {
      const Report report = check(problem, transforms_of(problem), least_batch);
      EXPECT_TRUE(report.pass()) << summary(report);
      EXPECT_GT(report.findings.size(), 20u);
    }
  }
}

// All of the array, whatever the number of rows.
TEST(InMemory, ExecutionsHaveTheBatchThatIsAskedFor) {
  std::vector<std::int64_t> batches;
  const ExecuteFn transforms = transforms_of(of_array());
  const auto told = [&](const FftProblem& problem, std::span<std::byte> in,
                        std::span<std::byte> out) {
    batches.push_back(problem.batch);
    transforms(problem, in, out);
  };
  Executions executions{told, {}, 24, 3};
  EXPECT_TRUE(check_executions(executions, of_array(), {}).pass());
  EXPECT_GT(batches.size(), 5u);
  EXPECT_EQ(std::ranges::count(batches, 3), std::ssize(batches));
}

TEST(InMemory, WrongLoopsAreSeen) {
  const auto with = [](const std::function<void(FftProblem&)>& damage) {
    return [=](const FftProblem& problem, std::span<std::byte> in, std::span<std::byte> out) {
      FftProblem other = problem;
      damage(other);
      transforms_of(problem)(other, in, out);
    };
  };
  const auto seen = [&](const std::function<void(FftProblem&)>& damage) {
    return !check(of_array(), with(damage)).pass();
  };
  EXPECT_FALSE(seen([](FftProblem&) {}));
  EXPECT_TRUE(seen([](FftProblem& p) { p.layout.loops[0].count = 1; }));
  EXPECT_TRUE(seen([](FftProblem& p) { p.layout.loops[1].count = 3; }));
  EXPECT_TRUE(seen([](FftProblem& p) { p.layout.loops[0].in_stride = 0; }));
  EXPECT_TRUE(seen([](FftProblem& p) { std::swap(p.layout.loops[0], p.layout.loops[1]); }) == false)
      << "their order is no part of it";
  EXPECT_TRUE(seen([](FftProblem& p) { p.layout.loops[1].out_stride = 2; }));
  EXPECT_TRUE(seen([](FftProblem& p) { p.batch -= 1; }));
}

TEST(InMemory, AByteBetweenTheTransformsOfALoopIsSeen) {
  FftProblem gaps = of_array();
  gaps.layout = {2, 3, 240, 400, {{2, 1, 1}, {4, 12, 18}}, {48}, {72}};
  validate(gaps);
  const ExecuteFn transforms = transforms_of(gaps);
  const auto writes = [&](std::size_t point) {
    return [=](const FftProblem& problem, std::span<std::byte> in, std::span<std::byte> out) {
      transforms(problem, in, out);
      out[guard_bytes + point * 8] ^= std::byte{1};
    };
  };
  EXPECT_TRUE(failed(check(gaps, writes(2)), "memory"));
  EXPECT_TRUE(failed(check(gaps, writes(5)), "memory"));
  EXPECT_FALSE(failed(check(gaps, writes(1)), "memory")) << "of the last digit of a result";
}

// ---- channels

FftProblem of_channels(const std::vector<std::int64_t>& shape, bool real) {
  FftProblem problem;
  problem.lengths = shape;
  problem.convolution.emplace().real = real;
  problem.convolution->channels = {3, 0, spectrum_length(problem)};
  problem.layout.in_dist = 3 * problem.points() + 5;
  return problem;
}

// Sums what `one` makes of each channel and its spectrum.
using OfChannel = std::function<std::size_t(std::size_t channel)>;
ExecuteFn sums(const FftProblem& problem, const Points& spectrum, const OfChannel& signal,
               const OfChannel& filter) {
  return by_rows([=](const Points& x) {
    FftProblem one = problem;
    one.convolution->channels = {}, one.layout = {};
    const auto n = static_cast<std::size_t>(problem.points());
    const auto length = static_cast<std::size_t>(spectrum_length(problem));
    std::vector<ComplexD> sum(n);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto at = x.begin() + static_cast<std::ptrdiff_t>(signal(c) * n);
      const auto s = spectrum.begin() + static_cast<std::ptrdiff_t>(filter(c) * length);
      const auto y = reference_convolution({at, at + static_cast<std::ptrdiff_t>(n)}, one,
                                           {s, s + static_cast<std::ptrdiff_t>(length)});
      for (std::size_t t = 0; t < n; ++t) sum[t] += y[t];
    }
    return sum;
  });
}

TEST(Channels, AreJudgedEachByItsOwnSignalAndSpectrum) {
  const OfChannel own = [](std::size_t c) { return c; };
  for (const auto& shape : {std::vector<std::int64_t>{12}, {4, 6}}) {
    const FftProblem problem = of_channels(shape, false);
    CheckOptions options;
    options.spectrum = random_spectrum(problem, 5);
    const auto report = [&](const OfChannel& signal, const OfChannel& filter) {
      return check(problem, sums(problem, options.spectrum, signal, filter), 1, options);
    };
    EXPECT_TRUE(report(own, own).pass()) << summary(report(own, own));
    EXPECT_GT(report(own, own).findings.size(), 15u);
    const OfChannel swapped = [](std::size_t c) { return c == 0 ? 1u : c == 1 ? 0u : c; };
    const OfChannel first = [](std::size_t) { return 0u; };
    for (const OfChannel& wrong : {swapped, first}) {
      EXPECT_TRUE(failed(report(wrong, own), "normal"));
      EXPECT_TRUE(failed(report(own, wrong), "normal"));
    }
    EXPECT_TRUE(report(swapped, swapped).pass()) << "a sum in another order";
  }
}

TEST(Channels, TheReferenceIsTheSumOfEach) {
  for (const bool real : {false, true}) {
    FftProblem problem = of_channels({4, 6}, real);
    problem.scale = 0.25, problem.convolution->correlate = true;
    const auto spectrum = random_spectrum(problem, 7);
    auto x = normal_row(2 * 3 * 24, 9);
    for (auto& v : x) v = real ? Complex(v.real()) : v;
    const auto y = reference_convolution(x, problem, spectrum);
    ASSERT_EQ(y.size(), 48u);
    FftProblem one = problem;
    one.convolution->channels = {}, one.layout = {};
    const auto length = spectrum_length(problem);
    for (std::ptrdiff_t row = 0; row < 2; ++row) {
      std::vector<ComplexD> sum(24);
      for (std::ptrdiff_t c = 0; c < 3; ++c) {
        const auto at = x.begin() + (row * 3 + c) * 24;
        const auto s = spectrum.begin() + c * length;
        const auto part = reference_convolution({at, at + 24}, one, {s, s + length});
        for (std::size_t t = 0; t < 24; ++t) sum[t] += part[t];
      }
      for (std::size_t t = 0; t < 24; ++t) {
        EXPECT_LT(std::abs(y[static_cast<std::size_t>(row) * 24 + t] - sum[t]), 1e-13);
      }
    }
    const Points fewer(spectrum.begin(), spectrum.end() - 1);
    EXPECT_THROW((void)reference_convolution(x, problem, fewer), std::invalid_argument);
    x.pop_back();
    EXPECT_THROW((void)reference_convolution(x, problem, spectrum), std::invalid_argument);
  }
}

}  // namespace
}  // namespace sonoma::verification
