#include "batch_faults.hpp"

namespace sonoma::test {

std::string batch_faults(const KernelCase& c, Device device) {
  const PlanTransform transform(c, device);
  const std::int64_t per_block = transform.plan(1).generated().source.launch.transforms_per_block;
  const std::int64_t largest = per_block + 7;  // no multiple of a block but for blocks of 1 and 7
  const auto x = verification::concatenate(
      verification::random_inputs(c.n, static_cast<int>(largest), 3, c.storage));
  const auto y = run(transform, x, c.n);
  std::string faults;
  for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{3}, std::int64_t{7}, per_block}) {
    const auto size = static_cast<std::ptrdiff_t>(batch * c.n);
    const auto part = run(transform, {x.begin(), x.begin() + size}, c.n);
    if (differing(part, {y.begin(), y.begin() + size}) != 0) {
      faults += "batch " + std::to_string(batch) + " differs from rows of batch " +
                std::to_string(largest) + "\n";
    }
  }
  const PlanTransform in_place(c, device, Placement::in_place);
  if (differing(run(in_place, x, c.n), y) != 0) faults += "in place differs from out of place\n";
  return faults;
}

}  // namespace sonoma::test
