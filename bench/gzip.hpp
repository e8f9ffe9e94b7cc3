// Bytes in the format of gzip (RFC 1952), so that zcat reads the files that hold them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sonoma::bench {

[[nodiscard]] std::string gzip(std::string_view bytes);

/// Inverse; nothing where `bytes` are not all of what gzip() made of something: its checksum and
/// its length are tested.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view bytes);

}  // namespace sonoma::bench
