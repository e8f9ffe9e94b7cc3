// Each safeguard of the numbers, taken away in the operations, the tables or a primitive, shows: in
// the protocol, or in errors and biases that are not those expected.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <fstream>
#include <iterator>
#include <numbers>
#include <set>
#include <span>
#include <string>

#include "accuracy_cases.hpp"
#include "host_compiler.hpp"
#include "mutants.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/reference.hpp"
#include "tables.hpp"
#include "worst_input.hpp"

namespace sonoma::test {
namespace {

constexpr double u = 0x1p-24;

const KernelCase radix16 = {256, Direction::forward, Engine::mma, decompose(256, 16)};
const KernelCase simt = {256, Direction::forward, Engine::simt, decompose(256, 16)};
const KernelCase exchanging = {4096, Direction::forward, Engine::mma, decompose(4096, 16)};
const KernelCase radix2 = {8, Direction::forward, Engine::mma, decompose(8, 2)};
const KernelCase radix8 = {64, Direction::forward, Engine::mma, decompose(64, 8)};
const KernelCase smallest = {4, Direction::forward, Engine::mma, decompose(4, 2)};

Mutant unmutated(const KernelCase& c) { return {"", c, source_of(c)}; }

struct Errors {
  double rms = 0, bias = 0;  // of random rows
};
Errors errors_of(const Mutant& mutant) {
  const std::int64_t n = mutant.kernel.n, rows = 32768 / n;
  const auto x = verification::concatenate(
      verification::random_inputs(n, static_cast<int>(rows), 3, Storage::f32));
  std::vector<std::complex<float>> y(x.size());
  const EmulatedKernel kernel(compiled(mutant.source), mutant.source);
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

// The data of radix 2 and 4 has a third part instead of a low half of F. The product of both low
// halves (of four) is below what the checker sees: see below.
TEST(Safeguards, EachProductIsAdded) {
  const auto product = [](const std::string& not_used) {
    return "add_(left|right<half>)\\((main|correction)(?![^;]*(" + not_used + "))[^;]*;";
  };
  const std::string low_low = R"(f\.lo, (x\.re_)?lo|lo(\.word)?, f\.lo)";
  auto mutants = each_match(radix16, {"left16_part", "right16_half"}, product(low_low), ";");
  EXPECT_EQ(mutants.size(), 6u);
  append(mutants, each_match(radix8, {"left8", "right8_half"}, product("rest|" + low_low), ";"));
  EXPECT_EQ(mutants.size(), 12u);
  append(mutants, each_match(smallest, {"left8", "right8_half"}, product("f\\.lo"), ";"));
  EXPECT_EQ(mutants.size(), 18u);
  EXPECT_EQ(survivors(mutants), "");
}

double expected_square(const KernelCase& c) {
  const double expected = generate(c.problem(), target_for(c.arch), c.tuning()).error.expected();
  return expected * expected;
}
double square_of(const Mutant& mutant) {
  const double rms = errors_of(mutant).rms;
  return rms * rms;
}

// The fourth product, of both low halves, takes a tenth off the mean square, of the same input.
TEST(Safeguards, BothLowHalvesAreMultiplied) {
  KernelCase four = radix16, three = radix16;
  four.products = 4, three.products = 3;
  const double gain = expected_square(three) - expected_square(four);
  ASSERT_GT(gain, 0.1 * u * u);
  const double without = square_of(unmutated(three));
  const auto gains = [&](const Mutant& mutant) { return without - square_of(mutant) > 0.7 * gain; };
  EXPECT_TRUE(gains(unmutated(four)));
  const auto mutants =
      each_match(four, {"left16_part", "right16_half"},
                 R"(add_(left|right<half>)\(correction, (f\.lo, lo|lo, f\.lo)[^;]*;)", ";");
  EXPECT_EQ(mutants.size(), 2u);
  for (const Mutant& mutant : mutants) EXPECT_FALSE(gains(mutant)) << mutant.what;
}

// Of random input, by kernels that `edit` changes.
bool errs_as_expected(const Request& request, const EditKernel& edit) {
  const Measured measured(plan_of(request, Device::cpu, 16384, edit));
  const auto errors = measured.errors(measured.random_rows());
  double square = 0;
  for (const TransformError& error : errors) square += error.relative * error.relative;
  const double rms = std::sqrt(square / static_cast<double>(errors.size()));
  return std::fabs(rms / measured.plan().expected_error() - 1) < 0.2;
}

// As many bits of an angle as FP32 has, not 32: between passes, and of a chirp.
TEST(Safeguards, AnglesWithoutATableAreExact) {
  auto all = accuracy_requests();
  std::ranges::copy(short_requests(), std::back_inserter(all));
  for (const char* name : {"mixed_passes", "c2c_Bluestein_in_passes"}) {
    const Request request = *std::ranges::find(all, name, &Request::name);
    unsigned edited = 0;
    const EditKernel edit = [&](const CudaSource& source) -> std::optional<std::string> {
      const std::string root = "DEVICE float2 unit_root(unsigned turn) {\n";
      if (source.text.find(root) == std::string::npos) return std::nullopt;
      ++edited;
      return replaced(source.text, root, root + "  turn &= 0xffffff00u;\n").text;
    };
    EXPECT_TRUE(errs_as_expected(request, {})) << name;
    EXPECT_FALSE(errs_as_expected(request, edit)) << name;
    EXPECT_GT(edited, 0u) << name;
  }
}

double bias_of(const Mutant& mutant) {
  for (const auto& finding : report_of(mutant).findings) {
    if (finding.check == "normal" && finding.metric == "bias") return finding.value;
  }
  throw std::logic_error("no bias is told");
}

// The low half of element `value` of 2^10 F, with a share of the element on top.
std::uint32_t low_half_of(double value, double share) {
  double exact = 0;
  for (int j = 0; j < 32; ++j) {
    const double root = 1024 * std::cos(std::numbers::pi * j / 16);
    if (std::fabs(root - value) < std::fabs(exact - value)) exact = root;
  }
  return to_half(exact - from_half(to_half(exact)) + exact * share);
}

/// `exchanging` whose DFT-16 gives back `share` of every product.
Mutant giving_back(double share) {
  const Generated g = generate(exchanging.problem(), target_for("sm_90"), exchanging.tuning());
  Mutant mutant{"giving back", exchanging, g.source};
  for (const Op& any : g.ir.ops) {
    const auto* matrix = std::get_if<op::LoadMatrix>(&any);
    if (!matrix) continue;
    const std::size_t size = std::size_t{4} * matrix->table.size;
    const auto words = std::span(mutant.source.tables).subspan(4 * matrix->table.offset, size);
    for (std::size_t i = 0; i < size / 2; ++i) {
      const auto low = [&](unsigned shift) {
        return low_half_of(from_half(static_cast<std::uint16_t>(words[i] >> shift)), share)
               << shift;
      };
      words[size / 2 + i] = low(0) | low(16);
    }
  }
  return mutant;
}

// Too little or too much given back of what tensor cores truncate stays below the limits of errors.
TEST(Safeguards, HalfAUnitIsGivenBack) {
  constexpr double planned = 0x1.ffp-26, most = -1.2, least = 0;  // in u; 0.9 too small remain
  EXPECT_EQ(giving_back(planned).source, source_of(exchanging));
  const double bias = bias_of(giving_back(planned));
  EXPECT_GT(bias, most);
  EXPECT_LT(bias, least);
  EXPECT_LT(bias_of(giving_back(0)), most);
  EXPECT_LT(bias_of(giving_back(planned / 2)), most);
  EXPECT_GT(bias_of(giving_back(2 * planned)), least);
}

// That of a transform, and those of steps.
TEST(Safeguards, ScalesAreClamped) {
  auto mutants =
      each_op<op::TransformScale>(exchanging, "no clamp", [](auto& op) { op.most = 1000; });
  append(mutants, {replaced(exchanging, "wanted < 127 + most ? wanted : 127 + most", "wanted"),
                   replaced(radix16, "wanted < 253 ? wanted : 253", "wanted")});
  EXPECT_EQ(mutants.size(), 3u);
  EXPECT_EQ(survivors(mutants), "");
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

// docs/accuracy.md has a row for each of these tests, and none for others.
TEST(Safeguards, AreTheTableOfTheDocument) {
  std::ifstream file(DOCUMENT);
  std::set<std::string> named, are;
  for (std::string line; std::getline(file, line);) {
    for (std::size_t at = 0; (at = line.find("`Safeguards.", at)) != std::string::npos; ++at) {
      named.insert(line.substr(at + 12, line.find('`', at + 1) - at - 12));
    }
  }
  const testing::TestSuite& suite = *testing::UnitTest::GetInstance()->current_test_suite();
  for (int i = 0; i < suite.total_test_count(); ++i) are.insert(suite.GetTestInfo(i)->name());
  are.erase("WithAllOfThemKernelsErrAsExpected"), are.erase("AreTheTableOfTheDocument");
  EXPECT_EQ(named, are);
}

}  // namespace
}  // namespace sonoma::test
