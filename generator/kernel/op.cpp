#include "sonoma/kernel_ir.hpp"

namespace sonoma {

Op::Op() = default;
Op::Op(const Op& other) = default;
Op::Op(Op&& other) noexcept = default;
Op& Op::operator=(const Op& other) = default;
Op& Op::operator=(Op&& other) noexcept = default;
Op::~Op() = default;

bool Op::operator==(const Op& other) const {
  return static_cast<const AnyOp&>(*this) == static_cast<const AnyOp&>(other);
}

bool KernelIr::operator==(const KernelIr& other) const = default;

}  // namespace sonoma
