#include "sonoma/tuning.hpp"

#include <functional>
#include <numeric>

#include "sonoma/shape.hpp"

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
  return tuning.engine.value_or(Engine::simt) == Engine::mma || !admits_simt(problem.accuracy);
}

Arithmetic arithmetic_of(const Tuning& resolved) {
  if (resolved.engine == Engine::simt) return arithmetic_of(resolved.sums.value_or(Sums::fp32));
  if (resolved.products == 1u) return Arithmetic::half;
  return resolved.products == 4u ? Arithmetic::split4 : Arithmetic::split3;
}

Engine engine_of(Arithmetic arithmetic) {
  return products_of(arithmetic) == 0 ? Engine::simt : Engine::mma;
}

Arithmetic arithmetic_of(Sums sums) {
  return sums == Sums::fp64 ? Arithmetic::simt64 : Arithmetic::simt;
}

bool is_in_fp64(Sums sums, std::size_t step, const Decomposition& tree) {
  return sums == Sums::fp64 || (sums == Sums::fp64_last && step + 1 == tree.radices.size());
}

bool admits_simt(const Accuracy& accuracy) {
  return engine_of(accuracy.arithmetic.value_or(Arithmetic::simt)) == Engine::simt;
}

bool takes_fp64(const Tuning& tuning, const FftProblem& problem) {
  return tuning.sums == Sums::fp64 || problem.accuracy.arithmetic == Arithmetic::simt64;
}

}  // namespace sonoma
