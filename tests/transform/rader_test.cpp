// Rader's algorithm on the emulated device: by the whole protocol, races included, in all storages,
// both directions, in place; counts; and mutants of it.
#include "rader.hpp"

#include <gtest/gtest.h>

#include "batch_faults.hpp"
#include "mutants.hpp"
#include "plan_transform.hpp"

namespace sonoma::test {
namespace {

KernelCase case_of(std::int64_t n, Direction direction = Direction::forward) {
  KernelCase c = rader_cases({n}).front();
  c.direction = direction;
  return c;
}

std::vector<std::int64_t> primes_to(std::int64_t last) {
  std::vector<std::int64_t> primes;
  for (std::int64_t n = 3; n <= last; ++n) {
    if (is_rader_prime(n)) primes.push_back(n);
  }
  return primes;
}

TEST(Rader, EveryPrimeToSixHundredPassesTheProtocol) {
  EXPECT_EQ(faults_of_all(rader_cases(primes_to(600))), "");
}

TEST(Rader, LongerPrimesPassTheProtocol) {
  EXPECT_EQ(
      faults_of_all(rader_cases({1009, 1117, 2017, 3137, 4051, 4217, 8191, 12289, 16381, 16369})),
      "");
}

TEST(Rader, BothDirectionsAndAllStoragesPassTheProtocol) {
  std::vector<KernelCase> cases;
  for (const std::int64_t n : {5, 37, 61, 103, 257, 311, 1009}) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      cases.push_back(case_of(n, direction));
    }
  }
  cases = join(cases, stored(Storage::f16, cases), stored(Storage::bf16, cases));
  for (const double scale : {1.0 / 61, -3.7}) {
    cases.push_back(case_of(61, Direction::inverse));
    cases.back().scale = scale;
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

// Steps in any order, and shapes of other numbers of transforms a block, which are no powers of two
// beside steps that are.
// The request's factor alone takes the spectrum's power of two back.
TEST(Rader, AFactorThatUndoesTheSpectrumsPassesTheProtocol) {
  std::vector<KernelCase> cases = rader_cases({37, 103, 1009});
  for (KernelCase& c : cases) c.scale = c.n == 103 ? 0.125 : 0.25;
  EXPECT_EQ(faults_of_all(cases), "");
}

TEST(Rader, AnyStepsAndShapesPassTheProtocol) {
  std::vector<KernelCase> cases;
  for (const auto& [n, steps] :
       {std::pair(61, "(gs 2 (gs 5 (gs 3 (dft 2))))"), std::pair(257, "(gs 2 (gs 8 (dft 16)))"),
        std::pair(257, "(gs 4 (gs 4 (gs 4 (dft 4))))"), std::pair(433, "(gs 9 (gs 16 (dft 3)))")}) {
    cases.push_back(case_of(n));
    cases.back().decomposition = parse_decomposition(steps);
  }
  EXPECT_EQ(faults_of_all(cases), "");
}

TEST(Rader, PlansStayWithinTheirBound) {
  for (const std::int64_t n : {37, 311, 1009, 4051}) {
    const PlanTransform transform(case_of(n), Device::cpu);
    const auto report = transform.check({.random_transforms = random_rows(n)});
    EXPECT_TRUE(report.pass()) << summary(report);
    EXPECT_LE(report.worst_e2() * verification::kUnitRoundoff, transform.plan(3).error_bound());
  }
}

TEST(Rader, ABatchDoesNotInfluenceARowNorDoesItsPlacement) {
  for (const std::int64_t n : {5, 37, 257, 433, 103}) {
    EXPECT_EQ(batch_faults(case_of(n), Device::cpu), "");
    EXPECT_EQ(
        batch_faults(stored(Storage::f16, {case_of(n, Direction::inverse)}).front(), Device::cpu),
        "");
  }
}

// The wavefronts of powers are counted one by one, as are those of the device.
TEST(Rader, CountsAreAsPredicted) {
  for (const KernelCase& c : rader_cases({5, 37, 257, 311, 1009, 2017, 4051})) {
    const Generated generated = generate(c.problem(), target_for("sm_90"), c.tuning());
    EXPECT_EQ(miscounts(generated), "") << c;
  }
}

// Of what both kinds of tiles have in common.
std::vector<Mutant> common_mutants(const KernelCase& c) {
  std::vector<Mutant> mutants = {
      replaced(c, "static_cast<unsigned long long>(n) >> 32",
               "static_cast<unsigned long long>(n - 1) >> 32"),
      replaced(c, "0xffffffffu / n + 1", "0xffffffffu / n"),
      replaced(c, "-1.0f / m, first.x", "-1.0f / (m + 1), first.x"),
      replaced(c, "-1.0f / m, first.y", "-1.0f / m, 0.0f"),
      replaced(c, "(first.x + a.x) * factor", "a.x * factor"),
      replaced(c, "(first.y + a.y) * factor", "first.y + a.y"),
      replaced(c, "thread + r * threads < n * count", "thread + r * threads + 1 < n * count"),
      replaced(c, "(r + 1) * threads <= n * count", "true"),
      replaced(c, "  block_barrier();\n", "")};
  const std::string text = source_of(c).text, slot = "(place_in_order\\(\\d+) \\+ (own.y|p) / \\d+";
  append(mutants, test::mutants(c, {in_function(text, "read_powers", slot, "$1"),
                                    in_function(text, "write_powers", slot, "$1"),
                                    in_function(text, "zero_frequency", slot, "$1"),
                                    in_function(text, "zero_frequency", "p % \\d+u", "p"),
                                    in_function(text, "zero_frequency", "p % \\d+u", "p + 1")}));
  append(mutants, in_each_function(c));
  Mutant power{"one power of the root", c, source_of(c)}, zero = power;
  const auto& ops = generate(c.problem(), target_for("sm_90"), c.tuning()).ir.ops;
  for (const Op& any : ops) {
    if (const auto* read = std::get_if<op::ReadPowers>(&any)) {
      power.source.tables[4 * read->table.offset + 6] += 1u << 26;
    }
    if (const auto* spectrum = std::get_if<op::Spectrum>(&any)) {
      zero.what = "frequency 0 of the spectrum";
      zero.source.tables[4 * spectrum->table.offset] ^= 1u << 15;
    }
  }
  append(mutants, {power, zero});
  return mutants;
}

TEST(RaderMutants, OfMixedTilesAreCaught) {
  KernelCase c = case_of(31);
  c.decomposition = Decomposition{{3, 10}};
  c.threads = 160, c.points_per_thread = 10,
  c.transforms = 32;  // a last turn of all threads leaves the block's shared memory
  c.scale = 0.75;
  EXPECT_EQ(faults_of(c), "");
  std::vector<Mutant> mutants = common_mutants(c);
  // A thread holds points of several transforms.
  append(mutants, {mutant(c, in_function(source_of(c).text, "read_powers", "\\) \\+ \\d+", ")")),
                   mutant(c, in_function(source_of(c).text, "write_powers", "\\) \\+ \\d+", ")")),
                   replaced(c, "0x1.8p-1f", "0x1.8p+0f"), replaced(c, "0x1.8p+1f", "0x1.8p+0f")});
  EXPECT_EQ(survivors(mutants), "");
}

TEST(RaderMutants, OfTilesOfBitsAreCaught) {
  KernelCase c = case_of(257, Direction::inverse);
  c.scale = 0.75;
  EXPECT_EQ(faults_of(c), "");
  EXPECT_EQ(survivors(common_mutants(c)), "");
}

}  // namespace
}  // namespace sonoma::test
