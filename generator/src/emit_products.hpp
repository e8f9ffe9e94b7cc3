// The statements of a step on tensor cores.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

[[nodiscard]] std::string emit(const Schedule& schedule, const op::LoadMatrix& op);

/// Of the step `step`.
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::Fold& op);
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::Scale& op);
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::Split& op);
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::Mma& op);
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::Join& op);
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::Combine& op);
[[nodiscard]] std::string emit(const Schedule& schedule, unsigned step, const op::WordProduct& op);

}  // namespace sonoma
