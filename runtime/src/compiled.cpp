#include "compiled.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace sonoma {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

Compiled find_or_compile(const DiskCache& cache, const CompileInputs& inputs,
                         const CompileFunction& compile, const Wanted& wanted) {
  const auto start = Clock::now();
  const auto found = [&]() -> std::optional<Compiled> {
    auto binary = cache.load(inputs, wanted.made_by);
    const bool serves =
        binary && (!wanted.exactly || wanted.made_by.empty() || binary->made_by == wanted.made_by);
    if (!serves) return std::nullopt;
    return Compiled{std::move(*binary), true, milliseconds_since(start)};
  };
  if (auto compiled = found()) return *std::move(compiled);
  const CacheClaim claim = cache.claim(inputs);
  if (auto compiled = found()) return *std::move(compiled);
  return compile_anew(cache, inputs, compile);
}

Compiled compile_anew(const DiskCache& cache, const CompileInputs& inputs,
                      const CompileFunction& compile) {
  const auto start = Clock::now();
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
