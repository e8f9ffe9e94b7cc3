// Bytes packed by zlib.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sonoma {

/// Throws FftError (Stage::cache) where there is no memory for it.
[[nodiscard]] std::string deflated(std::string_view bytes);

/// Inverse; nothing unless exactly `size` bytes come out. zlib's checksum is tested.
[[nodiscard]] std::optional<std::string> inflated(std::string_view packed, std::size_t size);

}  // namespace sonoma
