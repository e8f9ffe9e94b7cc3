// The tables of docs/misuse.md, row by row.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <thread>

#include "fake_driver_access.hpp"
#include "gpu_kernel.hpp"
#include "plan_impl.hpp"
#include "sonoma/sonoma.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

// What a row does, and what it is thrown. Plans are on the emulated device.
class Misuse : public ::testing::Test {
 protected:
  using Rows = sonoma::testing::Rows;

  Plan plan(const FftProblem& problem) { return runtime_.make_plan(problem, options_); }
  void plan_by(const std::function<void(Tuning&)>& wish) {
    PlanOptions options = options_;
    wish(options.tuning);
    (void)runtime_.make_plan({.lengths = {4096}}, options);
  }
  // Of 16 points, twice, or of what `ask` makes of that.
  Plan plan_of(const std::function<void(FftProblem&)>& ask = [](FftProblem&) {}) {
    FftProblem problem{.lengths = {16}, .batch = 2};
    ask(problem);
    return plan(problem);
  }
  Plan in_passes() {
    PlanOptions options = options_;
    options.tuning.pass_lengths = {5, 7, 9};
    options.workspace_owner = WorkspaceOwner::caller;
    return runtime_.make_plan({.lengths = {315}}, options);
  }
  Plan convolution() {
    return plan_of([](FftProblem& p) { p.convolution.emplace(); });
  }

  // A kernel that the fake driver has, whose function `name` then fails.
  void fail_launch(const char* name, CUresult error) {
    *state_ = {};
    config_.driver_libraries = {FAKE_DRIVER};
    const auto driver = std::make_shared<const Driver>(config_);
    CudaSource source;
    source.name = "some_kernel", source.launch = {128, 0, 4};
    const GpuKernel kernel(driver, driver->current_device(), source, "cubin");
    state_->failing = name, state_->error = error;
    kernel.launch({memory_.data(), memory_.data(), nullptr, 1, 0, nullptr, nullptr}, nullptr);
  }

  std::map<std::string, std::function<void()>> before_it_runs();
  void add_executions(std::map<std::string, std::function<void()>>& rows);
  void add_requests(std::map<std::string, std::function<void()>>& rows);
  std::map<std::string, std::function<void()>> as_it_runs();

  FakeDriverState* state_ = reset_fake_driver();
  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  Runtime runtime_{config_};
  PlanOptions options_ = [] {
    PlanOptions options;
    options.device = Device::cpu;
    return options;
  }();
  Rows memory_{4096, 1}, other_{4096, 1};
  DeviceBuffer buffer_{Device::cpu, 16};
};

void add_pointers(std::map<std::string, std::function<void()>>& rows, const Plan& made, Complex* in,
                  Complex* out) {
  rows["in is null"] = [=] { made.execute(static_cast<void*>(nullptr), out); };
  rows["out is null"] = [=] { made.execute(in, static_cast<void*>(nullptr)); };
  rows["misaligned"] = [=] { made.execute(in + 1, out); };
  rows["overlapping"] = [=] { made.execute(in, in + 30); };
  rows["pointers of another type"] = [=] { made.execute(reinterpret_cast<float*>(in), out); };
}

std::map<std::string, std::function<void()>> Misuse::before_it_runs() {
  std::map<std::string, std::function<void()>> rows;
  add_executions(rows);
  add_requests(rows);
  return rows;
}

void Misuse::add_executions(std::map<std::string, std::function<void()>>& rows) {
  Complex *const in = memory_.data(), *const out = other_.data();
  add_pointers(rows, plan_of(), in, out);
  rows["in place with two pointers"] = [=, this] {
    plan_of([](FftProblem& p) { p.placement = Placement::in_place; }).execute(in, out);
  };
  rows["no workspace of the caller's"] = [=, this] { in_passes().execute(in, out); };
  rows["misaligned workspace"] = [=, this] { in_passes().execute(in, out, out + 2049, nullptr); };
  rows["workspace in the output"] = [=, this] { in_passes().execute(in, out, out + 2, nullptr); };
  const auto convolve = [=, this](const void* spectrum) {
    convolution().execute(in, out, {.spectrum = spectrum});
  };
  rows["no spectrum"] = [=] { convolve(nullptr); };
  rows["spectrum in the output"] = [=] { convolve(out); };
  rows["a spectrum of no convolution"] = [=, this] {
    plan_of().execute(in, out, {.spectrum = in});
  };
  rows["a plan of null"] = [] { (void)Plan(nullptr); };
  rows["upload from null"] = [this] { buffer_.upload(nullptr, 16); };
  rows["download to null"] = [this] { buffer_.download(nullptr, 16); };
  rows["beyond a buffer"] = [=, this] { buffer_.upload(in, 9, 8); };
  rows["a buffer that was moved from"] = [=, this] {
    const DeviceBuffer taken = std::move(buffer_);
    buffer_.upload(in, 16);  // NOLINT(bugprone-use-after-move): that is the misuse
  };
}

void Misuse::add_requests(std::map<std::string, std::function<void()>>& rows) {
  rows["a cluster of no blocks"] = [this] { plan_by([](Tuning& t) { t.cluster = 0u; }); };
  rows["no steps"] = [this] { plan_by([](Tuning& t) { t.decomposition.emplace(); }); };
  rows["a step that there is not"] = [this] {
    plan_by([](Tuning& t) { t.tensor_steps = 1u << 31; });
  };
  rows["strides beyond 64 bits"] = [this] {
    plan_of([](FftProblem& p) { p.layout.in_stride = std::numeric_limits<std::int64_t>::max(); });
  };
  rows["an old GPU"] = [this] {
    PlanOptions old = options_;
    old.target.emplace().arch = 70;
    (void)runtime_.make_plan({.lengths = {16}}, old);
  };
  rows["more blocks than a grid has"] = [this] {
    plan_of([](FftProblem& p) { p.lengths = {4096}, p.batch = std::int64_t{1} << 40; });
  };
}

std::map<std::string, std::function<void()>> Misuse::as_it_runs() {
  Complex *const in = memory_.data(), *const out = other_.data();
  const auto code = [=, this](const char* text) {
    plan_of([&](FftProblem& p) { p.ends.load_code = text; }).execute(in, out);
  };
  return {
      {"code of the caller's throws", [=] { code("(throw 1, value)"); }},
      {"code that does not compile", [=] { code("nobody_knows(value)"); }},
      {"a stream of another device",
       [this] { fail_launch("cuLaunchKernel", CUDA_ERROR_INVALID_HANDLE); }},
      {"a destroyed context",
       [this] { fail_launch("cuCtxPushCurrent_v2", CUDA_ERROR_CONTEXT_IS_DESTROYED); }},
      {"forked after the first plan",
       [this] { fail_launch("cuCtxPushCurrent_v2", CUDA_ERROR_NOT_INITIALIZED); }},
      {"a kernel before it went astray",
       [this] { fail_launch("cuLaunchKernel", CUDA_ERROR_ILLEGAL_ADDRESS); }},
  };
}

struct Row {
  std::string misuse, thrown, says;
};

// "| a | `b` | `c` |" of the section of that title.
std::vector<Row> rows_of(const std::string& title) {
  std::ifstream page(MISUSE_PAGE);
  std::vector<Row> rows;
  bool within = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) within = line == "## " + title;
    if (!within || !line.starts_with("| ") || line.find('`') == line.npos) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 0, end; (end = line.find(" |", at + 1)) != line.npos; at = end) {
      std::string cell = line.substr(at, end - at);
      cell.erase(0, cell.find_first_not_of(" |"));
      std::erase(cell, '`');
      cells.push_back(cell);
    }
    EXPECT_EQ(cells.size(), 3u) << line;
    if (cells.size() == 3) rows.push_back({cells[0], cells[1], cells[2]});
  }
  return rows;
}

std::string kind_of(const std::exception& error) {
  if (dynamic_cast<const UnsupportedProblem*>(&error) != nullptr) return "UnsupportedProblem";
  if (dynamic_cast<const FftError*>(&error) != nullptr) return "FftError";
  if (dynamic_cast<const std::out_of_range*>(&error) != nullptr) return "std::out_of_range";
  if (dynamic_cast<const std::invalid_argument*>(&error) != nullptr) return "std::invalid_argument";
  return "something else";
}

// `elsewhere`: rows that other tests are of.
void expect_rows(const std::string& title, std::map<std::string, std::function<void()>> done,
                 const std::vector<std::string>& elsewhere = {}) {
  const std::vector<Row> rows = rows_of(title);
  EXPECT_FALSE(rows.empty()) << title;
  for (const Row& row : rows) {
    if (std::ranges::count(elsewhere, row.misuse) != 0) continue;
    const auto misuse = done.extract(row.misuse);
    ASSERT_FALSE(misuse.empty()) << row.misuse << ": a row without a test";
    try {
      misuse.mapped()();
      ADD_FAILURE() << row.misuse << ": nothing is thrown";
    } catch (const std::exception& error) {
      EXPECT_EQ(kind_of(error), row.thrown) << row.misuse;
      EXPECT_NE(std::string(error.what()).find(row.says), std::string::npos)
          << row.misuse << ": " << error.what();
    }
  }
  for (const auto& [misuse, test] : done) ADD_FAILURE() << misuse << ": a test without a row";
}

TEST_F(Misuse, IsFoundBeforeAnythingRuns) {
  expect_rows("Found before anything runs", before_it_runs());
}

// A copy while a stream is captured: runtime_gpu_test.
TEST_F(Misuse, IsFoundByTheDriverOrTheEmulatedDevice) {
  expect_rows("Found by the driver or the emulated device", as_it_runs(),
              {"a copy while a stream is captured"});
}

// NOLINTBEGIN(performance-move-const-arg,bugprone-use-after-move): that
// is the misuse
TEST_F(Misuse, APlanThatWasMovedFromServesAsBefore) {
  Plan first = plan_of();
  const Plan second = std::move(first);
  Rows in = Rows::tone(16, 2, 3), out(16, 2);
  first.execute(in.data(), out.data());
  out.expect_line(3);
  EXPECT_EQ(first.source(), second.source());
  Plan& same = first;
  first = std::move(same);
  EXPECT_EQ(first.workspace_bytes(), 0u);
}
// NOLINTEND(performance-move-const-arg,bugprone-use-after-move)

TEST_F(Misuse, AnExecutionThatFailedLeavesThePlanAsItWas) {
  const Plan made =
      plan_of([](FftProblem& p) { p.ends.load_code = "(user == nullptr ? throw 1 : value)"; });
  Rows in = Rows::tone(16, 2, 3), out(16, 2);
  EXPECT_THROW(made.execute(in.data(), out.data()), FftError);
  made.execute(in.data(), out.data(), {.user = in.data()});
  out.expect_line(3);
}

TEST_F(Misuse, AForkedProcessHasTheEmulatedDevice) {
  const Plan made = plan_of();
  Rows in = Rows::tone(16, 2, 3), out(16, 2);
  made.execute(in.data(), out.data());
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    made.execute(in.data(), out.data());
    const Plan another = plan({.lengths = {16}, .batch = 3});
    ::_exit(another.workspace_bytes() == 0 && std::abs(out[3] - 16.0f) < 1e-3f ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace sonoma::testing
