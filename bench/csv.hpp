// Comma-separated values as in RFC 4180, without line breaks inside a field.
#pragma once

#include <charconv>
#include <stdexcept>
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

/// The whole of a field as a number. Throws std::invalid_argument naming the column and the text.
template <class Number>
[[nodiscard]] Number csv_number(const std::string& column, std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end) return value;
  throw std::invalid_argument(column + " is '" + std::string(text) + "', not a number");
}

}  // namespace sonoma::bench
