#include "csv.hpp"

#include <stdexcept>

namespace sonoma::bench {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) {
    if (c == '"') text += c;
    text += c;
  }
  return text + '"';
}

// Takes a field in quotes off the front of `rest`.
std::string take_quoted(std::string_view& rest) {
  std::string field;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const bool quote = rest[i] == '"';
    if (quote && (i + 1 == rest.size() || rest[i + 1] != '"')) {
      rest.remove_prefix(i + 1);
      return field;
    }
    field += rest[i];
    if (quote) ++i;  // two quotes are one
  }
  throw std::invalid_argument("a quote is not closed");
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const auto& field : fields) line += quoted(field) + ',';
  line.back() = '\n';
  return line;
}

std::vector<std::string> csv_fields(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  std::vector<std::string> fields;
  while (true) {
    if (line.substr(0, 1) == "\"") {
      fields.push_back(take_quoted(line));
      if (!line.empty() && line[0] != ',') throw std::invalid_argument("text after a quote");
    } else {
      fields.emplace_back(line.substr(0, line.find(',')));
      line.remove_prefix(fields.back().size());
    }
    if (line.empty()) return fields;
    line.remove_prefix(1);  // the comma
  }
}

}  // namespace sonoma::bench
