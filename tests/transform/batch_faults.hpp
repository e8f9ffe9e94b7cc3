// What the protocol leaves out: batches around the size of a block, in place against out of place.
#pragma once

#include <string>

#include "plan_transform.hpp"

namespace sonoma::test {

/// Empty, or what is wrong: rows must not depend on the batch, nor on the placement. Guard bands
/// and the input are checked by PlanTransform, which throws.
[[nodiscard]] std::string batch_faults(const KernelCase& c, Device device);

}  // namespace sonoma::test
