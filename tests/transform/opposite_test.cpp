// Real transforms whose threads take opposite butterflies: frequencies that mirror each other meet
// in registers.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "damage_text.hpp"
#include "edit_ops.hpp"
#include "host_compiler.hpp"
#include "parallel.hpp"
#include "real_cases.hpp"
#include "sonoma/check.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

struct Steps {
  const char* tree;
  unsigned points, transforms, threads;  // of a thread, of a block
  unsigned cluster = 1;
};
const Steps of_three = {"(gs 7 (gs 11 (dft 13)))", 14, 1, 32},
            of_bits = {"(gs 16 (gs 16 (dft 16)))", 32, 1, 96},
            of_blocks = {"(gs 4 (gs 3 (dft 4)))", 8, 1, 32, 2};
// An even and an odd number of butterflies, of points of each, of both phases that may be the
// opposite one; one transform and several; laps of pairs; two steps in that phase.
const Steps all_steps[] = {
    {"(gs 4 (dft 8))", 16, 4, 0},
    {"(gs 8 (dft 4))", 16, 4, 32},
    {"(gs 5 (dft 9))", 18, 2, 0},
    {"(gs 9 (dft 5))", 18, 3, 0},
    {"(gs 6 (dft 5))", 12, 1, 0},
    {"(gs 5 (dft 6))", 12, 2, 0},
    {"(gs 9 (dft 4))", 18, 1, 0},
    {"(gs 4 (dft 9))", 18, 5, 32},
    of_three,
    of_bits,
    {"(gs 3 (gs 5 (gs 5 (dft 3))))", 30, 1, 32},
    {"(gs 2 (gs 3 (gs 16 (gs 3 (dft 2)))))", 16, 1, 0},
    // Clusters: laps, blocks with fewer pairs than others, a digit that is all of its step's.
    of_blocks,
    {"(gs 6 (gs 5 (gs 7 (dft 6))))", 12, 1, 32, 3},
    {"(gs 8 (gs 5 (dft 8)))", 16, 1, 0, 4},
    {"(gs 4 (gs 5 (dft 4)))", 8, 1, 0, 4},
    {"(gs 16 (gs 4 (dft 16)))", 32, 1, 0, 8},
    {"(gs 2 (gs 9 (gs 9 (dft 8))))", 16, 1, 0, 2},
    {"(gs 8 (gs 9 (gs 9 (dft 2))))", 16, 1, 32, 2},
};

Tuning tuning_of(const Steps& steps, bool opposite = true) {
  Tuning tuning;
  tuning.decomposition = parse_decomposition(steps.tree);
  tuning.engine = Engine::simt;
  tuning.points_per_thread = steps.points;
  tuning.block_points = steps.transforms * static_cast<unsigned>(tuning.decomposition->n());
  tuning.opposite = opposite;
  if (steps.threads > 0) tuning.threads = steps.threads;
  if (steps.cluster > 1) tuning.cluster = steps.cluster;
  return tuning;
}

RealCase case_of(Domain domain, const Steps& steps) {
  const std::int64_t n = 2 * parse_decomposition(steps.tree).n();
  RealCase c = real_case(domain, {n}, 2 * steps.transforms + 1);
  c.options.tuning = tuning_of(steps);
  return c;
}

std::vector<RealCase> cases() {
  std::vector<RealCase> all;
  for (const Domain domain : real_domains) {
    for (const Steps& steps : all_steps) {
      all.push_back(case_of(domain, steps));
      all.push_back(all.back());
      all.back().problem.placement = Placement::in_place;
      all.back().problem.scale = 0.375;
    }
    const Steps rows = {"(gs 6 (dft 5))", 12, 2, 0};
    for (const Storage storage : {Storage::f16, Storage::bf16}) {
      all.push_back(case_of(domain, rows));
      all.back().problem.storage = storage;
    }
    all.push_back(case_of(domain, rows));  // gaps, and frequencies two apart
    DataLayout& layout = all.back().problem.layout;
    const bool forward = domain == Domain::r2c;
    layout.in_stride = forward ? 1 : 2, layout.in_dist = forward ? 64 : 70;
    layout.out_stride = forward ? 2 : 1, layout.out_dist = forward ? 70 : 64;
    all.push_back(case_of(domain, rows));  // code for numbers
    auto& ends = all.back().problem.ends;
    (forward ? ends.load_code : ends.store_code) = "make_float2(value.x, 0.0f)";
  }
  return all;
}

class Opposite : public testing::TestWithParam<RealCase> {};
TEST_P(Opposite, IsTransformedAndNothingElse) {
  const Plan plan = make_plan(GetParam().problem, GetParam().options);
  EXPECT_TRUE(plan.generated().schedule.shape.opposite);
  expect_served(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Cases, Opposite, testing::ValuesIn(cases()));

Generated kernel_of(Domain domain, const Steps& steps, bool opposite = true) {
  const FftProblem problem = case_of(domain, steps).problem;
  const Target target = target_for("sm_90");
  const Program program = make_program(problem, target, tuning_of(steps, opposite));
  return generate(program.launches.at(0), target).passes.at(0);
}

Generated filter_of(const Steps& steps, bool opposite = true) {
  FftProblem problem;
  problem.lengths = {2 * parse_decomposition(steps.tree).n()};
  problem.batch = 2 * steps.transforms + 1;
  problem.convolution = Convolution{true};
  const Target target = target_for("sm_90");
  const Program program = make_program(problem, target, tuning_of(steps, opposite));
  return generate(program.launches.at(0), target).passes.at(0);
}

TEST(OppositeKernels, SaveATripThroughSharedMemory) {
  for (const Domain domain : real_domains) {
    for (const Steps& steps : {of_three, of_bits}) {
      Steps other = steps;
      other.threads = 0;
      EXPECT_LT(kernel_of(domain, steps).costs.exchanges,
                kernel_of(domain, other, false).costs.exchanges)
          << steps.tree;
    }
  }
}

// However small the step is that reads or writes them: it takes no neighbours beside its own
// points.
TEST(OppositeKernels, OfClustersMoveWholeSectors) {
  const Steps reads = {"(gs 2 (gs 25 (gs 25 (dft 16))))", 32, 1, 320, 2},
              writes = {"(gs 16 (gs 25 (gs 25 (dft 2))))", 32, 1, 320, 2};
  for (const Domain domain : real_domains) {
    const auto costs = kernel_of(domain, domain == Domain::r2c ? reads : writes).costs;
    EXPECT_LT(costs.bytes_moved, 1.01 * costs.bytes_minimum) << to_string(domain);
  }
}

// There and back, with one between.
TEST(OppositeKernels, OfConvolutionsSaveTwoTrips) {
  for (const Steps& steps : {of_three, of_bits}) {
    Steps other = steps;
    other.threads = 0;
    EXPECT_EQ(filter_of(steps).costs.exchanges + 2, filter_of(other, false).costs.exchanges)
        << steps.tree;
  }
}

TEST(OppositeKernels, OfConvolutionsAreRejectedWithOneFault) {
  const KernelIr ir = filter_of(of_three).ir;
  ASSERT_EQ(verify(ir), "");
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    EXPECT_NE(verify(without(ir, i)), "") << "operation " << i << " is missing";
    if (!std::holds_alternative<op::FilterOpposite>(ir.ops[i])) continue;
    EXPECT_NE(verify(twice(ir, i)), "") << "twice";
    KernelIr wrong = ir;
    --std::get<op::FilterOpposite>(wrong.ops[i]).table.size;
    EXPECT_NE(verify(wrong), "") << "a smaller table";
  }
}

// In a cluster one more: that all blocks have begun which are written to, or have been read.
TEST(OppositeKernels, HaveABarrierForEachTrip) {
  for (const Domain domain : real_domains) {
    for (const Steps& steps : all_steps) {
      const Generated kernel = kernel_of(domain, steps);
      const Schedule& schedule = kernel.schedule;
      const std::size_t staged = schedule.load.staged + schedule.store.staged;
      const std::size_t shared = steps.cluster > 1 ? 1 : 0;
      EXPECT_EQ(kernel.costs.barriers, schedule.phases.size() - 1 + staged + shared) << steps.tree;
    }
  }
}

unsigned expect_faults_found(const KernelIr& ir) {
  unsigned tried = 0;
  EXPECT_EQ(verify(ir), "");
  const auto expect_wrong = [&](const KernelIr& wrong, const std::string& what) {
    EXPECT_NE(verify(wrong), "") << what;
    ++tried;
  };
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    expect_wrong(without(ir, i), "operation " + std::to_string(i) + " is missing");
    auto weaker = ir;
    auto* barrier = std::get_if<op::Barrier>(&weaker.ops[i]);
    if (!barrier || barrier->scope != op::Barrier::Scope::cluster) continue;
    barrier->scope = op::Barrier::Scope::block;
    expect_wrong(weaker, "barrier " + std::to_string(i) + " of one block");
  }
  KernelIr elsewhere = ir, smaller = ir, others = ir;
  for (Op& op : elsewhere.ops) {
    if (auto* load = std::get_if<op::LoadOpposite>(&op)) load->layout = ir.schedule.phases[1].in;
    if (auto* store = std::get_if<op::StoreOpposite>(&op)) store->layout = ir.schedule.phases[0].in;
  }
  expect_wrong(elsewhere, "of other butterflies");
  for (Op& op : smaller.ops) {
    if (auto* load = std::get_if<op::LoadOpposite>(&op)) --load->table.size;
    if (auto* store = std::get_if<op::StoreOpposite>(&op)) --store->table.size;
  }
  expect_wrong(smaller, "a smaller table");
  if (ir.schedule.shape.shares.cluster == 1) return tried;
  for (Op& op : others.ops) {
    if (auto* read = std::get_if<op::ReadShared>(&op)) read->blocks.clear();
  }
  expect_wrong(others, "read out of other blocks than written to");
  return tried;
}

TEST(OppositeKernels, AreRejectedWithOneFault) {
  for (const Domain domain : real_domains) {
    EXPECT_GT(expect_faults_found(kernel_of(domain, of_three).ir), 8u);
    EXPECT_GT(expect_faults_found(kernel_of(domain, of_blocks).ir), 12u);
  }
}

// Results of a batch that ends within a block, or why there are none.
std::string outcome(const CudaSource& source, const RealCase& c) {
  const auto bytes = [&](bool input) {
    const Pass pass = half_length_pass(c.problem);
    const std::int64_t points =
        input ? in_points(pass, c.problem.batch) : out_points(pass, c.problem.batch);
    return static_cast<std::size_t>(points) * 8;
  };
  std::vector<std::byte> in(bytes(true)), out(bytes(false), std::byte{0x7f});
  std::mt19937 random(1);
  for (std::size_t at = 0; at < in.size(); at += 4) {
    const float value = static_cast<float>(static_cast<double>(random()) * 0x1p-31 - 1);
    std::memcpy(in.data() + at, &value, 4);
  }
  try {
    const EmulatedKernel kernel(compiled(source), source);
    kernel.launch(in, out, source.tables, static_cast<std::uint64_t>(c.problem.batch),
                  {.check_races = true, .host_threads = 1});
  } catch (const EmulationError& error) {
    return error.what();
  }
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

void expect_mutants_caught(Domain domain, const Steps& steps,
                           const std::vector<std::pair<std::string, std::string>>& edits) {
  const RealCase c = case_of(domain, steps);
  const CudaSource source = kernel_of(domain, steps).source;
  const std::string right = outcome(source, c);
  std::vector<Damage> damages = without_statements(source.text);
  const auto more = off_by_one(source.text);
  damages.insert(damages.end(), more.begin(), more.end());
  for (const auto& [from, to] : edits) damages.push_back(replaced(source.text, from, to));
  EXPECT_GT(damages.size(), 15u);
  EXPECT_EQ(in_parallel(
                damages, [](const Damage& damage) { return damage.what; },
                [&](const Damage& damage) -> std::string {
                  CudaSource other = source;
                  other.text = damage.text;
                  return outcome(other, c) == right ? "survived" : "";
                }),
            "");
}

// Each has one fault, and leaves other bits, or does not end well.
TEST(OppositeKernels, MutantsAreCaught) {
  for (const Domain domain : real_domains) {
    expect_mutants_caught(domain, {"(gs 4 (dft 6))", 12, 2, 32},
                          {{"? pair.low : pair.high", "? pair.high : pair.low"},
                           {"pair.low == 0", "pair.high == 0"},
                           {"side < 2", "side < 1"},
                           {"pair.transform < columns", "true"}});
  }
}

TEST(OppositeKernels, MutantsOfClustersAreCaught) {
  for (const Domain domain : real_domains) {
    expect_mutants_caught(domain, of_blocks,
                          {{"cluster_barrier();", "block_barrier();"}, {"32 * rank", "0 * rank"}});
  }
}

std::string refusal(const FftProblem& problem, const Tuning& tuning) {
  try {
    const Target target = target_for("sm_90");
    for (const Launch& launch : make_program(problem, target, tuning).launches) {
      (void)generate(launch, target);
    }
  } catch (const UnsupportedProblem& e) {
    return e.what();
  }
  return "served";
}

// What it is not for is refused by name.
TEST(OppositeKernels, AreRefusedElsewhere) {
  Tuning tuning;
  tuning.opposite = true;
  FftProblem complex{.lengths = {1000}};
  EXPECT_NE(refusal(complex, tuning).find("0, but for r2c"), std::string::npos);
  FftProblem odd = real_case(Domain::r2c, {1001}).problem;
  EXPECT_NE(refusal(odd, tuning).find("0, but for r2c"), std::string::npos);
  FftProblem plane = real_case(Domain::r2c, {30, 60}).problem;
  EXPECT_NE(refusal(plane, tuning).find("0, but for r2c"), std::string::npos);
  FftProblem short_one = real_case(Domain::c2r, {16}).problem;
  tuning.decomposition = parse_decomposition("(dft 8)");
  EXPECT_NE(refusal(short_one, tuning).find("one phase takes"), std::string::npos);
  tuning.decomposition.reset();
  FftProblem no_sectors = real_case(Domain::r2c, {61516}).problem;  // 2 x 7 x 13 x 13 x 26
  EXPECT_NE(refusal(no_sectors, tuning).find("no cluster of 2 to 8"), std::string::npos);
  FftProblem filter{.lengths = {60000}, .convolution = Convolution{true}};
  tuning.cluster = 3;
  EXPECT_NE(refusal(filter, tuning).find("of a convolution"), std::string::npos);
}

// A tile of one phase, or of nothing but bits, has no places for its points: that was a crash.
TEST(OppositeKernels, WithoutPhasesAreRefused) {
  Tuning tuning;
  tuning.opposite = true;
  for (const unsigned points : {2u, 4u, 8u, 32u}) {
    tuning.points_per_thread = points;
    for (const Domain domain : {Domain::r2c, Domain::c2r}) {
      EXPECT_NE(refusal(real_case(domain, {4}).problem, tuning).find("one phase takes"),
                std::string::npos)
          << points;
    }
    const FftProblem filter{.lengths = {4}, .convolution = Convolution{true}};
    EXPECT_NE(refusal(filter, tuning).find("one phase takes"), std::string::npos) << points;
  }
  tuning.points_per_thread = 2;
  tuning.decomposition = parse_decomposition("(gs 2 (gs 2 (dft 2)))");
  for (const unsigned block : {8u, 16u}) {
    tuning.block_points = block;
    EXPECT_NE(refusal(real_case(Domain::c2r, {16}).problem, tuning).find("have radix 2"),
              std::string::npos)
        << block;
  }
  tuning.block_points = 32;
  EXPECT_EQ(refusal(real_case(Domain::c2r, {16}).problem, tuning), "served");
}

// Of rows that leave it open it is taken where it was measured to be faster.
TEST(OppositeKernels, AreTheDefaultOfLongRows) {
  const Target target = target_for("sm_90");
  for (const Domain domain : real_domains) {
    const auto takes = [&](std::int64_t n, const Tuning& tuning = {}) {
      const Program program = make_program(real_case(domain, {n}).problem, target, tuning);
      return program.launches.size() == 1 && program.launches[0].shape.opposite;
    };
    EXPECT_TRUE(takes(3000) && takes(15246) && takes(48114) && takes(32768));
    EXPECT_TRUE(takes(60000) && takes(76032) && takes(120000) && takes(131072));  // clusters
    EXPECT_FALSE(takes(138240) || takes(192000) || takes(432000)) << "slow where they are few";
    Tuning asked;
    asked.opposite = true;
    EXPECT_TRUE(takes(138240, asked) && takes(178360, asked) && takes(432000, asked));
    asked.cluster = 4;
    asked.decomposition =
        domain == Domain::c2r ? Decomposition{{16, 18, 18, 18}} : Decomposition{{18, 18, 18, 16}};
    EXPECT_TRUE(takes(186624, asked)) << "whose points of a block are left open";
    EXPECT_FALSE(takes(1000) || takes(4096) || takes(3001) || takes(34 * 37) || takes(61516));
    Tuning not_it;
    not_it.opposite = false;
    EXPECT_FALSE(takes(3000, not_it));
  }
}

}  // namespace
}  // namespace sonoma::test
