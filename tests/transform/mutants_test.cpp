// Mutants of emitted kernels: each has one fault, compiles, and must be caught by the checker (or
// by the emulated device). A survivor means that the tests have a hole.
#include "mutants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "host_compiler.hpp"

namespace sonoma::test {
namespace {

KernelCase kernel(std::int64_t n, Engine engine, unsigned radix) {
  return {n, Direction::forward, engine, decompose(n, radix)};
}

const KernelCase radix16 = kernel(256, Engine::mma, 16);
const KernelCase radix8 = kernel(64, Engine::mma, 8);
const KernelCase radix2 = kernel(8, Engine::mma, 2);
const KernelCase smallest = kernel(4, Engine::mma, 2);
const KernelCase simt = kernel(256, Engine::simt, 16);
const KernelCase exchanging = kernel(4096, Engine::mma, 16);
const KernelCase two_warps = kernel(1024, Engine::mma, 16);
const KernelCase scaled_split = kernel(512, Engine::mma, 8);
// Folds neighbours that come through shared memory.
const KernelCase folding_late = {1024, Direction::forward, Engine::mma, Decomposition{{4, 16, 16}}};
const KernelCase beside = {512, Direction::forward, Engine::mma, Decomposition{{16, 2, 16}}};

TEST(Mutants, TheUnmutatedKernelsAreRight) {
  for (const auto& c : {radix16, radix8, radix2, smallest, simt, exchanging, two_warps,
                        scaled_split, folding_late, beside}) {
    EXPECT_EQ(faults_of(c), "") << c;
  }
}

TEST(Mutants, MiscountsAreSeen) {
  const Generated right = generate(simt.problem(), target_for("sm_90"), simt.tuning());
  EXPECT_EQ(miscounts(right), "");
  for (const auto cost : {&KernelCosts::barriers, &KernelCosts::shared_wavefronts,
                          &KernelCosts::shared_wavefronts_minimum}) {
    Generated wrong = right;
    ++(wrong.costs.*cost);
    EXPECT_NE(miscounts(wrong), "");
  }
}

TEST(Mutants, EveryHalfOfAProductBeforeSm80IsNeeded) {
  KernelCase before = radix16;
  before.arch = "sm_75";
  EXPECT_EQ(faults_of(before), "");
  auto mutants = each_match(before, {"two_mma_m16n8k8"}, "mma_m16n8k8\\(d[^;]*;", ";");
  EXPECT_EQ(mutants.size(), 2u);
  append(mutants, {replaced(before, "mma_m16n8k8(d, a0, a1, b0)", "mma_m16n8k8(d, a0, a2, b0)"),
                   replaced(before, "mma_m16n8k8(d, a2, a3, b1)", "mma_m16n8k8(d, a2, a3, b0)")});
  EXPECT_EQ(survivors(mutants), "");
}

TEST(Mutants, EveryPieceOfTheScaleIsNeeded) {
  EXPECT_EQ(
      survivors({
          replaced(radix16, "matrix_exponent = 10", "matrix_exponent = 11"),
          replaced(radix16, "127 + 14 + 127", "127 + 16 + 127"),
          replaced(radix16, "127 + 14 + 127", "127 - 4 + 127"),
          replaced(radix16, "e > 0 ? static_cast<unsigned>(e) << 23 : 0x00800000u >> (1 - e)",
                   "e > 0 ? static_cast<unsigned>(e) << 23 : 0"),
          replaced(
              radix2,
              "if (contained && exponent == exponent_of_nonfinite) return make_float2(0.0f, 0.0f);",
              ""),
          replaced(radix2, "if (contained && exponent == exponent_of_nonfinite) return float_of",
                   "if (false) return float_of"),
          replaced(radix2, "if constexpr (lane_mask == 31)", "if constexpr (lane_mask != 0)"),
          replaced(radix2, "if ((register_mask & bit) == 0) continue;", ""),
      }),
      "");
}

TEST(Mutants, EveryPieceOfTheTransformsScaleIsNeeded) {
  std::vector<Mutant> mutants = {
      replaced(scaled_split, "0x00800000u >> (1 - e)", "0"),
      replaced(exchanging, "127 + target - 1 + 127", "127 + target + 2 + 127"),
      replaced(exchanging, "127 + target - 1 + 127", "127 + target - 15 + 127"),
      replaced(exchanging, "254 + power", "255 + power"),
      replaced(scaled_split, "a.x * scale, b.x * scale", "a.x, b.x"),
      replaced(exchanging, "x.at[r + other].x * scale", "x.at[r + other].x"),
      replaced(exchanging, "x.at[r + other].y * scale", "x.at[r + other].y"),
      replaced(exchanging, "fused_multiply_add(a.x, scale, b.x)", "(a.x + b.x)"),
      replaced(exchanging, "fused_multiply_add(a.y, scale, b.y)", "(a.y + b.y)"),
      replaced(exchanging, "fused_multiply_add(a.y, scale, -b.y)", "(a.y - b.y)"),
      replaced(exchanging, "fused_multiply_add(-a.x, scale, b.x)", "(b.x - a.x)"),
      replaced(exchanging, "largest = warp_max(largest);", ""),
      replaced(exchanging, "return warp_max(load_shared(", "return (load_shared("),
      // A warp that takes its own maximum for the transform's.
      replaced(two_warps, "maxima + first + thread_index() % warps",
               "maxima + thread_index() / 32"),
      replaced(two_warps, "thread_index() % warps", "0"),
      replaced(two_warps, "published_max<2>", "published_max<4>"),
      replaced(exchanging, ", scale);", ", 1.0f);"),
  };
  append(mutants, without_each<op::FindMaximum>(exchanging));
  append(mutants, without_each<op::Unscale>(exchanging));
  EXPECT_EQ(mutants.size(), 19u);
  EXPECT_EQ(survivors(mutants), "");
}

TEST(Mutants, EveryPieceOfTheSplitIsNeeded) {
  const std::string low = "s.lo = pack_halves(a_lo, b_lo);";
  EXPECT_EQ(survivors({
                replaced(radix16, low, "s.lo = 0;"),
                replaced(radix16, low, "s.lo = pack_halves(a_lo * 2048, b_lo * 2048);"),
                replaced(smallest, "s.rest[0] = a_lo - low_half(s.lo)", "s.rest[0] = 0"),
                replaced(radix16, "y.re[r] + y.re_correction[r]", "y.re[r]"),
                replaced(radix16, "y.im[r] + y.im_correction[r]", "y.im[r]"),
                replaced(smallest, "y.re[r] + y.re_correction[r]", "y.re[r]"),
                replaced(radix16, "f.x, f.y, f.z, f.w, b0, b1", "f.x, f.z, f.y, f.w, b0, b1"),
                replaced(radix16, "half ? f.z : f.x, half ? f.w : f.y",
                         "half ? f.y : f.x, half ? f.w : f.z"),
            }),
            "");
}

TEST(Mutants, EveryPieceOfTheFoldIsNeeded) {
  const std::string odd = "make_float2(a.y - b.y, b.x - a.x)";
  const std::string other = "from == From::left ? 2 : 4";
  std::vector<Mutant> mutants = {
      replaced(radix16, "make_float2(a.x + b.x, a.y + b.y)", "make_float2(a.x - b.x, a.y + b.y)"),
      replaced(radix16, "make_float2(a.x + b.x, a.y + b.y)", "make_float2(a.x + b.x, a.y - b.y)"),
      replaced(radix16, odd, "make_float2(b.y - a.y, a.x - b.x)"),
      replaced(radix16, odd, "make_float2(a.y - b.y, a.x - b.x)"),
      replaced(radix16, odd, "make_float2(a.x - b.x, a.y - b.y)"),
      replaced(radix16, other, "from == From::left ? 4 : 2"),
      replaced(radix16, other, "2"),
  };
  append(mutants, without_each<op::Fold>(radix16));
  EXPECT_EQ(mutants.size(), 11u);
  // The last twiddles of each are half-turn factors alone.
  append(mutants, without_each<op::Twiddle>(radix16));
  append(mutants, without_each<op::Twiddle>(kernel(16, Engine::mma, 16)));
  EXPECT_EQ(mutants.size(), 14u);
  EXPECT_EQ(survivors(mutants), "");
}

// Moves, exchanges, factors, butterflies: of each function one statement, and one number.
TEST(Mutants, EveryFunctionOfThePlanIsNeeded) {
  std::vector<Mutant> mutants;
  for (const auto& c : {radix16, radix2, simt, exchanging, two_warps, folding_late, beside}) {
    append(mutants, in_each_function(c));
  }
  EXPECT_GT(mutants.size(), 70u);
  EXPECT_EQ(survivors(mutants), "");
}

// A point that the maximum missed, beside small ones, would be infinite under the scale. Of points
// so many apart each is tried, in a row of its own.
std::string lost_points(const Mutant& mutant, std::size_t apart) {
  const auto n = static_cast<std::size_t>(mutant.kernel.n);
  const std::size_t rows = (n + apart - 1) / apart;
  std::vector<float> in(2 * n * rows), out(in.size());
  for (std::size_t row = 0; row < rows; ++row) {
    in[2 * n * row + 2 * row * apart + row % 2] = 1e20f;
  }
  const EmulatedKernel kernel(compiled(mutant.source), mutant.source);
  (void)kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)),
                      mutant.source.tables, rows, {});
  std::string lost;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool finite = std::isfinite(out[2 * n * row]) && std::isfinite(out[2 * n * row + 1]);
    if (!finite) lost += " " + std::to_string(row);
  }
  return lost;
}

TEST(Mutants, EveryPointCountsForTheScale) {
  for (const auto& c : {two_warps, folding_late, beside}) {
    EXPECT_EQ(lost_points({"", c, source_of(c)}, 1), "");
    for (const Mutant& mutant : each_match(c, {"largest_magnitude"}, "\n  largest = [^;]*;", "")) {
      EXPECT_NE(lost_points(mutant, 5), "") << mutant.what;
    }
  }
}

TEST(Mutants, EveryPieceOfTheButterfliesIsNeeded) {
  std::vector<Mutant> mutants = {
      replaced(simt, "cos_2_16 = 0x1.d906bcp-1f", "cos_2_16 = 0x1.d906p-1f"),
      replaced(simt, "sin_2_16 = 0x1.87de2ap-2f", "sin_2_16 = 0x1.87d8p-2f"),
      replaced(simt, "a = even + odd", "a = even - odd"),
      replaced(simt, "fused_multiply_add(a.x, w.x, -(a.y * w.y))",
               "fused_multiply_add(a.x, w.x, a.y * w.y)"),
      replaced(two_warps, "dft4<-1>(", "dft4<1>("),
  };
  append(mutants, each_match(simt, {"dft4", "dft16"}, "\n  [a-z][0-9]* = [^\n;]*;", ""));
  EXPECT_GE(mutants.size(), 18u);
  EXPECT_EQ(survivors(mutants), "");
}

// A warp barrier before a write only repeats what a collective since the read has ordered already,
// so that its loss cannot be seen; one before a read can.
TEST(Mutants, EveryBarrierIsNeeded) {
  const auto waits = [](const KernelCase& c) {
    auto found = without_each<op::Barrier>(c, [](const std::vector<Op>& ops, std::size_t i) {
      return std::get<op::Barrier>(ops[i]).scope != op::Barrier::Scope::warp ||
             std::holds_alternative<op::ReadShared>(ops[i + 1]);
    });
    append(found, without_each<op::WaitAsync>(c));
    return found;
  };
  auto mutants = waits(exchanging);
  EXPECT_GE(mutants.size(), 3u);
  append(mutants, waits(simt));
  EXPECT_GE(mutants.size(), 4u);
  EXPECT_EQ(survivors(mutants), "");
}

// Faults in the tables that an FFT must show; what it cannot show is the business of tables_test.
TEST(Mutants, TheTablesMatter) {
  const Generated g = generate(radix16.problem(), target_for("sm_90"), radix16.tuning());
  std::vector<Mutant> mutants;
  const auto mutate = [&](const std::string& what, const TableRange& range, auto change) {
    Mutant mutant{what, radix16, g.source};
    const std::size_t first = std::size_t{4} * range.offset, size = std::size_t{4} * range.size;
    change(std::span(mutant.source.tables).subspan(first, size));
    mutants.push_back(std::move(mutant));
  };
  for (const Op& any : g.ir.ops) {
    if (const auto* twiddle = std::get_if<op::Twiddle>(&any)) {
      mutate("twiddles of 12 bits", twiddle->table, [](auto words) {
        for (auto& word : words) word &= 0xfffff000u;
      });
      mutate("two twiddles swapped", twiddle->table, [](auto words) {
        const auto middle = words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2);
        std::swap_ranges(middle, middle + 2, words.end() - 2);
      });
    } else if (const auto* matrix = std::get_if<op::LoadMatrix>(&any)) {
      mutate("no low half of F", matrix->table, [](auto words) {
        for (auto& word : words.subspan(words.size() / 2)) word = 0;
      });
      mutate("one element of F off by one rounding", matrix->table,
             [](auto words) { words[21] ^= 1; });
    }
  }
  EXPECT_EQ(mutants.size(), 8u);
  EXPECT_EQ(survivors(mutants), "");
}

}  // namespace
}  // namespace sonoma::test
