#include "pass_shape.hpp"

#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/filling.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

constexpr unsigned most_usual_points = 36;

// Of a block with a thread for each of them.
unsigned butterflies_of(const Shape& shape) {
  const MixedShape block{shape.points_per_thread, shape.block_points, shape.shares};
  return filling_of(shape.tree.decomposition, block).threads;
}

// See PassRules::threads_of_mixed.
Shape on_more_threads(const Shape& shape, const Pass& pass, Tuning own, const Target& target) {
  const PassRules& rules = profile_of(target).passes;
  if (butterflies_of(shape) < rules.many_butterflies) return shape;
  own.threads = rules.threads_of_many;
  return resolve(own, pass, target);
}

// Where threads do not go round, a block of many columns has more butterflies of a small step than
// threads; so a thread would take several steps at once. c2r of 286286 numbers by 13 columns of 847
// = 11 x 11 x 7: 77 points a thread, 248 registers, .94 of cuFFT's speed.
Shape of_fewer_columns(const Shape& shape, const Pass& pass, Tuning own, const Target& target) {
  constexpr unsigned sector = 4;
  const auto n = static_cast<unsigned>(pass.n());
  for (unsigned columns = (shape.block_points / n - 1) / sector * sector; columns > 0;
       columns -= sector) {
    own.block_points = columns * n;
    Shape fewer = resolve(own, pass, target);
    if (fewer.points_per_thread <= most_usual_points) return fewer;
  }
  return shape;
}

}  // namespace

Shape shape_of_pass(const Pass& pass, const Tuning& tuning, const Tuning& own,
                    const Target& target) {
  Shape shape = resolve(own, pass, target);
  if (own.threads && !tuning.threads) return on_more_threads(shape, pass, own, target);
  const bool open = !tuning.columns && !tuning.block_points && !tuning.points_per_thread;
  const bool many = shape.points_per_thread > most_usual_points &&
                    largest_of(shape.tree.decomposition) <= most_usual_points;
  if (!open || !many || !pass.mirrors()) return shape;
  return of_fewer_columns(shape, pass, own, target);
}

}  // namespace sonoma
