// The part of the device primitives that a kernel uses: what is not called is not emitted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sonoma {

/// One template file, or text made for the plan, under its title.
struct TextPart {
  std::string_view title;
  std::string_view text;  // its last line ends, too
};

/// `parts` without the declarations that neither `kernel` nor a declaration that is kept names.
///
/// Expects what clang-format makes of the templates: a declaration starts in column 0 and ends with
/// the line that closes its last brace or with ';'. Comments directly above belong to it.
/// Preprocessor lines in column 0 between declarations, the comment at the head of a part, and
/// operators stay. A heading ("// --- ...") stays with any declaration below it.
[[nodiscard]] std::string prune(const std::vector<TextPart>& parts, std::string_view kernel);

}  // namespace sonoma
