// Wide steps, of radix 17 to 32, on the emulated device: the protocol, races, and mutants.
#include <gtest/gtest.h>

#include "mutants.hpp"
#include "parallel.hpp"

namespace sonoma::test {
namespace {

KernelCase of_radices(const std::vector<unsigned>& radices) {
  KernelCase c{0, Direction::forward, Engine::mma, {radices}};
  c.n = c.decomposition.n();
  if (c.n % 3 == 0) c.direction = Direction::inverse;
  return c;
}

// Those that transforms of other engines have too.
std::vector<unsigned> wide_radices() {
  std::vector<unsigned> radices;
  for (unsigned radix = 17; radix <= 32; ++radix) {
    if (is_smooth(radix)) radices.push_back(radix);
  }
  return radices;
}

// Every radix alone, first, last, and twice: scales of steps and of transforms.
TEST(Wide, EveryRadixPassesTheProtocol) {
  std::vector<KernelCase> cases;
  for (const unsigned radix : wide_radices()) {
    cases.push_back(of_radices({radix}));
    cases.push_back(of_radices({radix, 16}));
    cases.push_back(of_radices({5, radix}));
    cases.push_back(of_radices({radix, radix}));
    KernelCase other = of_radices({radix});
    other.direction = other.direction == Direction::forward ? Direction::inverse  //
                                                            : Direction::forward;
    cases.push_back(other);
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

// Beside butterflies in one phase, between products of other radices, and the largest tile.
TEST(Wide, TreesPassTheProtocol) {
  std::vector<KernelCase> cases;
  for (const std::vector<unsigned>& radices : std::vector<std::vector<unsigned>>{{21, 8},
                                                                                 {2, 32},
                                                                                 {32, 2},
                                                                                 {3, 20, 2},
                                                                                 {16, 24, 4},
                                                                                 {25, 25, 5},
                                                                                 {27, 27, 9},
                                                                                 {16, 15, 18},
                                                                                 {32, 2, 32},
                                                                                 {30, 13, 4}}) {
    cases.push_back(of_radices(radices));
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

TEST(Wide, EveryArithmeticAndStoragePassTheProtocol) {
  std::vector<KernelCase> cases;
  for (const std::vector<unsigned>& radices :
       std::vector<std::vector<unsigned>>{{20}, {27, 27}, {25, 16}, {32, 32}}) {
    for (const unsigned products : {1u, 4u}) {
      cases.push_back(of_radices(radices));
      cases.back().products = products;
    }
    for (const Storage storage : {Storage::f16, Storage::bf16}) {
      cases.push_back(of_radices(radices));
      cases.back().storage = storage;
      cases.push_back(cases.back());
      cases.back().products = 3;
    }
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

TEST(Wide, ShapesPassTheProtocol) {
  const std::vector<KernelCase> cases = {of_radices({25}), of_radices({27, 4}),
                                         of_radices({32, 32}), of_radices({4, 2, 22})};
  EXPECT_EQ(in_parallel(
                cases, [](const KernelCase& c) { return name(c); },
                [](const KernelCase& c) {
                  return faults_of_shape(c, 16, 2048, false) + faults_of_shape(c, 32, 2048, true) +
                         faults_of_shape(c, 32, 4096, false);
                }),
            "");
}

// Each has one fault, compiles, and is caught.
TEST(Wide, MutantsAreCaught) {
  const KernelCase c = of_radices({25, 25}), bits = of_radices({32, 32}), even = of_radices({20});
  EXPECT_EQ(survivors({
                // Frequencies elsewhere, gaps among them, or some missing.
                replaced(c, "WideDigit<25, 25,", "Digit<25, 25,"),
                replaced(c, "WideDigit<25, 1,", "WideDigit<26, 1,"),
                replaced(c, "2 * (v - 16) < radix", "2 * (v - 16) <= radix + 1"),
                replaced(even, "2 * (v - 16) < radix", "2 * (v - 16) + 1 < radix - 1"),
                replaced(even, "2 * v <= radix", "2 * v < radix"),
                replaced(bits, "radix == 32 : 2", "false : 2"),
                replaced(c, "radix + 16 - v", "radix + 15 - v"),
                // Even and odd parts, and what they give.
                replaced(c, "{{re[part], im[part], re[2 + part], im[2 + part]}}",
                         "{{re[part], im[2 + part], re[2 + part], im[part]}}"),
                replaced(c, "right32_half<products, 1, 1>(y, f.sines, x)",
                         "right32_half<products, 1, 1>(y, f.cosines, x)"),
                replaced(c, "add_right<half>(correction, hi.word, f.lo);", ""),
                replaced(c, "add_right<half>(correction, lo.word, f.hi);", ""),
                replaced(c, "t.x - p.x", "p.x - t.x"),
                replaced(c, "p.y + t.y", "p.y - t.y"),
                replaced(c, "unfold32<25>(x[1]);", ""),
                replaced(bits, "apart ? p", "false ? p"),
                replaced(bits, "apart ? t", "false ? t"),
                replaced(bits, "thread_index() % 4 == 0", "thread_index() % 4 == 1"),
                // The matrix of the other half, and twiddles of another step.
                replaced(c, "load_matrix(table + 64)", "load_matrix(table)"),
                replaced(c, "tables + 640", "tables + 128"),
                replaced(c, "  fold32(x[0]);", ""),
            }),
            "");
}

}  // namespace
}  // namespace sonoma::test
