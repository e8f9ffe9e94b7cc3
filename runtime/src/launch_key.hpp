// A launch and its target as a text that no other launch or target has.
#pragma once

#include <string>

#include "sonoma/program.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

[[nodiscard]] std::string launch_key(const Launch& launch, const Target& target);

}  // namespace sonoma
