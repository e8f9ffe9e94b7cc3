// The one exception of the runtime.
#pragma once

#include <stdexcept>
#include <string>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// Where in the life of a plan something failed.
enum class Stage {
  load_library,
  device,
  wisdom,
  overrides,
  compile,
  cache,
  load_module,
  allocate,
  launch,
  emulate
};

[[nodiscard]] const char* to_string(Stage stage);

class FftError : public std::runtime_error {
 public:
  FftError(Stage stage, const std::string& message, std::string log = {},
           std::string source_path = {});

  [[nodiscard]] Stage stage() const noexcept { return stage_; }
  /// what() without stage and source path.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::string& log() const noexcept { return log_; }  ///< compiler log, if any
  /// Where the source that failed to compile was left, if it was.
  [[nodiscard]] const std::string& source_path() const noexcept { return source_path_; }

 private:
  Stage stage_;
  std::string message_, log_, source_path_;
};

}  // namespace sonoma
