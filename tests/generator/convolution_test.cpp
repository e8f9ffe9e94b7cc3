// The method bluestein in several launches: the passes, the tables, and what the verifier rejects.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <set>

#include "chirp.hpp"
#include "damage.hpp"
#include "sonoma/check.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

using Lengths = std::vector<std::int64_t>;

FftProblem problem_of(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

Tuning passes(const Lengths& lengths) {
  Tuning tuning;
  tuning.method = Method::bluestein;
  tuning.pass_lengths = lengths;
  return tuning;
}

Program program_of(std::int64_t n, const Tuning& tuning = {}) {
  return make_program(problem_of(n), target_for("sm_90"), tuning);
}

std::vector<Generated> kernels_of(std::int64_t n, const Tuning& tuning) {
  std::vector<Generated> kernels;
  for (const Launch& launch : program_of(n, tuning).launches) {
    kernels.push_back(generate(launch, target_for("sm_90")).passes.front());
  }
  return kernels;
}

std::string refused_field(std::int64_t n, const Tuning& tuning) {
  try {
    (void)kernels_of(n, tuning);
  } catch (const UnsupportedProblem& error) {
    return error.field();
  }
  return "";
}

TEST(ConvolutionProgram, GoesThereAndBack) {
  const Program two = program_of(12099), three = program_of(9000, passes({128, 64, 32}));
  // Before, between and after the steps: chirp, twiddle, spectrum.
  const auto factors = [](const Program& program) {
    std::vector<std::string> result;
    for (const Launch& launch : program.launches) {
      std::string& kinds = result.emplace_back();
      for (const auto& factor : {launch.pass.before, launch.pass.between, launch.pass.after}) {
        kinds += factor ? "tcs"[static_cast<int>(factor->kind)] : '-';
      }
    }
    return result;
  };
  EXPECT_EQ(factors(two), (std::vector<std::string>{"c-t", "-s-", "t-c"}));
  EXPECT_EQ(factors(three), (std::vector<std::string>{"c-t", "--t", "-s-", "t--", "t-c"}));
  EXPECT_EQ(two.workspace_points, 24576);
  EXPECT_EQ(three.workspace_points, 262144);
  EXPECT_EQ(two.launches.front().from, Buffer::input);
  EXPECT_EQ(two.launches[1].from, Buffer::workspace);
  EXPECT_EQ(two.launches[1].to, Buffer::workspace);
  EXPECT_EQ(two.launches.back().to, Buffer::output);
}

TEST(ConvolutionProgram, TakesOverWhereOneBlockEnds) {
  EXPECT_EQ(program_of(12095).launches.size(), 1u);
  EXPECT_EQ(program_of(12099).launches.size(), 3u);
  EXPECT_EQ(make_program(problem_of(8213), target_for("sm_80"), {}).launches.size(), 3u);
  // By clusters where the length is a power of two.
  for (const auto& [n, cluster] : std::vector<std::pair<std::int64_t, unsigned>>{
           {16382, 8}, {32749, 8}, {65521, 1}, {16411, 1}, {131071, 1}}) {
    const Program program = program_of(n);
    EXPECT_EQ(program.launches.size(), cluster > 1 ? 1u : 3u) << n;
    EXPECT_EQ(program.launches.front().shape.shares.cluster, cluster) << n;
  }
  EXPECT_EQ(make_program(problem_of(4099), target_for("sm_75"), {}).launches.size(), 3u);
  EXPECT_EQ(program_of((1 << 23) + 9).launches.size(), 5u);
  EXPECT_EQ(program_of(10000).launches.size(), 1u);  // radix
}

TEST(ConvolutionProgram, OnlyTheLastPassHasTheFactor) {
  FftProblem problem = problem_of(12099);
  problem.scale = 0.5;
  problem.storage = Storage::f16;
  const Program program = make_program(problem, target_for("sm_90"), {});
  for (std::size_t i = 0; i < 3; ++i) {
    const Pass& pass = program.launches[i].pass;
    EXPECT_EQ(pass.problem.scale, i == 2 ? 0.5 : 1.0);
    EXPECT_EQ(pass.problem.storage, i == 0 ? Storage::f16 : Storage::f32);
    EXPECT_EQ(pass.out.storage, i == 2 ? Storage::f16 : Storage::f32);
  }
}

// Transforms of odd lengths begin at multiples of 8 bytes; those that go together at 16.
TEST(ConvolutionProgram, RoundsBeginAligned) {
  Tuning small;
  small.workspace_points = 1;
  EXPECT_EQ(program_of(12099, small).transforms_together, 2);
  EXPECT_EQ(program_of(16382, small).transforms_together, 1);
  FftProblem half = problem_of(12099);
  half.storage = Storage::f16;
  EXPECT_EQ(make_program(half, target_for("sm_90"), small).transforms_together, 4);
}

TEST(ConvolutionProgram, RefusesWhatItCannotDo) {
  Tuning radix, mma, fused;
  radix.method = Method::radix;
  mma.engine = Engine::mma;
  fused.fused = true;
  EXPECT_EQ(refused_field(12099, radix), "method");
  EXPECT_EQ(refused_field(12099, mma), "");
  mma.pass_lengths = Lengths{150, 170};  // no tiles of powers of two
  EXPECT_EQ(refused_field(12099, mma), "engine");
  EXPECT_EQ(refused_field(12099, fused), "fused");
  for (const Lengths& lengths : {Lengths{128, 64}, Lengths{97, 256}, Lengths{32768}, Lengths{},
                                 Lengths{16, 2048}, Lengths{8192, 32}, Lengths{32, 32, 32, 32}}) {
    EXPECT_EQ(refused_field(12099, passes(lengths)), "pass_lengths") << to_list(lengths);
  }
  FftProblem accurate = problem_of(12099);
  accurate.accuracy.max_rel_l2 = 1e-9;
  EXPECT_THROW((void)make_program(accurate, target_for("sm_90"), {}), UnsupportedProblem);
}

TEST(ConvolutionProgram, HasTheLimitOfTwoTransformsAndThreeProducts) {
  const Program program = make_program(problem_of(12111), target_for("sm_90"), {});
  EXPECT_EQ(roundings_of(program).convolution_points, 24576);
  EXPECT_DOUBLE_EQ(error_limit(program), 1.5 * 0x1p-24 * std::sqrt(2 * std::log2(24576.0) + 3));
}

// 12099 has a factor of 109: see default_sums(). A step of radix r in FP64 spares log2 r - 1.
TEST(ConvolutionProgram, HasALowerLimitWithLastStepsInFp64) {
  const Program program = make_program(problem_of(12099), target_for("sm_90"), {});
  double spared = 0;
  for (const Launch& launch : program.launches) {
    EXPECT_EQ(launch.shape.sums, Sums::fp64_last);
    const unsigned last = launch.shape.tree.decomposition.radices.back();
    spared += (launch.pass.convolves() ? 2 : 1) * (std::log2(last) - 1);
  }
  EXPECT_GT(spared, 0);
  EXPECT_DOUBLE_EQ(error_limit(program),
                   1.5 * 0x1p-24 * std::sqrt(2 * std::log2(24576.0) + 3 - spared));
}

// Products on tensor cores round in every launch, and in that of the spectrum there and back.
TEST(ConvolutionProgram, RoundsInEveryLaunch) {
  Tuning half = passes({64, 32});
  half.engine = Engine::mma, half.products = 1;
  const Program program = make_program(problem_of(1009), target_for("sm_90"), half);
  ASSERT_EQ(program.launches.size(), 3u);
  unsigned data = 0, matrices = 0;
  for (const Launch& launch : program.launches) {
    const Roundings one = roundings_of(launch.shape);
    const unsigned ways = launch.pass.convolves() ? 2 : 1;
    EXPECT_GT(one.half_data, 0u);
    data += ways * one.half_data, matrices += ways * one.half_matrices;
  }
  EXPECT_EQ(roundings_of(program).half_data, data);
  EXPECT_EQ(roundings_of(program).half_matrices, matrices);
  const Roundings alone = roundings_of(program.launches.front().shape);
  EXPECT_GT(error_limit(program), std::sqrt(2.0) * error_limit(program.problem, alone));
}

// The whole spectrum, once, at the frequencies of the rows' points.
TEST(ConvolutionTables, HoldTheSpectrum) {
  for (const Lengths& lengths : {Lengths{32, 64}, Lengths{32, 64, 32}, Lengths{36, 50},
                                 Lengths{12, 15, 10}, Lengths{60, 32}}) {
    const auto kernels = kernels_of(900, passes(lengths));
    const Generated& turn = kernels[lengths.size() - 1];
    const auto m = static_cast<std::int64_t>(convolution_points(turn.tuning));
    std::multiset<std::pair<float, float>> expected, found;
    const bool bits = std::has_single_bit(static_cast<std::uint64_t>(m));
    for (const auto& b : chirp_spectrum(900, m, -1)) {
      const std::complex<float> rounded(bits ? b : b / 4.0);
      expected.emplace(rounded.real(), rounded.imag());
    }
    for (const Op& any : turn.ir.ops) {
      const auto* const op = std::get_if<op::Spectrum>(&any);
      if (op == nullptr) continue;
      const std::uint32_t* const words = turn.source.tables.data() + 4 * op->table.offset;
      for (std::uint32_t i = 0; i < 4 * op->table.size; i += 2) {
        found.emplace(std::bit_cast<float>(words[i]), std::bit_cast<float>(words[i + 1]));
      }
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(ConvolutionTables, LongSpectraAreWithinTheirBound) {
  for (const std::int64_t n : {8209, 12099, 16411, 65537, 130003}) {
    const std::int64_t m = convolution_lengths_of_passes(n, 1).front();
    double largest = 0, squares = 0;
    for (const auto& b : chirp_spectrum(n, m, 1)) {
      largest = std::max(largest, std::norm(b)), squares += std::norm(b);
    }
    const auto length = static_cast<double>(m), points = static_cast<double>(n);
    EXPECT_LE(std::sqrt(largest / points) * length, largest_gain) << n;
    EXPECT_NEAR(squares * length / (2 * points - 1), 1, 1e-12) << n;  // Parseval
  }
}

// Of bits, and mixed.
std::vector<KernelIr> passes_of_both_kinds() {
  std::vector<KernelIr> irs;
  for (const Lengths& lengths : {Lengths{128, 64, 32}, Lengths{30, 25, 24}}) {
    for (const Generated& kernel : kernels_of(9000, passes(lengths))) irs.push_back(kernel.ir);
  }
  return irs;
}

TEST(ConvolutionIr, EveryOperationIsNeededOnceAndInItsPlace) {
  for (const KernelIr& ir : passes_of_both_kinds()) {
    expect_each_needed_once(ir);
    for (std::size_t i = 0; i + 1 < ir.ops.size(); ++i) {
      if (is<op::Multiply>(ir.ops[i])) continue;  // beside the chirp
      EXPECT_NE(verify(swapped(ir, i)), "") << at(ir, i);
    }
  }
}

// Of channels with filters: of bits, mixed, of pairs of real numbers, on tensor cores, in a
// cluster, and the launch of several passes that goes there and back.
std::vector<KernelIr> kernels_of_channels() {
  std::vector<KernelIr> irs;
  const auto add = [&](std::int64_t n, bool real, const Tuning& tuning) {
    FftProblem problem = problem_of(n);
    problem.convolution.emplace().real = real;
    problem.convolution->channels = {5, 0, n};
    for (const Launch& launch : make_program(problem, target_for("sm_90"), tuning).launches) {
      if (launch.pass.filter) irs.push_back(generate(launch, target_for("sm_90")).passes[0].ir);
    }
  };
  Tuning mma, cluster, several;
  mma.engine = Engine::mma;
  cluster.cluster = 2, cluster.decomposition = Decomposition{{16, 4, 16}};
  cluster.block_points = 1024;
  several.pass_lengths = Lengths{32, 64};
  add(512, false, {}), add(1000, false, {}), add(512, true, {}), add(256, false, mma);
  add(1024, false, cluster), add(2048, true, several);
  return irs;
}

TEST(ChannelsIr, EveryOperationIsNeededOnceAndInItsPlace) {
  const auto irs = kernels_of_channels();
  ASSERT_EQ(irs.size(), 6u);
  for (const KernelIr& ir : irs) {
    expect_each_needed_once(ir);
    for (std::size_t i = 0; i + 1 < ir.ops.size(); ++i) {
      const auto loops = [&](std::size_t at) {
        return is<op::EachChannel>(ir.ops[at]) || is<op::SumChannels>(ir.ops[at]);
      };
      if (!loops(i) && !loops(i + 1)) continue;
      EXPECT_NE(verify(swapped(ir, i)), "") << at(ir, i);
    }
    EXPECT_EQ(expect_each_rejected<op::EachChannel>(ir, [](auto& op) { ++op.count; }), 1u);
    EXPECT_EQ(expect_each_rejected<op::SumChannels>(
                  ir, [](auto& op) { std::swap(op.layout.threads[0], op.layout.threads[1]); }),
              1u);
  }
}

// Their loads, steps and products are counted for each, the way back once.
TEST(ChannelsCosts, AreThoseOfEachAndOfOneWayBack) {
  const auto costs = [](std::int64_t channels) {
    FftProblem problem = problem_of(4096);
    problem.convolution.emplace().channels = {channels, 0, 0};
    return generate(make_program(problem, target_for("sm_90"), {}).launches[0], target_for("sm_90"))
        .passes[0]
        .costs;
  };
  const KernelCosts one = costs(1), two = costs(2), five = costs(5);
  EXPECT_EQ(two.bytes_minimum - one.bytes_minimum, 8.0 * 4096);
  EXPECT_EQ(five.bytes_minimum - two.bytes_minimum, 3 * 8.0 * 4096);
  EXPECT_EQ(five.exchanges - two.exchanges, 3 * (two.exchanges - one.exchanges));
  EXPECT_GT(two.exchanges, one.exchanges);
  EXPECT_LT(two.exchanges, 2 * one.exchanges);
  EXPECT_EQ(five.nominal_flops - two.nominal_flops, 3 * (two.nominal_flops - one.nominal_flops));
}

// Each operation of the kind, in all passes, is damaged in its turn.
template <class T>
void expect_rejected(const std::function<void(T&)>& damage) {
  unsigned tried = 0;
  for (const KernelIr& ir : passes_of_both_kinds()) {
    tried += expect_each_rejected<T>(ir, damage);
  }
  EXPECT_GT(tried, 0u);
}

TEST(ConvolutionIr, DamagedOperationsAreRejected) {
  expect_rejected<op::Chirp>([](auto& op) { op.last = !op.last; });
  expect_rejected<op::Chirp>([](auto& op) { op.table.size = 1; });
  expect_rejected<op::Chirp>(
      [](auto& op) { std::swap(op.layout.threads[0], op.layout.threads[1]); });
  expect_rejected<op::PassTwiddle>([](auto& op) { op.before = !op.before; });
  expect_rejected<op::Spectrum>([](auto& op) { op.tiles *= 2; });
  expect_rejected<op::Spectrum>([](auto& op) { op.stride *= 2; });
  expect_rejected<op::Spectrum>([](auto& op) { op.exponent += 1; });
  expect_rejected<op::Spectrum>([](auto& op) { op.register_mask ^= 1; });
  expect_rejected<op::Spectrum>([](auto& op) { op.table.size /= 2; });
}

}  // namespace
}  // namespace sonoma::test
