#include "sonoma/tuning.hpp"

#include <functional>
#include <numeric>

namespace sonoma {

std::int64_t product_of(const std::vector<std::int64_t>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t convolution_points(const Tuning& resolved) {
  if (resolved.method.value_or(Method::radix) == Method::radix) return 0;
  if (!resolved.pass_lengths) return resolved.decomposition.value().n();
  return product_of(*resolved.pass_lengths);
}

bool takes_mma(const Tuning& tuning, const FftProblem& problem) {
  return tuning.engine.value_or(Engine::simt) == Engine::mma ||
         problem.accuracy.arithmetic.value_or(Arithmetic::simt) != Arithmetic::simt;
}

Arithmetic arithmetic_of(const Tuning& resolved) {
  if (resolved.engine == Engine::simt) return Arithmetic::simt;
  if (resolved.products == 1u) return Arithmetic::half;
  return resolved.products == 4u ? Arithmetic::split4 : Arithmetic::split3;
}

}  // namespace sonoma
