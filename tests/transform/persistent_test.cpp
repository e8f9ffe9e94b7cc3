// Blocks that transform one tile after another, in grids with fewer blocks than tiles, and their
// mutants.
#include <gtest/gtest.h>

#include "mutants.hpp"

namespace sonoma::test {
namespace {

KernelCase kernel(Engine engine, Storage storage) {
  KernelCase c{1024, Direction::forward, engine, decompose(1024)};
  c.storage = storage;
  if (storage != Storage::f32) c.products = 1;
  c.persistent = true;
  return c;
}

const KernelCase words = kernel(Engine::mma, Storage::f16);
const KernelCase points = kernel(Engine::mma, Storage::f32);
const KernelCase simt = kernel(Engine::simt, Storage::f32);

TEST(Persistent, KernelsAreRight) { EXPECT_EQ(faults_of_all(persistent_cases()), ""); }

// The same bits as of one-shot blocks, whatever the grid, in place too; every tile is done once.
TEST(Persistent, NothingDependsOnTheGrid) {
  for (const KernelCase& c : {words, points, simt}) {
    KernelCase one_shot = c;
    one_shot.persistent = false;
    const auto result = [&](const CudaSource& source, bool in_place) {
      const auto [bits, report] = emulated(source, c, 7, in_place);
      EXPECT_EQ(report.blocks, source.launch.blocks(7));
      return bits;
    };
    const auto expected = result(source_of(one_shot), false);
    CudaSource source = source_of(c);
    for (const unsigned blocks : {1u, 2u, 3u, 6u, 7u, 100u}) {
      source.launch.most_blocks = blocks;
      EXPECT_EQ(result(source, false), expected) << c << " in " << blocks;
      EXPECT_EQ(result(source, true), expected) << c << " in place, in " << blocks;
    }
  }
}

// Each barrier of the loop, the wait, and everything that leads from a tile to the next one.
TEST(Persistent, EveryPieceOfTheLoopIsNeeded) {
  std::vector<Mutant> mutants;
  for (const KernelCase& c : {words, points, simt}) {
    const std::string loop = "tile += block_count()) {\n";
    const std::string next = "if (tile + block_count() < batch)";
    append(mutants, {replaced(c, loop + "    wait_for_copies();", loop),
                     replaced(c, next, "if (tile + 1 < batch)"), replaced(c, next, "if (false)"),
                     replaced(c, "(in += further, ", "(in, "), replaced(c, "out += further;", ""),
                     replaced(c, "ull * block_count()", "ull"),
                     replaced(c, "tile < batch", "tile + 1 < batch")});
    append(mutants, without_each(c, "\n    block_barrier();", loop));
  }
  EXPECT_GE(mutants.size(), 3u * 7 + 3 * 3);
  EXPECT_EQ(survivors(mutants), "");
}

// The next tile's maximum may have taken the place of this one's.
TEST(Persistent, TheMaximumMustBeKept) {
  const CudaSource source = source_of(words);
  const std::string published = "published_max<2>(8192)", kept = ">(largest));";
  ASSERT_NE(source.text.find("largest = " + published), std::string::npos);
  EXPECT_EQ(survivors({replaced(words, kept, ">(" + published + "));")}), "");
}

}  // namespace
}  // namespace sonoma::test
