#include "profile.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "gpu_facts.hpp"

namespace sonoma {
namespace {

using enum FastSteps::Of;

// What lies between passes of one launch is .4 of the H200's L2 cache. In a smaller one as large a
// share of it is the ring, and the longest transforms that go so are as much shorter.
void limit_to_cache(DeviceProfile& profile, const GpuFacts& facts) {
  const auto share = [&](std::int64_t points) {
    return points * facts.l2_bytes / measured_gpu().l2_bytes;
  };
  const auto power = [&](std::int64_t points) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(share(points))));
  };
  if (facts.l2_bytes >= measured_gpu().l2_bytes) return;
  PassRules& passes = profile.passes;
  passes.ring_points = share(passes.ring_points);
  passes.largest_fused = power(passes.largest_fused);
  passes.largest_shared = share(passes.largest_shared);
  for (AxisRules::Tile& tile : profile.axes.fused) tile.most = power(tile.most);
}

// What another scheduler, cache or number of blocks an SM may turn round is left out: clusters,
// rounds, and registers on the brink of spills. Steps: three phases, which fill 32 registers, where
// a block takes a long transform: of 16384 points .79 to .83 of a copy, four phases to three; radix
// 32 .81.
DeviceProfile unmeasured(const GpuFacts& facts) {
  DeviceProfile profile;
  profile.speeds.bytes *= bytes_of_sm(facts) / bytes_of_sm(measured_gpu());
  limit_to_cache(profile, facts);
  profile.steps = {{in_rounds, 16384, {{32, 16, 32}}},
                   {in_rounds, 32768, {{32, 32, 32}}},
                   {in_rounds, 65536, {{16, 16, 8, 32}}},
                   {in_rounds, 131072, {{16, 16, 16, 32}}},
                   {in_block, 16384, {{16, 2, 16, 2, 16}}},
                   {convolving_block, 512, {{16, 32}}},
                   {convolving_block, 1024, {{32, 32}}},
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
  DeviceProfile profile = unmeasured(measured_gpu());
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
  static const std::map<int, DeviceProfile> profiles = [] {
    std::map<int, DeviceProfile> all;
    for (const int arch : known_archs()) {
      all.emplace(arch, unmeasured(gpu_facts(target_for(std::to_string(arch)))));
    }
    all.insert_or_assign(measured_gpu().arch, h200());
    return all;
  }();
  const auto at = profiles.find(target.arch);
  return at != profiles.end() ? at->second : profiles.at(measured_gpu().arch);
}

}  // namespace sonoma
