// NVRTC, opened at run time. Types and functions are declared here (they are a stable C interface),
// so that the runtime builds with no CUDA toolkit.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cache_entry.hpp"
#include "dynamic_library.hpp"
#include "sonoma/config.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

class NvrtcCompiler {
 public:
  /// Throws FftError (Stage::load_library) with everything that was tried.
  explicit NvrtcCompiler(const Config& config);

  /// Everything that decides the cubin of `source`. Throws FftError (Stage::compile) where the
  /// source includes CUDA headers and they are not found.
  [[nodiscard]] CompileInputs inputs_for(const CudaSource& source, const Target& target) const;

  /// Throws FftError (Stage::compile) with the compiler's log. Safe from many threads.
  [[nodiscard]] Binary compile(const CompileInputs& inputs) const;

  /// Product, version and build.
  [[nodiscard]] const std::string& identity() const { return identity_; }

 private:
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
    int (*log_size)(Program, std::size_t*);
    int (*log)(Program, char*);
  };

  void load_functions();
  [[nodiscard]] std::string log_of(Program program) const;
  [[nodiscard]] std::string supported_archs() const;

  Config config_;
  DynamicLibrary library_;
  Functions nvrtc_{};
  int version_ = 0;  // 1000 * major + minor
  std::string identity_;
};

}  // namespace sonoma
