// --array and --axes: what explain, emit, verify, tune and bench say of an array is what run does
// with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "run_array.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/memory.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;
using nlohmann::json;

CommandResult command(const std::string& words) {
  std::vector<std::string> arguments = split(words);
  arguments.insert(arguments.begin(), SONOMA_COMMAND);
  return run_command(arguments, {"CUDA_VISIBLE_DEVICES="});
}

std::string output_of(const std::string& words) {
  const CommandResult result = command(words);
  EXPECT_EQ(result.exit_code, 0) << words << result.err;
  return result.out;
}

// ---- the problem that explain prints, read back

using Numbers = std::vector<std::int64_t>;

// Of each axis, 0 where memory has all of its points: those of all but the last one, and of that.
void set_ends(const json& lengths, Numbers& before, std::int64_t& last) {
  before = lengths.get<Numbers>();
  last = before.back();
  before.pop_back();
  if (std::ranges::all_of(before, [](std::int64_t n) { return n == 0; })) before.clear();
}

FftProblem problem_in(const json& request) {
  FftProblem problem;
  problem.lengths = request.at("lengths").get<Numbers>();
  problem.batch = request.at("batch");
  if (request.contains("layout")) {
    const json &layout = request.at("layout"), &in = layout.at("in"), &out = layout.at("out");
    problem.layout.in_stride = in.at("stride"), problem.layout.out_stride = out.at("stride");
    problem.layout.in_dist = in.value("dist", 0), problem.layout.out_dist = out.value("dist", 0);
    problem.layout.in_strides = in.value("strides", Numbers());
    problem.layout.out_strides = out.value("strides", Numbers());
    for (const json& loop : layout.at("loops")) {
      problem.layout.loops.push_back(
          {loop.at("count"), loop.at("in_stride"), loop.at("out_stride")});
    }
  }
  if (request.contains("ends")) {
    const json& ends = request.at("ends");
    set_ends(ends.at("in_lengths"), problem.ends.in_lengths, problem.ends.in_length);
    set_ends(ends.at("out_lengths"), problem.ends.out_lengths, problem.ends.out_length);
  }
  validate(problem);
  return problem;
}

// What it makes of memory, by the definition.
std::vector<ComplexD> transformed(const FftProblem& problem, const NpyArray& x, std::size_t size) {
  std::vector<ComplexD> y(size);
  std::int64_t transforms = problem.batch;
  for (const Loop& loop : problem.layout.loops) transforms *= loop.count;
  const std::vector<Axis> axes = problem.axes();
  const auto there = [&](std::int64_t t, bool input) {
    for (std::size_t a = axes.size(); a-- > 0; t /= axes[a].n) {
      if (t % axes[a].n >= axes[a].length(input)) return false;
    }
    return true;
  };
  for (std::int64_t i = 0; i < transforms; ++i) {
    std::int64_t rest = i, in = 0, out = 0;
    for (const Loop& loop : problem.layout.loops) {
      in += rest % loop.count * loop.in_stride, out += rest % loop.count * loop.out_stride;
      rest /= loop.count;
    }
    in += rest * problem.in_dist(), out += rest * problem.out_dist();
    std::vector<std::complex<float>> row(static_cast<std::size_t>(problem.points()));
    for (std::int64_t t = 0; t < problem.points(); ++t) {
      if (!there(t, true)) continue;
      const auto place = in + verification::place_of(axes, true, t);
      row[static_cast<std::size_t>(t)] = x.data.at(static_cast<std::size_t>(place));
    }
    const auto exact = verification::reference_dft(row, problem.lengths, problem.direction);
    for (std::int64_t k = 0; k < problem.points(); ++k) {
      if (!there(k, false)) continue;
      const auto place = out + verification::place_of(axes, false, k);
      y.at(static_cast<std::size_t>(place)) = exact[static_cast<std::size_t>(k)];
    }
  }
  return y;
}

struct Case {
  Shape shape;
  std::string options;
};

std::vector<Case> cases() {
  return {{{4, 6, 5, 3}, "--axes 1,2"},
          {{2, 5, 4, 7}, "--axes 0,2"},
          {{2, 5, 4, 7}, "--axis -3"},
          {{6, 10}, "--axes 0"},
          {{6, 10}, ""},
          {{3, 6, 10}, "--shape 6x10"},
          {{3, 6, 10}, "--axes 1 --n 8"},
          {{3, 6, 10}, "--axes 2,0 --shape 12x2"},
          {{3, 6, 10}, "--axes 0,2 --out-length 2x7"},
          {{2, 3, 16}, "--out-length 5"}};
}

std::string array(const Case& c) { return " --array " + to_shape(c.shape) + " " + c.options; }

TEST(Array, IsExplainedAsTheProblemThatRunMakesOfAFile) {
  for (const Case& c : cases()) {
    const NpyArray x{c.shape, verification::normal_row(count_of(c.shape), 3)};
    const Ran ran = run(c.options, x);
    ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
    const json document = json::parse(output_of("explain --json" + array(c)));
    const FftProblem problem = problem_in(document.at("asked"));
    const auto exact = transformed(problem, x, ran.y.data.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      ASSERT_LT(std::abs(ComplexD(ran.y.data[i]) - exact[i]), 1e-4) << c.options << " " << i;
    }
  }
}

TEST(Array, RunTakesItsMemoryByLoopsToo) {
  const NpyArray x{{4, 16, 3}, verification::normal_row(192, 3)};
  const Ran axes = run("--axes 1", x);
  const Ran loops = run("--n 16 --in-stride 3 --out-stride 3 --loops 3:1:1 --batch 4", x);
  ASSERT_EQ(axes.result.exit_code, 0) << axes.result.err;
  ASSERT_EQ(loops.result.exit_code, 0) << loops.result.err;
  EXPECT_EQ(axes.y.data, loops.y.data);
}

TEST(Array, IsVerifiedWithTheMemoryBesideIt) {
  for (const std::string request :
       {"--array 4x6x5x3 --axes 1,2", "--array 2x5x4x7,3x6x2 --axes 0,2 --precision f32,f16",
        "--array 4x6x10 --axes 0,2 --domain r2c", "--array 4x6x10 --axes 2,1 --domain c2r",
        "--array 4x6x10 --axes 0,2 --domain r2c --in-place", "--array 6x10 --axis 0 --domain dct2",
        "--array 4x6x10 --axes 2,0 --shape 12x3 --in-place",
        "--array 2x12x16x3 --axes 1,2 --convolution real",
        "--array 2x12x16x3 --axes 1,2 --engine simt --out-length 5x6",
        "--n 60 --in-stride 3 --out-stride 3 --loops 3:1:1"}) {
    const json document = json::parse(output_of("verify --device cpu --json " + request));
    for (const json& transform : document.at("transforms")) {
      EXPECT_EQ(transform.at("pass"), true) << request;
      EXPECT_EQ(transform.at("findings").back().at("check"), "memory");
    }
  }
}

TEST(Array, ChannelsAreVerified) {
  for (const std::string request :
       {"--n 64 --convolution complex --channels 5",
        "--shape 12x16 --correlation real --channels 3",
        "--n 60 --convolution real --channels 2 --in-length 40 --out-length 30 --precision f32,f16",
        "--n 64 --convolution complex --channels 3:70:64 --in-dist 220"}) {
    const json document = json::parse(output_of("verify --device cpu --json " + request));
    for (const json& transform : document.at("transforms")) {
      EXPECT_EQ(transform.at("pass"), true) << request;
      const json& channels = transform.at("request").at("convolution").at("channels");
      EXPECT_GT(channels.at("count"), 1);
    }
  }
}

// Of its batch; the text of the memory's other name is the same.
TEST(Array, ItsKernelsAreEmitted) {
  EXPECT_EQ(output_of("emit --array 8x64x3 --axes 1"),
            output_of("emit --n 64 --in-stride 3 --out-stride 3 --loops 3:1:1 --batch 8"));
  EXPECT_EQ(output_of("emit --array 1x16384"), output_of("emit --n 16384 --batch 1"));
  EXPECT_EQ(output_of("emit --array 4096x16384"), output_of("emit --n 16384 --batch 4096"));
  const std::string of_one = output_of("explain --array 1x16384 --json");
  const json few = json::parse(of_one).at("few");
  EXPECT_EQ(few.at("launches").at(0).at("tuning").at("cluster"), 8);
}

TEST(Array, ThePartsOfItsPlanAreTuned) {
  const auto sizes = [](const std::string& request) {
    std::vector<std::string> found;
    for (const json& row : json::parse(output_of("tune --effort estimate --json " + request))) {
      found.push_back(row.at("domain").get<std::string>() + " " + row.at("n").dump() + "|" +
                      row.value("side_by_side", json(0)).dump());
    }
    return found;
  };
  using Sizes = std::vector<std::string>;
  EXPECT_EQ(sizes("--array 8x256x256x3 --axes 1,2"), (Sizes{"c2c 256|3", "c2c 256|768"}));
  EXPECT_EQ(sizes("--array 8x100x48,100x96 --axes -2 --domain c2c,dct2"),
            (Sizes{"c2c 100|48", "c2c 100|96", "dct2 100|48", "dct2 100|96"}));
  EXPECT_EQ(sizes("--array 2x5x4x7 --axes 0,2 --domain r2c"), (Sizes{"r2c 4|7", "c2c 2|105"}));
  // Of rows of numbers into columns of frequencies there is no measurement.
  EXPECT_EQ(sizes("--array 2x5x4x7 --axes 0,2 --convolution real"), (Sizes{"c2c 2|3"}));
}

// ---- what is refused

void expect_refused(const std::string& words, const std::vector<std::string>& parts) {
  const CommandResult result = command(words);
  EXPECT_EQ(result.exit_code, 2) << words << result.err;
  EXPECT_EQ(result.out, "") << words;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos) << words << ": " << result.err;
  }
}

const std::vector<std::string> commands = {"explain", "emit", "verify", "bench", "tune"};

// In the words of run, which has the name of a file.
TEST(Array, WhatItLacksIsRefusedAsRunDoes) {
  const NpyArray x{{4, 6, 10}, verification::normal_row(240, 3)};
  for (const std::string options :
       {"--axes 3", "--axes 0,0", "--axes x", "--axes 0 --shape 4x8", "--shape 2x4x6x10"}) {
    std::string said = run(options, x).result.err;
    const std::size_t name = said.find('/'), end = said.find("in.npy") + 6;
    if (name != std::string::npos) said.replace(name, end - name, "the array");
    ASSERT_TRUE(said.starts_with("sonoma: --")) << said;
    const std::string asked = " --array 4x6x10 " + options;
    for (const std::string& each : commands) expect_refused(each + asked, {said});
  }
}

TEST(Array, WhatContradictsItIsRefusedWithTheWayOut) {
  for (const std::string& each : commands) {
    expect_refused(each + " --n 16 --axes 0",
                   {"--axes 0: goes with --array", "--array 8x256x256x3"});
    expect_refused(each + " --array 4x", {"--array ''", "256x256"});
    expect_refused(each + " --array 4x0", {"--array 0"});
    if (each == "tune") continue;
    for (const std::string option :
         {"--in-stride 2", "--in-dist 70", "--out-stride 2", "--out-dist 9", "--loops 3:1:1"}) {
      const std::string asked = " --array 4x6x10 --axes 1 " + option;
      expect_refused(each + asked,
                     {option, "goes with --n or --shape", "leave one of the two out"});
    }
    expect_refused(each + " --array 4x6x10 --axes 1 --batch 3",
                   {"--batch 3: the array has 40 transforms along these axes; give that number, or "
                    "leave it out"});
    expect_refused(each + " --array 4x6x10 --convolution real --channels 4", {"--channels 4"});
  }
  for (const std::string suite : {"columns", "plan"}) {
    expect_refused("bench --array 4x6 --suite " + suite, {"--suite " + suite, "--array"});
  }
  expect_refused("tune --array 4x6 --suite smooth", {"--suite", "--array"});
  expect_refused("tune --array 4x6 --again", {"--again", "--array"});
  expect_refused("bench --array 4x6 --from x.csv", {"--array", "--from"});
}

TEST(Array, LoopsSayThreeNumbersOrFourOfSpectra) {
  for (const std::string loops : {"3", "3:1", "3:1:1:1:1", "x:1:1", "3:1:1,", "3:-1:1"}) {
    expect_refused("explain --n 16 --loops " + loops, {"--loops", "3:1:1"});
  }
  expect_refused("explain --n 16 --loops 3:16:16:4", {"--loops 3:16:16:4", "--convolution"});
  expect_refused("explain --n 16 --loops 3:16:8", {"loops[0].out_stride", "16 or more"});
  expect_refused("verify --n 16 --convolution real --loops 3:16:16:9 --in-dist 48 --out-dist 48",
                 {"--loops", "fourth"});
  expect_refused("verify --n 16 --convolution real --loops 3:0:16 --in-dist 16 --out-dist 48",
                 {"keep the transforms apart"});
  expect_refused("explain --n 16 --convolution real --channels 0", {"channels.count = 0"});
  expect_refused("explain --n 16 --convolution real --channels 2:3:4:5", {"--channels 2:3:4:5"});
  expect_refused("explain --n 16 --channels 2", {"--channels 2", "--convolution"});
}

}  // namespace
}  // namespace sonoma::tests
