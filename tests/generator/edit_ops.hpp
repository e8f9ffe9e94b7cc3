// A kernel's IR with one operation gone, added or elsewhere. In a source of their own: whatever
// moves operations, a variant of all kinds of them, takes the compiler half a minute.
#pragma once

#include <cstddef>

#include "sonoma/kernel_ir.hpp"

namespace sonoma::test {

[[nodiscard]] KernelIr without(KernelIr ir, std::size_t at);
[[nodiscard]] KernelIr with(KernelIr ir, std::size_t at, const Op& op);  ///< before what is there
[[nodiscard]] KernelIr twice(const KernelIr& ir, std::size_t at);
[[nodiscard]] KernelIr moved(const KernelIr& ir, std::size_t from, std::size_t to);
/// With its next one in its place.
[[nodiscard]] KernelIr swapped(const KernelIr& ir, std::size_t at);

}  // namespace sonoma::test
