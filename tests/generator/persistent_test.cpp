// Blocks that stay for a tile after the other: which may, how many there are, and what is wrong
// with their operations when one is damaged.
#include <gtest/gtest.h>

#include <string>

#include "damage.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma::test {
namespace {

Tuning persistent(const std::string& tree, unsigned points, unsigned threads = 0) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.decomposition = parse_decomposition(tree);
  tuning.points_per_thread = points;
  tuning.block_points = static_cast<unsigned>(tuning.decomposition->n());
  if (threads > 0) tuning.threads = threads;
  tuning.stage_load = tuning.stage_store = false;
  tuning.prefetch = Prefetch::persistent;
  return tuning;
}

Generated made(const Tuning& tuning, const FftProblem& wish = {}, const char* arch = "sm_90") {
  FftProblem problem = wish;
  problem.lengths = {tuning.decomposition->n()};
  return generate(problem, target_for(arch), tuning);
}

bool stays(const Tuning& tuning, const FftProblem& wish = {}, const char* arch = "sm_90") {
  return made(tuning, wish, arch).schedule.stays();
}

const Tuning in_one_lap = persistent("(gs 27 (gs 25 (dft 27)))", 27),
             in_laps = persistent("(gs 27 (gs 36 (dft 27)))", 36, 512),
             in_uneven_laps = persistent("(gs 16 (gs 25 (dft 20)))", 25, 288);

TEST(Persistent, EachOperationIsNeededOnce) {
  for (const Tuning& tuning : {in_one_lap, in_laps, in_uneven_laps}) {
    const KernelIr ir = made(tuning).ir;
    ASSERT_TRUE(ir.schedule.stays());
    expect_each_needed_once(ir);
  }
}

TEST(Persistent, OperationsMayNotChangePlaces) {
  const KernelIr ir = made(in_laps).ir;
  for (std::size_t i = 0; i + 1 < ir.ops.size(); ++i) {
    if (is<op::Barrier>(ir.ops[i]) && is<op::PrefetchTile>(ir.ops[i + 1])) continue;
    EXPECT_NE(verify(swapped(ir, i)), "") << at(ir, i);
  }
}

TEST(Persistent, ChangedOperationsAreSeen) {
  const KernelIr ir = made(in_one_lap).ir;
  EXPECT_EQ(expect_each_rejected<op::FetchTile>(ir, [](auto& op) { op.next = !op.next; }), 2u);
  EXPECT_EQ(expect_each_rejected<op::EachTile>(ir, [](auto& op) { ++op.apart; }), 1u);
  const Layout other = ir.schedule.phases[1].in;
  EXPECT_EQ(expect_each_rejected<op::FetchTile>(ir, [&](auto& op) { op.layout = other; }), 2u);
}

// A lap of the last phase reads what the same lap of the next tile's first phase will fill.
TEST(Persistent, LapsOfTheFirstAndTheLastPhaseAgree) {
  const Schedule even = made(in_laps).schedule, uneven = made(in_uneven_laps).schedule;
  EXPECT_EQ(even.lap_threads(even.load.layout), 486u);
  EXPECT_EQ(even.lap_threads(even.result_layout()), 486u);
  EXPECT_EQ(even.laps(even.load.layout), 2u);
  EXPECT_EQ(uneven.lap_threads(uneven.load.layout), 13u * 20);
  EXPECT_EQ(uneven.lap_threads(uneven.result_layout()), 13u * 16);
  EXPECT_EQ(uneven.laps(uneven.load.layout), 2u);
  EXPECT_EQ(uneven.laps(uneven.result_layout()), 2u);
  // Four steps whose ends have no slow digit in common.
  EXPECT_FALSE(stays(persistent("(gs 14 (gs 14 (gs 8 (dft 14))))", 16, 800)));
}

TEST(Persistent, IsOfWholeComplexTransforms) {
  const auto with = [](auto change) {
    FftProblem problem;
    change(problem);
    return problem;
  };
  const Tuning cube = persistent("(gs 15 (gs 15 (dft 15)))", 15);
  EXPECT_TRUE(stays(cube));
  EXPECT_FALSE(stays(cube, {}, "sm_80"));
  EXPECT_FALSE(stays(cube, with([](auto& p) { p.storage = Storage::f16; })));
  EXPECT_FALSE(stays(cube, with([](auto& p) { p.layout.in_stride = 2; })));
  EXPECT_FALSE(stays(cube, with([](auto& p) { p.ends.in_length = 2000; })));
  EXPECT_FALSE(stays(cube, with([](auto& p) { p.ends.load_code = "value"; })));
  Tuning two = persistent("(gs 10 (gs 10 (dft 10)))", 10);
  EXPECT_TRUE(stays(two));
  two.block_points = 2000;
  EXPECT_FALSE(stays(two));
}

// As many as the GPU holds, and what they leave; of few tiles a block each.
TEST(Persistent, BlocksTakeEachTileOnce) {
  const LaunchShape shape = made(in_one_lap).source.launch;
  ASSERT_EQ(shape.stays, 132u);
  for (const std::uint64_t batch : {1u, 131u, 132u, 133u, 263u, 264u, 1000u, 4095u, 100000u}) {
    const std::uint64_t each = shape.tiles_of_each(batch), blocks = shape.blocks(batch);
    EXPECT_GE(each, 1u);
    EXPECT_LE(132 * (each - 1), batch);
    EXPECT_EQ(blocks, batch <= 263 ? batch : 132 + (batch - 132 * each)) << batch;
  }
  EXPECT_EQ(shape.tiles_of_each(132 * 16), 15u);
}

}  // namespace
}  // namespace sonoma::test
