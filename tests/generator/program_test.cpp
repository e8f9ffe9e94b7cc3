// Transforms in several passes: the launches, and the kernel of each.
#include "sonoma/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "edit_ops.hpp"
#include "sonoma/check.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

using Lengths = std::vector<std::int64_t>;

FftProblem problem_of(std::int64_t n, Storage storage = Storage::f32) {
  FftProblem problem;
  problem.lengths = {n};
  problem.storage = storage;
  return problem;
}

Program program_of(std::int64_t n, const Lengths& lengths) {
  Tuning tuning;
  tuning.pass_lengths = lengths;
  return make_program(problem_of(n), target_for("sm_90"), tuning);
}

TEST(PassLengths, AreFewAndAlmostEqual) {
  EXPECT_EQ(pass_lengths(16384), (Lengths{128, 128}));
  EXPECT_EQ(pass_lengths(32768), (Lengths{128, 256}));
  EXPECT_EQ(pass_lengths(std::int64_t{1} << 24), (Lengths{4096, 4096}));
  EXPECT_EQ(pass_lengths(std::int64_t{1} << 25), (Lengths{256, 256, 512}));
  EXPECT_EQ(pass_lengths(std::int64_t{1} << 24, 2048), (Lengths{256, 256, 256}));
  EXPECT_EQ(pass_lengths(std::int64_t{1} << 31), (Lengths{1024, 1024, 2048}));
  EXPECT_EQ(pass_lengths(59049), (Lengths{243, 243}));
  EXPECT_EQ(pass_lengths(100000), (Lengths{200, 500}));  // rows of whole sectors on both sides
  EXPECT_EQ(pass_lengths(30030), (Lengths{210, 143}));
  EXPECT_EQ(pass_lengths(30030, 4096, LastBlock::fewer, Domain::r2c).back() % 2, 0);
  // Pairs in whole sectors, and not so few columns of frequencies.
  EXPECT_EQ(pass_lengths(246064, 4096, LastBlock::fewer), (Lengths{728, 338}));
  EXPECT_EQ(pass_lengths(246064, 4096, LastBlock::fewer, Domain::c2r), (Lengths{338, 728}));
  EXPECT_EQ(pass_lengths(1000000000), (Lengths{1000, 1000, 1000}));
}

TEST(Program, OfOneBlockIsOneLaunch) {
  const Target target = target_for("sm_90");
  const Program program = make_program(problem_of(4096), target, {});
  ASSERT_EQ(program.launches.size(), 1u);
  EXPECT_EQ(program.launches[0].from, Buffer::input);
  EXPECT_EQ(program.launches[0].to, Buffer::output);
  EXPECT_EQ(program.workspace_bytes(1000), 0u);
  EXPECT_EQ(generate(program.launches[0], target).source,
            generate(problem_of(4096), target).source);
}

// The first index that a pass reads (writes) for every combination of its loops and its own digit
// are all indices of the transform, once; in the workspace rows fill their last sector.
void expect_every_point_once(const Pass& pass, bool input) {
  std::vector<std::int64_t> places = {0};
  const auto spread = [&](std::int64_t count, std::int64_t stride) {
    const std::vector<std::int64_t> before = places;
    for (std::int64_t i = 1; i < count; ++i) {
      for (const std::int64_t place : before) places.push_back(place + i * stride);
    }
  };
  spread(pass.n(), pass.side(input).stride);
  for (const Loop& loop : pass.loops) spread(loop.count, loop.stride(input));
  const std::set<std::int64_t> distinct(places.begin(), places.end());
  EXPECT_EQ(distinct.size(), places.size());
  EXPECT_EQ(places.size(), static_cast<std::size_t>(pass.part->whole.n()));
  const std::int64_t room = pass.side(input).end
                                ? pass.part->whole.n()
                                : points_in_workspace(pass.part->whole, pass.part->lengths);
  EXPECT_LE(*distinct.rbegin() + 1, room);
  EXPECT_GT(*distinct.rbegin() + 1, room - 4);
}

TEST(Program, SharedMemoryDecidesHowLongOnePassIs) {
  for (const auto& [arch, launches] : {std::pair{"sm_90", 1u}, {"sm_80", 1u}, {"sm_86", 2u}}) {
    const Program program = make_program(problem_of(16384), target_for(arch), {});
    EXPECT_EQ(program.launches.size(), launches) << arch;
  }
}

TEST(Program, EveryPassTouchesEveryPointOnce) {
  for (const Lengths& lengths : {Lengths{32, 64}, Lengths{128, 32}, Lengths{64, 32, 32},
                                 Lengths{50, 60}, Lengths{64, 96}, Lengths{21, 14, 15}}) {
    const std::int64_t n =
        std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
    for (const Launch& launch : program_of(n, lengths).launches) {
      expect_every_point_once(launch.pass, true);
      expect_every_point_once(launch.pass, false);
    }
  }
}

TEST(Program, BlocksTakeTwoRoundsWhereTheirStepsAreOpen) {
  const auto rounds = [](std::int64_t n, const char* arch, const Tuning& tuning = {}) {
    const Program program = make_program(problem_of(n), target_for(arch), tuning);
    return program.launches.size() == 1 ? program.launches[0].shape.shares.rounds : 0;
  };
  EXPECT_EQ(rounds(8192, "sm_90"), 1u);
  for (const std::int64_t n : {16384, 32768, 65536, 131072}) EXPECT_EQ(rounds(n, "sm_90"), 2u) << n;
  EXPECT_EQ(rounds(16384, "sm_80"), 1u) << "not measured there";
  EXPECT_EQ(rounds(1 << 18, "sm_90"), 0u);
  Tuning tree;
  tree.decomposition = {{16, 2, 16, 2, 16}};
  EXPECT_EQ(rounds(16384, "sm_90", tree), 1u);
  tree.rounds = 2;
  EXPECT_EQ(rounds(16384, "sm_90", tree), 2u);
  tree.pass_lengths = {128, 128};
  EXPECT_THROW((void)make_program(problem_of(16384), target_for("sm_90"), tree),
               UnsupportedProblem);
}

// Whatever the batch: a transform's result must not depend on it.
TEST(Program, ClustersTakeTransformsOfABlockToEight) {
  const auto clusters = [](std::int64_t n, const char* arch, const Tuning& tuning = {}) {
    const Program program = make_program(problem_of(n), target_for(arch), tuning);
    return program.launches.size() == 1 ? program.launches[0].shape.shares.cluster : 0;
  };
  EXPECT_EQ(clusters(16384, "sm_90"), 1u);
  EXPECT_EQ(clusters(32768, "sm_90"), 2u);
  EXPECT_EQ(clusters(65536, "sm_90"), 8u);
  EXPECT_EQ(clusters(131072, "sm_90"), 8u);
  EXPECT_EQ(clusters(1 << 18, "sm_90"), 0u);
  EXPECT_EQ(clusters(65536, "sm_80"), 0u) << "no clusters there: two passes";
  Tuning passes;
  passes.pass_lengths = {256, 256};
  EXPECT_EQ(clusters(65536, "sm_90", passes), 0u);
  Tuning two;
  two.cluster = 2;
  EXPECT_THROW((void)clusters(65536, "sm_90", two), UnsupportedProblem);
  two.pass_lengths = {256, 256};
  EXPECT_EQ(
      make_program(problem_of(65536), target_for("sm_90"), two).launches[1].shape.shares.cluster,
      2u);
}

// Tiles of 16384 points: of the last pass, and of a first one of 2048.
TEST(Program, LongPassesTakeTwoRounds) {
  const auto rounds = [](std::vector<std::int64_t> lengths, const char* arch, Tuning tuning = {}) {
    tuning.pass_lengths = std::move(lengths);
    const std::int64_t n = (*tuning.pass_lengths)[0] * (*tuning.pass_lengths)[1];
    const Program program = make_program(problem_of(n), target_for(arch), tuning);
    return std::pair(program.launches[0].shape.shares.rounds,
                     program.launches[1].shape.shares.rounds);
  };
  using Both = std::pair<unsigned, unsigned>;
  EXPECT_EQ(rounds({1024, 1024}, "sm_90"), Both(1, 1));
  EXPECT_EQ(rounds({2048, 2048}, "sm_90"), Both(2, 2));
  EXPECT_EQ(rounds({4096, 4096}, "sm_90"), Both(1, 2));
  EXPECT_EQ(rounds({2048, 2048}, "sm_80"), Both(1, 1)) << "not measured";
  Tuning one;
  one.rounds = 1;
  EXPECT_EQ(rounds({2048, 2048}, "sm_90", one), Both(1, 1)) << "as asked for";
  Tuning small;
  small.points_per_thread = 16;
  EXPECT_EQ(rounds({2048, 2048}, "sm_90", small), Both(1, 1)) << "threads of 32 points";
}

TEST(Program, OnlyTheLastPassHasTheFactor) {
  FftProblem problem = problem_of(1 << 18);
  problem.scale = 0.5;
  const Program program = make_program(problem, target_for("sm_90"), {});
  ASSERT_EQ(program.launches.size(), 2u);
  EXPECT_EQ(program.launches[0].pass.problem.scale, 1.0);
  EXPECT_EQ(program.launches[0].pass.twiddle_length(), 1 << 18);
  EXPECT_EQ(program.launches[1].pass.problem.scale, 0.5);
  EXPECT_EQ(program.launches[1].pass.twiddle_length(), 0);
}

TEST(Program, WorkspaceIsBounded) {
  for (const auto& [storage, bytes] : {std::pair{Storage::f32, 8u}, {Storage::f16, 4u}}) {
    const Program program = make_program(problem_of(1 << 18, storage), target_for("sm_90"), {});
    EXPECT_EQ(program.workspace_bytes(1), (1u << 18) * bytes);
    EXPECT_EQ(program.workspace_bytes(1 << 20), (1u << 26) * bytes);  // 512 MB of FP32
  }
  Tuning minimal;
  minimal.workspace_points = 1;
  const Program small = make_program(problem_of(1 << 20), target_for("sm_90"), minimal);
  EXPECT_EQ(small.workspace_bytes(100), (1u << 20) * 8u);
}

TEST(Program, RefusesOtherLengths) {
  for (const Lengths& lengths :
       {Lengths{128, 64}, Lengths{128, 100}, Lengths{16384}, Lengths{1, 16384}, Lengths{8192, 2},
        Lengths{16, 1024}, Lengths{-128, -128}, Lengths{}}) {
    EXPECT_THROW((void)program_of(16384, lengths), UnsupportedProblem) << to_list(lengths);
  }
}

TEST(Program, KernelsMoveWholeSectors) {
  for (int bits = 15; bits <= 31; ++bits) {
    const Program program =
        make_program(problem_of(std::int64_t{1} << bits), target_for("sm_90"), {});
    for (const Launch& launch : program.launches) {
      const Generated kernel = generate(launch, target_for("sm_90")).passes.front();
      EXPECT_DOUBLE_EQ(kernel.costs.bytes_moved, kernel.costs.bytes_minimum)
          << bits << " " << to_string(launch.pass);
    }
  }
}

// Every length that is served takes passes whose kernels can be made; a sample of them.
TEST(Program, TilesOfEveryPassFitTheSharedMemory) {
  for (const int arch : known_archs()) {
    const Target target = target_for(std::to_string(arch));
    for (const std::int64_t n : {1 << 18, 1 << 21, 1 << 24, 100000, 1000000, 4095 * 4095}) {
      for (const Launch& launch : make_program(problem_of(n), target, {}).launches) {
        EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << arch << " " << n;
      }
    }
  }
}

TEST(Program, LongSmoothLengthsAreServed) {
  unsigned served = 0;
  for (std::int64_t n = 16385; n < 3'000'000; n += n / 37) {
    std::int64_t smooth = n;
    while (!is_smooth(smooth)) ++smooth;
    for (const Launch& launch :
         make_program(problem_of(smooth), target_for("sm_90"), {}).launches) {
      EXPECT_NO_THROW((void)generate(launch, target_for("sm_90")).passes.front()) << smooth;
    }
    ++served;
  }
  EXPECT_GT(served, 100u);
}

// Three passes do not have room for seven factors of 17 and more.
TEST(Program, TakesFourPassesWhereThreeHaveNoRoom) {
  for (const std::int64_t n : {410338673LL, 893871739LL, 48275138LL}) {  // 17^7, 19^7, 2 17^6
    const Program program = make_program(problem_of(n), target_for("sm_90"), {});
    EXPECT_EQ(program.launches.size(), n % 2 == 0 ? 3u : 4u) << n;
    for (const Launch& launch : program.launches) EXPECT_LE(launch.pass.n(), 4096) << n;
  }
}

// Tiles of tensor cores may leave several columns to a thread.
TEST(Program, TensorCoresServeEveryPass) {
  Tuning mma;
  mma.engine = Engine::mma;
  for (int bits = 15; bits <= 22; ++bits) {
    const Program program =
        make_program(problem_of(std::int64_t{1} << bits), target_for("sm_90"), mma);
    for (const Launch& launch : program.launches) {
      EXPECT_EQ(verify(generate(launch, target_for("sm_90")).passes.front().ir), "") << bits;
    }
  }
}

TEST(PassTwiddle, IsNeededOnceBehindTheLastStep) {
  const Program program = program_of(16384, {128, 128});
  const KernelIr ir = generate(program.launches[0], target_for("sm_90")).passes.front().ir;
  const auto is_twiddle = [](const Op& op) { return std::holds_alternative<op::PassTwiddle>(op); };
  const auto found = std::ranges::find_if(ir.ops, is_twiddle);
  ASSERT_NE(found, ir.ops.end());
  const auto at = static_cast<std::size_t>(found - ir.ops.begin());
  EXPECT_EQ(verify(ir), "");
  EXPECT_NE(verify(without(ir, at)).find("twiddle between passes is missing"), std::string::npos);
  EXPECT_NE(verify(twice(ir, at)).find("not due"), std::string::npos);
  EXPECT_NE(verify(moved(ir, at, 1)), "");
}

}  // namespace
}  // namespace sonoma::test
