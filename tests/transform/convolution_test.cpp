// The method bluestein in several launches, on the emulated device by the whole protocol, and
// mutants of its kernels.
#include <gtest/gtest.h>

#include <cmath>

#include "damage_text.hpp"
#include "host_compiler.hpp"
#include "plan_transform.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::test {
namespace {

struct Case {
  std::int64_t n = 1;
  std::vector<std::int64_t> lengths = {};  // empty: the default
  Storage storage = Storage::f32;
  Direction direction = Direction::forward;
  Placement placement = Placement::out_of_place;
  double scale = 1;
};

FftProblem problem_of(const Case& c, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = {c.n};
  problem.batch = batch;
  problem.storage = c.storage;
  problem.direction = c.direction;
  problem.placement = c.placement;
  problem.scale = c.scale;
  return problem;
}

Tuning tuning_of(const Case& c) {
  Tuning tuning;
  tuning.method = Method::bluestein;
  if (!c.lengths.empty()) tuning.pass_lengths = c.lengths;
  tuning.workspace_points = 8 * c.n;  // few transforms together: several rounds
  return tuning;
}

Plan plan_of(const Case& c, std::int64_t batch) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning = tuning_of(c);
  return make_plan(problem_of(c, batch), options);
}

class Convolutions : public ::testing::TestWithParam<Case> {};

TEST_P(Convolutions, MeetTheProtocol) {
  const PlanTransform transform([](std::int64_t batch) { return plan_of(GetParam(), batch); });
  const auto report = transform.check({.random_transforms = 2});
  EXPECT_TRUE(report.pass()) << to_string(report);
  EXPECT_LE(report.worst_e2() * verification::kUnitRoundoff, transform.plan(1).error_bound());
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::int64_t n, const std::vector<std::int64_t>& lengths) -> Case& {
    all.emplace_back();
    all.back().n = n, all.back().lengths = lengths;
    return all.back();
  };
  add(12099, {});
  add(12101, {}).direction = Direction::inverse;
  add(16382, {}).scale = -0.25;
  add(499, {32, 32}).direction = Direction::inverse;
  add(512, {32, 32}).placement = Placement::in_place;
  add(1009, {64, 64}).storage = Storage::f16;
  add(1010, {32, 64}).storage = Storage::bf16;
  add(997, {32, 32, 32}).direction = Direction::inverse;
  add(257, {32, 32, 32}).placement = Placement::in_place;
  // Mixed lengths, and powers of two beside them.
  add(499, {25, 40}).direction = Direction::inverse;
  add(512, {30, 36}).placement = Placement::in_place;
  add(1009, {64, 33}).storage = Storage::f16;
  add(1010, {26, 128}).storage = Storage::bf16;
  add(997, {12, 14, 12}).scale = 0.3;
  add(257, {64, 3, 4}).direction = Direction::inverse;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Lengths, Convolutions, ::testing::ValuesIn(cases()));

std::vector<Complex> some_rows(std::int64_t points) {
  std::vector<Complex> in(static_cast<std::size_t>(points));
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = {std::sin(0.1f * static_cast<float>(i)), std::cos(0.37f * static_cast<float>(i))};
  }
  return in;
}

TEST(Convolution, ARowDoesNotDependOnItsBatch) {
  Case c;
  c.n = 499, c.lengths = {32, 64};
  const auto in = some_rows(19 * c.n);
  std::vector<Complex> together(in.size()), alone(static_cast<std::size_t>(c.n));
  plan_of(c, 19).execute(in.data(), together.data());
  for (std::int64_t row = 0; row < 19; row += 6) {
    const auto first = static_cast<std::ptrdiff_t>(row * c.n);
    plan_of(c, 1).execute(in.data() + first, alone.data());
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + first)) << row;
  }
}

// The largest relative error of a row of three, of the launches in order; races are errors too.
double error_of(const Program& program, const std::vector<CudaSource>& sources) {
  const std::int64_t n = program.problem.n(), batch = 3;
  const auto x = some_rows(batch * n);
  const auto in = pack(Storage::f32, x);
  std::vector<std::byte> out(in.size()), workspace(program.workspace_bytes(batch));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const EmulatedKernel kernel(compiled(sources[i]), sources[i]);
    auto& to = i + 1 == sources.size() ? out : workspace;
    kernel.launch(i == 0 ? in : workspace, to, sources[i].tables, static_cast<std::uint64_t>(batch),
                  {.check_races = true});
  }
  const auto y = unpack(Storage::f32, out);
  const auto exact = verification::reference_dft(x, n, program.problem.direction, 1);
  double worst = 0;
  for (std::int64_t row = 0; row < batch; ++row) {
    double error = 0, norm = 0;
    for (auto k = static_cast<std::size_t>(row * n); k < static_cast<std::size_t>((row + 1) * n);
         ++k) {
      error += std::norm(std::complex<double>(y[k]) - exact[k]), norm += std::norm(exact[k]);
    }
    const double own = std::sqrt(error / norm);
    worst = std::isfinite(own) ? std::max(worst, own) : INFINITY;
  }
  return worst;
}

/// In every function of a launch that is called so.
struct Fault {
  std::size_t launch;
  std::string function, pattern, to;
};

std::vector<CudaSource> sources_of(const Program& program) {
  std::vector<CudaSource> sources;
  for (const Launch& launch : program.launches) {
    sources.push_back(generate(launch, target_for("sm_90")).source);
  }
  return sources;
}

void expect_caught(const Program& program, const std::vector<Fault>& faults) {
  const std::vector<CudaSource> sources = sources_of(program);
  const double limit = 8 * 0x1p-24;
  EXPECT_LT(error_of(program, sources), limit);
  for (const auto& [launch, function, pattern, to] : faults) {
    std::vector<CudaSource> damaged = sources;
    const std::string name = function == "kernel" ? sources[launch].name : function;
    damaged[launch].text = in_function(sources[launch].text, name, pattern, to).text;
    double error = INFINITY;
    try {
      error = error_of(program, damaged);
    } catch (const EmulationError&) {
    }
    EXPECT_GT(error, limit) << function << ": " << pattern << " -> " << to;
  }
}

Program program_of(std::int64_t n, const std::vector<std::int64_t>& lengths) {
  Case c;
  c.n = n, c.lengths = lengths;
  Tuning tuning = tuning_of(c);
  tuning.workspace_points.reset();  // all rows together
  return make_program(problem_of(c, 1), target_for("sm_90"), tuning);
}

// One too few or too many points; a conjugate, a factor or a barrier missing; another block's part
// of the spectrum; a chirp of another length; a twiddle the other way.
TEST(ConvolutionMutants, AreCaught) {
  expect_caught(program_of(499, {64, 128}),
                {
                    {0, "load", "index < (\\d+)u", "index + 1 < $1u"},
                    {0, "load", "index < (\\d+)u", "index < $1u + 1"},
                    {2, "store", "index < (\\d+)u", "index + 1 < $1u"},
                    {2, "store", "index < (\\d+)u", "index < $1u + 1"},
                    {0, "times_chirp", "<-1, 499>", "<-1, 500>"},
                    {0, "times_chirp", "<-1, 499>", "<1, 499>"},
                    {0, "times_chirp", "\\(t", "(1 + t"},
                    {2, "times_chirp", "conjugate", ""},
                    {1, "kernel", "block % 2u", "0"},
                    {1, "times_spectrum", "conjugate", ""},
                    {2, "twiddle_between_passes", "\\(0u - column\\)", "column"},
                    {1, "kernel", "  block_barrier\\(\\);\n", ""},
                });
}

// The same of mixed passes, and the spectrum's power of two.
TEST(ConvolutionMutants, OfMixedPassesAreCaught) {
  expect_caught(program_of(499, {25, 48}), {
                                               {0, "load", "index < (\\d+)u", "index + 1 < $1u"},
                                               {0, "load", "index < (\\d+)u", "index < $1u + 1"},
                                               {2, "store", "index < (\\d+)u", "index < $1u + 1"},
                                               {0, "times_chirp", "<-1, 499>", "<-1, 500>"},
                                               {1, "times_spectrum", "conjugate", ""},
                                               {2, "twiddle_between_passes", "<-1, ", "<1, "},
                                               {2, "kernel", "0x1p\\+2f", "0x1p+1f"},
                                               {1, "kernel", "  block_barrier\\(\\);\n", ""},
                                           });
}

}  // namespace
}  // namespace sonoma::test
