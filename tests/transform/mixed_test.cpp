// Lengths that are no powers of two, on the emulated device: the protocol, races, counts that the
// generator has predicted, and mutants.
#include <gtest/gtest.h>

#include "mutants.hpp"
#include "parallel.hpp"

namespace sonoma::test {
namespace {

KernelCase of_length(std::int64_t n, Direction direction = Direction::forward,
                     Storage storage = Storage::f32) {
  KernelCase c{n, direction, Engine::simt, decompose(n)};
  c.storage = storage;
  return c;
}

// A sample: dense where lengths are short, every prime factor and its powers, the largest.
std::vector<KernelCase> lengths() {
  std::vector<KernelCase> cases;
  for (const std::int64_t n :
       {3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 18, 20, 21, 22, 25, 26, 27, 28, 30, 33, 36, 44, 45,
        49, 50, 54, 60, 63, 65, 72, 75, 81, 84, 91, 96, 99, 100, 108, 121, 125, 143, 150, 169, 180,
        192, 200, 216, 225, 243, 250, 270, 297, 300, 343, 352, 360, 375, 400, 416, 432, 441, 480,
        500, 525, 539, 567, 572, 585, 600, 625, 720, 729, 768, 960, 1000, 1001, 1155, 1331, 1536,
        2000, 2187, 2197, 2401, 3000, 3125, 4032, 5000, 6561, 7000, 7680, 8000, 12288, 15625,
        // With the prime factors 17 to 31, twice and beside each other too.
        17, 19, 23, 29, 31, 34, 51, 62, 87, 93, 95, 115, 119, 145, 155, 289, 323, 361, 437, 464,
        527, 529, 841, 961, 1023, 1054, 1334, 2125, 2875, 3364, 4913, 6545, 7429, 16320,
        // And 37 to 61.
        37, 41, 43, 47, 53, 59, 61, 74, 185, 451, 817, 1221, 1849, 2209, 2494, 3721, 5015, 15652}) {
    cases.push_back(of_length(n, n % 2 ? Direction::forward : Direction::inverse));
  }
  for (const std::int64_t n : {3, 10, 24, 100, 343, 1001, 3000, 17, 31, 93, 527, 61, 451}) {
    cases.push_back(of_length(n, Direction::forward, Storage::f16));
    cases.push_back(of_length(n, Direction::inverse, Storage::bf16));
  }
  return cases;
}

TEST(Mixed, KernelsPassTheProtocol) { EXPECT_EQ(faults_of_all(lengths()), ""); }

// Any radix in any order, shapes that leave threads idle in some phase, and every way of staging.
std::vector<KernelCase> shapes() {
  std::vector<KernelCase> cases;
  for (const char* text :
       {"(gs 7 (gs 11 (dft 13)))", "(gs 2 (gs 3 (gs 5 (dft 7))))", "(gs 32 (dft 3))",
        "(gs 4 (gs 25 (dft 2)))", "(gs 30 (dft 16))", "(gs 2 (gs 31 (dft 3)))",
        "(gs 19 (gs 2 (dft 23)))", "(gs 4 (gs 37 (dft 3)))"}) {
    KernelCase c{0, Direction::forward, Engine::simt, parse_decomposition(text)};
    c.n = c.decomposition.n();
    cases.push_back(c);
  }
  return cases;
}

TEST(Mixed, ShapesPassTheProtocol) {
  EXPECT_EQ(in_parallel(
                shapes(), [](const KernelCase& c) { return name(c); },
                [](const KernelCase& c) {
                  const auto n = static_cast<unsigned>(c.n);
                  const unsigned one = std::ranges::max(c.decomposition.radices);
                  return faults_of_shape(c, std::max(32u, one), n, true) +
                         faults_of_shape(c, std::max(40u, one), 3 * n, false);
                }),
            "");
}

TEST(Mixed, CountsAreAsPredicted) {
  for (const std::int64_t n : {3, 15, 48, 100, 343, 1001, 3125, 5120, 31, 93, 155, 2125}) {
    const Generated g = generate(of_length(n).problem(), target_for("sm_90"));
    EXPECT_EQ(miscounts(g), "") << n;
  }
}

std::vector<unsigned> steps_from(Twiddles twiddles, const char* tree) {
  KernelCase c{0, Direction::forward, Engine::simt, parse_decomposition(tree)};
  c.n = c.decomposition.n(), c.twiddles = twiddles;
  std::vector<unsigned> steps;
  for (const Op& op : generate(c.problem(), target_for(c.arch), c.tuning()).ir.ops) {
    const auto* twiddle = std::get_if<op::Twiddle>(&op);
    if (twiddle != nullptr && twiddle->from == twiddles) steps.push_back(twiddle->step);
  }
  return steps;
}

// Where there are products to make, and the table is large.
TEST(Mixed, RootsAreProductsWhereThatShortensALargeTable) {
  const auto steps_of = [](const char* tree) { return steps_from(Twiddles::products, tree); };
  EXPECT_EQ(steps_of("(gs 25 (gs 5 (gs 7 (dft 7))))"), std::vector<unsigned>{0});
  EXPECT_EQ(steps_of("(gs 7 (gs 22 (dft 22)))"), std::vector<unsigned>{0});
  EXPECT_EQ(steps_of("(gs 5 (gs 25 (gs 7 (dft 7))))"), std::vector<unsigned>{});  // of 1225 points
  EXPECT_EQ(steps_of("(gs 25 (gs 10 (dft 10)))"), std::vector<unsigned>{0});
  EXPECT_EQ(steps_of("(gs 10 (gs 10 (dft 10)))"), std::vector<unsigned>{});
}

// Of three and four points there would be little to leave out.
TEST(Mixed, RootsArePowersOfStepsOfFiveAndMore) {
  const auto steps_of = [](const char* tree) { return steps_from(Twiddles::powers, tree); };
  EXPECT_EQ(steps_of("(gs 25 (gs 5 (gs 7 (dft 7))))"), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(steps_of("(gs 4 (gs 7 (gs 3 (dft 5))))"), std::vector<unsigned>{1});
}

// The table has what the first butterfly of a thread takes; where later digits all lie in registers
// factors are constants of steps of any radix.
TEST(Mixed, RootsOfOtherButterfliesAreThoseOfTheFirstTimesConstants) {
  const char* tree = "(gs 7 (gs 25 (gs 5 (dft 7))))";  // registers t1 t2/5, then t2, then t3 t4
  KernelCase c{6125, Direction::forward, Engine::simt, parse_decomposition(tree)};
  c.points_per_thread = 35, c.transforms = 1, c.threads = 192, c.twiddles = Twiddles::constants;
  const Generated g = generate(c.problem(), target_for(c.arch), c.tuning());
  std::vector<std::uint32_t> tables;
  for (const Op& op : g.ir.ops) {
    if (const auto* twiddle = std::get_if<op::Twiddle>(&op)) tables.push_back(twiddle->table.size);
  }
  EXPECT_EQ(tables, (std::vector<std::uint32_t>{875 / 5, 35 * 4, 0}));
}

// Each has one fault, compiles, and is caught.
TEST(Mixed, MutantsAreCaught) {
  KernelCase c = of_length(1000);  // in blocks of two transforms, in one lap
  c.threads = 224, c.points_per_thread = 10, c.transforms = 2;
  const KernelCase prime = of_length(1001), power = of_length(729), large = of_length(1054);
  KernelCase products = of_length(2500);
  products.decomposition = parse_decomposition("(gs 25 (gs 10 (dft 10)))");
  products.twiddles = Twiddles::products;
  KernelCase powers = of_length(343);
  powers.decomposition = parse_decomposition("(gs 7 (gs 7 (dft 7)))");
  powers.twiddles = Twiddles::powers;
  KernelCase constants = of_length(490);  // two butterflies of step 1 in a thread
  constants.decomposition = parse_decomposition("(gs 7 (gs 5 (gs 2 (dft 7))))");
  constants.points_per_thread = 14, constants.transforms = 1, constants.threads = 64;
  constants.twiddles = Twiddles::constants;
  std::vector<Mutant> mutants = {
      replaced(c, "if (thread < 200)", "if (thread < 190)"),
      replaced(c, "if (thread < 200)", "if (thread < 210)"),
      replaced(c, "0x1.3c6ef4p-2f", "0x1.3c6f14p-2f"),
  };
  append(mutants, each_op<op::Barrier>(c, "only the warp's barrier", [](op::Barrier& barrier) {
           barrier.scope = op::Barrier::Scope::warp;
         }));
  for (const KernelCase& one : {c, prime, power, large, products, powers, constants})
    append(mutants, in_each_function(one));
  EXPECT_GT(mutants.size(), 70u);
  EXPECT_EQ(survivors(mutants), "");
}

}  // namespace
}  // namespace sonoma::test
