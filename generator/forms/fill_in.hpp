// The fixed text of a form, with what differs from plan to plan filled in.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sonoma {

/// The file of templates/forms of that name, in which each @word@ gives way to its value. Throws
/// InternalError for a word without a value, and a value without its word.
[[nodiscard]] std::string fill_in(std::string_view file,
                                  const std::map<std::string, std::string>& values);

}  // namespace sonoma
