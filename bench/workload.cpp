#include "workload.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <span>

#include "sonoma/storage.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/memory.hpp"
#include "sonoma/verify/reference.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

constexpr std::int64_t far_apart = 64;  // points, in points of the output

constexpr std::size_t at_a_time = std::size_t{1} << 20;  // points that are converted

/// One side of a transform: which of its points memory has, and where.
struct Side {
  std::vector<Axis> axes;
  Values values;
  bool input;
  std::int64_t there;  ///< points of the last axis

  Side(const FftProblem& problem, bool of_input)
      : axes(problem.axes()),
        values(problem.values(of_input)),
        input(of_input),
        there(std::min(axes.back().length(input), length_in_memory(axes.back().n, values))) {}

  /// Of point t, from the first one on.
  [[nodiscard]] std::size_t place(std::int64_t t) const {
    return static_cast<std::size_t>(verification::place_of(axes, input, t));
  }
  /// The point whose indices are -t along every axis.
  [[nodiscard]] std::int64_t mirrored(std::int64_t t) const {
    std::int64_t sum = 0, stride = 1;
    for (std::size_t a = axes.size(); a-- > 0; t /= axes[a].n, stride *= axes[a].n) {
      sum += (axes[a].n - t % axes[a].n) % axes[a].n * stride;
    }
    return sum;
  }
  /// The point in memory that says what point t is: itself, or its conjugate; -1: there is none.
  [[nodiscard]] std::int64_t source(std::int64_t t) const {
    if (t % axes.back().n < there) return t;
    const std::int64_t mirror = values == Values::hermitian ? mirrored(t) : t;
    return mirror % axes.back().n < there ? mirror : -1;
  }
};

// Number `place` of real ones, else point `place`.
Complex value_at(std::span<const Complex> points, Values values, std::size_t place) {
  if (!is_real(values)) return points[place];
  const Complex two = points[place / 2];
  return place % 2 == 0 ? two.real() : two.imag();
}

// Point t of the transform whose first point is at `start`; nothing where nothing says what it is.
std::optional<Complex> value_of(std::span<const Complex> points, const Side& side,
                                std::size_t start, std::int64_t t) {
  const std::int64_t source = side.source(t);
  if (source < 0) return std::nullopt;
  const Complex value = value_at(points, side.values, start + side.place(source));
  return source == t ? value : std::conj(value);
}

// Points of which nothing is known count as right.
double relative_error(std::span<const Complex> points, const Side& side,
                      std::span<const ComplexD> exact) {
  double error = 0, norm = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const auto y = value_of(points, side, 0, static_cast<std::int64_t>(k));
    if (y) error += std::norm(ComplexD(*y) - exact[k]);
    norm += std::norm(exact[k]);
  }
  return std::sqrt(error / norm);
}

/// Two points in memory that are conjugates of each other, or one that is real.
struct Mirror {
  std::size_t place, other;
};

// Of one transform: all others mirror points that memory does not have.
std::vector<Mirror> mirrors_of(const Side& side) {
  const std::int64_t last = side.axes.back().n, step = last % 2 == 0 ? last / 2 : last;
  std::int64_t rows = 1;
  for (std::size_t a = 0; a + 1 < side.axes.size(); ++a) rows *= side.axes[a].n;
  std::vector<Mirror> mirrors;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t k = 0; k < std::min(last, side.there); k += step) {
      const std::int64_t t = row * last + k, other = side.mirrored(t);
      if (t <= other) mirrors.push_back({side.place(t), side.place(other)});
    }
  }
  return mirrors;
}

// Those of a Sample.
std::vector<std::int64_t> rows_of(const FftProblem& problem) {
  const std::int64_t n = problem.points() * problem.channels(), batch = transforms_of(problem);
  const std::int64_t least = std::clamp<std::int64_t>((std::int64_t{1} << 20) / n, 1, 16);
  const std::int64_t most = problem.layout.out_stride > far_apart ? 16 : 1024;
  const std::int64_t count =
      std::min(batch, std::clamp<std::int64_t>(65536 / n, std::min(least, most), most));
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    rows.push_back(count == 1 ? 0 : i * (batch - 1) / (count - 1));
  }
  return rows;
}

}  // namespace

Workload::Workload(Device device, Storage storage, std::size_t points, float unit)
    : storage_(storage), in_(device, points * point_bytes(storage)), out_(device, in_.bytes()) {
  std::minstd_rand generator(1);
  const float bound = storage == Storage::i16 ? 4096.0f : unit;
  const auto component = [&] {
    return bound * static_cast<float>(static_cast<double>(generator()) * 0x1p-30 - 1);
  };
  host_.reserve(points);
  std::vector<Complex> part;
  while (host_.size() < points) {
    part.resize(std::min(at_a_time, points - host_.size()));
    for (auto& x : part) x = {component(), component()};
    const auto packed = pack(storage, part);
    in_.upload(packed.data(), packed.size(), host_.size() * point_bytes(storage));
    const auto rounded = unpack(storage, packed);
    host_.insert(host_.end(), rounded.begin(), rounded.end());
  }
}

void Workload::make_hermitian(const FftProblem& problem) {
  const std::vector<Mirror> mirrors = mirrors_of(Side(problem, true));
  FftProblem known = problem;  // the distance is not worked out for each transform
  known.layout.in_dist = problem.in_dist();
  for (const std::int64_t row : rows_of(problem)) {
    const auto start = static_cast<std::size_t>(start_of_input(known, row));
    std::size_t first = host_.size(), last = 0;  // of what changes
    for (const auto& [place, other] : mirrors) {
      const Complex value = host_[start + place];
      host_[start + other] = place == other ? Complex{value.real()} : std::conj(value);
      first = std::min(first, start + other), last = std::max(last, start + other);
    }
    for (std::size_t i = first; i <= last; i += at_a_time) {
      const auto packed =
          pack(storage_, std::span(host_).subspan(i, std::min(at_a_time, last + 1 - i)));
      in_.upload(packed.data(), packed.size(), i * point_bytes(storage_));
    }
  }
}

DeviceBuffer spectrum_on_device(const FftProblem& problem) {
  if (!problem.convolution) return {Device::gpu, 0};
  const auto points = verification::random_spectrum(problem, seed_of_spectrum);
  DeviceBuffer spectrum(Device::gpu, points.size() * sizeof points[0]);
  spectrum.upload(points.data(), spectrum.bytes());
  return spectrum;
}

Sample::Sample(const Workload& workload, const FftProblem& problem)
    : problem_(problem), rows_(rows_of(problem)) {
  const Side side(problem, true);
  std::vector<Complex> input;
  for (const std::int64_t row : rows_) {
    for (std::int64_t c = 0; c < problem.channels(); ++c) {
      const auto start =
          static_cast<std::size_t>(start_of_input(problem, row) + c * problem.channel_dist());
      for (std::int64_t t = 0; t < problem.points(); ++t) {
        input.push_back(value_of(workload.host(), side, start, t).value_or(Complex{}));
      }
    }
  }
  if (!problem.convolution) {
    exact_ = verification::reference(input, problem);
    return;
  }
  const auto spectrum = verification::random_spectrum(problem, seed_of_spectrum);
  exact_ = verification::reference_convolution(input, problem, spectrum);
}

double Sample::relative_l2(const DeviceBuffer& out) const {
  const auto n = static_cast<std::size_t>(problem_.points());
  FftProblem one = problem_;
  one.batch = 1, one.layout.loops = {};
  // Far apart, points come one by one.
  const bool apart = one.lengths.size() == 1 && one.layout.out_stride > far_apart;
  const std::size_t stride = apart ? static_cast<std::size_t>(one.layout.out_stride) : 1;
  if (apart) one.layout = {};
  const Side side(one, false);
  const unsigned point = problem_.bytes_of_point(false);
  const unsigned whole = point_bytes(problem_.result_storage());  // unpack() takes no half ones
  const std::size_t reach = static_cast<std::size_t>(one.out_points()) * point;
  std::vector<std::byte> bytes((reach + whole - 1) / whole * whole);
  double worst = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto start = static_cast<std::size_t>(start_of_output(problem_, rows_[i]));
    const std::size_t piece = apart ? point : reach;
    for (std::size_t at = 0; at < reach; at += piece) {
      out.download(bytes.data() + at, piece, (start + at / point * stride) * point);
    }
    const std::vector<Complex> points = unpack(problem_.result_storage(), bytes);
    const double error = relative_error(points, side, std::span(exact_).subspan(i * n, n));
    worst = error >= 0 ? std::max(worst, error) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

}  // namespace sonoma::bench
