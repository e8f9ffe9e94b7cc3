// Values as words, each followed by a blank, and back. Structs go in member by member, see
// fields.hpp.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "fields.hpp"

namespace sonoma {

class WordWriter {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (add_one(values), ...);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add_word(std::string_view word) { text_.append(word).push_back(' '); }

  template <std::integral T>
  void add_one(T value) {
    add_word(std::to_string(value));
  }
  template <class T>
  requires std::is_enum_v<T>
  void add_one(T value) { add_one(static_cast<std::int64_t>(value)); }
  // The shortest text that is read as this value.
  void add_one(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    add_word({text, end});
  }
  void add_one(const std::string& text) {
    add_one(text.size());
    add_word(text);
  }
  template <class T>
  void add_one(const std::optional<T>& value) {
    if (!value) return add_word("-");
    add_word("+"), add_one(*value);
  }
  template <class T>
  void add_one(const std::vector<T>& values) {
    add_one(values.size());
    for (const T& value : values) add_one(value);
  }
  template <class T>
  requires std::is_class_v<T>
  void add_one(const T& value) {
    fields(value, [this](const auto&... members) { this->add(members...); });
  }

  std::string text_;
};

/// Inverse. Words that no writer made end it: ok() is false from then on, and values stay as they
/// are.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  template <class... Values>
  void take(Values&... values) {
    (take_one(values), ...);
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return ok_ && text_.empty(); }

 private:
  std::string_view take_text(std::size_t size) {
    if (!ok_ || size >= text_.size() || text_[size] != ' ') {
      ok_ = false;
      return {};
    }
    const std::string_view taken = text_.substr(0, size);
    text_.remove_prefix(size + 1);
    return taken;
  }
  std::string_view take_word() { return take_text(text_.find(' ')); }

  template <class T>
  void take_number(T& value) {
    const std::string_view word = take_word();
    T read{};
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), read);
    ok_ = ok_ && error == std::errc{} && stop == word.data() + word.size();
    if (ok_) value = read;
  }

  template <std::integral T>
  void take_one(T& value) {
    take_number(value);
  }
  void take_one(bool& value) {
    int number = 0;
    take_number(number);
    value = number != 0;
  }
  template <class T>
  requires std::is_enum_v<T>
  void take_one(T& value) {
    std::int64_t number = 0;
    take_number(number);
    value = static_cast<T>(number);
  }
  void take_one(double& value) { take_number(value); }
  void take_one(std::string& text) {
    std::size_t size = 0;
    take_number(size);
    text = take_text(size);
  }
  template <class T>
  void take_one(std::optional<T>& value) {
    const std::string_view word = take_word();
    ok_ = ok_ && (word == "+" || word == "-");
    value.reset();
    if (ok_ && word == "+") take_one(value.emplace());
  }
  template <class T>
  void take_one(std::vector<T>& values) {
    std::size_t count = 0;
    take_number(count);
    ok_ = ok_ && count <= text_.size();  // each takes a byte at least
    values.clear();
    for (std::size_t i = 0; ok_ && i < count; ++i) take_one(values.emplace_back());
  }
  template <class T>
  requires std::is_class_v<T>
  void take_one(T& value) {
    fields(value, [this](auto&... members) { this->take(members...); });
  }

  std::string_view text_;
  bool ok_ = true;
};

}  // namespace sonoma
