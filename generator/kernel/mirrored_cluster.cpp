#include "mirrored_cluster.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "mirrored_rows.hpp"
#include "one_access.hpp"
#include "sonoma/mirrored.hpp"

namespace sonoma {
namespace {

using Where = std::optional<std::uint32_t>;

// See one_of_pair() in mirrored_cluster.cuh.
struct OneOfPair {
  std::uint32_t low, high, j;
};
OneOfPair one_of_pair(const Schedule& schedule, std::uint32_t q, std::uint32_t k) {
  const std::uint32_t m = last_axis(schedule), mirrored = opposite_row(schedule, q);
  const bool is_high = 2 * k > m;
  return {is_high ? mirrored : q, is_high ? q : mirrored, is_high ? m - k : k};
}

}  // namespace

bool mirrors_in_cluster(const Schedule& schedule) {
  return schedule.pass.mirrors() && !schedule.shape.opposite && schedule.shape.shares.cluster > 1;
}

std::vector<BlockDigit> block_share(const Schedule& schedule) {
  std::vector<BlockDigit> share;
  if (!mirrors_in_cluster(schedule)) return share;
  const bool input = schedule.pass.is_mirrored(true);
  std::uint32_t weight = 1;
  for (const DigitId id :
       schedule.block_digits(input ? schedule.phases.front().in : schedule.result_layout())) {
    const Digit& digit = schedule.digits[id];
    share.push_back({input ? digit.time_stride : digit.freq_stride, digit.count, weight});
    weight *= digit.count;
  }
  std::ranges::sort(share, std::greater{}, &BlockDigit::stride);
  for (std::size_t i = 1; i < share.size();) {  // neighbours are one digit
    BlockDigit& slow = share[i - 1];
    const BlockDigit fast = share[i];
    if (slow.stride == fast.stride * fast.count && slow.weight == fast.weight * fast.count) {
      slow = {fast.stride, slow.count * fast.count, fast.weight};
      share.erase(share.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return share;
}

std::uint32_t place_in_block(const std::vector<BlockDigit>& share, std::uint32_t p) {
  for (const auto& [stride, count, weight] : share) {
    p = p / (stride * count) * stride + p % stride;
  }
  return p;
}

std::uint32_t threads_of_mirrored(const Schedule& schedule, const Target& target) {
  constexpr std::uint32_t warp = 32, turns = 4, most = 512;
  if (!mirrors_in_cluster(schedule)) return 0;
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const std::uint32_t wanted = n / schedule.shape.shares.cluster / turns;
  const std::uint32_t room =
      static_cast<std::uint32_t>(target.registers) / std::max(schedule.shape.registers, 1u);
  return std::min({(wanted + warp - 1) / warp * warp, most, room / warp * warp});
}

namespace {

// Places of the block's own points, one after the other.
Wavefronts of_stores(const Schedule& schedule) {
  const std::uint32_t threads = schedule.launch.threads, share = mirrored_row(schedule);
  Wavefronts sum;
  for (std::uint32_t begin = 0; begin < share; begin += threads) {
    add(sum, count_access(std::min(threads, share - begin),
                          [=](std::uint32_t t) { return Where(begin + t); }));
  }
  return sum;
}

// Both points of each pair of the share of block `rank`, wherever they lie.
Wavefronts of_reads(const Schedule& schedule, std::uint32_t rank) {
  const std::uint32_t m = last_axis(schedule), threads = schedule.launch.threads;
  const std::vector<BlockDigit> own = block_share(schedule);
  const std::uint32_t blocks = schedule.shape.shares.cluster;
  const auto all = static_cast<std::uint32_t>(schedule.pass.n()) / m * (m + 1);
  const std::uint32_t share = (all + blocks - 1) / blocks;
  Wavefronts sum;
  for (std::uint32_t begin = 0; begin < share; begin += threads) {
    const auto each = [&](auto&& of) {
      add(sum, count_access(threads, [&](std::uint32_t t) -> Where {
            const std::uint32_t p =
                std::min(rank * share + std::min(begin + t, share - 1), all - 1);
            return of(one_of_pair(schedule, p / (m + 1), p % (m + 1)));
          }));
    };
    each([&](const OneOfPair& of) { return Where(place_in_block(own, of.low * m + of.j)); });
    each([&](const OneOfPair& of) {
      return Where(place_in_block(own, of.high * m + (of.j == 0 ? 0 : m - of.j)));
    });
  }
  return sum;
}

}  // namespace

Wavefronts count_mirrored_of_cluster(const Schedule& schedule, bool input) {
  Wavefronts sum;
  for (std::uint32_t rank = 0; rank < schedule.shape.shares.cluster; ++rank) {
    add(sum, input ? of_stores(schedule) : of_reads(schedule, rank));
  }
  return sum;
}

}  // namespace sonoma
