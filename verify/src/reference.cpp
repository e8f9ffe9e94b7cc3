#include "sonoma/verify/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "sonoma/storage.hpp"
#include "transform_rows.hpp"

namespace sonoma::verification {

TransformFn unpacked(Storage in_storage, Storage out_storage, std::int64_t n,
                     const PackedTransformFn& transform, std::int64_t channels) {
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    const auto size = static_cast<std::size_t>(batch * n);
    const auto packed = pack(in_storage, {in, static_cast<std::size_t>(channels) * size});
    auto result = pack(out_storage, {out, size});
    transform(packed.data(), result.data(), batch);
    std::ranges::copy(unpack(out_storage, result), out);
  };
}

std::vector<ComplexD> reference_dft(const std::vector<Complex>& x, std::int64_t n,
                                    Direction direction, double scale) {
  return reference_dft(x, std::vector{n}, direction, scale);
}

std::vector<ComplexD> reference_dft(const std::vector<Complex>& x,
                                    const std::vector<std::int64_t>& lengths, Direction direction,
                                    double scale) {
  const std::int64_t n = FftProblem{lengths}.n();
  if (n < 1 || n > (std::int64_t{1} << 30) || x.size() % static_cast<std::size_t>(n) != 0) {
    throw std::invalid_argument("reference_dft: n = " + std::to_string(n) + " for " +
                                std::to_string(x.size()) +
                                " values; n must be 1..2^30 and divide the number of values");
  }
  std::vector<ComplexD> rows(x.begin(), x.end());
  if (rows.empty()) return rows;
  transform_rows(rows, lengths, direction, Oracle::fftw);
  const double factor = static_cast<double>(static_cast<float>(scale));
  for (auto& value : rows) value = {value.real() * factor, value.imag() * factor};
  return rows;
}

std::complex<long double> root_of_unity(std::int64_t n, std::int64_t k, Direction direction) {
  if (n < 1) throw std::invalid_argument("root_of_unity: n = " + std::to_string(n) + " is below 1");
  // Angle = 2 pi k / n = (pi / 4) (octant + rest / n), 0 <= rest < n: within one octant both
  // functions are well conditioned, and multiples of a right angle come out exact.
  const std::int64_t eighths = 8 * (((k % n) + n) % n);
  const std::int64_t octant = eighths / n;
  const std::int64_t rest = octant % 2 == 0 ? eighths % n : n - eighths % n;
  const long double angle = std::numbers::pi_v<long double> / 4 * static_cast<long double>(rest) /
                            static_cast<long double>(n);
  const long double c = std::cos(angle), s = std::sin(angle);
  const bool swapped = ((octant + 1) / 2) % 2 == 1;
  long double re = swapped ? s : c, im = swapped ? c : s;
  if (octant >= 2 && octant < 6) re = -re;
  if (octant >= 4) im = -im;
  return {re, direction == Direction::inverse ? im : -im};
}

Complex rounded_root_of_unity(std::int64_t n, std::int64_t k, Direction direction) {
  const auto root = root_of_unity(n, k, direction);
  return {static_cast<float>(root.real()), static_cast<float>(root.imag())};
}

}  // namespace sonoma::verification
