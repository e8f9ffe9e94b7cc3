// Damage to the kernels of the sample.
#pragma once

#include <functional>
#include <string>

#include "damage.hpp"
#include "kernels.hpp"

namespace sonoma::test {

inline std::string at(const Request& request, const KernelIr& ir, std::size_t i) {
  return name(request) + ", " + at(ir, i);
}

// Applies `damage` to each operation of type T of the sample; each must be rejected for `reason`.
template <class T>
void expect_rejected(const std::function<void(T&)>& damage, const std::string& reason = "") {
  unsigned tried = 0;
  for (const Request& request : sample_requests()) {
    SCOPED_TRACE(name(request));
    tried += expect_each_rejected(request.generated().ir, damage, reason);
  }
  EXPECT_GT(tried, 0u);
}

}  // namespace sonoma::test
