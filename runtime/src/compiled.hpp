// The one way to a binary: the disk cache, or else a compiler.
#pragma once

#include <functional>

#include "cache_entry.hpp"
#include "disk_cache.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {

struct Compiled {
  Binary binary;
  bool from_cache = false;
  double milliseconds = 0;  ///< host time of the look-up and, if need be, the compilation
};

using CompileFunction = std::function<Binary(const CompileInputs&)>;

/// Looks, compiles, stores. An FftError of `compile` goes on with the path of the kept source
/// added.
[[nodiscard]] Compiled find_or_compile(const DiskCache& cache, const CompileInputs& inputs,
                                       const CompileFunction& compile);

/// What `load` makes of the binary. A cached one that it rejects (FftError) is dropped and compiled
/// anew, once.
template <class Load>
auto load_or_recompile(const DiskCache& cache, const CompileInputs& inputs,
                       const CompileFunction& compile, Compiled& compiled, Load&& load) {
  compiled = find_or_compile(cache, inputs, compile);
  if (compiled.from_cache) {
    try {
      return load(compiled.binary.bytes);
    } catch (const FftError&) {
      cache.remove(inputs);
      compiled = find_or_compile(cache, inputs, compile);
    }
  }
  return load(compiled.binary.bytes);
}

}  // namespace sonoma
