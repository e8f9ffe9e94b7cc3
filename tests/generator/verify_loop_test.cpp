// The loop of a persistent block: every fault in how the next tile comes and goes is seen.
#include <algorithm>

#include "damaged_sample.hpp"

namespace sonoma::test {
namespace {

std::vector<KernelIr> persistent() {
  std::vector<KernelIr> found;
  for (const Request& request : sample_requests()) {
    if (request.persistent) found.push_back(request.generated().ir);
  }
  return found;
}

template <class T>
std::size_t position(const KernelIr& ir, std::size_t from = 0) {
  const auto begin = ir.ops.begin() + static_cast<std::ptrdiff_t>(from);
  return static_cast<std::size_t>(std::find_if(begin, ir.ops.end(), is<T>) - ir.ops.begin());
}

KernelIr without(KernelIr ir, std::size_t at) {
  ir.ops.erase(ir.ops.begin() + static_cast<std::ptrdiff_t>(at));
  return ir;
}

KernelIr with(KernelIr ir, std::size_t at, const Op& op) {
  ir.ops.insert(ir.ops.begin() + static_cast<std::ptrdiff_t>(at), op);
  return ir;
}

void expect_wrong(const KernelIr& ir, const std::string& reason) {
  EXPECT_NE(verify(ir).find(reason), std::string::npos) << verify(ir) << "\n" << to_string(ir);
}

TEST(VerifyLoop, PointsAndWordsAreInTheSample) {
  const auto all = persistent();
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& ir) { return ir.schedule.words; }),
            1);
  EXPECT_EQ(all.size(), 3u);
}

TEST(VerifyLoop, TheLoopGoesAroundTheTile) {
  for (const KernelIr& ir : persistent()) {
    const std::size_t loop = position<op::TileLoop>(ir);
    ASSERT_EQ(loop, 1u);  // behind the copy of the first tile
    expect_wrong(without(ir, loop), "a copy of the next tile where no loop is");
    expect_wrong(without(ir, ir.ops.size() - 1), "without a loop over its tiles");
    expect_wrong(with(ir, loop, op::TileLoop{}), "a loop over tiles that the schedule");
    expect_wrong(with(ir, ir.ops.size(), op::NextTile{}), "the end of a loop that has not begun");
    expect_wrong(with(without(ir, loop), 0, op::TileLoop{}), "the first tile is not on its way");
    KernelIr one_shot = ir;
    one_shot.schedule.persistent = false;
    EXPECT_NE(verify(one_shot), "");
  }
}

TEST(VerifyLoop, TheNextTileComesOnceAndIsWaitedFor) {
  for (const KernelIr& ir : persistent()) {
    const std::size_t wait = position<op::WaitAsync>(ir), next = position<op::CopyAsync>(ir, 1);
    expect_wrong(without(ir, wait), "waited for");
    expect_wrong(without(ir, next), "the next tile is never copied");
    expect_wrong(with(ir, next, ir.ops[next]), "loaded twice");
    expect_wrong(with(ir, next + 1, ir.ops[wait]), "nothing to wait for");
  }
}

TEST(VerifyLoop, TheNextTileMayNotOverwriteThePresentOne) {
  for (const KernelIr& ir : persistent()) {
    const std::size_t next = position<op::CopyAsync>(ir, 1), read = position<op::ReadShared>(ir);
    ASSERT_TRUE(is<op::Barrier>(ir.ops[next - 1]));
    expect_wrong(without(ir, next - 1), "no sufficient barrier");
    expect_wrong(with(without(ir, next), read, ir.ops[next]), "loaded twice");
    KernelIr warp = ir;
    std::get<op::Barrier>(warp.ops[next - 1]).scope = op::Barrier::Scope::warp;
    expect_wrong(warp, "no sufficient barrier");
  }
}

TEST(VerifyLoop, TheAreasAreTwo) {
  for (KernelIr ir : persistent()) {
    for (Op& any : ir.ops) {
      const Op before = any;
      if (auto* read = std::get_if<op::ReadShared>(&any)) {
        read->area = read->area == op::Area::next ? op::Area::tile : op::Area::next;
      } else if (auto* copy = std::get_if<op::CopyAsync>(&any)) {
        copy->area = op::Area::tile;
      } else {
        continue;
      }
      EXPECT_NE(verify(ir), "") << to_string(any, ir.schedule.digits);
      any = before;
    }
  }
  expect_rejected<op::CopyAsync>([](auto& op) { op.next = !op.next; });
  expect_rejected<op::CopyAsync>(
      [](auto& op) { op.area = op.area == op::Area::next ? op::Area::tile : op::Area::next; });
}

// Found again, it may be that of the next tile already: warps that are ahead publish it.
TEST(VerifyLoop, TheMaximumOfSeveralWarpsIsKept) {
  unsigned tried = 0;
  for (KernelIr ir : persistent()) {
    if (ir.schedule.scale_warps <= 1) continue;
    auto& scale = std::get<op::TransformScale>(ir.ops[position<op::TransformScale>(ir)]);
    EXPECT_TRUE(scale.kept);
    scale.kept = false;
    expect_wrong(ir, "no sufficient barrier");
    ++tried;
  }
  EXPECT_EQ(tried, 2u);
}

}  // namespace
}  // namespace sonoma::test
