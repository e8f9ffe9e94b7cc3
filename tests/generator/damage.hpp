// Kernel IR with one damaged operation, which the verifier must reject.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>

#include "edit_ops.hpp"
#include "sonoma/check.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {

template <class T>
bool is(const Op& op) {
  return std::holds_alternative<T>(op);
}

inline std::string at(const KernelIr& ir, std::size_t i) {
  return "op " + std::to_string(i + 1) + ": " + to_string(ir.ops[i], ir.schedule.digits);
}

// Applies `damage` to each operation of type T in its turn; each must be rejected for `reason`.
// Gives how many there were.
template <class T>
unsigned expect_each_rejected(const KernelIr& ir, const std::function<void(T&)>& damage,
                              const std::string& reason = "") {
  unsigned tried = 0;
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    if (!is<T>(ir.ops[i])) continue;
    KernelIr damaged = ir;
    damage(std::get<T>(damaged.ops[i]));
    if (damaged == ir) continue;
    const std::string wrong = verify(damaged);
    EXPECT_NE(wrong, "") << at(ir, i) << " became " << at(damaged, i);
    EXPECT_NE(wrong.find(reason), std::string::npos) << at(ir, i) << ": " << wrong;
    ++tried;
  }
  return tried;
}

// Barriers may come twice.
inline void expect_each_needed_once(const KernelIr& ir) {
  EXPECT_EQ(verify(ir), "");
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    EXPECT_NE(verify(without(ir, i)), "") << at(ir, i);
    if (is<op::Barrier>(ir.ops[i])) continue;
    EXPECT_NE(verify(twice(ir, i)), "") << at(ir, i);
  }
}

}  // namespace sonoma::test
