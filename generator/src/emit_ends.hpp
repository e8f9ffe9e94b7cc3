// The text of ends: padding, cropping, and code of the caller's.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// What the kernel needs to know before it begins: Input, Output, and LoadCode, StoreCode.
[[nodiscard]] std::string end_declarations(const Schedule& schedule);

/// Behind the parameters of a kernel that calls code.
[[nodiscard]] std::string code_parameters(const Pass& pass);

/// The statements at the head of a kernel that tell which points of the batch its tile has.
[[nodiscard]] std::string end_places(const Schedule& schedule);

/// The statements for a load, a store, or a call of code. `offsets`, `point`: of the registers and
/// of the thread.
[[nodiscard]] std::string load_end(const std::string& offsets, const std::string& point);
[[nodiscard]] std::string store_end(const std::string& offsets, const std::string& point);
[[nodiscard]] std::string apply_code(const op::CallerCode& op, const std::string& offsets,
                                     const std::string& point);

/// The caller's code, at the end of the text: its lines are counted anew.
[[nodiscard]] std::string code_definitions(const Pass& pass);

}  // namespace sonoma
