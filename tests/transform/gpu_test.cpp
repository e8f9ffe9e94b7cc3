// The numeric tests on a GPU: exhaustive, because NVRTC is quick and runs on all cores at once.
#include <gtest/gtest.h>

#include "batch_faults.hpp"
#include "parallel.hpp"

namespace sonoma::test {
namespace {

std::vector<std::int64_t> every_length() {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 2; n <= 8192; n *= 2) lengths.push_back(n);
  return lengths;
}

/// 16-bit storage, one product, four products: every n, and every radix and form of two.
std::vector<KernelCase> reduced_cases() {
  const auto cases = join(sample(every_length()), radices_of_both_scales(), scaled_cases());
  const auto f16 = stored(Storage::f16, cases), bf16 = stored(Storage::bf16, cases);
  return join(f16, bf16, with_products(1, join(cases, f16, bf16)), with_products(3, f16),
              with_products(4, join(cases, bf16)));
}

// Defaults and CUDA-core kernels keep everything in registers. Where measurement finds a product
// faster with fewer registers than it would take, some bytes in local memory are its choice.
// Convolutions leave two points there at most: see Spills in tests/generator/nvrtc_test.cpp.
bool may_spill(const Plan& plan, const KernelCase& c) {
  const Generated& made = plan.generated();
  const bool by_default = made.tuning == generate(c.problem(1), made.target, c.tuning()).tuning;
  const bool convolves = made.tuning.method.value_or(Method::radix) != Method::radix;
  return (made.tuning.engine == Engine::mma && !by_default) ||
         (convolves && plan.resources().local_bytes <= 16);
}

std::string protocol_faults(const KernelCase& c) {
  const PlanTransform transform(c, Device::gpu);
  const auto report = transform.check({.random_transforms = random_rows(c.n)});
  if (!report.pass()) return summary(report);
  const Plan plan = transform.plan(1);
  if (report.worst_e2() * verification::kUnitRoundoff > plan.error_bound()) {
    return "E2 of " + std::to_string(report.worst_e2()) + "u is above the plan's error bound";
  }
  if (plan.resources().local_bytes == 0 || may_spill(plan, c)) return "";
  return "the kernel spills or has a stack frame";
}

std::string difference_from_emulated(const KernelCase& c) {
  const auto x = all_inputs(c, 3);
  const auto count = differing(run(PlanTransform(c, Device::gpu), x, c.n),
                               run(PlanTransform(c, Device::cpu), x, c.n));
  return count == 0 ? "" : std::to_string(count) + " of " + std::to_string(x.size()) + " differ";
}

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(Gpu, EveryKernelKeepsTheProtocol) {
  const auto cases = join(every_radix(), user_decompositions(), scaled_cases(), reduced_cases(),
                          bluestein_cases({1, 17, 101, 1009, 4093}), rader_cases({103, 257, 1009}),
                          packed_cases());
  EXPECT_EQ(in_parallel(cases, name, protocol_faults), "");
}

TEST_F(Gpu, TheBatchDoesNotInfluenceARow) {
  const auto cases = join(every_radix(), reduced_cases(), packed_cases());
  EXPECT_EQ(
      in_parallel(cases, name, [](const KernelCase& c) { return batch_faults(c, Device::gpu); }),
      "");
}

// Every engine and radix: the emulated device does what the GPU does, to the last bit, for
// ordinary numbers, subnormal ones, overflow and NaN (whose payload is free).
TEST_F(Gpu, EqualsTheEmulatedDeviceBitForBit) {
  std::vector<KernelCase> cases =
      join(bluestein_cases({17, 1009}), rader_cases({103, 1009}), packed_cases());
  for (const auto& c : every_radix()) {
    const bool forward = c.n == 8 || c.n == 256 || c.n == 4096;
    const bool inverse = c.n == 2 || c.n == 64 || c.n == 512;
    if (c.direction == Direction::forward ? forward : inverse) cases.push_back(c);
  }
  const auto lengths = sample({2, 8, 32, 256, 1024, 8192});
  const auto reduced = join(lengths, radices_of_both_scales());
  cases = join(cases, stored(Storage::f16, reduced), stored(Storage::bf16, lengths),
               with_products(1, join(reduced, stored(Storage::bf16, reduced))),
               with_products(4, reduced));
  try {
    (void)PlanTransform(cases.front(), Device::cpu).plan(1);
  } catch (const FftError& error) {
    GTEST_SKIP() << "no emulated device here: " << error.what();
  }
  EXPECT_EQ(in_parallel(cases, name, difference_from_emulated), "");
}

}  // namespace
}  // namespace sonoma::test
