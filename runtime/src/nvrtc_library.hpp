// Which NVRTC there is, and the library itself. It has 100 MB and takes milliseconds to open, and a
// plan whose kernel is in the cache needs its identity only: so that is read from its file.
#pragma once

#include <nvrtc.h>

#include <filesystem>
#include <optional>
#include <string>

#include "dynamic_library.hpp"
#include "sonoma/config.hpp"

namespace sonoma {

/// An NVRTC, from its file alone or opened.
struct NvrtcIdentity {
  std::filesystem::path path;
  int major = 0, minor = 0;
  std::string build_id;

  auto operator<=>(const NvrtcIdentity&) const = default;

  [[nodiscard]] int version() const { return 1000 * major + minor; }
  /// The device library, which NVRTC opens when it compiles.
  [[nodiscard]] std::filesystem::path builtins() const;
};

/// Product, version and build, of the device library its size.
[[nodiscard]] std::string to_string(const NvrtcIdentity& identity);

/// The first NVRTC whose file says its version and build, by its names and those beside it, and by
/// the note of the linker. Nothing where that is not so: it must be opened to know.
[[nodiscard]] std::optional<NvrtcIdentity> find_nvrtc(const Config& config);

/// NVRTC opened: nothing links it. Types and functions are those of nvrtc.h, which no public header
/// includes.
class NvrtcLibrary {
 public:
  struct Functions {
    decltype(&nvrtcVersion) version;
    decltype(&nvrtcGetNumSupportedArchs) num_supported_archs;
    decltype(&nvrtcGetSupportedArchs) supported_archs;
    decltype(&nvrtcGetErrorString) error_string;
    decltype(&nvrtcCreateProgram) create_program;
    decltype(&nvrtcDestroyProgram) destroy_program;
    decltype(&nvrtcCompileProgram) compile_program;
    decltype(&nvrtcGetCUBINSize) cubin_size;
    decltype(&nvrtcGetCUBIN) cubin;
    decltype(&nvrtcGetPTXSize) ptx_size;
    decltype(&nvrtcGetPTX) ptx;
    decltype(&nvrtcGetProgramLogSize) log_size;
    decltype(&nvrtcGetProgramLog) log;
  };

  /// Exactly the one that was found, or else the first that opens. Throws FftError
  /// (Stage::load_library) with everything that was tried, and where the file is no longer the one
  /// that was found.
  NvrtcLibrary(const Config& config, const std::optional<NvrtcIdentity>& found);

  [[nodiscard]] const Functions& functions() const { return functions_; }
  [[nodiscard]] const NvrtcIdentity& identity() const { return identity_; }

 private:
  void load_functions();

  DynamicLibrary library_;
  Functions functions_{};
  NvrtcIdentity identity_;
};

}  // namespace sonoma
