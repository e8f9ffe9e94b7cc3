#include "sonoma/fft_error.hpp"

#include <utility>

namespace sonoma {
namespace {

std::string text_of(Stage stage, const std::string& message, const std::string& source_path) {
  std::string text = std::string(to_string(stage)) + ": " + message;
  if (!source_path.empty()) text += " (source: " + source_path + ")";
  return text;
}

}  // namespace

const char* to_string(Stage stage) {
  switch (stage) {
    case Stage::load_library:
      return "load library";
    case Stage::device:
      return "device";
    case Stage::wisdom:
      return "wisdom";
    case Stage::overrides:
      return "overrides";
    case Stage::compile:
      return "compile";
    case Stage::cache:
      return "cache";
    case Stage::load_module:
      return "load module";
    case Stage::allocate:
      return "allocate";
    case Stage::launch:
      return "launch";
    case Stage::emulate:
      return "emulate";
  }
  return "unknown stage";
}

FftError::FftError(Stage stage, const std::string& message, std::string log,
                   std::string source_path)
    : std::runtime_error(text_of(stage, message, source_path)),
      stage_(stage),
      message_(message),
      log_(std::move(log)),
      source_path_(std::move(source_path)) {}

}  // namespace sonoma
