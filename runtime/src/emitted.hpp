// What the generator made of a launch, as far as a plan needs it: from the disk cache, where this
// very generator has left it there, or else made anew. Texts take milliseconds, and the spectrum of
// a long convolution takes seconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "disk_cache.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/error_estimate.hpp"
#include "sonoma/program.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

struct Emitted {
  CudaSource source;
  ErrorEstimate error;  ///< of all passes of the launch

  auto operator<=>(const Emitted&) const = default;
};

[[nodiscard]] Emitted emit(const Launch& launch, const Target& target);
/// The same, or what was left in the cache.
[[nodiscard]] Emitted find_or_emit(const DiskCache& cache, const Launch& launch,
                                   const Target& target);

/// Where it lies in the cache. Another build of the generator has other places.
[[nodiscard]] CompileInputs emitted_inputs(const Launch& launch, const Target& target);

[[nodiscard]] std::string encode(const Emitted& emitted);
/// Nothing unless `bytes` is what encode() makes of something.
[[nodiscard]] std::optional<Emitted> decode_emitted(std::string_view bytes);

}  // namespace sonoma
