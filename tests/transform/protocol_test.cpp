// The whole protocol (adversarial table, Erguen's trio, bit-exact rows) on a sample of kernels.
#include <gtest/gtest.h>

#include "batch_faults.hpp"

namespace sonoma::test {
namespace {

class Protocol : public testing::TestWithParam<KernelCase> {};

TEST_P(Protocol, Holds) {
  const KernelCase& c = GetParam();
  const auto report = PlanTransform(c, Device::cpu).check({.random_transforms = random_rows(c.n)});
  EXPECT_TRUE(report.pass()) << summary(report);
}

class Batch : public testing::TestWithParam<KernelCase> {};

TEST_P(Batch, DoesNotInfluenceARow) { EXPECT_EQ(batch_faults(GetParam(), Device::cpu), ""); }

const auto case_name = [](const auto& tested) { return name(tested.param); };
const auto lengths = testing::ValuesIn(sample({2, 8, 16, 64, 256, 1024, 4096, 8192}));
INSTANTIATE_TEST_SUITE_P(Sample, Protocol, lengths, case_name);
INSTANTIATE_TEST_SUITE_P(Radix, Protocol, testing::ValuesIn(radices_of_both_scales()), case_name);
const auto sm_75 =
    on_sm_75(join(radices_of_both_scales(), sample({8192}), with_products(1, sample({256, 2048})),
                  with_products(1, stored(Storage::f16, radices_of_both_scales()))));
INSTANTIATE_TEST_SUITE_P(Sm75, Protocol, testing::ValuesIn(sm_75), case_name);
INSTANTIATE_TEST_SUITE_P(Scaled, Protocol, testing::ValuesIn(scaled_cases()), case_name);
// In one product, with one scale for a transform and with one for each step and group, too.
const auto sixteen_bits =
    join(stored(Storage::f16, join(sample({4, 16, 256, 2048}), scaled_cases())),
         stored(Storage::bf16, sample({2, 64, 512, 8192})));
const auto products = join(
    with_products(1, join(sample({8, 32, 4096}), stored(Storage::f16, radices_of_both_scales()))),
    with_products(3, stored(Storage::f16, sample({128}))), with_products(4, sample({256})));
INSTANTIATE_TEST_SUITE_P(SixteenBits, Protocol, testing::ValuesIn(sixteen_bits), case_name);
INSTANTIATE_TEST_SUITE_P(Products, Protocol, testing::ValuesIn(products), case_name);
INSTANTIATE_TEST_SUITE_P(SixteenBits, Batch,
                         testing::ValuesIn(stored(Storage::f16, sample({2, 16, 512}))), case_name);
INSTANTIATE_TEST_SUITE_P(Sample, Batch, testing::ValuesIn(sample({2, 4, 16, 32, 128, 512, 8192})),
                         case_name);

}  // namespace
}  // namespace sonoma::test
