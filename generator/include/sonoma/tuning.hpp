// The choices that are left open by a request. Every empty field means "the generator decides";
// resolve() returns the same value with nothing left open.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "sonoma/decomposition.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// mma: split FP32 into FP16 halves, tensor cores. simt: FP32 butterflies in registers.
enum class Engine { mma, simt };

/// How the warp-matrix product is written: inline PTX mma.sync (sm_80 and later) or the portable
/// nvcuda::wmma API (sm_70 and later), which stages its fragments in shared memory.
enum class MmaForm { ptx, wmma };

struct Tuning {
  std::optional<Engine> engine;
  std::optional<unsigned> radix;               ///< this radix throughout; excludes `decomposition`
  std::optional<Decomposition> decomposition;  ///< excludes `radix`
  std::optional<MmaForm> mma_form;             ///< engine mma only

  auto operator<=>(const Tuning&) const = default;
};

/// Fills every open field (decomposition, engine, and mma_form where the engine is mma) and checks
/// them against problem and target. Throws UnsupportedProblem.
[[nodiscard]] Tuning resolve(const Tuning& tuning, const FftProblem& problem, const Target& target);

[[nodiscard]] std::string to_string(Engine engine);
[[nodiscard]] std::string to_string(MmaForm form);
[[nodiscard]] std::string to_string(const Tuning& tuning);

}  // namespace sonoma
