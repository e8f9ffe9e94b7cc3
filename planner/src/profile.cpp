#include "profile.hpp"

#include <algorithm>

namespace sonoma {
namespace {

using enum FastSteps::Of;

// What another scheduler, cache or number of blocks an SM may turn round is left out: clusters,
// rounds, and registers on the brink of spills. Steps: three phases, which fill 32 registers, where
// a block takes a long transform: of 16384 points .79 to .83 of a copy, four phases to three; radix
// 32 .81.
DeviceProfile unmeasured() {
  DeviceProfile profile;
  profile.steps = {{in_rounds, 16384, {{32, 16, 32}}},
                   {in_rounds, 32768, {{32, 32, 32}}},
                   {in_rounds, 65536, {{16, 16, 8, 32}}},
                   {in_rounds, 131072, {{16, 16, 16, 32}}},
                   {in_block, 16384, {{16, 2, 16, 2, 16}}},
                   {convolving_block, 8192, {{32, 16, 16}}},
                   {convolving_block, 16384, {{16, 2, 16, 2, 16}}},
                   {convolving_cluster, 32768, {{16, 2, 16, 2, 16, 2}}}};
  return profile;
}

// 2^26 points, from 2^14 on: .92, .76, .69, .62 of a copy in two rounds, .83, .70, .64, .54 in one,
// against .53, .57, .51 of two passes from 2^15 on, which are the faster at 2^18 (.54 to .38). f16:
// .67, .53 in two rounds, then two passes: .42, .40 (clusters .37, .33). Convolutions: 16381 .19
// against .16, 32749 .18, but 65521, of 131072 points, .14 in passes.
DeviceProfile h200() {
  DeviceProfile profile = unmeasured();
  profile.spread = {{16384, {1, 2}, {1, 1}, {1, 2}, {1, 1}},
                    {32768, {2, 2}, {8, 1}, {1, 2}, {8, 1}},
                    {65536, {8, 2}, {8, 1}, {1, 1}, {1, 1}},
                    {131072, {8, 2}, {16, 1}, {1, 1}, {1, 1}}};
  profile.longest_spread_convolution = 65536;
  profile.products = {96, {{512, 128}, {4096, 80}}, 8192};
  profile.passes.rounds_of_long_passes = true;
  return profile;
}

}  // namespace

const Decomposition* DeviceProfile::steps_of(FastSteps::Of of, std::int64_t length) const {
  const auto at = std::ranges::find_if(
      steps, [&](const FastSteps& one) { return one.of == of && one.length == length; });
  return at == steps.end() ? nullptr : &at->steps;
}

const DeviceProfile& profile_of(const Target& target) {
  static const DeviceProfile measured = h200(), other = unmeasured();
  return target.arch == 90 ? measured : other;
}

}  // namespace sonoma
