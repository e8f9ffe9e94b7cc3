#include "explain.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma::cli {

// Without NVRTC, or with one that does not know the architecture, the rest still stands.
Binary compile_for_facts(const CudaSource& source, const Target& target) {
  try {
    return {compile(source, target), {}};
  } catch (const FftError& error) {
    if (error.stage() != Stage::load_library && error.stage() != Stage::compile) throw;
    return {std::nullopt, error.what()};
  }
}

}  // namespace sonoma::cli
