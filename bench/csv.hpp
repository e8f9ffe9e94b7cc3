// Comma-separated values as in RFC 4180, without line breaks inside a field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sonoma::bench {

/// One line of at least one field, with its newline. A field that holds a comma or a quote is put
/// in quotes.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

/// The fields of one line (a carriage return at its end is dropped). Throws std::invalid_argument
/// where a quote is not closed or something follows a closing one.
[[nodiscard]] std::vector<std::string> csv_fields(std::string_view line);

}  // namespace sonoma::bench
