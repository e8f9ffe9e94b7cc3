#include "workload.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>

#include "sonoma/storage.hpp"
#include "sonoma/verify/reference.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

double relative_error(std::span<const Complex> row, std::span<const ComplexD> exact) {
  double error = 0, norm = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    error += std::norm(ComplexD(row[k]) - exact[k]);
    norm += std::norm(exact[k]);
  }
  return std::sqrt(error / norm);
}

}  // namespace

Workload::Workload(Device device, Storage storage, std::size_t points)
    : storage_(storage),
      in_(device, points * point_bytes(storage)),
      out_(device, points * point_bytes(storage)) {
  constexpr std::size_t most = std::size_t{1} << 20;  // points that are converted at a time
  std::minstd_rand generator(1);
  const auto component = [&] {
    return static_cast<float>(static_cast<double>(generator()) * 0x1p-30 - 1);
  };
  host_.reserve(points);
  std::vector<Complex> part;
  while (host_.size() < points) {
    part.resize(std::min(most, points - host_.size()));
    for (auto& x : part) x = {component(), component()};
    const auto packed = pack(storage, part);
    in_.upload(packed.data(), packed.size(), host_.size() * point_bytes(storage));
    const auto rounded = unpack(storage, packed);
    host_.insert(host_.end(), rounded.begin(), rounded.end());
  }
}

Sample::Sample(const Workload& workload, const FftProblem& problem)
    : n_(static_cast<std::size_t>(problem.n())),
      stride_(static_cast<std::size_t>(problem.layout.in_stride)),
      storage_(problem.storage) {
  const auto batch = static_cast<std::size_t>(transforms_of(problem));
  const std::size_t least = std::clamp<std::size_t>((std::size_t{1} << 20) / n_, 1, 16);
  const std::size_t count = std::min(batch, std::clamp<std::size_t>(65536 / n_, least, 1024));
  std::vector<Complex> input;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = count == 1 ? 0 : i * (batch - 1) / (count - 1);
    starts_.push_back(row / stride_ * stride_ * n_ + row % stride_);
    for (std::size_t t = 0; t < n_; ++t) {
      input.push_back(workload.host()[starts_.back() + t * stride_]);
    }
  }
  exact_ = verification::reference_dft(input, problem.n(), problem.direction, problem.scale);
}

double Sample::relative_l2(const DeviceBuffer& out) const {
  std::vector<std::byte> bytes(((n_ - 1) * stride_ + 1) * point_bytes(storage_));
  std::vector<Complex> row(n_);
  double worst = 0;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    out.download(bytes.data(), bytes.size(), starts_[i] * point_bytes(storage_));
    const std::vector<Complex> points = unpack(storage_, bytes);
    for (std::size_t k = 0; k < n_; ++k) row[k] = points[k * stride_];
    const double error = relative_error(row, std::span(exact_).subspan(i * n_, n_));
    worst = error >= 0 ? std::max(worst, error) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

}  // namespace sonoma::bench
