// The text of Rader's algorithm: what it does between memory and the convolution.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// An operation of a kernel by the method rader, under its comment.
struct RaderStatement {
  std::string comment, text;
};

[[nodiscard]] RaderStatement rader_statement(const KernelIr& ir, const op::LoadInOrder& op);
[[nodiscard]] RaderStatement rader_statement(const KernelIr& ir, const op::ReadPowers& op);
[[nodiscard]] RaderStatement rader_statement(const KernelIr& ir, const op::ZeroFrequency& op);
[[nodiscard]] RaderStatement rader_statement(const KernelIr& ir, const op::WritePowers& op);
[[nodiscard]] RaderStatement rader_statement(const KernelIr& ir, const op::StoreInOrder& op);

/// The same as lines of a kernel.
template <class Op>
[[nodiscard]] std::string emit(const KernelIr& ir, const Op& op) {
  const RaderStatement statement = rader_statement(ir, op);
  return "\n  // " + statement.comment + "\n  " + statement.text + "\n";
}

}  // namespace sonoma
