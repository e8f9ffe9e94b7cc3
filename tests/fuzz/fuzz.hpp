// What the fuzz targets share. A target is one file that defines LLVMFuzzerTestOneInput(). It ends
// the process where what it promises does not hold; the sanitizers and libFuzzer see the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sonoma/errors.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

/// Returns 0. The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sonoma::fuzz {

/// Says `broken` and ends the process.
[[noreturn]] void fail(std::string_view broken, std::string_view detail = {});
inline void require(bool holds, std::string_view broken, std::string_view detail = {}) {
  if (!holds) fail(broken, detail);
}
/// Both texts are shown.
void require_equal(std::string_view one, std::string_view other, std::string_view broken);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A refusal says which argument it is of, and what is allowed.
void require_named(const UnsupportedProblem& refusal);
/// The same of one that says all of it in what().
void require_message(const std::exception& refusal);

/// A request as words of words.hpp, in which a bundle keeps it.
struct Request {
  std::string arch = "sm_90";
  FftProblem problem;
  Tuning tuning;
};
[[nodiscard]] std::string to_words(const Request& request);
/// False where the words are of no request, or an enumerator is none: a caller's cast.
[[nodiscard]] bool from_words(std::string_view words, Request& request);

}  // namespace sonoma::fuzz
