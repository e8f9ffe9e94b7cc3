// Plans on the emulated device: what they say, what they reject, what they share.
#include "sonoma/plan.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "plan_impl.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/sonoma.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

class PlanTest : public ::testing::Test {
 protected:
  Plan plan(const FftProblem& problem) { return runtime_.make_plan(problem, options_); }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  Runtime runtime_{config_};
  PlanOptions options_ = [] {
    PlanOptions options;
    options.device = Device::cpu;
    return options;
  }();
};

TEST_F(PlanTest, Transforms) {
  const Plan made = plan({.lengths = {64}, .batch = 5});
  Rows in = Rows::tone(64, 5, 3), out(64, 5);
  made.execute(in.data(), out.data());
  out.expect_line(3);
}

TEST_F(PlanTest, TheWorkspaceIsKnownBefore) {
  options_.tuning.pass_lengths = {5, 7, 9};
  for (const WorkspacePolicy policy : {WorkspacePolicy::fast, WorkspacePolicy::minimal}) {
    options_.workspace_policy = policy;
    for (const std::int64_t batch : {1, 1000}) {
      const FftProblem problem{.lengths = {315}, .batch = batch};
      const std::size_t bytes = runtime_.workspace_bytes(problem, options_);
      EXPECT_GT(bytes, 0U);
      EXPECT_EQ(bytes, plan(problem).workspace_bytes());
    }
  }
  options_.tuning.pass_lengths.reset();
  EXPECT_EQ(runtime_.workspace_bytes({.lengths = {64}}, options_), 0U);
  EXPECT_THROW((void)runtime_.workspace_bytes({.lengths = {0}}, options_), UnsupportedProblem);
}

// Who did not ask for the emulated device is told once that this is it.
TEST_F(PlanTest, FallingToTheEmulatedDeviceIsSaidOnce) {
  config_.driver_libraries = {"libnone.so"};
  Runtime runtime(config_);
  const auto warned = [&](Device device, std::int64_t n) {
    options_.device = device;
    return count_warnings([&] { (void)runtime.make_plan({.lengths = {n}}, options_); });
  };
  EXPECT_EQ(warned(Device::cpu, 2), 0);
  EXPECT_EQ(count_warnings([&] { (void)runtime.choose_for({.lengths = {2}}, {}); }), 0);
  EXPECT_EQ(warned(Device::automatic, 2), 1);
  EXPECT_EQ(warned(Device::automatic, 4), 0);
}

// A batch that fills the GPU takes other blocks than a few transforms, for the same bits.
TEST_F(PlanTest, TheBatchDoesNotChangeBits) {
  constexpr std::int64_t n = 16384, few = 1, many = 36;
  Rows in = Rows::tone(n, many, 3), out(n, many), alone(n, few);
  const Plan whole = plan({.lengths = {n}, .batch = many});
  const Plan one = plan({.lengths = {n}, .batch = few});
  EXPECT_NE(whole.program(), one.program());
  whole.execute(in.data(), out.data());
  one.execute(in.data(), alone.data());
  const auto bits = [](Rows& rows) { return std::as_bytes(std::span(rows.data(), n)); };
  EXPECT_TRUE(std::ranges::equal(bits(out), bits(alone)));
  out.expect_line(3);
}

TEST_F(PlanTest, TransformsInPlace) {
  const Plan made = plan({.lengths = {64}, .batch = 5, .placement = Placement::in_place});
  Rows rows = Rows::tone(64, 5, 9);
  made.execute(rows.data(), rows.data());
  rows.expect_line(9);
}

// Planes in loops that go on as the batch does: one launch takes them as a longer batch.
TEST_F(PlanTest, TransformsPlanesInLoops) {
  FftProblem loops{.lengths = {8, 12}, .batch = 2};
  loops.layout = {1, 1, 288, 288, {{3, 96, 96}}};
  const Plan made = plan(loops), batch = plan({.lengths = {8, 12}, .batch = 6});
  EXPECT_EQ(made.program().launches.size(), 1u);
  Rows in(96, 6), out(96, 6), expected(96, 6);
  for (std::int64_t i = 0; i < 6 * 96; ++i) in[i] = Complex(static_cast<float>(i * i % 97), 1.0f);
  made.execute(in.data(), out.data());
  batch.execute(in.data(), expected.data());
  for (std::int64_t i = 0; i < 6 * 96; ++i) EXPECT_EQ(out[i], expected[i]) << i;
}

// Further than 32 bits number: 2^33 points, of which pages are touched that are used. A block takes
// one transform at a time.
TEST_F(PlanTest, TransformsWhatLiesFarApart) {
  constexpr std::int64_t dist = std::int64_t{1} << 32;
  constexpr std::size_t bytes = (dist + 16) * sizeof(Complex);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no 32 GB of addresses";
  auto* const far = static_cast<Complex*>(memory);
  FftProblem batch{.lengths = {16}, .batch = 2}, loops{.lengths = {16}};
  batch.layout = {1, 1, dist, 16, {}};
  loops.layout.loops = {{2, dist, 16}};
  for (FftProblem& problem : {std::ref(batch), std::ref(loops)}) {
    for (const std::int64_t there : {16, 9}) {
      problem.ends.in_length = there == 16 ? 0 : there;
      Rows in = Rows::tone(16, 1, 3), out(16, 2), expected(16, 1);
      for (std::int64_t t = 0; t < 16; ++t) far[t] = in[t], far[dist + t] = 2.0f * in[t];
      plan(problem).execute(far, out.data());
      FftProblem near{.lengths = {16}};
      near.ends.in_length = problem.ends.in_length;
      plan(near).execute(in.data(), expected.data());
      for (std::int64_t k = 0; k < 16; ++k) {
        EXPECT_LT(std::abs(out[k] - expected[k]), 1e-5f) << k;
        EXPECT_LT(std::abs(out[16 + k] - 2.0f * expected[k]), 2e-5f) << k;
      }
    }
  }
  ::munmap(memory, bytes);
}

TEST_F(PlanTest, TransformsPackedPoints) {
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    const std::int64_t n = 32, batch = 3;
    const Plan made = plan({.lengths = {n}, .batch = batch, .storage = storage});
    const std::vector<std::complex<float>> ones(n * batch, {1, -2});
    const auto in = pack(storage, ones);
    std::vector<std::byte> out(in.size());
    made.execute(in.data(), out.data());
    const auto y = unpack(storage, out);
    for (std::size_t k = 0; k < y.size(); ++k) {
      EXPECT_EQ(y[k], k % n == 0 ? std::complex<float>(n, -2 * n) : std::complex<float>()) << k;
    }
    EXPECT_NE(made.describe().find(to_string(storage)), std::string::npos);
  }
}

TEST_F(PlanTest, TellsWhatItIs) {
  const FftProblem problem{.lengths = {64}, .batch = 5};
  const Plan made = plan(problem);
  EXPECT_EQ(made.problem(), problem);
  EXPECT_EQ(made.device(), Device::cpu);
  EXPECT_EQ(made.workspace_bytes(), 0U);
  EXPECT_EQ(made.source(), made.generated().source.text);
  EXPECT_EQ(made.error_bound(), made.generated().error.bound);
  EXPECT_GT(made.expected_error(), 0.0);
  EXPECT_GT(made.error_bound(), made.expected_error());
  EXPECT_EQ(made.resources().registers, 0);
  for (const char* part : {"n=64", "batch=5", "emulated", "compiled"}) {
    EXPECT_NE(made.describe().find(part), std::string::npos) << part << "\n" << made.describe();
  }
}

TEST_F(PlanTest, BatchesAndEqualPlansShareTheKernel) {
  const Plan one = plan({.lengths = {64}, .batch = 1});
  const Plan five = plan({.lengths = {64}, .batch = 5});
  EXPECT_EQ(&one.generated(), &five.generated());
  EXPECT_NE(&one.generated(), &plan({.lengths = {32}}).generated());
  EXPECT_NE(&one.generated(),
            &plan({.lengths = {64}, .direction = Direction::inverse}).generated());
  options_.tuning.engine =
      one.generated().tuning.engine == Engine::simt ? Engine::mma : Engine::simt;
  EXPECT_NE(&one.generated(), &plan({.lengths = {64}}).generated());
}

TEST_F(PlanTest, TheChoiceIsKnownBeforehandAndItsReasonIsTold) {
  const FftProblem problem{.lengths = {64}};
  const Plan made = plan(problem);
  EXPECT_EQ(made.choice(), runtime_.choose_for(problem, options_));
  EXPECT_EQ(made.choice().tuning, made.generated().tuning);
  EXPECT_NE(made.describe().find(made.choice().reason), std::string::npos) << made.describe();
}

TEST_F(PlanTest, AnOpenChoiceIsTheSameAsItsDefault) {
  const Plan open = plan({.lengths = {64}});
  options_.tuning = open.generated().tuning;
  EXPECT_EQ(&open.generated(), &plan({.lengths = {64}}).generated());
}

TEST_F(PlanTest, TheSecondProcessCompilesNothing) {
  EXPECT_FALSE(plan({.lengths = {64}}).resources().from_cache);
  Runtime other(config_);
  EXPECT_TRUE(other.make_plan({.lengths = {64}}, options_).resources().from_cache);
}

TEST_F(PlanTest, ManyThreadsMakeAndExecuteAtOnce) {
  std::atomic<int> compiled = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < 8; ++i) {
    workers.emplace_back([&, i] {
      const std::int64_t n = 16 << i % 2;
      const Plan made = plan({.lengths = {n}, .batch = i + 1});
      if (i < 2 && !made.resources().from_cache) ++compiled;
      Rows in = Rows::tone(n, i + 1, i), out(n, i + 1);
      made.execute(in.data(), out.data());
      out.expect_line(i);
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(inspect_cache(config_).kernels.size(), 2U);
  EXPECT_EQ(compiled, 2);
}

TEST_F(PlanTest, OutlivesItsRuntime) {
  std::optional<Plan> made;
  {
    Runtime short_lived(config_);
    made = short_lived.make_plan({.lengths = {16}}, options_);
  }
  Rows in = Rows::tone(16, 1, 5), out(16, 1);
  made->execute(in.data(), out.data());
  out.expect_line(5);
}

TEST_F(PlanTest, BadPointersAreRejected) {
  const Plan made = plan({.lengths = {16}, .batch = 2});
  Rows in = Rows::tone(16, 2, 1), out(16, 4);
  EXPECT_THROW(made.execute(nullptr, out.data()), std::invalid_argument);
  EXPECT_THROW(made.execute(in.data(), nullptr), std::invalid_argument);
  EXPECT_THROW(made.execute(in.data() + 1, out.data()), std::invalid_argument);
  EXPECT_THROW(made.execute(in.data(), out.data() + 1), std::invalid_argument);
  EXPECT_THROW(made.execute(in.data(), in.data()), std::invalid_argument);
  EXPECT_THROW(made.execute(out.data(), out.data() + 30), std::invalid_argument);
  EXPECT_THROW(made.execute(out.data() + 30, out.data()), std::invalid_argument);
  EXPECT_NO_THROW(made.execute(out.data(), out.data() + 32));  // neighbours
  EXPECT_NO_THROW(made.execute(in.data(), out.data(), nullptr, nullptr));
  EXPECT_THROW(made.execute(in.data(), out.data(), in.data() + 1, nullptr), std::invalid_argument);
}

TEST_F(PlanTest, InPlaceNeedsEqualPointers) {
  const Plan made = plan({.lengths = {16}, .placement = Placement::in_place});
  Rows in = Rows::tone(16, 1, 1), out(16, 1);
  EXPECT_THROW(made.execute(in.data(), out.data()), std::invalid_argument);
}

TEST_F(PlanTest, ErrorsOfPointersSayWhatIsWrong) {
  const Plan made = plan({.lengths = {16}});
  Rows in = Rows::tone(16, 1, 1);
  try {
    made.execute(in.data(), nullptr);
    FAIL() << "nothing thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find("execute: out is null"), 0U) << error.what();
  }
}

// Pointers are checked before anything is launched: no kernel is needed for that.
std::string pointer_error(Storage storage, std::size_t out_offset) {
  const FftProblem problem{.lengths = {16}, .batch = 2, .storage = storage};
  const Target target = target_for("sm_90");
  const Program program = make_program(problem, target, {});
  const Plan made(std::make_shared<Plan::Impl>(problem, nullptr, program, Plan::Impl::Kernels{},
                                               nullptr, nullptr));
  std::vector<std::byte> memory(1024);
  try {
    made.execute(memory.data(), out_offset == 0 ? nullptr : memory.data() + out_offset);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlanPointers, ErrorsFollowTheStorage) {
  EXPECT_EQ(pointer_error(Storage::f32, 0),
            "execute: out is null; it must point to batch*n = 32 complex<float>");
  EXPECT_EQ(pointer_error(Storage::f16, 0),
            "execute: out is null; it must point to batch*n = 32 complex numbers of two f16 each");
  EXPECT_EQ(
      pointer_error(Storage::bf16, 112),
      "execute: in and out overlap; each holds batch*n = 32 complex numbers of two bf16 each, "
      "128 bytes, and the plan is out-of-place; pass disjoint buffers or make a plan with "
      "Placement::in_place");
  EXPECT_NE(pointer_error(Storage::f32, 240).find("256 bytes"), std::string::npos);
  EXPECT_NE(pointer_error(Storage::f16, 104).find("not 16-byte aligned"), std::string::npos);
}

TEST_F(PlanTest, BadProblemsAreRejectedByName) {
  const auto field_of = [&](const FftProblem& problem) -> std::string {
    try {
      (void)plan(problem);
    } catch (const UnsupportedProblem& error) {
      return error.field();
    }
    return "nothing thrown";
  };
  EXPECT_NE(field_of({.lengths = {}}), "nothing thrown");
  EXPECT_NE(field_of({.lengths = {67108867}}), "nothing thrown");
  EXPECT_NE(field_of({.lengths = {0}}), "nothing thrown");
  EXPECT_EQ(field_of({.lengths = {16}, .batch = 0}), "batch");
  EXPECT_EQ(field_of({.lengths = {16}, .scale = std::numeric_limits<double>::quiet_NaN()}),
            "scale");
  EXPECT_EQ(field_of({.lengths = {16}, .batch = std::numeric_limits<std::int64_t>::max()}),
            "batch");
}

TEST_F(PlanTest, HostCompilerThatIsNotThere) {
  config_.host_compiler = "no-such-compiler";
  Runtime runtime(config_);
  try {
    (void)runtime.make_plan({.lengths = {16}}, options_);
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_NE(std::string(error.what()).find("SONOMA_CXX"), std::string::npos) << error.what();
  }
}

TEST_F(PlanTest, AutomaticFallsBackToTheEmulatedDevice) {
  config_.driver_libraries = {"/nowhere/libcuda.so.1"};
  Runtime runtime(config_);
  options_.device = Device::automatic;
  EXPECT_EQ(runtime.make_plan({.lengths = {16}}, options_).device(), Device::cpu);
  options_.device = Device::gpu;
  EXPECT_THROW((void)runtime.make_plan({.lengths = {16}}, options_), FftError);
}

TEST(DeviceBuffer, HostMemory) {
  DeviceBuffer buffer(Device::cpu, 100);
  EXPECT_EQ(buffer.device(), Device::cpu);
  EXPECT_EQ(buffer.bytes(), 100U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 16, 0U);
  const std::string text = "0123456789";
  buffer.upload(text.data(), 10, 90);
  std::string back(5, ' ');
  buffer.download(back.data(), 5, 93);
  EXPECT_EQ(back, "34567");
  EXPECT_THROW(buffer.upload(text.data(), 10, 91), std::out_of_range);
  EXPECT_THROW(buffer.download(back.data(), 1, std::size_t{0} - 1), std::out_of_range);
  DeviceBuffer moved = std::move(buffer);
  EXPECT_EQ(moved.bytes(), 100U);
  moved = DeviceBuffer(Device::cpu, 0);
  EXPECT_EQ(moved.data(), nullptr);
}

}  // namespace
}  // namespace sonoma::testing
