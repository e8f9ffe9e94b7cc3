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

// Of the points in `row`, the first ones.
double relative_error(std::span<const Complex> row, std::span<const ComplexD> exact) {
  double error = 0, norm = 0;
  for (std::size_t k = 0; k < row.size(); ++k) error += std::norm(ComplexD(row[k]) - exact[k]);
  for (const ComplexD& X : exact) norm += std::norm(X);
  return std::sqrt(error / norm);
}

// Of point t of a transform, from its first one on.
std::size_t place_of(const std::vector<Axis>& axes, bool input, std::int64_t t) {
  std::int64_t place = 0;
  for (std::size_t a = axes.size(); a-- > 1; t /= axes[a].n) {
    place += t % axes[a].n * axes[a].stride(input);
  }
  return static_cast<std::size_t>(place + t * axes[0].stride(input));
}

}  // namespace

Workload::Workload(Device device, Storage storage, std::size_t points, std::size_t bytes)
    : storage_(storage),
      in_(device, std::max(bytes, points * point_bytes(storage))),
      out_(device, in_.bytes()) {
  constexpr std::size_t most = std::size_t{1} << 20;  // points that are converted at a time
  std::minstd_rand generator(1);
  const float unit = storage == Storage::i16 ? 4096.0f : 1.0f;
  const auto component = [&] {
    return unit * static_cast<float>(static_cast<double>(generator()) * 0x1p-30 - 1);
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

Sample::Sample(const Workload& workload, const FftProblem& problem) : problem_(problem) {
  const std::int64_t n = problem.n(), batch = transforms_of(problem);
  const std::int64_t least = std::clamp<std::int64_t>((std::int64_t{1} << 20) / n, 1, 16);
  const std::int64_t count = std::min(batch, std::clamp<std::int64_t>(65536 / n, least, 1024));
  const std::int64_t points = std::min(n, problem.in_length());
  const std::vector<Axis> axes = problem.axes();
  std::vector<Complex> input(static_cast<std::size_t>(count * n));
  for (std::int64_t i = 0; i < count; ++i) {
    rows_.push_back(count == 1 ? 0 : i * (batch - 1) / (count - 1));
    const auto start = static_cast<std::size_t>(start_of_input(problem, rows_.back()));
    for (std::int64_t t = 0; t < points; ++t) {
      input[static_cast<std::size_t>(i * n + t)] = workload.host()[start + place_of(axes, true, t)];
    }
  }
  exact_ = verification::reference_dft(input, problem.lengths, problem.direction, problem.scale);
}

double Sample::relative_l2(const DeviceBuffer& out) const {
  const auto n = static_cast<std::size_t>(problem_.n());
  const std::vector<Axis> axes = problem_.axes();
  const Storage storage = problem_.result_storage();
  std::vector<Complex> row(static_cast<std::size_t>(problem_.out_length()));
  const std::size_t reach = place_of(axes, false, problem_.out_length() - 1) + 1;
  std::vector<std::byte> bytes(reach * point_bytes(storage));
  double worst = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto start = static_cast<std::size_t>(start_of_output(problem_, rows_[i]));
    out.download(bytes.data(), bytes.size(), start * point_bytes(storage));
    const std::vector<Complex> points = unpack(storage, bytes);
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = points[place_of(axes, false, static_cast<std::int64_t>(k))];
    }
    const double error = relative_error(row, std::span(exact_).subspan(i * n, n));
    worst = error >= 0 ? std::max(worst, error) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

}  // namespace sonoma::bench
