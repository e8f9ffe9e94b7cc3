#include "plan_transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "sonoma/device_buffer.hpp"

namespace sonoma::test {
namespace {

constexpr std::size_t kGuard = 128;  // elements before and after the data: 1 KiB, keeps alignment
constexpr Complex kGuardValue{-1.2345678f, 9.8765432e20f};

// Host image of a device buffer: guard, data, guard.
class Guarded {
 public:
  Guarded(Device device, std::size_t size, const Complex* data)
      : size_(size), image_(size + 2 * kGuard, kGuardValue), buffer_(device, bytes()) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const auto at = image_.begin() + static_cast<std::ptrdiff_t>(kGuard);
    if (data) std::copy(data, data + size, at);
    if (!data) std::fill_n(at, size, Complex{nan, nan});
    buffer_.upload(image_.data(), bytes());
  }

  [[nodiscard]] Complex* device_data() const {
    return static_cast<Complex*>(buffer_.data()) + kGuard;
  }

  /// The data on the device now. Throws if a guard has changed.
  [[nodiscard]] std::vector<Complex> data() const {
    std::vector<Complex> now(image_.size());
    buffer_.download(now.data(), bytes());
    const auto guard = [](const Complex& v) { return v == kGuardValue; };
    const auto first = now.begin() + static_cast<std::ptrdiff_t>(kGuard);
    const auto last = first + static_cast<std::ptrdiff_t>(size_);
    if (!std::all_of(now.begin(), first, guard)) throw std::runtime_error("wrote before a buffer");
    if (!std::all_of(last, now.end(), guard)) throw std::runtime_error("wrote behind a buffer");
    return {first, last};
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return image_.size() * sizeof(Complex); }

  std::size_t size_;
  std::vector<Complex> image_;
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
  return make_plan(problem, options);
}

void PlanTransform::operator()(const Complex* in, Complex* out, std::int64_t batch) const {
  const Plan p = plan(batch);
  const auto size = static_cast<std::size_t>(batch * case_.n);
  const Guarded from(device_, size, in);
  if (placement_ == Placement::in_place) {
    p.execute(from.device_data(), from.device_data());
    const auto result = from.data();
    std::copy(result.begin(), result.end(), out);
    return;
  }
  const Guarded to(device_, size, nullptr);
  p.execute(from.device_data(), to.device_data());
  const auto result = to.data();
  if (differing(from.data(), {in, in + size}) != 0) throw std::runtime_error("the input changed");
  std::copy(result.begin(), result.end(), out);
}

std::vector<Complex> all_inputs(std::int64_t n, int count) {
  auto rows = verification::concatenate(verification::random_inputs(n, count, 7));
  const auto table = verification::concatenate(verification::adversarial_inputs(n, 7));
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
