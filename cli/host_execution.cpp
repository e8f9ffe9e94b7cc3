#include "host_execution.hpp"

#include "sonoma/device_buffer.hpp"

namespace sonoma::cli {
namespace {

DeviceBuffer on_device(Device device, std::span<const std::byte> data) {
  DeviceBuffer buffer(device, data.size());
  buffer.upload(data.data(), data.size());
  return buffer;
}

}  // namespace

void execute_on_host_data(const Plan& plan, std::span<std::byte> in, std::span<std::byte> out,
                          std::size_t first) {
  const DeviceBuffer to = on_device(plan.device(), out);
  auto* const result = static_cast<std::byte*>(to.data()) + first;
  if (plan.problem().placement == Placement::in_place) {
    plan.execute(result, result);
  } else {
    const DeviceBuffer from = on_device(plan.device(), in);
    plan.execute(static_cast<const std::byte*>(from.data()) + first, result);
    from.download(in.data(), in.size());
  }
  to.download(out.data(), out.size());
}

}  // namespace sonoma::cli
