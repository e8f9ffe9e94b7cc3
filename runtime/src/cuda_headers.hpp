// The CUDA headers that a kernel includes (<mma.h> is the only one so far).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/config.hpp"

namespace sonoma {

/// The name in the first #include <...> of `text`; nothing if there is none.
[[nodiscard]] std::optional<std::string> first_include(std::string_view text);

/// The folder, of those where CUDA's headers are looked for, that has `header`.
[[nodiscard]] std::optional<std::filesystem::path> find_include_folder(const Config& config,
                                                                       const std::string& header);

/// SHA-256 over every file of `folder` that `text` includes, directly or through others, under
/// whatever condition.
[[nodiscard]] std::string hash_of_includes(std::string_view text,
                                           const std::filesystem::path& folder);

/// Folders below which a CUDA library or header may lie, in the order of search: `suffixes` of each
/// root.
[[nodiscard]] std::vector<std::filesystem::path> cuda_folders(
    const std::vector<std::filesystem::path>& roots, std::span<const char* const> suffixes);

}  // namespace sonoma
