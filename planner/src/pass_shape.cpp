#include "pass_shape.hpp"

#include <algorithm>

#include "mixed_shape.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

// See PassRules::threads_of_mixed.
Shape on_more_threads(const Shape& shape, const Pass& pass, Tuning own, const Target& target) {
  const PassRules& rules = profile_of(target).passes;
  if (butterflies_of(shape) < rules.many_butterflies) return shape;
  own.threads = rules.threads_of_many;
  return resolve(own, pass, target);
}

// A block has threads for all butterflies of its smallest step, which do not hold several steps.
bool fits_threads(const Shape& shape) {
  constexpr unsigned usual_points = 36;
  const unsigned most = std::max(usual_points, largest_of(shape.tree.decomposition));
  return shape.points_per_thread <= most && butterflies_of(shape) <= most_threads_of_block;
}

// Where threads do not go round, a block of many columns has more butterflies of a small step than
// threads; so a thread would take several steps at once, or there is no such block. c2r of 286286
// numbers by 13 columns of 847 = 11 x 11 x 7: 77 points a thread, 248 registers, .94 of cuFFT's
// speed.
Shape of_fewer_columns(const Shape& shape, const Pass& pass, Tuning own, const Target& target) {
  constexpr unsigned sector = 4;
  const auto n = static_cast<unsigned>(pass.n());
  unsigned columns = shape.block_points / n;
  while (columns > 1) {
    columns = columns > sector ? (columns - 1) / sector * sector : columns - 1;
    own.block_points = columns * n;
    Shape fewer = resolve(own, pass, target);
    if (fits_threads(fewer)) return fewer;
  }
  return shape;
}

}  // namespace

Shape shape_of_pass(const Pass& pass, const Tuning& tuning, const Tuning& own,
                    const Target& target) {
  Shape shape = resolve(own, pass, target);
  if (own.threads && !tuning.threads) return on_more_threads(shape, pass, own, target);
  const bool open = !tuning.columns && !tuning.block_points && !tuning.points_per_thread;
  const bool mixed = is_mixed_tile(shape.length(), shape.block_points);
  const bool even = pass.part && pass.part->convolution;  // all blocks of a row have as many
  if (!open || !mixed || even || pass.may_go_round() || fits_threads(shape)) return shape;
  return of_fewer_columns(shape, pass, own, target);
}

}  // namespace sonoma
