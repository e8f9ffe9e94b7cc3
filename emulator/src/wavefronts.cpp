#include "wavefronts.hpp"

#include <algorithm>

namespace sonoma::emulator {
namespace {

constexpr unsigned banks = 32, bank_bytes = 4;

// WavefrontCount of the lanes [first, last): the most distinct words that one bank has to give.
unsigned group_wavefronts(const WarpAccess& access, unsigned first, unsigned last, unsigned bytes) {
  std::array<std::uint32_t, banks * bank_bytes> words;
  unsigned count = 0;
  for (unsigned lane = first; lane < last; ++lane) {
    if ((access.lanes >> lane & 1u) == 0) continue;
    for (unsigned b = 0; b < bytes; b += bank_bytes) {
      words[count++] = (access.offsets[lane] + b) / bank_bytes;
    }
  }
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<unsigned, banks> wanted{};
  for (auto word = words.begin(); word != end; ++word) ++wanted[*word % banks];
  return *std::max_element(wanted.begin(), wanted.end());
}

}  // namespace

WavefrontCount count_wavefronts(const WarpAccess& access, unsigned bytes) {
  const unsigned group = std::min(32u, 32 * bank_bytes / bytes);
  WavefrontCount sum;
  for (unsigned first = 0; first < 32; first += group) {
    const unsigned taken = group_wavefronts(access, first, first + group, bytes);
    sum.total += taken;
    sum.minimum += taken > 0 ? 1 : 0;
  }
  return sum;
}

void WavefrontLog::record(unsigned lane, std::uint64_t path, SharedOperation operation,
                          std::uint32_t offset, unsigned bytes) {
  Site& site = sites_[path];
  site.operation = operation;
  site.bytes = bytes;
  const std::uint32_t occurrence = site.occurrences[lane]++;
  if (occurrence >= site.accesses.size()) site.accesses.resize(occurrence + 1);
  WarpAccess& access = site.accesses[occurrence];
  access.lanes |= 1u << lane;
  access.offsets[lane] = offset;
}

void WavefrontLog::flush(EmulationReport& report) {
  for (const auto& [path, site] : sites_) {
    WavefrontCount& sum = is_load(site.operation)                   ? report.loads
                          : site.operation == SharedOperation::copy ? report.copies
                                                                    : report.stores;
    for (const WarpAccess& access : site.accesses) {
      const WavefrontCount taken = count_wavefronts(access, site.bytes);
      sum.total += taken.total;
      sum.minimum += taken.minimum;
    }
  }
  sites_.clear();
}

}  // namespace sonoma::emulator
