// What a kernel needs of the hardware, read from its cubin: no GPU and no CUDA tool is asked.
#pragma once

#include <optional>
#include <string_view>

namespace sonoma {

struct CubinResources {
  int registers = 0;            ///< per thread
  int local_bytes = 0;          ///< per thread: stack frame and spills
  int static_shared_bytes = 0;  ///< per block, without what the system reserves
  int code_bytes = 0;           ///< of its instructions; the driver does not say

  auto operator<=>(const CubinResources&) const = default;
};

/// Nothing if `cubin` is no 64-bit ELF file with that kernel in it.
[[nodiscard]] std::optional<CubinResources> cubin_resources(std::string_view cubin,
                                                            std::string_view kernel);

}  // namespace sonoma
