// A plain radix-2 decimation-in-frequency FFT in FP32 with hooks, to make good and bad transforms.
// What is odd of a length is left to sums.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "sonoma/storage.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification::model {

struct Hooks {
  std::function<float(float)> store = [](float v) { return v; };  ///< after every butterfly
  std::function<Complex(std::int64_t n, std::int64_t k, Complex)> twiddle =
      [](std::int64_t, std::int64_t, Complex w) { return w; };
};

inline Complex multiply(Complex a, Complex w) {  // two roundings a component
  return {std::fma(a.real(), w.real(), -(a.imag() * w.imag())),
          std::fma(a.real(), w.imag(), a.imag() * w.real())};
}

/// n odd.
inline void sums(Complex* x, std::int64_t n, Direction direction, const Hooks& hooks) {
  const std::vector<Complex> in(x, x + n);
  for (std::int64_t k = 0; k < n; ++k) {
    Complex sum = in[0];
    for (std::int64_t t = 1; t < n; ++t) {
      const std::int64_t kt = k * t % n;
      const Complex w = hooks.twiddle(n, kt, rounded_root_of_unity(n, kt, direction));
      sum += multiply(in[static_cast<std::size_t>(t)], w);
    }
    x[k] = {hooks.store(sum.real()), hooks.store(sum.imag())};
  }
}

inline void levels(Complex* x, std::int64_t n, Direction direction, const Hooks& hooks) {
  if (n % 2 != 0) return sums(x, n, direction, hooks);
  const std::int64_t half = n / 2;
  const auto stored = [&](Complex v) -> Complex {
    return {hooks.store(v.real()), hooks.store(v.imag())};
  };
  for (std::int64_t t = 0; t < half; ++t) {
    const Complex sum = x[t] + x[t + half], difference = x[t] - x[t + half];
    const Complex w = hooks.twiddle(n, t, rounded_root_of_unity(n, t, direction));
    x[t] = stored(sum);
    x[t + half] = stored(t == 0 ? difference : multiply(difference, w));
  }
  levels(x, half, direction, hooks);
  levels(x + half, half, direction, hooks);
}

/// Where levels() leaves frequency k.
inline std::int64_t place_of(std::int64_t k, std::int64_t n) {
  return n % 2 != 0 ? k : k % 2 * (n / 2) + place_of(k / 2, n / 2);
}

/// The transform; `scale` is applied last.
inline TransformFn fft(std::int64_t n, Direction direction, double scale = 1.0,
                       const Hooks& hooks = {}) {
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    std::vector<Complex> x(static_cast<std::size_t>(n));
    for (std::int64_t b = 0; b < batch; ++b, in += n, out += n) {
      x.assign(in, in + n);
      levels(x.data(), n, direction, hooks);
      for (std::int64_t k = 0; k < n; ++k) {
        out[k] = x[static_cast<std::size_t>(place_of(k, n))] * static_cast<float>(scale);
      }
    }
  };
}

/// `transform` between 16-bit storage: what it returns is rounded to it, by `round` if that is
/// given.
inline TransformFn stored(Storage storage, std::int64_t n, const TransformFn& transform,
                          std::function<float(float)> round = {}) {
  if (!round) round = [storage](float v) { return rounded_to(storage, v); };
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    transform(in, out, batch);
    for (Complex* v = out; v < out + batch * n; ++v) *v = {round(v->real()), round(v->imag())};
  };
}

/// v with only `bits` bits of significand, to nearest: 11 is FP16 without its narrow range.
inline float keep_bits(float v, int bits) {
  const std::uint32_t dropped = 1u << (24 - bits);
  const auto word = std::bit_cast<std::uint32_t>(v);
  if ((word & 0x7f800000u) == 0x7f800000u) return v;
  return std::bit_cast<float>((word + dropped / 2) & ~(dropped - 1));
}

}  // namespace sonoma::verification::model
