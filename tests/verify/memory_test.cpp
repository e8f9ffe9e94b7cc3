// Rows in memory: FFTW's advanced interface as the transform under test, and what is wrong with it.
#include "sonoma/verify/memory.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

constexpr std::int64_t kN = 60;

FftProblem problem_of(const DataLayout& layout, Placement placement = Placement::out_of_place) {
  FftProblem problem;
  problem.lengths = {kN};
  problem.layout = layout;
  problem.placement = placement;
  return problem;
}

// Of an image, without its guards.
std::vector<ComplexD> numbers_of(std::span<const std::byte> image) {
  const auto points =
      unpack(Storage::f32, image.subspan(guard_bytes, image.size() - 2 * guard_bytes));
  return {points.begin(), points.end()};
}

void store(const std::vector<ComplexD>& numbers, std::span<std::byte> image) {
  const auto bytes = pack(Storage::f32, std::vector<Complex>(numbers.begin(), numbers.end()));
  std::ranges::copy(bytes, image.begin() + guard_bytes);
}

void execute_by_fftw(const FftProblem& problem, std::span<std::byte> in, std::span<std::byte> out) {
  const bool in_place = problem.placement == Placement::in_place;
  std::vector<ComplexD> from = numbers_of(in_place ? out : in), to = numbers_of(out);
  const auto i = [](std::int64_t value) { return static_cast<int>(value); };
  const int n = i(problem.n());
  const DataLayout& layout = problem.layout;
  const std::unique_ptr<std::remove_pointer_t<fftw_plan>, void (*)(fftw_plan)> plan(
      fftw_plan_many_dft(1, &n, i(problem.batch), reinterpret_cast<fftw_complex*>(from.data()),
                         nullptr, i(layout.in_stride), i(problem.in_dist()),
                         reinterpret_cast<fftw_complex*>(to.data()), nullptr, i(layout.out_stride),
                         i(problem.out_dist()), FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT),
      fftw_destroy_plan);
  fftw_execute(plan.get());
  store(to, out);
}

Report check(const FftProblem& problem, const ExecuteFn& execute, std::int64_t most = INT64_MAX) {
  Executions executions;
  executions.execute = execute;
  executions.most = most;
  return check_executions(executions, problem, {});
}

bool failed(const Report& report, const std::string& name) {
  return std::ranges::any_of(report.findings,
                             [&](const Finding& f) { return !f.pass && f.check == name; });
}

struct LayoutCase {
  DataLayout layout;
  std::int64_t most = INT64_MAX;
};

std::vector<LayoutCase> layouts() {
  return {{{}},
          {advanced_layout(1, kN + 7, 1, kN)},
          {advanced_layout(3, 0, 1, kN + 1)},
          {advanced_layout(5, 1, 1, 0), 5},
          {advanced_layout(1, kN, 7, 1), 6}};
}

TEST(InMemory, HasFftwsStridesAndDistances) {
  for (const auto& [layout, most] : layouts()) {
    const Report report = check(problem_of(layout), execute_by_fftw, most);
    EXPECT_TRUE(report.pass()) << summary(report);
    EXPECT_GT(report.findings.size(), 20u);
  }
  for (const auto& layout : {DataLayout{}, advanced_layout(2, 131, 2, 131)}) {
    const Report report = check(problem_of(layout, Placement::in_place), execute_by_fftw);
    EXPECT_TRUE(report.pass()) << summary(report);
  }
}

// Each of the five layouts is taken for the one before it.
TEST(InMemory, AnotherLayoutIsSeen) {
  const auto all = layouts();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto wrong = [&](const FftProblem& problem, std::span<std::byte> in,
                           std::span<std::byte> out) {
      FftProblem other = problem;
      other.layout = all[i - 1].layout;
      std::vector<std::byte> input(in.begin(), in.end()), output(out.begin(), out.end());
      input.resize(1 << 17), output.resize(1 << 17);  // room for both
      execute_by_fftw(other, input, output);
      std::copy_n(output.begin(), out.size(), out.begin());
    };
    EXPECT_TRUE(failed(check(problem_of(all[i].layout), wrong, all[i].most > 6 ? 2 : 5), "normal"))
        << to_string(all[i].layout);
  }
}

// Writes a byte `at` that is `in` the input's image, or in the output's.
ExecuteFn writing(bool to_input, std::ptrdiff_t at) {
  return [=](const FftProblem& problem, std::span<std::byte> in, std::span<std::byte> out) {
    execute_by_fftw(problem, in, out);
    const std::span<std::byte> image = to_input ? in : out;
    image[at >= 0 ? static_cast<std::size_t>(at) : image.size() - static_cast<std::size_t>(-at)] ^=
        std::byte{1};
  };
}

TEST(InMemory, WritesBesidePointsAreSeen) {
  const FftProblem gaps = problem_of(advanced_layout(1, kN + 7, 2, 2 * kN));
  const auto first = static_cast<std::ptrdiff_t>(guard_bytes);
  for (const std::ptrdiff_t at : {std::ptrdiff_t{0}, first - 1, first + 8, std::ptrdiff_t{-1}}) {
    EXPECT_TRUE(failed(check(gaps, writing(false, at)), "memory")) << at;
  }
  EXPECT_TRUE(failed(check(gaps, writing(true, first)), "memory"));
  EXPECT_FALSE(failed(check(gaps, writing(false, first)), "memory"));
}

TEST(InMemory, AMissingStoreIsSeen) {
  const auto lazy = [](const FftProblem& problem, std::span<std::byte> in,
                       std::span<std::byte> out) {
    const std::vector<std::byte> before(out.begin(), out.end());
    execute_by_fftw(problem, in, out);
    std::memcpy(out.data() + guard_bytes, before.data() + guard_bytes, point_bytes(Storage::f32));
  };
  EXPECT_TRUE(failed(check(problem_of({}), lazy), "normal"));
}

// The first `length` frequencies of the first `points` points, as far as there is memory.
ExecuteFn of_ends(std::int64_t points, std::int64_t length) {
  return [=](const FftProblem& problem, std::span<std::byte> in, std::span<std::byte> out) {
    const auto from = numbers_of(in);
    auto to = numbers_of(out);
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      const auto first = static_cast<std::size_t>(b * problem.in_dist());
      const auto target = static_cast<std::size_t>(b * problem.out_dist());
      std::vector<Complex> row(static_cast<std::size_t>(kN));
      for (std::size_t t = 0; t < row.size() && t < static_cast<std::size_t>(points); ++t) {
        if (first + t < from.size()) row[t] = Complex(from[first + t]);
      }
      const auto exact = reference_dft(row, kN, problem.direction);
      for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k) {
        if (target + k < to.size()) to[target + k] = exact[k];
      }
    }
    store(to, out);
  };
}

TEST(InMemory, PaddedAndCroppedTransformsAreJudged) {
  FftProblem problem = problem_of({});
  problem.ends.in_length = 40, problem.ends.out_length = 33;
  problem.layout.in_dist = 41, problem.layout.out_dist = 34;
  EXPECT_TRUE(check(problem, of_ends(40, 33)).pass()) << summary(check(problem, of_ends(40, 33)));
  EXPECT_TRUE(failed(check(problem, of_ends(39, 33)), "normal"));
  EXPECT_TRUE(failed(check(problem, of_ends(41, 33)), "normal"));
  EXPECT_TRUE(failed(check(problem, of_ends(40, 32)), "normal"));
  EXPECT_TRUE(failed(check(problem, of_ends(40, 34)), "memory"));
  problem.ends = {}, problem.ends.in_length = 70, problem.layout = {};
  EXPECT_TRUE(check(problem, of_ends(70, kN)).pass());
  EXPECT_TRUE(failed(check(problem, of_ends(59, kN)), "normal"));
}

TEST(InMemory, TransposedFrequenciesAreBroughtToOrder) {
  const auto reversed = [](std::int64_t k) { return kN - 1 - k; };
  const auto execute = [&](const FftProblem& problem, std::span<std::byte> in,
                           std::span<std::byte> out) {
    execute_by_fftw(problem, in, out);
    auto to = numbers_of(out);
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      std::reverse(to.begin() + b * kN, to.begin() + (b + 1) * kN);
    }
    store(to, out);
  };
  FftProblem problem = problem_of({});
  problem.order = Order::transposed;
  Executions executions{execute, [&](std::int64_t) { return reversed; }};
  EXPECT_TRUE(check_executions(executions, problem, {}).pass());
  executions.execute = execute_by_fftw;
  EXPECT_FALSE(check_executions(executions, problem, {}).pass());
}

TEST(InMemory, CodeIsRefused) {
  FftProblem code = problem_of({});
  code.ends.load_code = "value";
  EXPECT_THROW((void)check(code, execute_by_fftw), std::invalid_argument);
}

// 0.51 off is seen wherever the exact value lies.
TEST(InMemory, IntegersAreJudgedToHalfOfOne) {
  FftProblem problem = problem_of({});
  problem.storage = Storage::i16, problem.scale = 0.125;
  problem.out_storage = Storage::i16;
  const auto off_by = [](float error) {
    return [=](const FftProblem& p, std::span<std::byte> in, std::span<std::byte> out) {
      const auto x =
          unpack(Storage::i16, std::span(in).subspan(guard_bytes, in.size() - 2 * guard_bytes));
      const auto exact = reference_dft(x, kN, p.direction, p.scale);
      std::vector<Complex> y(exact.begin(), exact.end());
      for (auto& v : y) v += Complex{error, 0};
      std::ranges::copy(pack(Storage::i16, y), out.begin() + guard_bytes);
    };
  };
  EXPECT_TRUE(check(problem, off_by(0)).pass()) << summary(check(problem, off_by(0)));
  EXPECT_TRUE(failed(check(problem, off_by(0.1f)), "normal"));
}

}  // namespace
}  // namespace sonoma::verification
