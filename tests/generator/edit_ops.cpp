#include "edit_ops.hpp"

#include <utility>

namespace sonoma::test {
namespace {

auto place(KernelIr& ir, std::size_t at) {
  return ir.ops.begin() + static_cast<std::ptrdiff_t>(at);
}

}  // namespace

KernelIr without(KernelIr ir, std::size_t at) {
  ir.ops.erase(place(ir, at));
  return ir;
}

KernelIr with(KernelIr ir, std::size_t at, const Op& op) {
  ir.ops.insert(place(ir, at), op);
  return ir;
}

KernelIr twice(const KernelIr& ir, std::size_t at) { return with(ir, at, ir.ops[at]); }

KernelIr moved(const KernelIr& ir, std::size_t from, std::size_t to) {
  return with(without(ir, from), to, ir.ops[from]);
}

KernelIr swapped(const KernelIr& ir, std::size_t at) { return moved(ir, at, at + 1); }

}  // namespace sonoma::test
