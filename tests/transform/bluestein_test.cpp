// Bluestein's algorithm on the emulated device: by the whole protocol, in all storages and both
// directions, in place; counts and races; and mutants of it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include "batch_faults.hpp"
#include "mutants.hpp"
#include "plan_transform.hpp"

namespace sonoma::test {
namespace {

class Bluestein : public testing::TestWithParam<KernelCase> {};

TEST_P(Bluestein, MeetsTheProtocol) {
  const KernelCase& c = GetParam();
  const PlanTransform transform(c, Device::cpu);
  const auto report = transform.check({.random_transforms = random_rows(c.n)});
  EXPECT_TRUE(report.pass()) << summary(report);
  EXPECT_LE(report.worst_e2() * verification::kUnitRoundoff, transform.plan(3).error_bound());
}

KernelCase scaled(KernelCase c, double factor) {
  c.scale = factor;
  return c;
}

KernelCase turned(KernelCase c) {
  c.direction = c.direction == Direction::forward ? Direction::inverse : Direction::forward;
  return c;
}

KernelCase case_of(std::int64_t n) { return bluestein_cases({n}).front(); }

KernelCase with_steps(std::int64_t n, const char* steps) {
  KernelCase c = case_of(n);
  c.decomposition = parse_decomposition(steps);
  return c;
}

KernelCase by_cluster(std::int64_t n, unsigned blocks) {
  KernelCase c = case_of(n);
  c.cluster = blocks;
  return c;
}

std::vector<KernelCase> both_directions(std::vector<KernelCase> cases) {
  const std::size_t count = cases.size();
  for (std::size_t i = 0; i < count; ++i) cases.push_back(turned(cases[i]));
  return cases;
}

const auto case_name = [](const auto& tested) { return name(tested.param); };
const auto primes = both_directions(bluestein_cases({17, 19, 23, 31, 97, 101, 251, 509, 997}));
const auto larger = bluestein_cases({1021, 2039, 4093, 8191});
const auto composite = bluestein_cases({34, 57, 289, 1003, 2 * 509, 4096 - 17 * 3});
const auto mixed = bluestein_cases({17, 37, 45, 2053, 2309, 4099, 8209});
const auto asked_for = std::vector<KernelCase>{
    with_steps(17, "(gs 11 (dft 3))"),         with_steps(18, "(gs 7 (dft 5))"),
    with_steps(20, "(gs 13 (dft 3))"),         with_steps(51, "(gs 26 (gs 2 (dft 2)))"),
    with_steps(300, "(gs 9 (gs 25 (dft 3)))"), with_steps(17, "(gs 17 (dft 2))"),
    with_steps(47, "(gs 31 (dft 3))"),         with_steps(200, "(gs 19 (dft 23))")};
const auto small = bluestein_cases({1, 2, 3, 4, 5, 8, 9, 64});
const auto factors =
    std::vector<KernelCase>{scaled(case_of(17), 1.0 / 17), scaled(case_of(101), -3.7)};
INSTANTIATE_TEST_SUITE_P(Primes, Bluestein, testing::ValuesIn(primes), case_name);
INSTANTIATE_TEST_SUITE_P(Larger, Bluestein, testing::ValuesIn(larger), case_name);
INSTANTIATE_TEST_SUITE_P(Composite, Bluestein, testing::ValuesIn(composite), case_name);
INSTANTIATE_TEST_SUITE_P(Mixed, Bluestein, testing::ValuesIn(mixed), case_name);
INSTANTIATE_TEST_SUITE_P(AskedFor, Bluestein, testing::ValuesIn(asked_for), case_name);
const auto clusters =
    both_directions({by_cluster(1021, 2), by_cluster(2039, 4), by_cluster(4051, 8)});
INSTANTIATE_TEST_SUITE_P(Clusters, Bluestein, testing::ValuesIn(clusters), case_name);
INSTANTIATE_TEST_SUITE_P(Small, Bluestein, testing::ValuesIn(small), case_name);
INSTANTIATE_TEST_SUITE_P(Factors, Bluestein, testing::ValuesIn(factors), case_name);
const auto sixteen_bits = join(stored(Storage::f16, bluestein_cases({1, 17, 101, 997})),
                               stored(Storage::bf16, bluestein_cases({19, 31, 509})));
INSTANTIATE_TEST_SUITE_P(SixteenBits, Bluestein, testing::ValuesIn(sixteen_bits), case_name);

// All points of an input that is the chirp's conjugate add up on the way there: their magnitudes
// sum to what docs/accuracy.md promises, though no result comes near it.
TEST(BluesteinRange, ChirpsThatAddUpAreRight) {
  constexpr double most = 3.3e38;
  for (const std::int64_t n : {31, 101, 251}) {
    std::vector<std::complex<double>> exact(static_cast<std::size_t>(n));
    std::vector<std::complex<float>> x;
    const auto size = static_cast<double>(n);
    for (std::int64_t t = 0; t < n; ++t) {
      const double angle = std::numbers::pi * static_cast<double>(t * t % (2 * n)) / size;
      x.emplace_back(std::polar(most / size, angle));
      for (std::int64_t k = 0; k < n; ++k) {
        const double turn = -2 * std::numbers::pi * static_cast<double>(k * t % n) / size;
        exact[static_cast<std::size_t>(k)] +=
            std::complex<double>(x.back()) * std::polar(1.0, turn);
      }
    }
    const auto y = run(PlanTransform(case_of(n), Device::cpu), x, n);
    double error = 0, norm = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      error += std::norm((std::complex<double>(y[k]) - exact[k]) / most);
      norm += std::norm(exact[k] / most);
    }
    EXPECT_LT(std::sqrt(error / norm), 1e-5) << n;
  }
}

TEST(BluesteinBatch, DoesNotInfluenceARow) {
  for (const std::int64_t n : {17, 101, 509}) EXPECT_EQ(batch_faults(case_of(n), Device::cpu), "");
}

TEST(BluesteinBatch, InPlaceIsAsGoodAsOutOfPlace) {
  for (const KernelCase& c : join(bluestein_cases({1, 17, 251, 1021}),
                                  stored(Storage::bf16, bluestein_cases({31, 509})))) {
    const auto x = all_inputs(c, 3);
    const auto there = run(PlanTransform(c, Device::cpu), x, c.n);
    const auto here = run(PlanTransform(c, Device::cpu, Placement::in_place), x, c.n);
    EXPECT_EQ(differing(there, here), 0) << c;
  }
}

TEST(BluesteinDevice, CountsAreAsPredictedAndThereAreNoRaces) {
  for (const KernelCase& c : bluestein_cases({17, 251, 1009, 2053, 4093})) {
    const Generated generated = generate(c.problem(), target_for("sm_90"), c.tuning());
    EXPECT_EQ(miscounts(generated), "") << c;
    EXPECT_TRUE(generated.schedule.mixed() || generated.costs.bank_conflicts() == 0) << c;
  }
}

// Off by one in the chirp; a conjugate that is missing; the crop one point too short or too long;
// factors of the way there on the way back in another order; half of the spectrum.
std::vector<Mutant> damaged_chirps(const KernelCase& c) {
  const std::string text = source_of(c).text, index = "index < (\\d+)u",
                    kept = "conjugate\\(([^()]*)\\)";
  return mutants(c, {in_function(text, "load", index, "index + 1 < $1u"),
                     in_function(text, "load", index, "index < $1u + 1"),
                     in_function(text, "store", index, "index + 1 < $1u"),
                     in_function(text, "store", index, "index < $1u + 1"),
                     in_function(text, "times_chirp", "factor_at\\(f, t", "factor_at(f, 1 + t"),
                     in_function(text, "times_chirp_2", kept, "$1"),
                     in_function(text, "times_spectrum", "conjugate", "")});
}

// Where the table of the spectrum ends.
std::size_t spectrum_words(const KernelCase& c) {
  for (const Op& any : generate(c.problem(), target_for("sm_90"), c.tuning()).ir.ops) {
    const auto* const spectrum = std::get_if<op::Spectrum>(&any);
    if (spectrum != nullptr) return 4 * std::size_t{spectrum->table.offset + spectrum->table.size};
  }
  return 0;
}

TEST(BluesteinMutants, AreCaught) {
  const KernelCase c = case_of(31);
  EXPECT_EQ(faults_of(c), "");
  std::vector<Mutant> mutants = damaged_chirps(c);
  // A butterfly of 32 adds its zeros; others do without.
  append(mutants, {replaced(with_steps(31, "(gs 32 (dft 2))"), "make_float2(0.0f, 0.0f)",
                            "make_float2(1e-5f, 0.0f)"),
                   replaced(c, "  block_barrier();\n", "")});
  append(mutants, in_each_function(c));
  Mutant chirp{"one entry of the chirp", c, source_of(c)};
  chirp.source.tables[2 * 7] ^= 1u << 12;
  Mutant spectrum{"one entry of the spectrum", c, source_of(c)};
  spectrum.source.tables[spectrum_words(c) - 3] ^= 1u << 22;
  append(mutants, {chirp, spectrum});
  EXPECT_EQ(survivors(mutants), "");
}

void scale(std::vector<std::uint32_t>& tables, const TableRange& range, int exponent) {
  for (std::uint32_t i = 4 * range.offset; i < 4 * (range.offset + range.size); ++i) {
    tables[i] = std::bit_cast<std::uint32_t>(std::ldexp(std::bit_cast<float>(tables[i]), exponent));
  }
}

// Where neither the first chirp nor the spectrum is made smaller, nor the last chirp larger: sums
// within a step overflow.
Mutant without_headroom(const KernelCase& c) {
  Mutant mutant{"chirps and spectrum as large as they are", c, source_of(c)};
  int smaller = -1;
  for (const Op& any : generate(c.problem(), target_for("sm_90"), c.tuning()).ir.ops) {
    if (const auto* const spectrum = std::get_if<op::Spectrum>(&any)) {
      smaller += spectrum->exponent;
      scale(mutant.source.tables, spectrum->table, -spectrum->exponent);
    }
    if (const auto* const chirp = std::get_if<op::Chirp>(&any)) {
      scale(mutant.source.tables, chirp->table, chirp->last ? smaller : 1);
    }
  }
  return mutant;
}

TEST(BluesteinMutants, OfClustersAreCaught) {
  const KernelCase c = by_cluster(1021, 2);
  EXPECT_EQ(faults_of(c), "");
  auto mutants = in_each_function(c);
  append(mutants, {replaced(c, "  cluster_barrier();\n", ""),
                   replaced(c, "thread_index() + 64 * block_in_cluster()", "thread_index()")});
  EXPECT_EQ(survivors(mutants), "");
}

// The same faults in mixed tiles, and those of the spectrum's power of two.
TEST(BluesteinMutants, OfMixedTilesAreCaught) {
  const KernelCase c = with_steps(41, "(gs 7 (dft 12))");
  EXPECT_EQ(faults_of(c), "");
  std::vector<Mutant> mutants = damaged_chirps(c);
  append(mutants, {replaced(c, "  block_barrier();\n", ""), without_headroom(c),
                   without_headroom(with_steps(47, "(gs 3 (dft 31))")),
                   without_headroom(with_steps(31, "(gs 4 (dft 16))"))});
  append(mutants, in_each_function(c));
  Mutant spectrum{"one entry of the spectrum", c, source_of(c)};
  spectrum.source.tables[spectrum_words(c) - 3] ^= 1u << 22;
  append(mutants, {spectrum});
  EXPECT_EQ(survivors(mutants), "");
}

}  // namespace
}  // namespace sonoma::test
