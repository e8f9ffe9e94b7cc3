#include "cache_entry.hpp"

#include <charconv>
#include <cstddef>
#include <utility>

#include "sha256.hpp"

namespace sonoma {
namespace {

constexpr std::string_view magic = "sonoma-cache 2\n";

using Field = std::pair<std::string_view, std::string_view>;  // name, bytes

std::vector<Field> fields_of(const CompileInputs& inputs) {
  std::vector<Field> fields = {{"kind", inputs.kind},
                               {"name", inputs.name},
                               {"arch", inputs.arch},
                               {"compiler", inputs.compiler}};
  for (const std::string& option : inputs.options) fields.emplace_back("option", option);
  fields.emplace_back("source", inputs.source);
  return fields;
}

// The fields' lines, and before them their number and that of all bytes which follow it.
std::string head_of(const std::vector<Field>& fields) {
  std::string lines;
  std::size_t bytes = 0;
  for (const auto& [name, value] : fields) {
    lines.append(name).append(" ").append(std::to_string(value.size())).append("\n");
    bytes += value.size() + 1;
  }
  return "fields " + std::to_string(fields.size()) + " " + std::to_string(lines.size() + bytes) +
         "\n" + lines;
}

std::string pack(const std::vector<Field>& fields) {
  std::string packed = head_of(fields);
  for (const auto& [name, bytes] : fields) packed.append(bytes).append("\n");
  return packed;
}

// Reads from the front of a text; every step fails rather than read past the end.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool take(std::string_view expected) {
    if (text_.substr(0, expected.size()) != expected) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  bool take_bytes(std::size_t size, std::string_view& bytes) {
    if (size > text_.size()) return false;
    bytes = text_.substr(0, size);
    text_.remove_prefix(size);
    return true;
  }

  bool take_word(char end, std::string_view& word) {
    const std::size_t size = text_.find(end);
    return size != std::string_view::npos && take_bytes(size, word) && take({&end, 1});
  }

  bool take_number(char end, std::size_t& number) {
    std::string_view word;
    if (!take_word(end, word)) return false;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && stop == word.data() + word.size();
  }

  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

bool unpack(std::string_view bytes, std::vector<Field>& fields) {
  Reader reader(bytes);
  std::size_t count = 0, size = 0;
  if (!reader.take("fields ") || !reader.take_number(' ', count) || !reader.take_number('\n', size))
    return false;
  if (reader.rest().size() != size || count > size) return false;
  std::vector<std::size_t> sizes(count);
  fields.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!reader.take_word(' ', fields[i].first) || !reader.take_number('\n', sizes[i]))
      return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!reader.take_bytes(sizes[i], fields[i].second) || !reader.take("\n")) return false;
  }
  return reader.rest().empty();
}

// Without the binary.
CacheEntry entry_of(const std::vector<Field>& fields) {
  CacheEntry entry;
  for (const auto& [name, bytes] : fields) {
    std::string value(bytes);
    if (name == "kind")
      entry.inputs.kind = std::move(value);
    else if (name == "name")
      entry.inputs.name = std::move(value);
    else if (name == "arch")
      entry.inputs.arch = std::move(value);
    else if (name == "compiler")
      entry.inputs.compiler = std::move(value);
    else if (name == "option")
      entry.inputs.options.push_back(std::move(value));
    else if (name == "source")
      entry.inputs.source = std::move(value);
    else if (name == "made_by")
      entry.binary.made_by = std::move(value);
    else if (name == "log")
      entry.binary.log = std::move(value);
  }
  return entry;
}

std::vector<Field> fields_of(const CacheEntry& entry) {
  std::vector<Field> fields = fields_of(entry.inputs);
  fields.emplace_back("made_by", entry.binary.made_by);
  fields.emplace_back("log", entry.binary.log);
  fields.emplace_back("binary", entry.binary.bytes);
  return fields;
}

}  // namespace

std::string cache_key(const CompileInputs& inputs) {
  return sha256(std::string(magic) + pack(fields_of(inputs)));
}

std::string encode(const CacheEntry& entry) {
  const std::string body = pack(fields_of(entry));
  return std::string(magic) + "sha256 " + sha256(body) + "\n" + body;
}

std::optional<CacheEntry> decode(std::string bytes, std::string& why) {
  Reader reader(bytes);
  std::string_view hash;
  if (!reader.take(magic)) {
    why = "not an entry of this version";
    return std::nullopt;
  }
  if (!reader.take("sha256 ") || !reader.take_word('\n', hash) || hash != sha256(reader.rest())) {
    why = "its checksum is wrong";
    return std::nullopt;
  }
  std::vector<Field> fields;
  why = "its fields are malformed";
  if (!unpack(reader.rest(), fields) || fields.empty()) return std::nullopt;
  // A field missing, repeated or unknown shows as a difference.
  const Field last = fields.back();
  fields.pop_back();
  CacheEntry entry = entry_of(fields);
  fields = fields_of(entry);
  fields.back() = {"binary", last.second};
  if (!reader.rest().starts_with(head_of(fields))) return std::nullopt;
  // The binary, which may be long, stays where it is.
  bytes.resize(static_cast<std::size_t>(last.second.data() - bytes.data()) + last.second.size());
  bytes.erase(0, bytes.size() - last.second.size());
  entry.binary.bytes = std::move(bytes);
  why.clear();
  return entry;
}

}  // namespace sonoma
