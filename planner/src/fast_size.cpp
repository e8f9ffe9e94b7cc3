#include "sonoma/fast_size.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sonoma/choose.hpp"
#include "sonoma/cost_model.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

constexpr std::int64_t longest = std::int64_t{1} << 31;

FftProblem large_batch_of(std::int64_t n, Storage storage) {
  constexpr std::int64_t points = std::int64_t{1} << 26;
  FftProblem problem;
  problem.lengths = {n};
  problem.storage = storage;
  problem.batch = std::max<std::int64_t>(1, points / n);
  return problem;
}

class Judge {
 public:
  Judge(Storage storage, const Target& target, const Platform& here, const Wisdom& wisdom)
      : storage_(storage), target_(target), here_(here), wisdom_(wisdom) {}

  // Nothing where there is no transform of that length.
  [[nodiscard]] std::optional<FastSize> of(std::int64_t n) const {
    if (const auto measured = measurement(n)) return measured;
    const FftProblem problem = large_batch_of(n, storage_);
    try {
      Tuning tuning;
      tuning.engine = Engine::simt;
      return FastSize{n, estimate_cost(make_program(problem, target_, tuning), target_).eff(),
                      false};
    } catch (const UnsupportedProblem&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] std::vector<std::int64_t> measured_lengths() const {
    std::vector<std::int64_t> lengths;
    for (const WisdomEntry& entry : wisdom_.entries()) {
      if (entry.platform.arch == target_.arch) lengths.push_back(entry.subject.lengths.front());
    }
    return lengths;
  }

 private:
  // Of this device if it was measured there, and of the fastest arithmetic.
  [[nodiscard]] std::optional<FastSize> measurement(std::int64_t n) const {
    const auto admitted = admitted_arithmetics(large_batch_of(n, storage_));
    const WisdomEntry* best = nullptr;
    const auto rank = [&](const WisdomEntry& entry) {
      return std::tuple(entry.platform.device == here_.device, entry.eff);
    };
    for (const WisdomEntry& entry : wisdom_.entries()) {
      const auto& [lengths, storage, arithmetic] = entry.subject;
      const bool fits = entry.platform.arch == target_.arch && storage == storage_ &&
                        lengths == std::vector{n} &&
                        std::find(admitted.begin(), admitted.end(), arithmetic) != admitted.end();
      if (fits && (best == nullptr || rank(entry) > rank(*best))) best = &entry;
    }
    if (best == nullptr) return std::nullopt;
    return FastSize{n, best->eff, true};
  }

  Storage storage_;
  const Target& target_;
  const Platform& here_;
  const Wisdom& wisdom_;
};

}  // namespace

FastSize fast_size(std::int64_t n, Storage storage, const Target& target, const Platform& here,
                   const Wisdom& wisdom) {
  if (n < 1 || n > longest) {
    throw UnsupportedProblem("n", std::to_string(n), "1 to " + std::to_string(longest));
  }
  constexpr std::size_t few = 48;
  const Judge judge(storage, target, here, wisdom);
  const auto bits = static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 2))));
  std::set<std::int64_t> lengths;
  for (std::int64_t m = std::max<std::int64_t>(n, 2); m <= bits && lengths.size() < few; ++m) {
    if (is_smooth(m, 13)) lengths.insert(m);
  }
  lengths.insert(bits);
  for (const std::int64_t m : judge.measured_lengths()) {
    if (m >= n && m < bits) lengths.insert(m);
  }
  std::optional<FastSize> best;
  for (const std::int64_t m : lengths) {
    constexpr double most = 1.02;  // of the speed of a copy
    if (best && static_cast<double>(m) / most > best->time()) break;
    const auto one = judge.of(m);
    if (one && (!best || one->time() < best->time())) best = one;
  }
  if (!best) (void)make_program(large_batch_of(bits, storage), target, {});  // says why not
  return best.value();
}

}  // namespace sonoma
