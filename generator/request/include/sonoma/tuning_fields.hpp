// The fields of Tuning as one table. The command line, wisdom and all that prints a tuning go
// through it: a new field is a member of Tuning and a row here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sonoma/tuning.hpp"

namespace sonoma {

/// Fields whose options stand together in the help, in this order.
enum class TuningGroup { tree, method, engine, block, passes };

/// Where an entry of wisdom has a field. if_tensor: of the engine mma. unless_usual: where it has
/// another value than the usual one.
enum class Kept { never, always, if_set, if_tensor, unless_usual };

struct TuningField {
  using Member =
      std::variant<std::optional<Method> Tuning::*, std::optional<Engine> Tuning::*,
                   std::optional<Twiddles> Tuning::*, std::optional<Sums> Tuning::*,
                   std::optional<Prefetch> Tuning::*, std::optional<Decomposition> Tuning::*,
                   std::optional<unsigned> Tuning::*, std::optional<std::int64_t> Tuning::*,
                   std::optional<bool> Tuning::*,
                   std::optional<std::vector<std::int64_t>> Tuning::*>;

  const char* name;
  Member member;
  TuningGroup group;
  const char* help;
  const char* allowed = "a positive integer";  ///< what its text must be
  const char* otherwise = "";                  ///< more to say where the text is something else
  bool is_steps = false;              ///< the bits of the number are steps, or phases: "1,2"
  const char* usual = "";             ///< its text, which goes without saying ...
  bool prints_usual = false;          ///< ... in wisdom, but not where a tuning prints
  Kept kept = Kept::never;            ///< in wisdom, of one kernel, in the table's order
  Kept kept_of_passes = Kept::never;  ///< of several passes, in the order of place_of_passes
  int place_of_passes = 0;
  std::int64_t least = 1, most = 1 << 20;  ///< of numbers in wisdom
};

/// In the order in which they print.
[[nodiscard]] std::span<const TuningField> tuning_fields();

/// The field of this name, of which there is one.
[[nodiscard]] const TuningField& tuning_field(std::string_view name);

/// "--points-per-thread"
[[nodiscard]] std::string option_of(const TuningField& field);

/// The text of the field, if it is set: "mma", "16", "1", "1,2", "(gs 16 (dft 16))".
[[nodiscard]] std::optional<std::string> text_of(const TuningField& field, const Tuning& tuning);

/// Sets the field to what `text`, as of text_of(), stands for. Otherwise the field stays as it is,
/// and the result is the part of the text that is not allowed. Throws UnsupportedProblem where the
/// text is no tree.
[[nodiscard]] std::optional<std::string> set_from_text(const TuningField& field, Tuning& tuning,
                                                       const std::string& text);

}  // namespace sonoma
