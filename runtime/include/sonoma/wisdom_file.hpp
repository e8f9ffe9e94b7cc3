// Wisdom in a file.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/wisdom.hpp"

namespace SONOMA_API sonoma {

// All throw FftError (Stage::wisdom) naming the file, and the place in it where its text is wrong.

/// Nothing where there is no such file, or the path is empty.
[[nodiscard]] std::optional<Wisdom> load_wisdom(const std::filesystem::path& file);

/// Of the files *.json of a folder, in the order of their names. Believed are files and folders of
/// root or this user that nobody but their owner can write; `skip` gets the reason of each other
/// one, which is left out, as is one that is no wisdom. Nothing where there is no such folder.
[[nodiscard]] Wisdom load_system_wisdom(const std::filesystem::path& folder,
                                        const std::function<void(const std::string&)>& skip);

/// Writes a new file in its place, with its folders: a reader sees the old one or the new one. It
/// has the permissions of the old one. What is no regular file, as /dev/stdout, is written into.
void save_wisdom(const std::filesystem::path& file, const Wisdom& wisdom);

/// What the file had and `found`, merged and saved; processes that do so at once wait for each
/// other, 5 seconds at most: then another program holds the lock of the folder.
Wisdom merge_into_wisdom(const std::filesystem::path& file, const Wisdom& found);

/// The same with entries that replace what the file had of their devices and subjects.
Wisdom replace_in_wisdom(const std::filesystem::path& file, const std::vector<WisdomEntry>& found);

}  // namespace sonoma
