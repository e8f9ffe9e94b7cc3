// A tuning as the options of the command line that ask for it.
#pragma once

#include <string>
#include <string_view>

#include "sonoma/tuning.hpp"

namespace sonoma::bench {

/// --engine simt --decomposition "(gs 16 (dft 16))" --registers 64
[[nodiscard]] std::string options_of(const Tuning& tuning);

/// Inverse. Throws std::invalid_argument where an option or its value is none of a tuning.
[[nodiscard]] Tuning tuning_of_options(std::string_view options);

}  // namespace sonoma::bench
