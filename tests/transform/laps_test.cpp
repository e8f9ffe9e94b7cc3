// Blocks of fewer threads than a phase has butterflies: these go round, each takes several.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "laid_out.hpp"
#include "mutants.hpp"
#include "parallel.hpp"
#include "plan_transform.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

KernelCase of_threads(const char* tree, unsigned threads, unsigned points,
                      unsigned transforms = 1) {
  KernelCase c{0, Direction::forward, Engine::simt, parse_decomposition(tree)};
  c.n = c.decomposition.n();
  c.threads = threads, c.points_per_thread = points, c.transforms = transforms;
  return c;
}

// By remainders and by digits; with a chirp, and by powers.
std::vector<KernelCase> in_rows() {
  std::vector<KernelCase> all;
  for (const unsigned rows : {0b001u, 0b100u, 0b101u}) {  // of 15 and 14 in half warps
    all.push_back(of_threads("(gs 14 (gs 15 (dft 16)))", 128, 16));
    all.back().n = 1669, all.back().method = Method::bluestein, all.back().rows = rows;
  }
  for (const char* tree : {"(gs 10 (gs 10 (dft 10)))", "(gs 14 (gs 8 (dft 9)))"}) {
    all.push_back(of_threads(tree, 64, 14));
    all.back().rows = 0b111;
  }
  all.back().n += 1, all.back().method = Method::rader;
  return all;
}

// In one lap in some phase, in several in others; of one transform and of several; a last lap that
// is full, and one of few threads; one, two and all laps at once; factors of a table, products and
// powers.
std::vector<KernelCase> cases() {
  std::vector<KernelCase> all = {
      of_threads("(gs 10 (dft 10))", 32, 10, 5),
      of_threads("(gs 7 (gs 7 (dft 7)))", 64, 7, 6),
      of_threads("(gs 7 (gs 11 (dft 13)))", 96, 14),
      of_threads("(gs 7 (gs 11 (dft 13)))", 32, 52, 2),
      of_threads("(gs 3 (gs 5 (gs 5 (dft 7))))", 64, 7, 3),
      of_threads("(gs 7 (gs 5 (gs 7 (dft 11))))", 96, 22),
      of_threads("(gs 11 (gs 11 (gs 11 (dft 3))))", 384, 11),
      of_threads("(gs 12 (gs 12 (gs 9 (dft 6))))", 352, 12),
      of_threads("(gs 19 (gs 2 (dft 23)))", 32, 23),
  };
  for (const char* tree : {"(gs 25 (gs 5 (gs 7 (dft 7))))", "(gs 7 (gs 22 (dft 22)))"}) {
    for (const Twiddles twiddles :
         {Twiddles::table, Twiddles::products, Twiddles::powers, Twiddles::cosines}) {
      all.push_back(of_threads(tree, 160, 25));
      all.back().twiddles = twiddles;
    }
  }
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    all.push_back(of_threads("(gs 10 (gs 10 (dft 10)))", 32, 20));
    all.back().storage = storage, all.back().direction = Direction::inverse;
  }
  for (const std::int64_t n : {107, 499}) {  // of 216 and 1000 points
    all.push_back(of_threads(n == 107 ? "(gs 6 (gs 6 (dft 6)))" : "(gs 10 (gs 10 (dft 10)))", 32,
                             12, n == 107 ? 2 : 1));
    all.back().n = n, all.back().method = Method::bluestein;
  }
  for (const KernelCase& c :
       {of_threads("(gs 6 (dft 17))", 32, 17, 4), of_threads("(gs 14 (gs 8 (dft 9)))", 64, 14)}) {
    all.push_back(c);
    all.back().n = c.n + 1, all.back().method = Method::rader;
  }
  for (const KernelCase& c : in_rows()) all.push_back(c);
  return all;
}

KernelCase in_one_lap(KernelCase c) {
  c.threads = 1024;
  return c;
}

std::string each(const std::vector<KernelCase>& all,
                 const std::function<std::string(const KernelCase&)>& faults) {
  return in_parallel(
      all, [](const KernelCase& c) { return name(c); }, faults);
}

// What rows are for: without them lanes 14 and 15 meet the first ones of the next row.
TEST(Laps, RowsHaveNoConflicts) {
  KernelCase c = of_threads("(gs 14 (gs 15 (dft 16)))", 128, 16);
  c.n = 1669, c.method = Method::bluestein;
  const auto conflicts = [&] {
    return generate(c.problem(), target_for(c.arch), c.tuning()).costs.bank_conflicts();
  };
  EXPECT_GT(conflicts(), 0u);
  for (const unsigned rows : {0b001u, 0b100u}) {
    c.rows = rows;
    EXPECT_EQ(conflicts(), 0u) << rows;
  }
}

TEST(Laps, PassTheProtocol) {
  for (const KernelCase& c : cases()) {
    EXPECT_TRUE(generate(c.problem(), target_for(c.arch), c.tuning()).schedule.has_laps())
        << name(c);
  }
  EXPECT_EQ(faults_of_all(cases()), "");
}

TEST(Laps, LeaveTheBitsOfOne) {
  EXPECT_EQ(each(cases(),
                 [](const KernelCase& c) -> std::string {
                   const auto batch = 2 * c.transforms + 1;
                   for (const bool in_place : {false, true}) {
                     const auto bits = [&](const KernelCase& one) {
                       return emulated(source_of(one), one, batch, in_place).bits;
                     };
                     if (bits(c) != bits(in_one_lap(c))) return "other bits than in one lap";
                   }
                   return "";
                 }),
            "");
}

TEST(Laps, CountsAreAsPredicted) {
  EXPECT_EQ(each(cases(),
                 [](const KernelCase& c) {
                   return c.method != Method::bluestein
                              ? miscounts(generate(c.problem(), target_for(c.arch), c.tuning()))
                              : "";
                 }),
            "");
}

// A weaker barrier in the place of each, and a fault in each function.
std::vector<Mutant> of_every_kernel(const KernelCase& c) {
  std::vector<Mutant> mutants =
      each_op<op::Barrier>(c, "only the warp's barrier",
                           [](op::Barrier& barrier) { barrier.scope = op::Barrier::Scope::warp; });
  const std::vector<Mutant> more = in_each_function(c);
  mutants.insert(mutants.end(), more.begin(), more.end());
  return mutants;
}

// With a place of its own for the order of memory.
TEST(Laps, MutantsOfRadersAreCaught) {
  KernelCase c = of_threads("(gs 14 (gs 8 (dft 9)))", 64, 14);
  c.n = 1009, c.method = Method::rader;
  std::vector<Mutant> mutants = of_every_kernel(c);
  mutants.insert(mutants.end(),
                 {
                     replaced(c, "shared_point(place) + 1024,",
                              "shared_point(place),"),              // over points in order
                     replaced(c, "thread += 64", "thread += 96"),   // these nobody takes
                     replaced(c, "(in, thread_index()", "(in, 0"),  // one thread loads
                     replaced(c, "thread < 126", "thread < 125"),
                 });
  EXPECT_GT(mutants.size(), 15u);
  EXPECT_EQ(survivors(mutants), "");
}

// Each has one fault, compiles, and is caught.
TEST(Laps, MutantsAreCaught) {
  const KernelCase c = of_threads("(gs 7 (gs 11 (dft 13)))", 64, 14);
  std::vector<Mutant> mutants = of_every_kernel(c);
  mutants.insert(mutants.end(),
                 {
                     replaced(c, "thread += 64", "thread += 96"),  // points that nobody takes
                     replaced(c, "thread < 143", "thread < 142"),  // nor these
                     replaced(c, "thread < 143", "thread < 144"),  // another block's
                     replaced(c, "thread += 64", "thread += 32"),  // some twice
                     replaced(c, "thread_index(); thread < 91", "0; thread < 91"),
                 });
  EXPECT_GT(mutants.size(), 20u);
  EXPECT_EQ(survivors(mutants), "");
}

// ---- plans

struct Request {
  std::string what;
  FftProblem problem;
  Tuning tuning;
};

FftProblem of_length(std::int64_t n, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = {n}, problem.batch = batch;
  return problem;
}

Tuning of_block(const char* tree, unsigned points, unsigned block) {
  Tuning tuning;
  tuning.decomposition = parse_decomposition(tree);
  tuning.points_per_thread = points, tuning.block_points = block;
  tuning.engine = Engine::simt;
  return tuning;
}

// Strided, cropped and padded, with code, side by side, in two passes and in those of one launch,
// by Rader's algorithm.
std::vector<Request> requests() {
  const Tuning rows = of_block("(gs 7 (gs 11 (dft 13)))", 13, 2002);
  std::vector<Request> all = {{"rows", of_length(1001, 5), rows}};
  all.push_back({"in place", of_length(1001, 5), rows});
  all.back().problem.placement = Placement::in_place;
  all.push_back({"strided", of_length(1001, 4), rows});
  all.back().problem.layout.in_stride = 2, all.back().problem.layout.in_dist = 2100;
  all.push_back({"padded and cropped", of_length(1001, 3), rows});
  all.back().problem.ends.in_length = 700, all.back().problem.ends.out_length = 333;
  all.push_back({"code", of_length(1001, 3), rows});
  all.back().problem.ends.load_code = "make_float2(value.x * index, value.y)";
  all.push_back({"columns", of_length(100, 1), of_block("(gs 10 (dft 10))", 10, 1600)});
  all.back().problem.layout.loops = {{48, 1, 1}};
  all.back().problem.layout.in_stride = all.back().problem.layout.out_stride = 48;
  Tuning powers = of_block("(gs 6 (dft 17))", 17, 510);
  powers.method = Method::rader;
  all.push_back({"powers", of_length(103, 7), powers});
  all.push_back({"strided powers", of_length(103, 7), powers});
  all.back().problem.layout.out_stride = 3, all.back().problem.layout.out_dist = 400;
  all.push_back({"powers of columns", of_length(103, 2), powers});
  all.back().problem.layout.loops = {{10, 1, 1}};
  all.back().problem.layout.in_stride = all.back().problem.layout.out_stride = 10;
  Tuning passes;  // of blocks that are said: by themselves they would take laps too
  passes.pass_lengths = std::vector<std::int64_t>{60, 60};
  passes.decomposition = parse_decomposition("(gs 6 (dft 10))"), passes.points_per_thread = 10;
  passes.columns = 20, passes.engine = Engine::simt;
  all.push_back({"passes", of_length(3600, 3), passes});
  all.push_back({"passes in one launch", of_length(3600, 3), passes});
  for (std::size_t i = all.size() - 2; i < all.size(); ++i) {
    all[i].tuning.fused = i + 1 == all.size();
  }
  return all;
}

Memory result_of(const Request& request, unsigned threads) {
  PlanOptions options;
  options.device = Device::cpu, options.tuning = request.tuning;
  if (threads > 0) options.tuning.threads = threads;
  const Plan plan = make_plan(request.problem, options);
  EXPECT_EQ(plan.generated().schedule.has_laps(), threads > 0) << request.what;
  const Memory in = random_input(request.problem);
  Memory out = output_before(request.problem, in);
  execute_on(plan, in, out);
  return out;
}

TEST(Laps, OfEveryKindLeaveTheBitsOfOne) {
  for (const Request& request : requests()) {
    EXPECT_TRUE(result_of(request, 64) == result_of(request, 0)) << request.what;
  }
}

// ---- what is refused

std::string refusal(const FftProblem& problem, const Tuning& tuning) {
  try {
    (void)generate(problem, target_for("sm_90"), tuning);
  } catch (const UnsupportedProblem& refused) {
    return refused.what();
  }
  return "";
}

TEST(Laps, AreRefusedWhereTheyCannotBe) {
  Tuning tuning = of_block("(gs 7 (gs 11 (dft 13)))", 13, 1001);
  for (const unsigned threads : {1u, 48u, 1056u}) {
    tuning.threads = threads;
    EXPECT_NE(refusal(of_length(1001, 1), tuning).find("threads = " + std::to_string(threads)),
              std::string::npos);
  }
  tuning.threads = 64;
  EXPECT_EQ(refusal(of_length(1001, 1), tuning), "");
  Tuning power = of_block("(gs 16 (dft 16))", 16, 1024);
  power.threads = 64;
  EXPECT_NE(refusal(of_length(256, 1), power).find("threads = 64"), std::string::npos);
  Tuning alone = of_block("(dft 30)", 30, 1920);
  alone.threads = 32;
  EXPECT_NE(refusal(of_length(30, 1), alone).find("one phase alone"), std::string::npos);
}

}  // namespace
}  // namespace sonoma::test
