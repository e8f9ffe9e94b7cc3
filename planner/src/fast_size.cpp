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

struct Asked {
  Storage storage;
  const Target& target;
  const Platform& here;
  const Wisdom& wisdom;
};

// Of this device if it was measured there, and of the fastest arithmetic.
std::optional<FastSize> measured(std::int64_t n, const Asked& asked) {
  const auto admitted = admitted_arithmetics(large_batch_of(n, asked.storage));
  std::optional<std::tuple<bool, double>> best;
  for (const auto& [platform, subject, tuning, kernels, eff, ms, points, error, date] :
       asked.wisdom.entries()) {
    const bool fits = platform.arch == asked.target.arch &&
                      subject == Subject{{n}, asked.storage, subject.arithmetic} &&
                      std::ranges::find(admitted, subject.arithmetic) != admitted.end();
    if (fits)
      best = std::max(best, std::optional(std::tuple(platform.device == asked.here.device, eff)));
  }
  return best ? std::optional(FastSize{n, std::get<double>(*best), true}) : std::nullopt;
}

// Nothing where there is no transform of that length.
std::optional<FastSize> size_of(std::int64_t n, const Asked& asked) {
  if (const auto known = measured(n, asked)) return known;
  Tuning tuning;
  tuning.engine = Engine::simt;
  try {
    const Program program = make_program(large_batch_of(n, asked.storage), asked.target, tuning);
    return FastSize{n, estimate_cost(program, asked.target).eff(), false};
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

// From n to the next power of two, which is the last one.
std::set<std::int64_t> lengths_from(std::int64_t n, const Asked& asked) {
  constexpr std::size_t few = 48;
  const auto bits = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  std::set<std::int64_t> lengths;
  for (std::int64_t m = n; m <= bits && lengths.size() < few; ++m) {
    if (is_smooth(m, 13)) lengths.insert(m);
  }
  lengths.insert(bits);
  for (const WisdomEntry& entry : asked.wisdom.entries()) {
    const std::int64_t m = entry.subject.lengths.front();
    if (entry.platform.arch == asked.target.arch && m >= n && m < bits) lengths.insert(m);
  }
  return lengths;
}

}  // namespace

FastSize fast_size(std::int64_t n, Storage storage, const Target& target, const Platform& here,
                   const Wisdom& wisdom) {
  if (n < 1 || n > longest) {
    throw UnsupportedProblem("n", std::to_string(n), "1 to " + std::to_string(longest));
  }
  const Asked asked{storage, target, here, wisdom};
  const auto lengths = lengths_from(std::max<std::int64_t>(n, 2), asked);
  std::optional<FastSize> best;
  for (const std::int64_t m : lengths) {
    constexpr double most = 1.02;  // of the speed of a copy
    if (best && static_cast<double>(m) / most > best->time()) break;
    const auto one = size_of(m, asked);
    if (one && (!best || one->time() < best->time())) best = one;
  }
  if (!best)
    (void)make_program(large_batch_of(*lengths.rbegin(), storage), target, {});  // says why
  return best.value();
}

}  // namespace sonoma
