#include "host_execution.hpp"

#include "sonoma/device_buffer.hpp"

namespace sonoma::cli {

void execute_on_host_data(const Plan& plan, std::span<const std::byte> in,
                          std::span<std::byte> out) {
  DeviceBuffer first(plan.device(), in.size());
  first.upload(in.data(), in.size());
  if (plan.problem().placement == Placement::in_place) {
    plan.execute(first.data(), first.data());
    return first.download(out.data(), out.size());
  }
  DeviceBuffer second(plan.device(), out.size());
  second.upload(out.data(), out.size());
  plan.execute(first.data(), second.data());
  second.download(out.data(), out.size());
}

}  // namespace sonoma::cli
