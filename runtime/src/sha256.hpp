// SHA-256 (FIPS 180-4): the name of a cache entry and the check of its bytes.
#pragma once

#include <string>
#include <string_view>

namespace sonoma {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace sonoma
