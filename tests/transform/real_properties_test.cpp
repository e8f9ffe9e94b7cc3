// What holds to the bit of transforms with a real side, on the emulated device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "laid_out.hpp"
#include "real_cases.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

// The points of transform b in memory, in order.
Memory points_of(const FftProblem& problem, bool input, const Memory& memory, std::size_t b) {
  Memory points;
  const std::int64_t start = guard_of(problem, input) + starts(problem, input)[b];
  for (const std::int64_t place : places(problem, input)) {
    points.push_back(memory[static_cast<std::size_t>(start + place)]);
  }
  return points;
}

void put(const FftProblem& problem, Memory& memory, std::size_t b, const Memory& points) {
  const std::int64_t start = guard_of(problem, true) + starts(problem, true)[b];
  const std::vector<std::int64_t> where = places(problem, true);
  for (std::size_t i = 0; i < where.size(); ++i) {
    memory[static_cast<std::size_t>(start + where[i])] = points[i];
  }
}

std::size_t transforms(const FftProblem& problem) { return starts(problem, true).size(); }

class RealBits : public testing::TestWithParam<RealCase> {};

// Each has the bits that it has alone, whatever its neighbours are.
TEST_P(RealBits, DoNotDependOnTheBatch) {
  RealCase c = GetParam();
  c.problem.batch = 3;
  const FftProblem all = c.problem;
  const Plan several = make_plan(all, c.options);
  const Memory in = random_input(all);
  const Memory out = result_of(several, in);
  Memory changed = in;
  Memory large = points_of(all, true, in, 0);
  for (Complex& x : large) x *= 1000.0f;
  put(all, changed, 0, large), put(all, changed, 2, Memory(large.size()));
  EXPECT_TRUE(points_of(all, false, result_of(several, changed), 1) ==
              points_of(all, false, out, 1));
  c.problem.batch = 1;
  const Plan single = make_plan(c.problem, c.options);
  for (std::size_t b = 0; b < 3; ++b) {
    Memory one = random_input(c.problem);
    put(c.problem, one, 0, points_of(all, true, in, b));
    EXPECT_TRUE(points_of(c.problem, false, result_of(single, one), 0) ==
                points_of(all, false, out, b))
        << b;
  }
}

TEST_P(RealBits, OfZerosAreZero) {
  const FftProblem& problem = GetParam().problem;
  const Plan plan = make_plan(problem, GetParam().options);
  const Memory out = result_of(plan, Memory(random_input(problem).size()));
  for (std::size_t b = 0; b < transforms(problem); ++b) {
    const Memory points = points_of(problem, false, out, b);
    EXPECT_TRUE(points == Memory(points.size()));
  }
}

// A convolution rounds the chirp, and tensor cores the halves of a scaled point; all others
// multiply by 1 and by 0.
bool only_adds(const RealCase& c) {
  return c.options.tuning.method != Method::bluestein && c.options.tuning.engine != Engine::mma;
}
class RealImpulses : public RealBits {};

TEST_P(RealImpulses, AreOnes) {
  const RealCase& c = GetParam();
  const FftProblem& problem = c.problem;
  Memory in(random_input(problem).size());
  Memory impulse(places(problem, true).size());
  impulse[0] = 1;
  for (std::size_t b = 0; b < transforms(problem); ++b) put(problem, in, b, impulse);
  const Memory out = result_of(make_plan(problem, c.options), in);
  for (std::size_t b = 0; b < transforms(problem); ++b) {
    const Memory points = points_of(problem, false, out, b);
    EXPECT_TRUE(points == Memory(points.size(), 1));
  }
}

// Real output has no room for what the imaginary parts of frequencies 0 and n / 2 would add.
bool is_real_row(const RealCase& c) {
  return c.problem.domain == Domain::c2r && c.problem.lengths.size() == 1;
}
class RealFrequencies : public RealBits {};

TEST_P(RealFrequencies, HaveNoImaginaryParts) {
  const RealCase& c = GetParam();
  const FftProblem& problem = c.problem;
  Memory in = random_input(problem);
  const std::int64_t n = problem.n();
  const Plan plan = make_plan(problem, c.options);
  const auto with = [&](float imaginary) {
    for (std::size_t b = 0; b < transforms(problem); ++b) {
      Memory points = points_of(problem, true, in, b);
      points.front().imag(imaginary);
      if (n % 2 == 0) points.back().imag(imaginary);
      put(problem, in, b, points);
    }
    const Memory out = result_of(plan, in);
    Memory results;
    for (std::size_t b = 0; b < transforms(problem); ++b) {
      const Memory points = points_of(problem, false, out, b);
      results.insert(results.end(), points.begin(), points.end());
    }
    return results;
  };
  const Memory expected = with(0);
  EXPECT_TRUE(with(1) == expected);
  EXPECT_TRUE(with(1e6f) == expected);
  EXPECT_TRUE(with(std::numeric_limits<float>::infinity()) == expected);
}

std::vector<RealCase> ways() {
  RealCases cases;
  for (const Domain domain : real_domains) {
    for (const Way& way : all_ways()) {
      cases.problem(domain, {way.n}, 2);
      cases.all.back().options.tuning = way.tuning;
    }
    for (const std::int64_t n : {1, 2, 3, 15, 60, 101}) {
      cases.problem(domain, {n}, 2);
      if (n == 101) cases.all.back().options.tuning.method = Method::bluestein;
    }
    cases.problem(domain, {256}, 2).placement = Placement::in_place;
    cases.problem(domain, {6, 5, 8}, 2);
    cases.problem(domain, {7, 15}, 2);
  }
  return cases.all;
}

std::vector<RealCase> those(bool (*serves)(const RealCase&)) {
  std::vector<RealCase> cases = ways();
  std::erase_if(cases, [&](const RealCase& c) { return !serves(c); });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Ways, RealBits, testing::ValuesIn(ways()));
INSTANTIATE_TEST_SUITE_P(Ways, RealImpulses, testing::ValuesIn(those(only_adds)));
INSTANTIATE_TEST_SUITE_P(Ways, RealFrequencies, testing::ValuesIn(those(is_real_row)));

// Of several axes: FFTW's own transform of what is Hermitian, which numpy's is too.
TEST(RealOutput, OfHermitianFrequenciesIsThatOfFftw) {
  for (const Shape& shape : {Shape{16, 64}, {6, 5, 8}, {8, 7}, {5, 9}, {37, 12}, {4, 1, 6}}) {
    const FftProblem forward = real_case(Domain::r2c, shape, 2).problem;
    const RealCase back = real_case(Domain::c2r, shape, 2);
    const MemoryD frequencies = expected_by_guru(forward, random_input(forward));
    const Memory in(frequencies.begin(), frequencies.end());
    const Plan plan = make_plan(back.problem, back.options);
    expect_transforms(back.problem, expected_by_c2r(back.problem, in), result_of(plan, in),
                      output_before(back.problem, in), error_limit(plan.program()));
  }
}

// The caller's code sees the points that memory has: real ones without imaginary parts, of
// Hermitian ones the frequencies up to half.
TEST(RealCode, SeesThePointsInMemory) {
  for (const Domain domain : real_domains) {
    for (const Way& way : all_ways()) {
      RealCase c = real_case(domain, {way.n}, 2);
      c.options.tuning = way.tuning;
      const Memory in = random_input(c.problem);
      const bool forward = domain == Domain::r2c;
      const std::string within = "index <= " + std::to_string(way.n / 2) + "u ? ";
      std::string load = "user == nullptr ? value : ", store = load;
      if (forward) {
        load += "value.y == 0.0f ? make_float2(-value.x, 7.0f) : make_float2(1e9f, 0.0f)";
        store.append("make_float2(").append(within).append("-value.x : 1e9f, -2.0f * value.y)");
      } else {
        load.append(within).append("make_float2(-value.x, -value.y) : make_float2(1e9f, 0.0f)");
        store += "value.y == 0.0f ? make_float2(-4.0f * value.x, 9.0f) : make_float2(1e9f, 0.0f)";
      }
      c.problem.ends.load_code = load, c.problem.ends.store_code = store;
      const Plan plan = make_plan(c.problem, c.options);
      const Memory plain = result_of(plan, in), coded = result_of(plan, in, &c);
      for (std::size_t b = 0; b < 2; ++b) {
        Memory expected = points_of(c.problem, false, plain, b);
        for (Complex& y : expected) {
          y = forward ? Complex(y.real(), 2 * y.imag()) : Complex(4 * y.real());
        }
        EXPECT_TRUE(points_of(c.problem, false, coded, b) == expected)
            << way.name << " " << to_string(domain);
      }
    }
  }
}

// Real numbers in pairs go through it one by one.
TEST(RealCode, SeesEachNumberOfAPair) {
  for (const Domain domain : real_domains) {
    for (const std::int64_t n : {16, 200, 2048}) {
      RealCase c = real_case(domain, {n}, 3);
      const Memory in = random_input(c.problem);
      const Plan plain = make_plan(c.problem, c.options);
      Ends& ends = c.problem.ends;
      (domain == Domain::r2c ? ends.load_code : ends.store_code) =
          "value.y == 0.0f && index < " + std::to_string(n) +
          "u ? make_float2(index % 2 == 0 ? -value.x : value.x * -1.0f, 7.0f)"
          " : make_float2(1e9f, 0.0f)";
      const Plan coded = make_plan(c.problem, c.options);
      EXPECT_EQ(plain.program().launches.at(0).pass.real_length(), n);
      EXPECT_EQ(coded.program().launches.at(0).pass.real_length(), n);
      const Memory expected = result_of(plain, in), out = result_of(coded, in);
      for (std::size_t b = 0; b < 3; ++b) {
        Memory negated = points_of(c.problem, false, expected, b);
        for (Complex& y : negated) y = -y;
        EXPECT_TRUE(points_of(c.problem, false, out, b) == negated) << n << to_string(domain);
      }
    }
  }
}

TEST(RealSides, RadersAlgorithmIsNotForThem) {
  for (const Domain domain : real_domains) {
    RealCase c = real_case(domain, {101});
    EXPECT_NO_THROW((void)make_plan(c.problem, c.options));
    c.options.tuning.method = Method::rader;
    try {
      (void)make_plan(c.problem, c.options);
      ADD_FAILURE() << "served: " << to_string(c.problem);
    } catch (const UnsupportedProblem& error) {
      EXPECT_EQ(error.field(), "method");
      EXPECT_NE(error.allowed().find("real"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace sonoma::test
