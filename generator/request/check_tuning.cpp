// Numbers of a tuning that no request could mean, before anything is computed with them. Which ones
// fit a request is found where they are used.
#include <string>
#include <type_traits>
#include <variant>

#include "sonoma/errors.hpp"
#include "sonoma/tuning_fields.hpp"

namespace sonoma {
namespace {

[[noreturn]] void refuse(const TuningField& field, const std::string& value,
                         const std::string& allowed) {
  throw UnsupportedProblem(field.name, value, allowed);
}

void check(const TuningField& field, std::int64_t number) {
  if (number >= field.least && number <= field.most) return;
  refuse(field, std::to_string(number),
         std::to_string(field.least) + " to " + std::to_string(field.most));
}

void check_steps(const TuningField& field, unsigned mask) {
  constexpr unsigned most = 16;  // steps
  if (mask >> most == 0) return;
  refuse(field, to_step_list(mask), "some of 1 to " + std::to_string(most));
}

void check(const TuningField& field, const std::vector<std::int64_t>& lengths) {
  std::int64_t product = 1;
  bool fits = !lengths.empty();
  for (const std::int64_t length : lengths) {
    fits = fits && length >= 1 && length <= field.most / product;
    if (fits) product *= length;
  }
  if (!fits) refuse(field, lengths.empty() ? "none" : to_list(lengths), field.allowed);
}

void check(const TuningField& field, const Decomposition& tree) {
  constexpr std::int64_t most = std::int64_t{1} << 31;  // points
  std::int64_t points = 1;
  bool fits = !tree.radices.empty();
  for (const unsigned radix : tree.radices) {
    if (radix == 0) refuse(field, to_string(tree), "steps of radix 2 to 49, or of a prime to 61");
    fits = fits && points <= most / radix;
    if (fits) points *= radix;
  }
  if (!fits) {
    refuse(field, tree.radices.empty() ? "none" : to_string(tree),
           "one step or more, whose radices multiply to 2^31 at most");
  }
}

}  // namespace

void validate(const Tuning& tuning) {
  for (const TuningField& field : tuning_fields()) {
    const auto check_member = [&](auto member) {
      const auto& value = tuning.*member;
      using Value = typename std::remove_cvref_t<decltype(value)>::value_type;
      if (!value) return;
      if constexpr (std::is_same_v<Value, unsigned>) {
        field.is_steps ? check_steps(field, *value) : check(field, std::int64_t{*value});
      } else if constexpr (!std::is_enum_v<Value> && !std::is_same_v<Value, bool>) {
        check(field, *value);
      }
    };
    std::visit(check_member, field.member);
  }
}

}  // namespace sonoma
