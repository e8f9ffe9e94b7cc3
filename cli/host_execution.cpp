#include "host_execution.hpp"

#include "sonoma/device_buffer.hpp"
#include "sonoma/program.hpp"

namespace sonoma::cli {
namespace {

DeviceBuffer on_device(Device device, std::span<const std::byte> data) {
  DeviceBuffer buffer(device, data.size());
  buffer.upload(data.data(), data.size());
  return buffer;
}

}  // namespace

void execute_on_host_data(const Plan& plan, std::span<std::byte> in, std::span<std::byte> out,
                          std::size_t first, std::span<const std::complex<float>> spectrum,
                          std::span<const std::byte> user) {
  const DeviceBuffer to = on_device(plan.device(), out);
  const DeviceBuffer factors = on_device(plan.device(), std::as_bytes(spectrum));
  const DeviceBuffer of_user = on_device(plan.device(), user);
  ExecuteOptions options;
  if (!spectrum.empty()) options.spectrum = factors.data();
  if (!user.empty()) options.user = of_user.data();
  auto* const result = static_cast<std::byte*>(to.data()) + first;
  if (plan.problem().placement == Placement::in_place) {
    plan.execute(result, result, options);
  } else {
    const DeviceBuffer from = on_device(plan.device(), in);
    plan.execute(static_cast<const std::byte*>(from.data()) + first, result, options);
    from.download(in.data(), in.size());
  }
  to.download(out.data(), out.size());
}

verification::Executions executions_of(const PlanOf& plan_of,
                                       const std::vector<std::complex<float>>& spectrum) {
  verification::Executions executions;
  executions.execute = [=](const FftProblem& problem, std::span<std::byte> in,
                           std::span<std::byte> out) {
    execute_on_host_data(plan_of(problem.batch), in, out, verification::guard_bytes, spectrum);
  };
  executions.place_of = [=](std::int64_t batch) {
    return [plan = plan_of(batch)](std::int64_t k) { return plan.program().place_of(k); };
  };
  return executions;
}

}  // namespace sonoma::cli
