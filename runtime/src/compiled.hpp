// The one way to a binary: the disk cache, or else a compiler.
#pragma once

#include <functional>
#include <string>

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

/// Whose work is wanted, of inputs that any compiler's serves.
struct Wanted {
  std::string made_by = {};  ///< preferred; empty: no preference
  bool exactly = false;      ///< what another one made is made anew
};

/// Looks, compiles, stores. Of processes that do so at once one compiles, and the others wait for
/// it. An FftError of `compile` goes on with the path of the kept source added.
[[nodiscard]] Compiled find_or_compile(const DiskCache& cache, const CompileInputs& inputs,
                                       const CompileFunction& compile, const Wanted& wanted = {});

/// Compiles and stores, whatever is there.
[[nodiscard]] Compiled compile_anew(const DiskCache& cache, const CompileInputs& inputs,
                                    const CompileFunction& compile);

/// What `load` makes of the binary. Where it rejects a cached one (FftError), that is compiled
/// anew, once, and replaced. Where there is no compiler, the error says why the cached one did not
/// serve.
template <class Load>
auto load_or_recompile(const DiskCache& cache, const CompileInputs& inputs,
                       const CompileFunction& compile, Compiled& compiled, Load&& load,
                       const Wanted& wanted = {}) {
  compiled = find_or_compile(cache, inputs, compile, wanted);
  if (!compiled.from_cache) return load(compiled.binary.bytes);
  try {
    return load(compiled.binary.bytes);
  } catch (const FftError& rejected) {
    try {
      compiled = compile_anew(cache, inputs, compile);
    } catch (const FftError& error) {
      if (error.stage() != Stage::load_library) throw;
      throw FftError(rejected.stage(), "the cached kernel, which " + compiled.binary.made_by +
                                           " compiled, is rejected: " + rejected.message() +
                                           "; it cannot be compiled anew: " + error.message());
    }
  }
  return load(compiled.binary.bytes);
}

}  // namespace sonoma
