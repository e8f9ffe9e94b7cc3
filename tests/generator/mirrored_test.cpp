// Real transforms of even length as complex ones of half of it: who takes it, where points meet in
// shared memory, and what the verifier rejects of it.
#include "sonoma/mirrored.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <numbers>
#include <set>
#include <utility>

#include "damage.hpp"
#include "mirrored_cluster.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

FftProblem real(std::int64_t n, Domain domain) {
  FftProblem problem{.lengths = {n}};
  problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

Program program_of(const FftProblem& problem, const Tuning& tuning = {}) {
  return make_program(problem, target_for("sm_90"), tuning);
}

Generated kernel(std::int64_t n, Domain domain, Engine engine = Engine::simt) {
  Tuning tuning;
  tuning.engine = engine;
  const Program program = program_of(real(n, domain), tuning);
  return generate(program.launches.at(0), target_for("sm_90")).passes.at(0);
}

Generated kernel_of_axes(const std::vector<std::int64_t>& lengths, Domain domain) {
  FftProblem problem = real(1, domain);
  problem.lengths = lengths;
  const Target target = target_for("sm_90");
  const Planned planned = plan(problem, target, Platform{}, Wisdom{});
  return generate(planned.program.launches.at(0), target).passes.at(0);
}

// By a cluster, of which blocks read each other's points.
Generated kernel_of_one_plane(const std::vector<std::int64_t>& lengths, Domain domain) {
  FftProblem problem = real(1, domain);
  problem.lengths = lengths;
  const Target target = target_for("sm_90");
  const Planned planned = plan(problem, target, Platform{}, Wisdom{});
  return generate(planned.taken().launches.at(0), target).passes.at(0);
}

bool in_pairs(const FftProblem& problem, const Tuning& tuning = {}) {
  return program_of(problem, tuning).launches.at(0).pass.real_length() == problem.n();
}

TEST(Mirrored, EvenLengthsOfOneBlockGoInPairs) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    for (const std::int64_t n : {4, 6, 10, 64, 134, 1000, 4096, 8192}) {
      EXPECT_TRUE(in_pairs(real(n, domain))) << n;
    }
    for (const std::int64_t n : {1, 2, 3, 45, 1009, 1 << 20}) {
      EXPECT_FALSE(in_pairs(real(n, domain))) << n;
    }
  }
  EXPECT_FALSE(half_length({.lengths = {64}}).has_value());
}

TEST(Mirrored, WhatDoesNotLieInPairsDoesNot) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    FftProblem strided = real(64, domain), odd = strided, padded = strided, code = strided;
    strided.layout.in_stride = strided.layout.out_stride = 2;
    (domain == Domain::r2c ? odd.layout.in_dist : odd.layout.out_dist) = 65;
    padded.ends.in_length = 20;
    (domain == Domain::r2c ? code.ends.store_code : code.ends.load_code) = "value";
    for (const FftProblem& problem : {strided, odd, padded, code}) {
      EXPECT_FALSE(in_pairs(problem)) << to_string(problem);
    }
    FftProblem in_place = real(64, domain), loops = in_place;
    in_place.placement = Placement::in_place;
    loops.layout.loops = {{3, 66, 66}};
    loops.layout.in_dist = loops.layout.out_dist = 198;
    FftProblem real_code = real(64, domain);
    (domain == Domain::r2c ? real_code.ends.load_code : real_code.ends.store_code) = "value";
    EXPECT_TRUE(in_pairs(in_place));
    EXPECT_TRUE(in_pairs(loops));
    EXPECT_TRUE(in_pairs(real_code));
  }
}

TEST(Mirrored, StepsOfTheWholeLengthAreTakenAsAsked) {
  Tuning whole, half;
  whole.decomposition = Decomposition{{8, 8}};
  half.decomposition = Decomposition{{8, 4}};
  EXPECT_FALSE(in_pairs(real(64, Domain::r2c), whole));
  EXPECT_TRUE(in_pairs(real(64, Domain::r2c), half));
}

// 1 + exp(sign 2 pi i (k / n + 1 / 4)) of each point up to the middle.
TEST(Mirrored, TheTableTurnsPoints) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    const Generated g = kernel(20, domain);
    const double sign = domain == Domain::r2c ? -1 : 1;
    const auto words = make_tables(g.ir);
    for (const Op& op : g.ir.ops) {
      const auto* load = std::get_if<op::LoadMirrored>(&op);
      const auto* store = std::get_if<op::StoreMirrored>(&op);
      if (!load && !store) continue;
      const std::size_t first = 4 * std::size_t{load ? load->table.offset : store->table.offset};
      for (std::size_t k = 0; k < 5; ++k) {
        const auto w = std::polar(1.0, sign * 2 * std::numbers::pi * (double(k) / 20 + 0.25));
        EXPECT_NEAR(std::bit_cast<float>(words.at(first + 2 * k)), 1 + w.real(), 1e-7);
        EXPECT_NEAR(std::bit_cast<float>(words.at(first + 2 * k + 1)), w.imag(), 1e-7);
      }
    }
  }
}

// Of powers of two rows are as long as it takes to keep their points apart. (Not of 8 points:
// sixteen threads take the pairs of four rows.)
TEST(Mirrored, RowsAreFreeOfBankConflicts) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    for (const std::int64_t n : {64, 256, 1024, 4096, 16384}) {
      EXPECT_EQ(kernel(n, domain).costs.bank_conflicts(), 0) << n << " " << to_string(domain);
    }
  }
}

// Of several axes results of long rows alone go straight to global memory: in pairs, which write
// parts of the sectors of short ones.
TEST(Mirrored, RowsOfAxesMoveAsTheyLie) {
  using Lengths = std::vector<std::int64_t>;
  for (const auto& [lengths, rows] :
       {std::pair(Lengths{28, 18}, true), std::pair(Lengths{100, 100}, true),
        std::pair(Lengths{6, 4, 18}, true), std::pair(Lengths{32, 32}, true),
        std::pair(Lengths{6, 200}, false), std::pair(Lengths{64, 128}, false),
        std::pair(Lengths{12, 14}, false), std::pair(Lengths{20, 54}, true)}) {
    EXPECT_EQ(moves_rows(kernel_of_axes(lengths, Domain::r2c).schedule, false), rows);
    EXPECT_TRUE(moves_rows(kernel_of_axes(lengths, Domain::c2r).schedule, true));
  }
}

// Of one plane each block has the rows, or the columns, that a digit of its points numbers.
TEST(Mirrored, BlocksOfAClusterShareRows) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    const Schedule schedule = kernel_of_one_plane({210, 120}, domain).schedule;
    EXPECT_GT(schedule.shape.shares.cluster, 1u);
    EXPECT_EQ(mirrored_row(schedule), 210 * 60 / schedule.shape.shares.cluster);
    EXPECT_FALSE(moves_rows(schedule, domain == Domain::c2r));
    EXPECT_GE(4 * schedule.launch.threads, mirrored_row(schedule));
  }
}

// The slowest digit first: what it leaves of a number has the faster ones where they were.
TEST(Mirrored, SeveralDigitsNumberTheBlocksOfACluster) {
  const Schedule schedule = kernel_of_one_plane({45, 324}, Domain::r2c).schedule;
  const std::vector<BlockDigit> share = block_share(schedule);
  ASSERT_EQ(share.size(), 2u);
  const unsigned blocks = schedule.shape.shares.cluster;
  EXPECT_EQ(share[0].count * share[1].count, blocks);
  EXPECT_GT(share[0].stride, share[1].stride);
  constexpr unsigned points = 45 * 162;
  std::vector<std::set<std::uint32_t>> places(blocks);  // of each block, each once
  for (std::uint32_t p = 0; p < points; ++p) {
    unsigned rank = 0;
    for (const auto& [stride, count, weight] : share) rank += p / stride % count * weight;
    EXPECT_TRUE(places.at(rank).insert(place_in_block(share, p)).second) << p;
  }
  for (const auto& block : places) {
    EXPECT_EQ(block.size(), points / blocks);
    EXPECT_EQ(*block.rbegin(), points / blocks - 1);
  }
}

// Of an odd last axis the points are those of the complex transform; memory has half of each row.
TEST(Mirrored, OddRowsOfAxesShareALaunch) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    for (const auto& lengths :
         std::vector<std::vector<std::int64_t>>{{40, 25}, {3, 3}, {5, 4, 9}, {72, 75}}) {
      const Schedule schedule = kernel_of_axes(lengths, domain).schedule;
      EXPECT_EQ(schedule.pass.row_length(), lengths.back());
      EXPECT_EQ(schedule.pass.mirrored_row_points(), lengths.back() / 2 + 1);
      EXPECT_EQ(row_pitch(schedule), lengths.back());
      EXPECT_EQ(mirrored_undo(schedule), 1);
    }
  }
}

// Not a multiple of four: a column of points of such rows lies in few banks.
TEST(Mirrored, RowsOfAxesSpreadOverTheBanks) {
  for (const auto& [last, places] : {std::pair(6, 5u), std::pair(14, 9u), std::pair(18, 10u),
                                     std::pair(28, 15u), std::pair(30, 17u)}) {
    const Schedule schedule = kernel_of_axes({12, last}, Domain::c2r).schedule;
    EXPECT_EQ(row_pitch(schedule), places) << last;
    EXPECT_EQ(mirrored_row(schedule), 12 * places) << last;
  }
}

template <class Visit>
void for_each_kernel(Visit visit) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    for (const std::int64_t n : {16, 200, 2048}) {
      SCOPED_TRACE(to_string(real(n, domain)));
      visit(kernel(n, domain).ir);
    }
    visit(kernel_of_axes({28, 18}, domain).ir);
    visit(kernel_of_axes({5, 4, 128}, domain).ir);
    visit(kernel_of_axes({9, 21}, domain).ir);
    visit(kernel(2048, domain, Engine::mma).ir);
    visit(kernel_of_one_plane({210, 120}, domain).ir);
  }
}

TEST(MirroredIr, EveryOperationIsNeededOnce) {
  for_each_kernel([](const KernelIr& ir) { expect_each_needed_once(ir); });
}

template <class T>
unsigned rejected(const KernelIr& ir, const std::function<void(T&)>& damage,
                  const std::string& reason) {
  return expect_each_rejected<T>(ir, damage, reason);
}

TEST(MirroredIr, DamagedOperationsAreRejected) {
  const auto row = [](auto& op) { ++op.row; };
  const auto table = [](auto& op) { ++op.table.size; };
  const auto swapped = [](auto& op) { std::swap(op.layout.threads[0], op.layout.threads[1]); };
  const std::string rows = "rows of another length";
  unsigned tried = 0;
  for_each_kernel([&](const KernelIr& ir) {
    tried += rejected<op::LoadMirrored>(ir, row, rows) + rejected<op::ReadInOrder>(ir, row, rows) +
             rejected<op::WriteInOrder>(ir, row, rows) +
             rejected<op::StoreMirrored>(ir, row, rows) + rejected<op::MirrorRows>(ir, row, rows);
    tried += rejected<op::LoadMirrored>(ir, table, "wrong size") +
             rejected<op::StoreMirrored>(ir, table, "wrong size") +
             rejected<op::MirrorRows>(ir, table, "wrong size");
    tried += rejected<op::ReadInOrder>(ir, swapped, "") +
             rejected<op::WriteInOrder>(ir, swapped, "this layout");
  });
  EXPECT_EQ(tried, 14u * 4 + 4 + 2);  // no rows are mirrored of 9 x 21 results
}

TEST(MirroredIr, ATileWithoutRoomIsRejected) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    KernelIr ir = kernel(2048, domain).ir;
    ir.schedule.launch.shared_bytes = 8191;
    EXPECT_NE(verify(ir), "");
  }
}

}  // namespace
}  // namespace sonoma::test
