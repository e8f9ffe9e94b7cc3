#include "npy_header.hpp"

#include <spdlog/fmt/fmt.h>

#include <charconv>

#include "npy.hpp"

namespace sonoma::cli {
namespace {

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      entry();
      if (!accept(',') && peek() != '}') fail("',' or '}'");
    }
    if (peek() != '\0' || position_ != text_.size()) fail("the end of the header");
    require(has_descr_, "descr");
    require(has_order_, "fortran_order");
    require(has_shape_, "shape");
    return header_;
  }

 private:
  void entry() {
    const std::string key = string_literal();
    expect(':');
    if (key == "descr") {
      set_once(has_descr_, key);
      if (peek() == '[')
        throw NpyError("structured dtype; only complex64, float32 and int16 are read");
      header_.descr = string_literal();
    } else if (key == "fortran_order") {
      set_once(has_order_, key);
      header_.fortran_order = boolean();
    } else if (key == "shape") {
      set_once(has_shape_, key);
      header_.shape = tuple();
    } else {
      throw NpyError(fmt::format("header has the unknown key '{}'", key));
    }
  }

  static void set_once(bool& seen, std::string_view key) {
    if (seen) throw NpyError(fmt::format("header has the key '{}' twice", key));
    seen = true;
  }

  static void require(bool seen, std::string_view key) {
    if (!seen) throw NpyError(fmt::format("header lacks the key '{}'", key));
  }

  std::string string_literal() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a string");
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) fail("a closed string");
    std::string value(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    return value;
  }

  bool boolean() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(position_).starts_with(word)) {
        position_ += word.size();
        return word == "True";
      }
    }
    fail("True or False");
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      values.push_back(integer());
      if (!accept(',') && peek() != ')') fail("',' or ')'");
    }
    return values;
  }

  std::int64_t integer() {
    peek();
    std::int64_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + position_, end, value);
    if (error != std::errc{} || value < 0) fail("an integer of 0 to 2^63 - 1");
    position_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  /// Skips white space; the next character, or '\0' at the end.
  char peek() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
      ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++position_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("'{}'", wanted));
  }

  [[noreturn]] void fail(std::string_view wanted) const {
    throw NpyError(fmt::format("header, byte {}: {} expected", position_, wanted));
  }

  std::string_view text_;
  std::size_t position_ = 0;
  NpyHeader header_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

std::string to_string(const NpyHeader& header) {
  std::string shape;
  for (const auto extent : header.shape) shape += fmt::format("{}, ", extent);
  if (header.shape.size() != 1 && !shape.empty()) shape.resize(shape.size() - 2);
  if (header.shape.size() == 1) shape.pop_back();
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", header.descr,
                     header.fortran_order ? "True" : "False", shape);
}

}  // namespace sonoma::cli
