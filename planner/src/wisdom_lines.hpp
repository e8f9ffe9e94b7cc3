// Entries in the text of a wisdom file, found without reading the others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma {

/// The wisdom, as text, of those entries alone whose axes have exactly these lengths, and whose
/// storage is one of these. `text`: of to_json_text(), a line for each entry, in their order: a
/// search of few steps finds them, however many there are.
[[nodiscard]] std::string with_entries_of(std::string_view text,
                                          const std::vector<std::int64_t>& lengths,
                                          const std::vector<Storage>& storages);

}  // namespace sonoma
