// A tuning as JSON, in both directions, by the table of its fields.
#pragma once

#include "json_fields.hpp"
#include "own_object.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// What an entry of wisdom keeps of it: see TuningField::kept. The arithmetic of the entry says
/// engine and products.
[[nodiscard]] Json to_json(const Tuning& tuning);

/// Throws BadField, whose text names the field, its value and what is allowed.
[[nodiscard]] Tuning parse_tuning(const Json& json, Arithmetic arithmetic);
[[nodiscard]] Tuning parse_own_tuning(OwnObject object, Arithmetic arithmetic);

}  // namespace sonoma
