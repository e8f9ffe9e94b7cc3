// The method bluestein: who takes it, its tables, its IR and what the verifier rejects of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <utility>
#include <vector>

#include "chirp.hpp"
#include "damage.hpp"
#include "host_transform.hpp"
#include "sonoma/check.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

FftProblem problem_of(std::int64_t n, Direction direction = Direction::forward) {
  return {.lengths = {n}, .direction = direction};
}

Tuning by(Method method) {
  Tuning tuning;
  tuning.method = method;
  return tuning;
}

Tuning on_tensor_cores() {
  Tuning tuning = by(Method::bluestein);
  tuning.engine = Engine::mma;
  return tuning;
}

Generated kernel(std::int64_t n, const Tuning& tuning = by(Method::bluestein)) {
  return generate(problem_of(n), target_for("sm_90"), tuning);
}

std::string refused_field(std::int64_t n, const Tuning& tuning, const char* arch = "sm_90") {
  try {
    (void)generate(problem_of(n), target_for(arch), tuning);
  } catch (const UnsupportedProblem& error) {
    return error.field();
  }
  return "";
}

TEST(BluesteinMethod, ServesWhatHasNoSteps) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {1, 134, 1019, 8179}) {
    const Tuning tuning = tuning_of(resolve({}, problem_of(n), target));
    EXPECT_EQ(tuning.method, Method::bluestein) << n;
    EXPECT_EQ(tuning.engine, Engine::simt);
    EXPECT_EQ(tuning.decomposition->n(), convolution_lengths(n, 1).front());
    EXPECT_EQ(tuning_of(resolve(tuning, problem_of(n), target)), tuning);
  }
  EXPECT_EQ(resolve({}, problem_of(64), target).method, Method::radix);
  EXPECT_EQ(resolve(by(Method::bluestein), problem_of(64), target).length(), 128);
}

TEST(BluesteinMethod, RefusesWhatItCannotDo) {
  EXPECT_EQ(refused_field(67, by(Method::radix)), "method");
  EXPECT_EQ(refused_field(17, on_tensor_cores()), "");
  Tuning mixed = on_tensor_cores();
  mixed.decomposition = decompose(36);
  EXPECT_EQ(refused_field(17, mixed), "engine");  // no power of two
  EXPECT_EQ(refused_field(8191, on_tensor_cores()), "");
  EXPECT_EQ(refused_field(8209, on_tensor_cores()), "n");  // in tiles of powers of two
  Tuning shorter = by(Method::bluestein);
  shorter.decomposition = decompose(32);
  EXPECT_EQ(refused_field(17, shorter), "decomposition");
  EXPECT_EQ(refused_field(16, shorter), "");  // 31 at least
  Tuning cluster = by(Method::bluestein);
  cluster.cluster = 2;
  EXPECT_EQ(refused_field(16381, cluster), "");
  EXPECT_EQ(refused_field(16411, cluster), "n");
  cluster.decomposition = decompose(4320);
  EXPECT_EQ(refused_field(2053, cluster), "");
  cluster.decomposition = decompose(4125);
  EXPECT_EQ(refused_field(2053, cluster), "decomposition");  // no halves
  EXPECT_EQ(refused_field(12095, {}), "");
  EXPECT_EQ(refused_field(12099, {}), "n");
  EXPECT_EQ(refused_field(8213, {}, "sm_80"), "n");  // 227 KB
  EXPECT_EQ(refused_field(8191, {}, "sm_75"), "n");  // 128 KB of shared memory
  EXPECT_EQ(refused_field(4093, {}, "sm_75"), "");
}

TEST(BluesteinMethod, ErrorLimitCountsTwoTransformsAndThreeProducts) {
  const Shape shape = resolve(by(Method::bluestein), problem_of(1009), target_for("sm_90"));
  EXPECT_DOUBLE_EQ(error_limit(problem_of(1009), roundings_of(shape)),
                   1.5 * 0x1p-24 * std::sqrt(2 * 11 + 3));
  Tuning simt = by(Method::radix);
  simt.engine = Engine::simt;
  const Generated radix = kernel(2048, simt), convolution = kernel(1009);
  EXPECT_GT(convolution.error.bound, 2 * radix.error.bound);
  EXPECT_LT(convolution.error.bound, 8 * radix.error.bound);
}

// What the floor of the verifier and the bounds of longer transforms take: two incomplete Fresnel
// integrals; what is beside them shows in short transforms.
TEST(Chirp, ItsSpectrumIsAtMostTwoAndAHalfRootsOfN) {
  for (std::int64_t n = 1; n < 400; ++n) {
    EXPECT_LE(chirp_gain(n, convolution_lengths(n, 1).front()), largest_gain) << n;
  }
  for (const std::int64_t n : {1009, 2039, 4093, 4099, 5003, 8191, 8192}) {
    EXPECT_LE(chirp_gain(n, convolution_lengths(n, 1).front()), largest_gain) << n;
  }
}

TEST(ConvolutionLengths, AreSmoothAndLongEnough) {
  for (const std::int64_t n : {1, 2, 3, 17, 100, 251, 2053, 8191, 10007, 65537, 1 << 26}) {
    std::int64_t bits = 2;
    while (bits < 2 * n - 1) bits *= 2;
    for (const auto& lengths : {convolution_lengths(n, 5), convolution_lengths_of_passes(n, 5)}) {
      for (const std::int64_t m : lengths) {
        EXPECT_TRUE(is_smooth(m) && m % 11 != 0 && m % 13 != 0) << m;
        EXPECT_GE(m, 2 * n - 1);
        EXPECT_LE(m, bits);
        EXPECT_EQ(std::count(lengths.begin(), lengths.end(), m), 1);
      }
    }
  }
}

TEST(ConvolutionLengths, TheCheapestComesFirst) {
  const auto in_a_block = [](std::int64_t n) { return convolution_lengths(n, 1).front(); };
  const auto in_passes = [](std::int64_t n) { return convolution_lengths_of_passes(n, 1).front(); };
  EXPECT_EQ(in_a_block(8191), 16384);  // no shorter one is worth while
  EXPECT_EQ(in_a_block(1009), 2048);
  EXPECT_EQ(in_a_block(2053), 4320);
  EXPECT_EQ(in_passes(59995), 120000);
  EXPECT_EQ(in_passes(65521), 131072);  // as many points, none of them in vain
  EXPECT_EQ(in_passes(65537), 131712);  // 2^7 3 7^3, not 2 3 5^5 7 = 131250
}

TEST(ConvolutionLengths, OfTheLargestTilesAreOfThreeStepsAndNotMuchLonger) {
  for (std::int64_t n = 8193; n <= largest_of_large_tiles; ++n) {
    const Decomposition tree = large_tile(n);
    ASSERT_EQ(tree.radices.size(), 3u);
    EXPECT_GE(tree.n(), 2 * n - 1);
    EXPECT_LE(tree.n(), 2.12 * static_cast<double>(n)) << n;
    EXPECT_LE(tree.n() / tree.radices.back(), 896) << n;
  }
  EXPECT_THROW((void)large_tile(12545), InternalError);
  Tuning wish;
  wish.method = Method::bluestein;
  FftProblem problem;
  for (const std::int64_t n : {9007, 11003}) {  // steps of another order spill three times as much
    problem.lengths = {n};
    EXPECT_EQ(resolve(wish, problem, target_for("sm_90")).tree.decomposition, large_tile(n)) << n;
  }
}

TEST(BluesteinMethod, TheDecompositionSaysTheLength) {
  for (const char* text : {"(gs 7 (dft 5))", "(gs 11 (dft 3))", "(gs 13 (gs 2 (dft 2)))",
                           "(gs 3 (gs 4 (dft 3)))", "(gs 4 (gs 16 (dft 2)))"}) {
    Tuning tuning = by(Method::bluestein);
    tuning.decomposition = parse_decomposition(text);
    const Generated generated = kernel(17, tuning);
    EXPECT_EQ(convolution_points(generated.tuning), tuning.decomposition->n());
    EXPECT_EQ(generated.schedule.mixed(), tuning.decomposition->n() != 128) << text;
  }
}

TEST(Chirp, IsPeriodicAndExact) {
  EXPECT_EQ(chirp(17, -1)[0], std::complex<float>(1, 0));
  EXPECT_EQ(chirp(8, -1)[4], std::complex<float>(1, 0));  // half a turn is t^2 = n
  EXPECT_EQ(chirp(4, -1)[2], std::complex<float>(-1, 0));
  EXPECT_EQ(chirp(2, -1)[1], std::complex<float>(0, -1));
  EXPECT_EQ(chirp(2, 1)[1], std::complex<float>(0, 1));
  const auto w = chirp(8191, 1);
  for (const std::int64_t t : {3, 1000, 8190}) {
    EXPECT_EQ(w.at(static_cast<std::size_t>(t)), root_of_unity(t * t % (2 * 8191), 2 * 8191));
  }
}

// Against the sum itself.
TEST(Chirp, SpectrumIsThatOfTheWrappedConjugate) {
  const std::vector<std::pair<int, std::int64_t>> tried = {{-1, 64}, {1, 64},  {-1, 39}, {1, 40},
                                                           {-1, 45}, {1, 143}, {-1, 126}};
  for (const auto& [sign, m] : tried) {
    constexpr std::int64_t n = 19;
    const auto spectrum = chirp_spectrum(n, m, sign);
    for (std::int64_t k = 0; k < m; ++k) {
      std::complex<long double> sum = 0;
      for (std::int64_t t = 1 - n; t < n; ++t) {
        sum += exact_root(-sign * (t * t), 2 * n) * exact_root(sign * t * k, m);
      }
      const std::complex<double> expected(sum / static_cast<long double>(m));
      EXPECT_LT(std::abs(spectrum[static_cast<std::size_t>(k)] - expected), 1e-15);
    }
  }
}

// The norm of the way from n points to all m of the convolution, by the power method.
double largest_way(std::int64_t n, std::int64_t m) {
  const auto spectrum = chirp_spectrum(n, m, 1);
  std::vector<std::complex<double>> x(static_cast<std::size_t>(m));
  for (std::int64_t t = 0; t < n; ++t)
    x[static_cast<std::size_t>(t)] = std::sin(1.3 * double(t * t) + 1);
  double square = 0;
  for (int i = 0; i < 300; ++i) {
    double norm = 0;
    for (const auto& value : x) norm += std::norm(value);
    for (auto& value : x) value /= std::sqrt(norm);
    transform_on_host(x, 1);
    square = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      square += std::norm(x[k] * spectrum[k]) * static_cast<double>(m);
      x[k] *= std::norm(spectrum[k]) * static_cast<double>(m);
    }
    transform_on_host(x, -1);
    std::fill(x.begin() + n, x.end(), 0.0);
  }
  return std::sqrt(square / static_cast<double>(n));
}

TEST(Chirp, ItsGainIsThatOfTheConvolution) {
  for (const auto& [n, m] :
       {std::pair{5, 9}, {19, 40}, {53, 105}, {107, 256}, {257, 540}, {514, 2048}}) {
    const double largest = largest_way(n, m);
    EXPECT_GE(chirp_gain(n, m), largest) << n;
    EXPECT_LE(chirp_gain(n, m), (n <= 512 ? 1.005 : 1.1) * largest) << n;
  }
}

TEST(BluesteinIr, EveryOperationIsNeededOnce) {
  Tuning cluster = by(Method::bluestein);
  cluster.cluster = 2;
  std::vector<std::pair<std::int64_t, KernelIr>> irs = {{1021, kernel(1021, cluster).ir}};
  for (const std::int64_t n : {2, 17, 37, 251, 1009, 2053}) irs.emplace_back(n, kernel(n).ir);
  for (const std::int64_t n : {17, 251, 1009}) {
    irs.emplace_back(n, kernel(n, on_tensor_cores()).ir);
  }
  for (const auto& [n, ir] : irs) {
    SCOPED_TRACE(n);
    expect_each_needed_once(ir);
  }
}

TEST(BluesteinIr, NeighboursMayNotChangePlaces) {
  for (const std::int64_t n : {251, 2053}) {
    const KernelIr ir = kernel(n).ir;
    for (std::size_t i = 0; i + 1 < ir.ops.size(); ++i) {
      if (std::holds_alternative<op::Multiply>(ir.ops[i])) continue;  // beside the chirp
      EXPECT_NE(verify(swapped(ir, i)), "") << to_string(ir.ops[i], ir.schedule.digits);
    }
  }
}

// Each operation of the kind is damaged in its turn.
template <class T>
void expect_rejected(const std::function<void(T&)>& damage, const std::string& reason) {
  for (const std::int64_t n : {251, 2053}) {  // by the bits, and mixed
    EXPECT_GT(expect_each_rejected<T>(kernel(n).ir, damage, reason), 0u);
  }
  (void)expect_each_rejected<T>(kernel(1009, on_tensor_cores()).ir, damage, reason);
}

TEST(BluesteinIr, DamagedOperationsAreRejected) {
  expect_rejected<op::Chirp>([](auto& op) { op.last = !op.last; }, "a chirp twice, or the last");
  expect_rejected<op::Chirp>([](auto& op) { op.table.size += 1; }, "op ");
  expect_rejected<op::Chirp>([](auto& op) { op.table.offset += 1; }, "op ");
  expect_rejected<op::Chirp>(
      [](auto& op) { std::swap(op.layout.threads[0], op.layout.threads[1]); }, "this layout");
  expect_rejected<op::Spectrum>([](auto& op) { op.stride *= 2; }, "other frequencies");
  expect_rejected<op::Spectrum>([](auto& op) { op.register_mask ^= 1; }, "other frequencies");
  expect_rejected<op::Spectrum>([](auto& op) { op.table.size -= 1; }, "wrong size");
  expect_rejected<op::Spectrum>([](auto& op) { --op.exponent; }, "another power of two");
  expect_rejected<op::Butterfly>([](auto& op) { op.register_mask = 0; }, "elsewhere");
  expect_rejected<op::Butterfly>([](auto& op) { op.radix *= 2; }, "wrong radix");
  expect_rejected<op::Butterfly>([](auto& op) { ++op.step; }, "op ");
  expect_rejected<op::Twiddle>([](auto& op) { op.stride *= 2; }, "op ");
  expect_rejected<op::Twiddle>([](auto& op) { op.factors = op::StepFactors::both; }, "op ");
}

TEST(BluesteinSchedule, TheWayBackHasNoExchangeMoreAndNoConflicts) {
  for (const std::int64_t n : {17, 251, 509, 1009, 2039, 2053, 4093, 8191}) {
    const Generated g = kernel(n);
    const unsigned staged = g.schedule.load.staged + g.schedule.store.staged;
    EXPECT_EQ(g.costs.exchanges, 2 * (g.schedule.phases_there() - 1) + staged) << n;
    if (g.schedule.mixed()) continue;  // padding leaves some conflicts
    EXPECT_EQ(g.costs.bank_conflicts(), 0u) << n;
    EXPECT_EQ(g.costs.bytes_moved, 16.0 * static_cast<double>(n));
    EXPECT_EQ(g.schedule.store.layout, g.schedule.load.layout);
  }
}

}  // namespace
}  // namespace sonoma::test
