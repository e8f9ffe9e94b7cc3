// Compiler errors in code of the caller's.
#pragma once

#include <string>
#include <string_view>

namespace sonoma {

/// "; load_code, line 2: identifier "foo" is undefined" for the first error that the log of NVRTC,
/// GCC or Clang has in load_code or store_code; nothing if there is none.
[[nodiscard]] std::string code_error(std::string_view log);

}  // namespace sonoma
