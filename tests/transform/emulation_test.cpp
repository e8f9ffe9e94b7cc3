// The emulated device watches the kernel: races, bounds, counts that the generator has predicted.
#include <gtest/gtest.h>

#include "plan_transform.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::test {
namespace {

class Emulation : public testing::TestWithParam<KernelCase> {
 protected:
  Generated generated_ =
      generate(GetParam().problem(), target_for(GetParam().arch), GetParam().tuning());
  EmulatedKernel kernel_{HostCompiler().compile(generated_.source), generated_.source};

  std::vector<Complex> rows(std::uint64_t batch) const {
    return verification::concatenate(
        verification::random_inputs(GetParam().n, static_cast<int>(batch), 9, GetParam().storage));
  }

  EmulationReport launch(const std::vector<Complex>& x, std::vector<Complex>& y,
                         const EmulationOptions& options) const {
    const auto in = pack(GetParam().storage, x);
    std::vector<std::byte> out(in.size());
    const auto batch = x.size() / static_cast<std::size_t>(GetParam().n);
    const auto report = kernel_.launch(in, out, generated_.source.tables, batch, options);
    y = unpack(GetParam().storage, out);
    return report;
  }
};

TEST_P(Emulation, CountsAreAsPredicted) {
  const KernelCosts& costs = generated_.costs;
  const unsigned per_block = generated_.source.launch.transforms_per_block;
  const auto x = rows(2 * per_block);
  std::vector<Complex> y(x.size());
  const EmulationReport report = launch(x, y, {.count_wavefronts = true});
  EXPECT_EQ(report.blocks, 2);
  EXPECT_EQ(report.block_barriers, 2 * costs.barriers);
  // KernelCosts does not count asynchronous copies, which must be free of conflicts.
  EXPECT_EQ(report.copies.total, report.copies.minimum);
  EXPECT_EQ(report.loads.total + report.stores.total, 2 * costs.shared_wavefronts);
  EXPECT_EQ(report.loads.minimum + report.stores.minimum, 2 * costs.shared_wavefronts_minimum);
  const int instructions = generated_.target.has_mma_m16n8k16() ? 1 : 2;
  EXPECT_EQ(static_cast<double>(report.mmas), instructions * costs.mmas * 2 * per_block);
}

TEST_P(Emulation, HasNoRacesInAnyOrder) {
  const auto x =
      rows(generated_.source.launch.transforms_per_block + 1);  // the last block is partial
  std::vector<Complex> first(x.size()), y(x.size());
  launch(x, first, {.check_races = true});
  for (const std::uint64_t seed : {1u, 2u}) {
    launch(x, y, {.check_races = true, .order_seed = seed});
    EXPECT_EQ(differing(first, y), 0) << "order " << seed;
  }
}

std::vector<KernelCase> cases() {
  auto all = sample({2, 8, 16, 64, 256, 1024, 4096, 8192});
  auto rounds = rounds_cases();
  std::erase_if(rounds, [](const KernelCase& c) { return c.cluster > 1; });
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    for (const unsigned radix : {2u, 4u, 8u}) {
      all.push_back({512, Direction::forward, engine, decompose(512, radix)});
    }
  }
  all = join(all, on_sm_75(sample({2, 32, 256})), stored(Storage::f16, sample({2, 16, 256, 8192})),
             stored(Storage::bf16, sample({8, 1024})), rounds);
  const auto radix8 = KernelCase{512, Direction::forward, Engine::mma, decompose(512, 8)};
  const auto more = join(std::vector{radix8}, on_sm_75(sample({512})));
  return join(all, with_products(1, join(sample({4, 4096}), more)),
              with_products(1, stored(Storage::f16, more)), with_products(4, sample({16, 1024})));
}

INSTANTIATE_TEST_SUITE_P(Sample, Emulation, testing::ValuesIn(cases()),
                         [](const auto& tested) { return name(tested.param); });

}  // namespace
}  // namespace sonoma::test
