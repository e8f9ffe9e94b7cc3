// Lengths that are no powers of two on the engine mma, in padded steps, on the emulated device: the
// protocol, races, and mutants.
#include <gtest/gtest.h>

#include "mutants.hpp"
#include "parallel.hpp"

namespace sonoma::test {
namespace {

KernelCase of_length(std::int64_t n) {
  KernelCase c{n, n % 2 ? Direction::forward : Direction::inverse, Engine::mma,
               decompose_for_products(n)};
  return c;
}

KernelCase of_tree(const char* tree) {
  KernelCase c{0, Direction::forward, Engine::mma, parse_decomposition(tree)};
  c.n = c.decomposition.n();
  return c;
}

bool is_padded_length(std::int64_t n) { return is_smooth(n) && (n & (n - 1)) != 0; }

// All lengths to 200, and a sample of longer ones.
TEST(Gaps, KernelsPassTheProtocol) {
  std::vector<KernelCase> cases;
  for (std::int64_t n = 5; n <= 200; ++n) {
    if (is_padded_length(n)) cases.push_back(of_length(n));
  }
  for (const std::int64_t n : {225,  240,  343,  480,  500,  720,  729,  1000, 1001, 1155, 1331,
                               1920, 2197, 2187, 3000, 3375, 4032, 5005, 6000, 7680, 13500}) {
    cases.push_back(of_length(n));
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

// Orders of steps that no default has: every padded radix from the left, from the right and beside
// butterflies, in one phase and in several.
TEST(Gaps, TreesPassTheProtocol) {
  std::vector<KernelCase> cases;
  for (const char* tree :
       {"(gs 3 (dft 13))", "(gs 3 (gs 5 (dft 7)))", "(gs 2 (dft 9))", "(gs 4 (gs 15 (dft 4)))",
        "(gs 16 (dft 3))", "(gs 6 (gs 16 (dft 10)))", "(gs 2 (gs 11 (gs 4 (dft 14))))",
        "(gs 12 (gs 2 (dft 12)))", "(gs 5 (gs 8 (dft 9)))", "(gs 3 (gs 3 (gs 3 (dft 2))))",
        "(gs 7 (gs 3 (dft 8)))", "(gs 16 (gs 16 (dft 15)))"}) {
    cases.push_back(of_tree(tree));
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

TEST(Gaps, EveryArithmeticFormAndStoragePassTheProtocol) {
  std::vector<KernelCase> cases;
  for (const std::int64_t n : {6, 15, 45, 100, 225, 1001}) {
    KernelCase c = of_length(n);
    c.form = MmaForm::wmma;
    cases.push_back(c);
    for (const unsigned products : {1u, 4u}) {
      c = of_length(n);
      c.products = products;
      cases.push_back(c);
    }
    for (const Storage storage : {Storage::f16, Storage::bf16}) {
      c = of_length(n);
      c.storage = storage;
      cases.push_back(c);
      c.products = 3;
      cases.push_back(c);
    }
  }
  cases.push_back(of_length(3510));  // complex words, three phases
  cases.back().products = 1;
  EXPECT_EQ(faults_of_all(cases), "");
}

TEST(Gaps, ShapesPassTheProtocol) {
  const std::vector<KernelCase> cases = {of_length(15), of_length(225), of_length(720),
                                         of_length(1001)};
  EXPECT_EQ(in_parallel(
                cases, [](const KernelCase& c) { return name(c); },
                [](const KernelCase& c) {
                  return faults_of_shape(c, 16, 2048, false) + faults_of_shape(c, 32, 2048, true) +
                         faults_of_shape(c, 32, 4096, false);
                }),
            "");
}

// Each has one fault, compiles, and is caught.
TEST(Gaps, MutantsAreCaught) {
  const KernelCase c = of_length(225), small = of_length(35), three = of_length(1001);
  EXPECT_EQ(
      survivors({
          // Gaps that are loaded or stored as if they were points.
          replaced(c, "load_digits(x, in, existing, Digit<15, 1,",
                   "load_digits(x, in, existing, Digit<16, 1,"),
          replaced(c, "{thread % 16}, Digit<15, 15, 2, 4, 8, 0>",
                   "{thread % 16}, Digit<16, 15, 2, 4, 8, 0>"),
          replaced(c, "store_digits(x, out, existing, Digit<15, 1,",
                   "store_digits(x, out, existing, Digit<14, 1,"),
          replaced(c, "return all || value(r) < values;", "return all || value(r) <= values;"),
          replaced(c, "return all || value(r) < values;", "return true;"),
          replaced(small, "return all || value(r) < values;", "return true;"),
          // Points elsewhere.
          replaced(c, "Digit<15, 15, 2, 4, 8, 0>", "Digit<15, 16, 2, 4, 8, 0>"),
          replaced(c, "Digit<4, 225,", "Digit<4, 226,"),
          replaced(c, "v ^= r >> i++ & 1u ? bits : 0u", "v ^= r >> i++ & 1u ? 0u : bits"),
          // Points of transforms that the batch does not have.
          replaced(c, "(digits.has(r) && ...) && existing.has(p)", "(digits.has(r) && ...)"),
          // Another step's matrix, or twiddles.
          replaced(three, "right16<3>(f11_right", "right16<3>(f13_left"),
          replaced(small, "right8<8, 3>", "right8<4, 3>"),
          replaced(three, "padded_butterflies<-1, 7, 7>", "padded_butterflies<1, 7, 7>"),
          replaced(three, "padded_butterflies<-1, 7, 7>", "padded_butterflies<-1, 6, 7>"),
          replaced(c, "tables + 256", "tables + 192"),
      }),
      "");
}

}  // namespace
}  // namespace sonoma::test
