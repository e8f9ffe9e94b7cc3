// Which NVRTC there is, and the library itself. It has 100 MB and takes milliseconds to open, and a
// plan whose kernel is in the cache needs its identity only: so that is read from its file.
#pragma once

#include <cstddef>
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

/// NVRTC opened. Types and functions are declared here (they are a stable C interface), so that the
/// runtime builds with no CUDA toolkit.
class NvrtcLibrary {
 public:
  using Program = struct OpaqueProgram*;

  // nvrtc.h
  struct Functions {
    int (*version)(int*, int*);
    int (*num_supported_archs)(int*);
    int (*supported_archs)(int*);
    const char* (*error_string)(int);
    int (*create_program)(Program*, const char* source, const char* name, int headers,
                          const char* const* header_texts, const char* const* header_names);
    int (*destroy_program)(Program*);
    int (*compile_program)(Program, int options, const char* const* option_texts);
    int (*cubin_size)(Program, std::size_t*);
    int (*cubin)(Program, char*);
    int (*ptx_size)(Program, std::size_t*);
    int (*ptx)(Program, char*);
    int (*log_size)(Program, std::size_t*);
    int (*log)(Program, char*);
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
