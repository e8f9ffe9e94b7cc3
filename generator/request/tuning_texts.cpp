// The texts of the fields of Tuning, in both directions.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>
#include <type_traits>

#include "sonoma/tuning_fields.hpp"

namespace sonoma {
namespace {

using Integers = std::vector<std::int64_t>;
using Wrong = std::optional<std::string>;

std::string print(const Integers& lengths) { return to_list(lengths); }
std::string print(bool flag) { return flag ? "1" : "0"; }
template <class Value>
std::string print(const Value& value) {
  if constexpr (std::is_integral_v<Value>) {
    return std::to_string(value);
  } else {
    return to_string(value);
  }
}

Wrong read_integer(const std::string& text, std::int64_t least, std::int64_t most,
                   std::int64_t& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool fits = error == std::errc{} && stop == end && value >= least && value <= most;
  return fits ? std::nullopt : Wrong(text);
}

// Integers between commas.
Wrong read_list(const std::string& text, std::int64_t least, std::int64_t most, Integers& values) {
  std::istringstream items(text);
  std::string item;
  while (std::getline(items, item, ',') || values.empty()) {
    if (auto wrong = read_integer(item, least, most, values.emplace_back())) return wrong;
  }
  return std::nullopt;
}

Wrong read_steps(const std::string& text, unsigned& mask) {
  Integers steps;
  if (auto wrong = read_list(text, 1, 16, steps)) return wrong;
  for (const std::int64_t step : steps) mask |= 1u << (step - 1);
  return std::nullopt;
}

constexpr auto values_of(Method) {
  return std::array{Method::radix, Method::bluestein, Method::rader};
}
constexpr auto values_of(Engine) { return std::array{Engine::mma, Engine::simt}; }
constexpr auto values_of(Twiddles) {
  return std::array{Twiddles::table, Twiddles::products, Twiddles::powers, Twiddles::constants,
                    Twiddles::cosines};
}
constexpr auto values_of(Prefetch) {
  return std::array{Prefetch::none, Prefetch::early, Prefetch::late, Prefetch::persistent};
}
constexpr auto values_of(Sums) { return std::array{Sums::fp32, Sums::fp64_last, Sums::fp64}; }

Wrong read(const std::string& text, bool& flag) {
  flag = text == "1";
  return flag || text == "0" ? std::nullopt : Wrong(text);
}
Wrong read(const std::string& text, Decomposition& tree) {
  tree = parse_decomposition(text);
  return std::nullopt;
}
Wrong read(const std::string& text, Integers& lengths) {
  return read_list(text, 2, std::numeric_limits<std::int64_t>::max(), lengths);
}
// Counts are small, numbers of 64 bits may be large; which ones fit, resolve() says.
template <class Value>
requires std::is_integral_v<Value> Wrong read(const std::string& text, Value& value) {
  constexpr bool small = sizeof(Value) < sizeof(std::int64_t);
  std::int64_t number = 0;
  auto wrong =
      read_integer(text, 1, small ? 1 << 20 : std::numeric_limits<std::int64_t>::max(), number);
  value = static_cast<Value>(number);
  return wrong;
}
// An enumerator is called what it prints as.
template <class Value>
requires std::is_enum_v<Value> Wrong read(const std::string& text, Value& value) {
  for (const Value one : values_of(Value{})) {
    value = one;
    if (to_string(one) == text) return std::nullopt;
  }
  return text;
}

}  // namespace

std::string option_of(const TuningField& field) {
  std::string name = field.name;
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

std::optional<std::string> text_of(const TuningField& field, const Tuning& tuning) {
  const auto text = [&](auto member) -> std::optional<std::string> {
    const auto& value = tuning.*member;
    if (!value) return std::nullopt;
    if constexpr (std::is_same_v<decltype(value), const std::optional<unsigned>&>) {
      if (field.is_steps) return to_step_list(*value);
    }
    return print(*value);
  };
  return std::visit(text, field.member);
}

std::optional<std::string> set_from_text(const TuningField& field, Tuning& tuning,
                                         const std::string& text) {
  const auto set = [&](auto member) -> Wrong {
    typename std::remove_reference_t<decltype(tuning.*member)>::value_type value{};
    Wrong wrong;
    if constexpr (std::is_same_v<decltype(value), unsigned>) {
      wrong = field.is_steps ? read_steps(text, value) : read(text, value);
    } else {
      wrong = read(text, value);
    }
    if (!wrong) tuning.*member = value;
    return wrong;
  };
  return std::visit(set, field.member);
}

}  // namespace sonoma
