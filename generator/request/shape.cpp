#include "sonoma/shape.hpp"

namespace sonoma {

unsigned products_of(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::split3:
      return 3;
    case Arithmetic::split4:
      return 4;
    case Arithmetic::half:
      return 1;
    case Arithmetic::simt:
    case Arithmetic::simt64:
    case Arithmetic::packed:
      break;
  }
  return 0;
}

Tuning tuning_of(const Shape& shape) {
  Tuning tuning;
  tuning.method = shape.method;
  tuning.engine = engine_of(shape.arithmetic);
  tuning.decomposition = shape.tree.decomposition;
  if (tuning.engine == Engine::mma) {
    tuning.tensor_steps = shape.tree.tensor_steps;
    tuning.products = products_of(shape.arithmetic);
  }
  const bool by_default =
      shape.sums == Sums::fp32 && shape.method != Method::bluestein;  // see default_sums()
  if (tuning.engine == Engine::simt && !by_default) tuning.sums = shape.sums;
  tuning.points_per_thread = shape.points_per_thread;
  tuning.block_points = shape.block_points;
  tuning.registers = shape.registers;
  if (shape.threads > 0) tuning.threads = shape.threads;
  tuning.opposite = shape.opposite;
  const auto said = [](Staging staging) {
    const bool open = staging == Staging::by_sectors;
    return open ? std::nullopt : std::optional(staging == Staging::staged);
  };
  tuning.stage_load = said(shape.staging.load), tuning.stage_store = said(shape.staging.store);
  tuning.cluster = shape.shares.cluster, tuning.rounds = shape.shares.rounds;
  tuning.twiddles = shape.twiddles, tuning.prefetch = shape.prefetch;
  if (shape.rows != 0) tuning.rows = shape.rows;
  return tuning;
}

}  // namespace sonoma
