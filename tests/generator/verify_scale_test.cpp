// The one scale of a transform: every fault in how it is found, agreed on, kept and undone is seen.
#include <algorithm>
#include <cmath>

#include "damaged_sample.hpp"
#include "scaling.hpp"
#include "sonoma/check.hpp"

namespace sonoma::test {
namespace {

template <class T>
std::size_t first(const KernelIr& ir) {
  const auto found = std::find_if(ir.ops.begin(), ir.ops.end(), is<T>);
  EXPECT_NE(found, ir.ops.end());
  return static_cast<std::size_t>(found - ir.ops.begin());
}

std::vector<KernelIr> scaled_once() {
  std::vector<KernelIr> found;
  for (const Request& request : sample_requests()) {
    KernelIr ir = request.generated().ir;
    if (ir.schedule.scale_warps > 0) found.push_back(std::move(ir));
  }
  return found;
}

TEST(VerifyScale, OneAndSeveralWarpsAreInTheSample) {
  unsigned one = 0, several = 0;
  for (const KernelIr& ir : scaled_once()) (ir.schedule.scale_warps == 1 ? one : several) += 1;
  EXPECT_GT(one, 1u);
  EXPECT_GT(several, 1u);
}

TEST(VerifyScale, ChangedFieldsAreSeen) {
  expect_rejected<op::FindMaximum>([](auto& op) { op.warps *= 2; }, "other warps");
  expect_rejected<op::FindMaximum>([](auto& op) { op.warps = 0; }, "other warps");
  expect_rejected<op::FindMaximum>([](auto& op) { op.copied = !op.copied; });
  expect_rejected<op::FindMaximum>([](auto& op) { op.layout.threads[0] = op.layout.threads[1]; },
                                   "two places");
  expect_rejected<op::FindMaximum>(
      [](auto& op) { std::swap(op.layout.registers[1], op.layout.threads[1]); });
  expect_rejected<op::TransformScale>([](auto& op) { op.warps *= 2; }, "than planned");
  expect_rejected<op::TransformScale>([](auto& op) { ++op.target; }, "than planned");
  expect_rejected<op::TransformScale>([](auto& op) { --op.target; }, "than planned");
  expect_rejected<op::TransformScale>([](auto& op) { ++op.undo; }, "than planned");
  expect_rejected<op::Twiddle>([](auto& op) { ++op.exponent; }, "power of two");
  expect_rejected<op::Twiddle>([](auto& op) { --op.exponent; }, "power of two");
  for (const op::SplitScale scale :
       {op::SplitScale::group, op::SplitScale::transform, op::SplitScale::none}) {
    expect_rejected<op::Split>([scale](auto& op) { op.scale = scale; }, "under another scale");
  }
}

TEST(VerifyScale, WarpsMustAgreeOnTheMaximum) {
  unsigned tried = 0;
  for (KernelIr ir : scaled_once()) {
    if (ir.schedule.scale_warps == 1) continue;
    const std::size_t at = first<op::FindMaximum>(ir) + 1;
    ASSERT_TRUE(is<op::Barrier>(ir.ops[at]));
    std::get<op::Barrier>(ir.ops[at]).scope = op::Barrier::Scope::warp;
    EXPECT_NE(verify(ir).find("agreed on the maximum"), std::string::npos) << verify(ir);
    ir = without(ir, at);
    EXPECT_NE(verify(ir).find("agreed on the maximum"), std::string::npos) << verify(ir);
    ++tried;
  }
  EXPECT_GT(tried, 1u);
}

TEST(VerifyScale, TheMaximumIsThatOfTheLoadedPoints) {
  for (const KernelIr& ir : scaled_once()) {
    const std::size_t maximum = first<op::FindMaximum>(ir);
    for (std::size_t to = 0; to < maximum; ++to) {
      EXPECT_NE(verify(moved(ir, maximum, to)), "") << to_string(ir) << " to " << to;
    }
  }
}

TEST(VerifyScale, MayBeUndoneAfterTheLastTwiddleOnly) {
  for (const KernelIr& ir : scaled_once()) {
    const std::size_t unscale = first<op::Unscale>(ir);
    for (std::size_t to = 0; to < unscale; ++to) {
      EXPECT_NE(verify(moved(ir, unscale, to)), "") << to_string(ir) << " to " << to;
    }
    const KernelIr early = moved(ir, unscale, unscale - 1);
    EXPECT_NE(verify(early), "");
  }
}

TEST(VerifyScale, AFactorWhileTheScaleIsOnIsSeen) {
  for (const KernelIr& ir : scaled_once()) {
    const KernelIr damaged = with(ir, first<op::Unscale>(ir), op::Multiply{0.5f});
    EXPECT_NE(verify(damaged).find("while the scale is on"), std::string::npos) << verify(damaged);
  }
}

// A step's own scale does not mix with that of the transform.
TEST(VerifyScale, OtherKindsOfStepsAreSeen) {
  for (const KernelIr& ir : scaled_once()) {
    if (std::none_of(ir.ops.begin(), ir.ops.end(), is<op::Join>)) continue;  // complex words
    KernelIr damaged = with(ir, first<op::Split>(ir), op::Scale{0, 7, 31});
    EXPECT_NE(verify(damaged).find("beside that of the transform"), std::string::npos);
    damaged = ir;
    Op& join = damaged.ops[first<op::Join>(ir)];
    join = op::Combine{std::get<op::Join>(join).tile};
    EXPECT_NE(verify(damaged).find("that it does not have"), std::string::npos);
  }
}

// 2^10 where a step is a product: its matrix is 2^10 F.
double matrix_power(const Schedule& schedule, std::size_t s) {
  const bool product = step_of(schedule, static_cast<unsigned>(s)).form != StepForm::registers;
  return product ? 10 : 0;
}

// The largest magnitude over all inputs, real in [-2^target, 2^target] part by part, that a step's
// products can meet: every step adds up `radix` points of modulus at most `modulus`.
TEST(ScalePlan, InputsOfEveryProductFitHalves) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    for (const unsigned radix : {2u, 4u, 8u, 16u}) {
      const Schedule schedule = Request{n, Engine::mma, radix}.generated().schedule;
      const ScalePlan plan = plan_scales(schedule);
      const auto& radices = schedule.shape.tree.decomposition.radices;
      ASSERT_EQ(plan.exponents.size(), radices.size());
      double modulus = std::sqrt(2.0) * std::ldexp(1.0, plan.target);
      double largest = 0;
      for (std::size_t s = 0; s < radices.size(); ++s) {
        const double matrix = matrix_power(schedule, s);
        if (matrix > 0) largest = std::max(largest, modulus * (radices[s] == 16 ? 2 : 1));
        modulus *= radices[s] * std::exp2(matrix + plan.exponents[s]);
      }
      EXPECT_LT(largest, 65504) << schedule.shape.tree.decomposition.n() << " radix " << radix;
      EXPECT_GE(largest, 65504 / 4.0) << "headroom is wasted";
      EXPECT_GE(plan.target, 8) << schedule.shape.tree.decomposition.n() << " radix " << radix;
    }
  }
}

// Matrices hold 2^10 F: what they and the twiddles leave on the result is what undo takes back.
TEST(ScalePlan, PowersOfTwoAddUpToNothing) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    for (const unsigned radix : {2u, 4u, 8u, 16u}) {
      const Schedule schedule = Request{n, Engine::mma, radix}.generated().schedule;
      const ScalePlan plan = plan_scales(schedule);
      double power = plan.undo;
      for (std::size_t s = 0; s < plan.exponents.size(); ++s) {
        const Step& step = step_of(schedule, static_cast<unsigned>(s));
        const bool twiddle = factors_after(schedule, step).has_value();
        if (!twiddle) {
          EXPECT_EQ(plan.exponents[s], 0);
        }
        power += matrix_power(schedule, s) + plan.exponents[s];
      }
      EXPECT_EQ(power, 0) << n << " radix " << radix;
    }
  }
}

}  // namespace
}  // namespace sonoma::test
