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
  const auto report = transform.check(
      {.random_transforms = random_rows(c.n), .adversarial = false, .bit_exact = false});
  EXPECT_TRUE(report.pass()) << summary(report);
  EXPECT_LE(report.worst_e2() * verification::kUnitRoundoff, transform.plan(3).error_bound());
}

const auto case_name = [](const auto& tested) { return name(tested.param); };
INSTANTIATE_TEST_SUITE_P(EveryRadix, Matrix, testing::ValuesIn(every_radix()), case_name);
const auto sm_75 = on_sm_75(sample({2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}));
INSTANTIATE_TEST_SUITE_P(Sm75, Matrix, testing::ValuesIn(sm_75), case_name);
const auto f16_cases = stored(Storage::f16, sample({2, 8, 64, 512, 4096}));
const auto bf16_cases = stored(Storage::bf16, sample({4, 16, 256, 1024, 8192}));
const auto one_product =
    with_products(1, join(sample({2, 16, 128, 2048}), stored(Storage::f16, sample({32, 256}))));
const auto four_products = with_products(4, sample({8, 64, 1024}));
INSTANTIATE_TEST_SUITE_P(F16, Matrix, testing::ValuesIn(f16_cases), case_name);
INSTANTIATE_TEST_SUITE_P(Bf16, Matrix, testing::ValuesIn(bf16_cases), case_name);
INSTANTIATE_TEST_SUITE_P(OneProduct, Matrix, testing::ValuesIn(one_product), case_name);
INSTANTIATE_TEST_SUITE_P(FourProducts, Matrix, testing::ValuesIn(four_products), case_name);
INSTANTIATE_TEST_SUITE_P(Packed, Matrix, testing::ValuesIn(packed_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(User, Matrix, testing::ValuesIn(user_decompositions()), case_name);

}  // namespace
}  // namespace sonoma::test
