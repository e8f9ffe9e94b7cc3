#include "plan_transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

#include "sonoma/device_buffer.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::test {
namespace {

constexpr std::size_t kGuard = 1024;  // bytes before and after the data
constexpr std::byte kGuardValue{0xa5};
constexpr std::byte kNan{0xff};  // all bits set: NaN in every storage

// Host image of a device buffer: guard, data, guard.
class Guarded {
 public:
  Guarded(Device device, std::size_t bytes)
      : bytes_(bytes),
        image_(bytes + 2 * kGuard, kGuardValue),
        buffer_(device, bytes + 2 * kGuard) {
    std::fill_n(image_.begin() + kGuard, bytes, kNan);
    buffer_.upload(image_.data(), image_.size());
  }
  Guarded(Device device, std::span<const std::byte> data) : Guarded(device, data.size()) {
    buffer_.upload(data.data(), data.size(), kGuard);
  }

  [[nodiscard]] std::byte* device_data() const {
    return static_cast<std::byte*>(buffer_.data()) + kGuard;
  }

  /// The data on the device now. Throws if a guard has changed.
  [[nodiscard]] std::vector<std::byte> data() const {
    std::vector<std::byte> now(image_.size());
    buffer_.download(now.data(), now.size());
    const auto guard = [](std::byte v) { return v == kGuardValue; };
    const auto first = now.begin() + kGuard;
    const auto last = first + static_cast<std::ptrdiff_t>(bytes_);
    if (!std::all_of(now.begin(), first, guard)) throw std::runtime_error("wrote before a buffer");
    if (!std::all_of(last, now.end(), guard)) throw std::runtime_error("wrote behind a buffer");
    return {first, last};
  }

 private:
  std::size_t bytes_;
  std::vector<std::byte> image_;
  DeviceBuffer buffer_;
};

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

}  // namespace

PlanTransform::PlanTransform(const KernelCase& c, Device device, Placement placement)
    : case_(c), device_(device), placement_(placement) {}

Plan PlanTransform::plan(std::int64_t batch) const {
  FftProblem problem = case_.problem(batch);
  problem.placement = placement_;
  PlanOptions options;
  options.tuning = case_.tuning();
  options.device = device_;
  if (case_.persistent) {  // a GPU of one SM: several tiles a block in small batches
    options.target = device_ == Device::gpu ? gpu_info().target : target_for("sm_90");
    options.target->sms = 1;
  }
  return make_plan(problem, options);
}

void PlanTransform::operator()(const Complex* in, Complex* out, std::int64_t batch) const {
  const auto result = packed_result({in, static_cast<std::size_t>(batch * case_.n)}, batch);
  std::ranges::copy(unpack(case_.storage, result), out);
}

std::vector<std::byte> PlanTransform::packed_result(std::span<const Complex> in,
                                                    std::int64_t batch) const {
  const Plan p = plan(batch);
  const auto bytes = pack(case_.storage, in);
  const Guarded from(device_, bytes);
  if (placement_ == Placement::in_place) {
    p.execute(from.device_data(), from.device_data());
    return from.data();
  }
  const Guarded to(device_, bytes.size());
  p.execute(from.device_data(), to.device_data());
  auto result = to.data();
  if (from.data() != bytes) throw std::runtime_error("the input changed");
  return result;
}

verification::Report PlanTransform::check(const verification::CheckOptions& options) const {
  return verification::check_transform(*this, case_.problem(), plan(1).generated().tuning, options);
}

std::vector<Complex> all_inputs(const KernelCase& c, int count) {
  auto rows = verification::concatenate(verification::random_inputs(c.n, count, 7, c.storage));
  const auto table = verification::concatenate(verification::adversarial_inputs(c.n, 7, c.storage));
  rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}

std::vector<Complex> run(const PlanTransform& transform, const std::vector<Complex>& x,
                         std::int64_t n) {
  std::vector<Complex> y(x.size());
  transform(x.data(), y.data(), static_cast<std::int64_t>(x.size()) / n);
  return y;
}

std::int64_t differing(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  if (a.size() != b.size()) throw std::invalid_argument("differing: sizes");
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += same_bits(a[i].real(), b[i].real()) && same_bits(a[i].imag(), b[i].imag()) ? 0 : 1;
  }
  return count;
}

}  // namespace sonoma::test
