// Every kernel in scope, on the emulated device: E2 and Einf of normal input, Erguen's trio, and
// the bound that the plan itself states. Batches are odd.
#include <gtest/gtest.h>

#include "plan_transform.hpp"

namespace sonoma::test {
namespace {

class Matrix : public testing::TestWithParam<KernelCase> {};

TEST_P(Matrix, IsWithinLimits) {
  const KernelCase& c = GetParam();
  const PlanTransform transform(c, Device::cpu);
  const auto report = verification::check_transform(transform, c.n, c.direction,
                                                    {.scale = c.scale,
                                                     .random_transforms = random_rows(c.n),
                                                     .adversarial = false,
                                                     .bit_exact = false});
  EXPECT_TRUE(report.pass()) << summary(report);
  EXPECT_LE(report.worst_e2() * verification::kUnitRoundoff, transform.plan(3).error_bound());
}

const auto case_name = [](const auto& tested) { return name(tested.param); };
INSTANTIATE_TEST_SUITE_P(PtxAndSimt, Matrix, testing::ValuesIn(all_ptx_and_simt()), case_name);
INSTANTIATE_TEST_SUITE_P(Wmma, Matrix, testing::ValuesIn(wmma_cases(false)), case_name);
INSTANTIATE_TEST_SUITE_P(User, Matrix, testing::ValuesIn(user_decompositions()), case_name);

}  // namespace
}  // namespace sonoma::test
