// Source to cubin. Needs NVRTC, but neither a GPU nor its driver.
#pragma once

#include <string>

#include "sonoma/api.hpp"
#include "sonoma/config.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/target.hpp"

namespace SONOMA_API sonoma {

struct Cubin {
  std::string bytes;
  std::string log;              ///< the compiler's warnings; usually empty
  int registers = 0;            ///< per thread
  int local_bytes = 0;          ///< per thread; > 0 means spills or a stack frame
  int static_shared_bytes = 0;  ///< per block, beside LaunchShape::shared_bytes
  int code_bytes = 0;           ///< of its instructions, 16 each
  bool from_cache = false;      ///< found, not compiled
  double compile_ms = 0;        ///< host time to get the binary
};

/// Finds the cubin of `source` for `target` in the disk cache or compiles it. Throws FftError:
/// Stage load_library where there is no NVRTC, compile (with log and the path of the source) where
/// it rejects the source or the architecture.
[[nodiscard]] Cubin compile(const CudaSource& source, const Target& target);

}  // namespace sonoma
