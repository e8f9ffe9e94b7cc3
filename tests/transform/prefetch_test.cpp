// A block that asks the L2 cache for a tile that is not its own: on the emulated device, which
// refuses what lies outside of the input. Of one multiprocessor, so that few blocks are many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <sstream>

#include "host_compiler.hpp"
#include "mutants.hpp"
#include "parallel.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/tuning_fields.hpp"

namespace sonoma::test {
namespace {

struct Request {
  const char* name;
  FftProblem problem;
  Tuning tuning;
};

// "NAME VALUE NAME VALUE ..."
Tuning parsed(const char* texts) {
  Tuning tuning;
  std::istringstream words(texts);
  for (std::string name, value; words >> name >> value;) {
    EXPECT_EQ(set_from_text(tuning_field(name), tuning, value), std::nullopt);
  }
  return tuning;
}

Request row(const char* name, std::int64_t n, const char* tuning = "") {
  return {name, {.lengths = {n}}, parsed(tuning)};
}

Request with_domain(Request request, Domain domain) {
  request.problem.domain = domain;
  if (domain == Domain::c2r) request.problem.direction = Direction::inverse;
  return request;
}

Request with_storage(Request request, Storage storage) {
  request.problem.storage = storage;
  return request;
}

// Of one transform a block, of several, of a cluster, in rounds, in laps; with tensor cores,
// convolutions and ends that are not complex.
std::vector<Request> requests() {
  Request plane = row("48 x 64", 48);
  plane.problem.lengths = {48, 64};
  plane.tuning.decomposition = parse_decomposition("(gs 16 (gs 3 (gs 16 (dft 4))))");
  return {
      row("1000", 1000),
      row("three of 1000", 1000, "block_points 3000"),
      row("laps", 3000, "points_per_thread 15 block_points 3000 threads 96"),
      row("the same laps", 3375,
          "decomposition (gs15(gs15(dft15))) points_per_thread 15 block_points 3375 threads 96"),
      row("uneven laps", 693,
          "decomposition (gs7(gs11(dft9))) points_per_thread 11 block_points 693 threads 64 "
          "stage_load 0 stage_store 0"),
      row("four steps", 2401, "points_per_thread 7 block_points 2401"),
      row("tensor cores", 4096, "engine mma"),
      row("rounds", 16384, "rounds 2"),
      row("clusters", 8192, "cluster 2"),
      row("clusters in rounds", 32768, "cluster 2 rounds 2"),
      row("Bluestein", 1511, "method bluestein"),
      row("Rader", 257, "method rader"),
      with_storage(row("f16", 4096), Storage::f16),
      with_storage(row("i16", 1000), Storage::i16),
      with_domain(row("r2c", 6000), Domain::r2c),
      with_domain(row("c2r", 6000), Domain::c2r),
      with_domain(row("r2c of an odd length", 2187), Domain::r2c),
      plane};
}

Generated generated(const Request& request, Prefetch prefetch) {
  Target target = target_for("sm_90");
  target.sms = 1;
  Tuning tuning = request.tuning;
  tuning.engine = tuning.engine.value_or(Engine::simt);
  tuning.prefetch = prefetch;
  return generate(request.problem, target, tuning);
}

// So many that some blocks ask for a tile that there is, and others do not; the last is not whole.
std::uint64_t batch_of(const Generated& of) {
  const Schedule& schedule = of.ir.schedule;
  return schedule.transforms_ahead + 2 * schedule.launch.transforms_per_block + 1;
}

std::vector<std::byte> outcome(const Generated& of, std::uint64_t batch, bool in_place = false) {
  const Pass& pass = of.ir.schedule.pass;
  const auto rows = static_cast<std::int64_t>(batch);
  const auto size = [&](bool input) {
    const std::int64_t points = input ? in_points(pass, rows) : out_points(pass, rows);
    return static_cast<std::size_t>(points) * pass.bytes_of_point(input);
  };
  std::vector<std::uint32_t> in(size(true) / 4);
  std::iota(in.begin(), in.end(), 0x3c003c00u);
  std::vector<std::byte> out(size(false));
  const EmulatedKernel kernel(compiled(of.source), of.source);
  const auto bytes = std::as_bytes(std::span(in));
  if (in_place) std::ranges::copy(bytes, out.begin());
  (void)kernel.launch(in_place ? std::span<const std::byte>(out) : bytes, out, of.source.tables,
                      batch, {.check_races = true});
  return out;
}

std::ptrdiff_t asked_for(const Generated& of) {
  return std::ranges::count_if(
      of.ir.ops, [](const Op& op) { return std::holds_alternative<op::PrefetchTile>(op); });
}

TEST(Prefetch, ChangesNoResult) {
  EXPECT_EQ(in_parallel(
                requests(), [](const Request& request) { return std::string(request.name); },
                [](const Request& request) {
                  const Generated late = generated(request, Prefetch::late);
                  const Generated early = generated(request, Prefetch::early);
                  const Generated none = generated(request, Prefetch::none);
                  const Generated stay = generated(request, Prefetch::persistent);
                  const std::uint64_t batch = batch_of(late);
                  const auto expected = outcome(none, batch);
                  std::string wrong;
                  if (outcome(late, batch) != expected) wrong += "late: another result\n";
                  if (outcome(early, batch) != expected) wrong += "early: another result\n";
                  // Some stay for two tiles, and some tiles are left.
                  const std::uint64_t many =
                      3 * std::max<std::uint64_t>(1, stay.source.launch.stays);
                  if (outcome(stay, many) != outcome(none, many)) wrong += "persistent: another\n";
                  if (asked_for(late) != 1 || asked_for(early) != 1 || asked_for(none) != 0) {
                    wrong += "another number of prefetches\n";
                  }
                  return wrong;
                }),
            "");
}

// Where it would not be one piece of memory, or there is no such instruction.
TEST(Prefetch, IsOfOnePiece) {
  const auto asks = [](const Request& request, const char* arch = "sm_90") {
    Tuning tuning = request.tuning;
    tuning.engine = Engine::simt, tuning.prefetch = Prefetch::late;
    const Generated made = generate(request.problem, target_for(arch), tuning);
    EXPECT_EQ(made.ir.schedule.shape.prefetch != Prefetch::none, asked_for(made) == 1);
    return asked_for(made) == 1;
  };
  const Request plain = row("", 1000);
  EXPECT_TRUE(asks(plain));
  EXPECT_FALSE(asks(plain, "sm_80"));
  Request strided = plain, far = plain, near = plain, padded = plain;
  strided.problem.layout.in_stride = 2, strided.problem.layout.in_dist = 2000;
  EXPECT_FALSE(asks(strided));
  far.problem.layout.in_dist = 5000, far.tuning.block_points = 2000;
  EXPECT_FALSE(asks(far));
  near.problem.layout.in_dist = 1024, near.tuning.block_points = 2000;
  EXPECT_TRUE(asks(near));
  padded.problem.ends.in_length = 600;
  EXPECT_FALSE(asks(padded));
}

// Where the batch leaves multiprocessors idle, no block follows.
TEST(Prefetch, IsNoneOfFewTransforms) {
  int found = 0;
  for (const std::int64_t n : {4096, 8192, 12000, 16384, 20000}) {
    for (const std::int64_t batch : {1, 16}) {
      const FftProblem problem{.lengths = {n}, .batch = batch};
      const Planned planned = plan(problem, target_for("sm_90"), {}, shipped_wisdom_for(problem));
      if (!planned.few) continue;
      ++found;
      for (const Launch& launch : planned.few->launches) {
        EXPECT_EQ(launch.shape.prefetch, Prefetch::none) << n << " " << batch;
      }
    }
  }
  EXPECT_GT(found, 2);
}

// Rounds of blocks that stay, and those behind them; in place too.
TEST(Prefetch, BlocksStayForTileAfterTile) {
  int stay = 0;
  for (const Request& request : requests()) {
    const Generated of = generated(request, Prefetch::persistent);
    const std::uint64_t stays = of.source.launch.stays;
    if (stays == 0) continue;
    ++stay;
    const Generated none = generated(request, Prefetch::none);
    for (const std::uint64_t batch : {stays - 1, stays, stays + 1, 5 * stays + 1}) {
      if (batch == 0) continue;
      EXPECT_EQ(outcome(of, batch), outcome(none, batch)) << request.name << " " << batch;
      EXPECT_EQ(outcome(of, batch, true), outcome(none, batch)) << request.name << " " << batch;
    }
  }
  EXPECT_EQ(stay, 4);
}

TEST(Prefetch, MutantsOfBlocksThatStayAreCaught) {
  const Request request = requests()[3];
  ASSERT_EQ(std::string(request.name), "the same laps");
  const Generated of = generated(request, Prefetch::persistent);
  const std::uint64_t batch = 5 * of.source.launch.stays;
  const auto expected = outcome(of, batch);
  for (const auto& [from, to] :
       {std::pair{" < tiles.end;\n", " <= tiles.end;\n"}, std::pair{"wait_for_copies();", ""},
        std::pair{"block_barrier();\n      const bool another", "const bool another"},
        std::pair{"lap * 75 + thread_index(); thread_index() < 75 && another",
                  "150 - lap * 75 + thread_index(); thread_index() < 75 && another"},
        std::pair{"stays * (of_each - 1)", "stays * of_each"}}) {
    Generated damaged = of;
    const std::size_t at = damaged.source.text.rfind(from);
    ASSERT_NE(at, std::string::npos) << from;
    damaged.source.text.replace(at, std::string(from).size(), to);
    bool caught = false;
    try {
      caught = outcome(damaged, batch) != expected;
    } catch (const EmulationError&) {
      caught = true;
    }
    EXPECT_TRUE(caught) << to;
  }
}

// Behind the last tile lies other memory.
TEST(Prefetch, MutantsAreCaught) {
  const Generated of = generated(row("", 1000), Prefetch::late);
  const std::uint64_t batch = batch_of(of);
  for (const auto& [from, to] : {std::pair{" <= batch)", " <= batch + 1)"},
                                 std::pair{"prefetch(in + ", "prefetch(in + 3000 + "}}) {
    Generated damaged = of;
    const std::size_t at = damaged.source.text.rfind(from);
    ASSERT_NE(at, std::string::npos) << from;
    damaged.source.text.replace(at, std::string(from).size(), to);
    EXPECT_THROW((void)outcome(damaged, batch), EmulationError) << to;
  }
}

}  // namespace
}  // namespace sonoma::test
