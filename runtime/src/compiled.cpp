#include "compiled.hpp"

#include <chrono>
#include <utility>

namespace sonoma {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

Compiled find_or_compile(const DiskCache& cache, const CompileInputs& inputs,
                         const CompileFunction& compile) {
  const auto start = Clock::now();
  if (auto binary = cache.load(inputs)) {
    return {std::move(*binary), true, milliseconds_since(start)};
  }
  try {
    Compiled compiled{compile(inputs), false, 0};
    compiled.milliseconds = milliseconds_since(start);
    cache.store(inputs, compiled.binary);
    return compiled;
  } catch (const FftError& error) {
    if (error.stage() != Stage::compile) throw;
    throw FftError(Stage::compile, error.message(), error.log(), cache.keep_source(inputs));
  }
}

}  // namespace sonoma
