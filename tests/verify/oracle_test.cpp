// The oracles against each other: MPFR's transforms share no code with FFTW's.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mpfr_transforms.hpp"
#include "sonoma/trigonometric.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {
namespace {

constexpr Domain all_of_numbers[] = {Domain::dct1, Domain::dct2, Domain::dct3, Domain::dct4,
                                     Domain::dst1, Domain::dst2, Domain::dst3, Domain::dst4};

// Relative, in the 2-norm.
template <class A, class B>
double difference(const std::vector<A>& a, const std::vector<B>& b) {
  long double error = 0, all = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    error += std::norm(ComplexL(a[k]) - ComplexL(b[k]));
    all += std::norm(ComplexL(b[k]));
  }
  return static_cast<double>(std::sqrt(error / all));
}

bool has_large_prime(std::int64_t n) {
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13}) {
    while (n % p == 0) n /= p;
  }
  return n > 1;
}

// What FFTW may err with so many bits: independent roundings, see e2_limit(). Of large primes it
// makes two transforms, or sums of as many terms.
double allowed(std::int64_t n, int bits) {
  const double transforms = has_large_prime(n) ? 2 : 1;
  return 1.5 * transforms * std::exp2(-bits) * std::sqrt(std::log2(static_cast<double>(n) + 2));
}

FftProblem problem_of(std::vector<std::int64_t> lengths, Domain domain = Domain::c2c,
                      Direction direction = Direction::forward) {
  FftProblem problem;
  problem.lengths = std::move(lengths);
  problem.domain = domain;
  problem.direction = direction;
  return problem;
}

double of_long_double(const FftProblem& problem) {
  const auto x = normal_row(problem.points(), 3);
  return difference(reference_in_long_double(x, problem, Oracle::fftw_long),
                    reference_in_long_double(x, problem, Oracle::mpfr));
}

double of_double(const FftProblem& problem) {
  const auto x = normal_row(problem.points(), 3);
  return difference(reference(x, problem), reference_in_long_double(x, problem, Oracle::mpfr));
}

// Lengths 1 to 64, primes, powers, and some between.
std::vector<std::int64_t> lengths() {
  std::vector<std::int64_t> all = {97, 127, 257, 509, 1009, 100, 360, 1000, 1024, 1155, 2048, 4096};
  for (std::int64_t n = 1; n <= 64; ++n) all.push_back(n);
  return all;
}

TEST(Oracles, FftwAgreesWithMpfrToItsOwnPrecision) {
  for (const std::int64_t n : lengths()) {
    for (const auto direction : {Direction::forward, Direction::inverse}) {
      const FftProblem problem = problem_of({n}, Domain::c2c, direction);
      EXPECT_LE(of_long_double(problem), allowed(n, 64)) << n;
      EXPECT_LE(of_double(problem), allowed(n, 53)) << n;
    }
  }
}

// So that a difference that is told is the reference's and not the comparison's.
TEST(Oracles, TheDifferenceIsThatOfThePrecision) {
  for (const std::int64_t n : {60, 1009, 1024}) {
    EXPECT_GT(of_long_double(problem_of({n})), 0.1 * std::exp2(-64)) << n;
    EXPECT_GT(of_double(problem_of({n})), 0.1 * std::exp2(-53)) << n;
  }
}

TEST(Oracles, OfCosinesAndSinesToo) {
  for (const Domain domain : all_of_numbers) {
    for (const std::int64_t n : {2, 3, 4, 5, 7, 8, 16, 27, 31, 45, 64, 100, 127, 256}) {
      for (const bool orthogonal : {false, true}) {
        FftProblem problem = problem_of({n}, domain);
        problem.orthogonal = orthogonal;
        // FFTW computes types 1 by a trick that loses sqrt(n) (its manual, section 4.8.3).
        const double loss = type_of(domain) == 1 ? std::sqrt(static_cast<double>(n)) : 2;
        EXPECT_LE(of_long_double(problem), loss * allowed(n, 64)) << to_string(domain) << n;
        EXPECT_LE(of_double(problem), loss * allowed(n, 53)) << to_string(domain) << n;
      }
    }
  }
}

TEST(Oracles, OfSeveralAxesAndRowsToo) {
  for (const Domain domain : {Domain::c2c, Domain::dct2, Domain::dst3}) {
    FftProblem problem = problem_of({6, 7, 8}, domain);
    problem.scale = 0.3;
    const auto x = normal_row(3 * problem.points(), 5);
    EXPECT_LE(difference(reference_in_long_double(x, problem, Oracle::fftw_long),
                         reference_in_long_double(x, problem, Oracle::mpfr)),
              2 * allowed(6 * 7 * 8, 64));
  }
}

TEST(Oracles, OfConvolutionsToo) {
  FftProblem problem = problem_of({30});
  problem.convolution.emplace();
  const auto x = normal_row(90, 7), spectrum = random_spectrum(problem, 8);
  const auto exact = reference_convolution(x, problem, spectrum, Oracle::mpfr);
  for (const Oracle oracle : {Oracle::fftw, Oracle::fftw_long}) {
    EXPECT_LE(difference(reference_convolution(x, problem, spectrum, oracle), exact),
              4 * allowed(30, 53));
  }
}

// Each root off by what double precision would not show.
TEST(Oracles, AWrongRootIsSeen) {
  for (const std::int64_t n : {12, 31, 64}) {
    const auto x = normal_row(n, 9);
    const auto exact = reference_in_long_double(x, problem_of({n}), Oracle::fftw_long);
    const Number off(0x1p-54L);
    for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
      MpfrRoots roots = mpfr_roots(n);
      mpfr().add(roots.sin[k].get(), roots.sin[k].get(), off.get(), MPFR_RNDN);
      std::vector<ComplexL> row(x.begin(), x.end());
      mpfr_dft(row, Direction::forward, roots);
      EXPECT_GT(difference(row, exact), 2 * allowed(n, 64)) << n << " " << k;
    }
  }
}

TEST(Oracles, WordsAndReach) {
  for (const Oracle oracle : {Oracle::fftw, Oracle::fftw_long, Oracle::mpfr}) {
    EXPECT_EQ(parse_oracle(to_string(oracle)), oracle);
  }
  EXPECT_EQ(parse_oracle("long"), std::nullopt);
  EXPECT_NO_THROW(require_in_reach(Oracle::mpfr, problem_of({4093})));
  EXPECT_NO_THROW(require_in_reach(Oracle::mpfr, problem_of({4096}, Domain::dct2)));
  EXPECT_NO_THROW(require_in_reach(Oracle::fftw_long, problem_of({1 << 20})));
  for (const std::int64_t n : {std::int64_t{4099}, std::int64_t{1} << 40}) {
    EXPECT_THROW(require_in_reach(Oracle::mpfr, problem_of({n})), std::invalid_argument);
  }
}

}  // namespace
}  // namespace sonoma::verification
