// Requests of every kind on a GPU: the bits that the emulated device makes, and no other memory
// changed. (That those are right, the tests of the emulated device say.)
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "every_kind.hpp"
#include "host_execution.hpp"
#include "parallel.hpp"
#include "sonoma/gpu.hpp"

namespace sonoma::test {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::size_t guard = verification::guard_bytes;

/// Memory of both sides behind a guard, and with one behind it; in place `in` is empty.
struct Images {
  Bytes in, out;

  explicit Images(const FftProblem& problem) {
    const bool in_place = problem.placement == Placement::in_place;
    if (!in_place) in = noise(bytes_of(problem, true) + 2 * guard, 1);
    out = noise(bytes_of(problem, false) + 2 * guard, 2);
  }
};

bool same_guards(const Bytes& a, const Bytes& b) {
  return std::equal(a.begin(), a.begin() + guard, b.begin()) &&
         std::equal(a.end() - guard, a.end(), b.end() - guard);
}

Images executed(const Request& request, Device device) {
  PlanOptions options;
  options.device = device, options.tuning = request.tuning;
  if (device == Device::cpu) options.target = gpu_info().target;
  Images images(request.problem);
  cli::execute_on_host_data(make_plan(request.problem, options), images.in, images.out, guard,
                            noise_spectrum(request.problem));
  return images;
}

std::string difference_from_emulated(const Request& request) {
  const Images before(request.problem), there = executed(request, Device::gpu),
                                        here = executed(request, Device::cpu);
  if (there.in != before.in) return "the input has changed";
  if (!same_guards(there.out, before.out)) return "memory around the output has changed";
  if (there.out == before.out) return "the output has not changed";
  std::size_t count = 0;
  for (std::size_t i = 0; i < there.out.size(); ++i) count += there.out[i] == here.out[i] ? 0 : 1;
  return count == 0 ? "" : std::to_string(count) + " bytes differ";
}

class EveryKindOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no CUDA device";
    try {
      (void)executed({"one", {.lengths = {64}}}, Device::cpu);
    } catch (const FftError& error) {
      GTEST_SKIP() << "no emulated device here: " << error.what();
    }
  }

  static void expect_equal_bits(const std::vector<Request>& requests) {
    const auto name = [](const Request& request) { return request.name; };
    EXPECT_EQ(in_parallel(requests, name, difference_from_emulated), "");
  }
};

TEST_F(EveryKindOnGpu, RealTransformsHaveTheEmulatedBits) { expect_equal_bits(real_requests()); }

TEST_F(EveryKindOnGpu, CosinesAndSinesHaveTheEmulatedBits) {
  expect_equal_bits(trigonometric_requests());
}

TEST_F(EveryKindOnGpu, ConvolutionsHaveTheEmulatedBits) {
  expect_equal_bits(convolution_requests());
}

TEST_F(EveryKindOnGpu, SeveralAxesHaveTheEmulatedBits) { expect_equal_bits(axes_requests()); }

}  // namespace
}  // namespace sonoma::test
