// Source to cubin. Needs NVRTC, but neither a GPU nor its driver.
#pragma once

#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/config.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/plan.hpp"
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

/// Finds the cubin of `source` for `target` in the disk cache or compiles it. Where there is an
/// NVRTC, one that another NVRTC made is made anew. Throws FftError: Stage load_library where there
/// is no NVRTC, compile (with log and the path of the source) where it rejects the source or the
/// architecture.
[[nodiscard]] Cubin compile(const CudaSource& source, const Target& target);

/// A kernel of a plan, in the disk cache.
struct PreparedKernel {
  std::string name;         ///< of the function
  std::string arch;         ///< "sm_90", or "host" for the emulated device
  int registers = 0;        ///< per thread; of the emulated device 0, as the next
  int local_bytes = 0;      ///< per thread
  bool from_cache = false;  ///< it was there
  double compile_ms = 0;    ///< what the compiler took, wall time
};

/// Leaves in the disk cache all that make_plan() of these arguments looks for, of any batch that is
/// no smaller than that of `problem`: the kernels of all its launches, compiled by the NVRTC that
/// is here. Loads and allocates nothing. With `options.target` it needs neither a GPU nor its
/// driver, and takes the GPU for the one that target_for() describes; without, for the GPU that is
/// here. Device::cpu: the same of the emulated device. Throws as make_plan() does.
std::vector<PreparedKernel> prepare(const FftProblem& problem, const PlanOptions& options = {});

}  // namespace sonoma
