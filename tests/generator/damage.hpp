// Kernel IR with one damaged operation, which the verifier must reject.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>

#include "kernels.hpp"

namespace sonoma::test {

template <class T>
bool is(const Op& op) {
  return std::holds_alternative<T>(op);
}

inline std::string at(const Request& request, const KernelIr& ir, std::size_t i) {
  return name(request) + ", op " + std::to_string(i + 1) + ": " +
         to_string(ir.ops[i], ir.schedule.digits);
}

// Applies `damage` to each operation of type T of the sample; each must be rejected for `reason`.
template <class T>
void expect_rejected(const std::function<void(T&)>& damage, const std::string& reason = "") {
  unsigned tried = 0;
  for (const Request& request : sample_requests()) {
    const KernelIr ir = request.generated().ir;
    for (std::size_t i = 0; i < ir.ops.size(); ++i) {
      if (!is<T>(ir.ops[i])) continue;
      KernelIr damaged = ir;
      damage(std::get<T>(damaged.ops[i]));
      if (damaged == ir) continue;
      const std::string wrong = verify(damaged);
      EXPECT_NE(wrong, "") << at(request, ir, i) << " became "
                           << to_string(damaged.ops[i], ir.schedule.digits);
      EXPECT_NE(wrong.find(reason), std::string::npos) << at(request, ir, i) << ": " << wrong;
      ++tried;
    }
  }
  EXPECT_GT(tried, 0u);
}

}  // namespace sonoma::test
