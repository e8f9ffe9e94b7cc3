// Points between passes as c12e8: damaged kernels of two passes in one launch, by the protocol.
#include <gtest/gtest.h>

#include "host_compiler.hpp"
#include "parallel.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {
namespace {

constexpr std::int64_t n = 2048;
constexpr unsigned slots = 3;

FftProblem problem_of(Storage storage) {
  FftProblem problem;
  problem.lengths = {n};
  problem.storage = storage;
  return problem;
}

Program program_of(Storage storage) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.pass_lengths = {32, 64};
  tuning.fused = true;
  tuning.workspace_points = slots * n;
  return make_program(problem_of(storage), target_for("sm_90"), tuning);
}

LaunchKernel kernel_of(Storage storage) {
  return generate(program_of(storage).launches.front(), target_for("sm_90"));
}

struct Damage {
  Storage storage;
  std::string from, to;
};

// What the protocol says, or the emulated device; empty if nothing is wrong.
std::string faults_of(const Damage& damage) {
  const LaunchKernel made = kernel_of(damage.storage);
  CudaSource source = made.source;
  const std::size_t at = source.text.find(damage.from);
  if (at == std::string::npos) throw std::invalid_argument("no " + damage.from);
  source.text.replace(at, damage.from.size(), damage.to);
  const std::size_t counters = source.launch.counter_bytes;
  const EmulatedKernel kernel(compiled(source), source);
  const auto transform = [&](const std::byte* in, std::byte* out, std::int64_t batch) {
    const auto bytes = static_cast<std::size_t>(batch * n) * 4;
    std::vector<std::byte> workspace(counters + slots * n * 4);
    kernel.launch({in, bytes}, {out, bytes}, source.tables, static_cast<std::uint64_t>(batch),
                  {.host_threads = 1}, workspace);
  };
  try {
    const auto report = verification::check_transform(
        verification::unpacked(damage.storage, damage.storage, n, transform),
        problem_of(damage.storage), roundings_of(program_of(damage.storage)),
        {.random_transforms = 2});
    return report.pass() ? "" : summary(report);
  } catch (const EmulationError& error) {
    return error.what();
  }
}

TEST(Boundaries, UndamagedKernelsMeetTheProtocol) {
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    EXPECT_EQ(faults_of({storage, "narrow", "narrow"}), "") << to_string(storage);
  }
}

TEST(Boundaries, EveryPieceOfThemIsNeeded) {
  const std::pair<const char*, const char*> damages[] = {
      {"* 0x1.001002p0f", ""},
      {"(largest & 0x7f800000u)", "0x3f800000u"},
      {"max_magnitude(a.x, a.y) *", "max_magnitude(a.x, a.x) *"},
      {"  constexpr float down = 0x1p-13f;",  // truncation
       "  constexpr float down = 0x1p-13f;\n  a.x = float_of(bits_of(a.x) & 0xffffe000u);\n"
       "  a.y = float_of(bits_of(a.y) & 0xffffe000u);"},
      {"(bits_of(a.x) & 0x80000000u) | base", "base"},
      {"return make_float2(2 * x, 8192 * y);", "return make_float2(2 * x, 0);"},
  };
  std::vector<Damage> all;
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    for (const auto& [from, to] : damages) all.push_back({storage, from, to});
  }
  EXPECT_EQ(in_parallel(
                all, [](const Damage& d) { return to_string(d.storage) + ": " + d.to; },
                [](const Damage& d) { return faults_of(d).empty() ? "survived" : ""; }),
            "");
}

}  // namespace
}  // namespace sonoma::test
