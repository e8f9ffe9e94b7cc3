// Each safeguard of the numbers, taken away in the operations, the tables or a primitive, shows: in
// the protocol, or in errors and biases that are not those expected.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <span>

#include "host_compiler.hpp"
#include "mutants.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {
namespace {

constexpr double u = 0x1p-24;

const KernelCase radix16 = {256, Direction::forward, Engine::mma, decompose(256, 16)};
const KernelCase simt = {256, Direction::forward, Engine::simt, decompose(256, 16)};
const KernelCase exchanging = {4096, Direction::forward, Engine::mma, decompose(4096, 16)};
const KernelCase radix2 = {8, Direction::forward, Engine::mma, decompose(8, 2)};

Mutant unmutated(const KernelCase& c) { return {"", c, source_of(c)}; }

struct Errors {
  double rms = 0, bias = 0;  // of random rows
};
Errors errors_of(const Mutant& mutant) {
  const std::int64_t n = mutant.kernel.n, rows = 32768 / n;
  const auto x = verification::concatenate(
      verification::random_inputs(n, static_cast<int>(rows), 3, Storage::f32));
  std::vector<std::complex<float>> y(x.size());
  const EmulatedKernel kernel(host_compiler().compile(mutant.source), mutant.source);
  (void)kernel.launch(std::as_bytes(std::span(x)), std::as_writable_bytes(std::span(y)),
                      mutant.source.tables, static_cast<std::uint64_t>(rows), {});
  const auto exact = verification::reference_dft(x, n, mutant.kernel.direction);
  double error2 = 0, along = 0, size2 = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::complex<double> e = std::complex<double>(y[i]) - exact[i];
    error2 += std::norm(e), size2 += std::norm(exact[i]);
    along += e.real() * exact[i].real() + e.imag() * exact[i].imag();
  }
  return {std::sqrt(error2 / size2), along / size2};
}

// Both within a few hundredths, with so many rows.
bool errs_as_expected(const Mutant& mutant) {
  const KernelCase& c = mutant.kernel;
  const ErrorEstimate expected = generate(c.problem(), target_for(c.arch), c.tuning()).error;
  const Errors errors = errors_of(mutant);
  return std::fabs(errors.rms / expected.expected() - 1) < 0.1 &&
         std::fabs(errors.bias - expected.bias) < 0.2 * u;
}

TEST(Safeguards, WithAllOfThemKernelsErrAsExpected) {
  for (const KernelCase& c : {radix16, simt, exchanging}) {
    EXPECT_TRUE(errs_as_expected(unmutated(c))) << c;
  }
}

// Corrections that go into the main sum are truncated with it.
TEST(Safeguards, AccumulatorsAreSeparate) {
  for (const KernelCase& c : {radix16, exchanging}) {
    // Those of three products.
    std::vector<Mutant> mutants = each_match(
        c, {"left16_part"}, R"(add_left\(correction(?=, f\.(lo, hi|hi, lo)))", "add_left(main");
    append(mutants, each_match(c, {"right16_half"},
                               R"(add_right<half>\(correction(?=, (hi, f\.lo|lo, f\.hi)))",
                               "add_right<half>(main"));
    EXPECT_EQ(mutants.size(), 4u);
    for (const Mutant& mutant : mutants) {
      EXPECT_FALSE(errs_as_expected(mutant)) << mutant.what;
    }
  }
}

// Factors a unit in the last place nearer to zero.
TEST(Safeguards, AnglesAreExact) {
  for (const KernelCase& c : {radix16, simt}) {
    Mutant mutant = unmutated(c);
    for (const Op& any : operations(c)) {
      const auto* twiddle = std::get_if<op::Twiddle>(&any);
      if (twiddle == nullptr) continue;
      const auto words =
          std::span(mutant.source.tables)
              .subspan(4 * twiddle->table.offset, std::size_t{4} * twiddle->table.size);
      for (std::uint32_t& word : words) {
        const bool power = (word & 0x7fffffu) == 0;  // of two, or zero
        if (!power) word -= 1;
      }
    }
    EXPECT_FALSE(errs_as_expected(mutant)) << c;
  }
}

TEST(Safeguards, ScalesAreClamped) {
  EXPECT_EQ(survivors(each_op<op::TransformScale>(exchanging, "no clamp",
                                                  [](auto& op) { op.most = 1000; })),
            "");
}

TEST(Safeguards, ScalesLeaveRoom) {
  EXPECT_EQ(survivors(each_op<op::TransformScale>(exchanging, "a larger target",
                                                  [](auto& op) { op.target += 4; })),
            "");
}

// Products that run over other transforms.
TEST(Safeguards, TransformsAreIsolated) {
  std::vector<Op> ops = operations(radix2);
  for (Op& any : ops) {
    if (auto* split = std::get_if<op::Split>(&any)) split->contained = false;
    if (auto* combine = std::get_if<op::Combine>(&any)) combine->contained = false;
  }
  ASSERT_NE(ops, operations(radix2));
  EXPECT_EQ(survivors({of_operations(radix2, "nothing contained", ops)}), "");
  // One scale for neighbours: a group that is wider than a transform.
  EXPECT_EQ(survivors(each_op<op::Scale>(radix2, "wider", [](auto& op) { op.lane_mask = 31; })),
            "");
}

}  // namespace
}  // namespace sonoma::test
