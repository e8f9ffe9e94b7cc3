// FP16 throughout, two points at once: the whole protocol, faults that it must see, and who is
// refused.
#include "sonoma/packed.hpp"

#include <gtest/gtest.h>

#include "mutants.hpp"
#include "plan_transform.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::test {
namespace {

KernelCase packed(const Decomposition& half) {
  KernelCase c{2 * half.n(), Direction::forward, Engine::simt, half};
  c.storage = Storage::f16, c.packed = true;
  return c;
}
const KernelCase small = packed({{8, 4}}), mixed = packed({{6, 5}});

TEST(Packed, KeepsTheProtocol) {
  for (const KernelCase& c : packed_cases()) {
    EXPECT_EQ(faults_of(c), "") << c;
    const auto placed = PlanTransform(c, Device::cpu, Placement::in_place)
                            .check({.random_transforms = 3, .adversarial = false});
    EXPECT_TRUE(placed.pass()) << summary(placed);
  }
}

TEST(Packed, EveryPieceIsNeeded) {
  std::vector<Mutant> mutants = {
      replaced(small, "0x5410", "0x7610"),
      replaced(small, "0x7632", "0x3276"),
      replaced(small, "0x1010", "0x3232"),
      replaced(small, "0x3232", "0x1010"),
      replaced(small, "constants(1.0f, -1.0f)", "constants(-1.0f, 1.0f)"),
      replaced(small, "constants(cosine, -cosine)", "constants(cosine, cosine)"),
      replaced(small, "constants(sign * sine, -sign * sine)",
               "constants(-sign * sine, sign * sine)"),
      replaced(small, "constants(sign, -sign)", "constants(-sign, sign)"),
      replaced(small, "reinterpret_cast<unsigned*>(p + n)",
               "reinterpret_cast<unsigned*>(p + n + 1)"),
  };
  for (const KernelCase& c : {small, mixed}) {
    append(mutants, without_each<op::JoinHalves>(c));
    append(mutants, without_each<op::Twiddle>(c));
    append(mutants, without_each<op::Butterfly>(c));
    append(mutants, in_each_function(c));
  }
  EXPECT_EQ(survivors(mutants), "");
}

PlanOptions emulated_device() {
  PlanOptions options;
  options.device = Device::cpu;
  return options;
}

// By passes; each kernel's text as `edit` makes it.
PlanTransform in_passes(std::int64_t n, const Tuning& tuning, const EditKernel& edit = {}) {
  return PlanTransform([=](std::int64_t batch) {
    FftProblem problem = small.problem(batch);
    problem.lengths = {n};
    PlanOptions options = emulated_device();
    options.tuning = tuning, options.edit_kernel = edit;
    return make_plan(problem, options);
  });
}

Tuning of_lengths(const std::vector<std::int64_t>& lengths, bool fused = false) {
  Tuning tuning;
  tuning.pass_lengths = lengths, tuning.fused = fused;
  return tuning;
}

TEST(Packed, PassesKeepTheProtocol) {
  Tuning sections = of_lengths({32, 32});
  sections.decomposition = Decomposition{{16, 2, 16, 2}};
  const std::vector<std::pair<std::int64_t, Tuning>> cases = {
      {2048, of_lengths({32, 32})},      {2048, of_lengths({32, 32}, true)},
      {840, of_lengths({20, 21})},       {840, of_lengths({20, 21}, true)},
      {65536, of_lengths({32, 32, 32})}, {2048, sections}};
  for (const auto& [n, tuning] : cases) {
    const auto report = in_passes(n, tuning).check({.random_transforms = 3});
    EXPECT_TRUE(report.pass()) << to_string(tuning) << "\n" << summary(report);
  }
}

// Even and odd columns have factors of their own.
TEST(Packed, FactorsBetweenPassesTellColumnsApart) {
  unsigned edited = 0;
  const auto edit = [&](const CudaSource& source) -> std::optional<std::string> {
    if (source.text.find(" * odd)") == std::string::npos) return std::nullopt;
    ++edited;
    return replaced(source.text, " * odd)", " * step)").text;
  };
  EXPECT_FALSE(in_passes(2048, of_lengths({32, 32}), edit)
                   .check({.random_transforms = 3, .adversarial = false})
                   .pass());
  EXPECT_GT(edited, 0u);
}

std::string refusal(const FftProblem& problem) {
  try {
    (void)make_plan(problem, emulated_device());
    return "";
  } catch (const UnsupportedProblem& error) {
    return error.what();
  }
}

TEST(Packed, IsRefusedWhereItDoesNotServe) {
  const FftProblem right = small.problem();
  EXPECT_EQ(refusal(right), "");
  std::vector<FftProblem> wrong(9, right);
  wrong[0].lengths = {66};
  wrong[1].lengths = {8, 8};
  wrong[2].storage = Storage::f32;
  wrong[3].out_storage = Storage::f32;
  wrong[4].domain = Domain::r2c;
  wrong[5].layout.in_stride = 2;
  wrong[6].ends.in_length = 60;
  wrong[7].alignment = 8;
  wrong[8].lengths = {4 * 67};  // no steps
  for (const FftProblem& problem : wrong) {
    EXPECT_NE(refusal(problem).find("accuracy = packed is not supported"), std::string::npos)
        << to_string(problem) << ": " << refusal(problem);
  }
}

// Where the error that is asked for allows it, and it is faster.
TEST(Packed, IsTakenWhereItIsAllowed) {
  const auto arithmetic = [](std::int64_t n, double most) {
    FftProblem problem = small.problem();
    problem.lengths = {n}, problem.accuracy = {{}, most};
    return make_plan(problem, emulated_device()).generated().shape.arithmetic;
  };
  EXPECT_EQ(arithmetic(8192, 3e-3), Arithmetic::packed);
  EXPECT_NE(arithmetic(8192, 1e-3), Arithmetic::packed);
  EXPECT_NE(arithmetic(1024, 3e-3), Arithmetic::packed);
  EXPECT_NE(arithmetic(8190, 3e-3), Arithmetic::packed);
}

// The factor is brought to the points before and after the steps.
TEST(Packed, ThereAndBackNothingOverflows) {
  FftProblem problem = small.problem();
  problem.lengths = {16384}, problem.direction = Direction::inverse, problem.scale = 1.0 / 16384;
  const Plan plan = make_plan(problem, emulated_device());
  std::vector<Complex> x(16384);
  x[5] = {16384, 0};  // the transform of a wave; unscaled results would be as large
  for (std::size_t k = 0; k < 8; ++k) x[2048 * k + 7] = {8192, -8192};
  const PlanTransform transform([&](std::int64_t batch) {
    FftProblem many = problem;
    many.batch = batch;
    return make_plan(many, emulated_device());
  });
  for (const Complex& value : run(transform, x, 16384)) {
    EXPECT_TRUE(std::isfinite(value.real()) && std::isfinite(value.imag()));
  }
}

}  // namespace
}  // namespace sonoma::test
