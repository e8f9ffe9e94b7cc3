// What the subject makes of files, and the test expects there.
#pragma once

#include <string>

#include "cache_entry.hpp"
#include "sonoma/overrides.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma::tests {

inline const std::string kept_kernel = "kept", new_kernel = "new";

inline CompileInputs inputs_of(const std::string& name) {
  return {"cubin", name, "sm_90", "some compiler", {"--option"}, "__global__ void " + name};
}
inline Binary binary_of(const std::string& name) {
  return {std::string(20'000, name.front()), "a log", "some compiler"};
}

/// The wisdom that is shipped of a length.
inline Wisdom some_wisdom(std::int64_t n) { return shipped_wisdom_of({n}, {Storage::f32}); }

/// Of one launch; two numbers stand for two edits of it.
inline Override some_override(int number) {
  Override kept;
  kept.kernel = "sonoma_fft_8", kept.arch = "sm_90";
  kept.launch = std::string(64, 'a'), kept.original = std::string(64, 'b');
  kept.text = "__global__ void sonoma_fft_8() {}  // " + std::to_string(number) + "\n";
  kept.request = "--n 8", kept.verified_on = "emulated device", kept.date = "2026-11-24";
  return kept;
}

}  // namespace sonoma::tests
