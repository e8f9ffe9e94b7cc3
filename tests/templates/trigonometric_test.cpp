// Numbers of cosine and sine transforms as points of a DFT and back, of every small length: with a
// DFT in double between them they are the transform by its definition.
#include "sonoma/trigonometric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

using enum Domain;
constexpr Domain domains[] = {dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4};
constexpr std::int64_t longest = 18;
constexpr std::size_t room = 2 * (longest + 1);  // of points, and of numbers

struct Case {
  Domain domain;
  std::int64_t n;
  bool orthogonal;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Domain domain : domains) {
    for (std::int64_t n = domain == dct1 ? 2 : 1; n <= longest; ++n) {
      all.push_back({domain, n, n % 3 == 0});
    }
  }
  return all;
}

std::string function_of(const Case& c, bool input, std::int64_t stride) {
  const auto truth = [](bool value) { return value ? "true" : "false"; };
  const std::string n = std::to_string(c.n);
  return (input ? "load_" : "store_") + to_string(numbers_of(c.domain, c.n, input)) + "<" + n +
         "u, " + n + "u, " + std::to_string(stride) + ", " + truth(is_sine(c.domain)) + ", " +
         truth(c.orthogonal) + ">";
}

// Of points that come backwards.
std::string behind_of(const Case& c, bool input) {
  const Numbers numbers = numbers_of(c.domain, c.n, input);
  if (numbers == Numbers::interleaved) return ", t >= " + std::to_string(c.n - c.n / 2);
  if (numbers != Numbers::extended || !input) return {};
  return ", t >= " + std::to_string(is_sine(c.domain) ? c.n + 2 : c.n);
}

CudaSource kernel_of(const std::vector<Case>& all, bool input) {
  std::string body;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string first = std::to_string(i * room);
    const std::string count = std::to_string(input ? dft_length(all[i].domain, all[i].n)
                                                   : frequencies_of(all[i].domain, all[i].n));
    const std::string of = function_of(all[i], input, input ? 1 : 2);
    const std::string rest = ", thread, t - thread" + behind_of(all[i], input) + ");\n";
    body += "  for (unsigned t = thread; t < " + count + "; t += 32)\n    " +
            (input ? "out[" + first + " + t] = " + of + "(reinterpret_cast<const float*>(in) + " +
                         first + rest
                   : of + "(reinterpret_cast<float*>(out + " + first + "), in[" + first + " + t]" +
                         rest);
  }
  return kernel(
      primitives({"storage_int16.cuh", "storage_real.cuh", "roots.cuh", "trigonometric.cuh"}),
      body);
}

// exp(-2 pi i k t / N)
std::vector<std::complex<double>> dft(const std::complex<float>* x, std::size_t n) {
  std::vector<std::complex<double>> result(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t t = 0; t < n; ++t) {
      const double turns = static_cast<double>(k * t % n) / static_cast<double>(n);
      result[k] += std::complex<double>(x[t]) * std::polar(1.0, -2 * std::numbers::pi * turns);
    }
  }
  return result;
}

// Element (k, j) of the matrix of trigonometric.hpp.
double element(Domain domain, std::int64_t n, std::int64_t k, std::int64_t j) {
  const auto kd = static_cast<double>(k), jd = static_cast<double>(j), nd = static_cast<double>(n);
  const double pi = std::numbers::pi, sign = k % 2 == 0 ? 1 : -1;
  switch (domain) {
    case dct1:
      return j == 0 ? 1 : j == n - 1 ? sign : 2 * std::cos(pi * jd * kd / (nd - 1));
    case dct2:
      return 2 * std::cos(pi * (jd + 0.5) * kd / nd);
    case dct3:
      return j == 0 ? 1 : 2 * std::cos(pi * jd * (kd + 0.5) / nd);
    case dct4:
      return 2 * std::cos(pi * (jd + 0.5) * (kd + 0.5) / nd);
    case dst1:
      return 2 * std::sin(pi * (jd + 1) * (kd + 1) / (nd + 1));
    case dst2:
      return 2 * std::sin(pi * (jd + 0.5) * (kd + 1) / nd);
    case dst3:
      return j == n - 1 ? sign : 2 * std::sin(pi * (jd + 1) * (kd + 0.5) / nd);
    default:
      return 2 * std::sin(pi * (jd + 0.5) * (kd + 0.5) / nd);
  }
}

// See FftProblem::orthogonal.
double end_factor(const Case& c, std::int64_t i, bool input) {
  const std::int64_t turned = is_sine(c.domain) ? c.n - 1 : 0;
  const bool end = type_of(c.domain) == 1   ? !is_sine(c.domain) && (i == 0 || i == c.n - 1)
                   : type_of(c.domain) == 2 ? !input && i == turned
                   : type_of(c.domain) == 3 ? input && i == turned
                                            : false;
  return !end || !c.orthogonal ? 1 : input ? std::numbers::sqrt2 : 1 / std::numbers::sqrt2;
}

TEST(TrigonometricNumbers, AreTheTransformWithADftBetweenThem) {
  const std::vector<Case> all = cases();
  const Points numbers = random_points(all.size() * room / 2, 59);  // pairs of them
  const auto number = [&](std::size_t i) {
    return static_cast<double>(i % 2 ? numbers[i / 2].imag() : numbers[i / 2].real());
  };
  const Points points = run(kernel_of(all, true), numbers, all.size() * room);
  Points frequencies(points.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto length = static_cast<std::size_t>(dft_length(all[i].domain, all[i].n));
    const auto exact = dft(points.data() + i * room, length);
    for (std::size_t k = 0; k < length; ++k) {
      frequencies[i * room + k] = std::complex<float>(exact[k]);
    }
  }
  const Points results = run(kernel_of(all, false), frequencies, points.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Case& c = all[i];
    double error = 0, norm = 0;
    for (std::int64_t k = 0; k < c.n; ++k) {
      double exact = 0;
      for (std::int64_t j = 0; j < c.n; ++j) {
        exact += element(c.domain, c.n, k, j) * end_factor(c, j, true) *
                 number(i * room + static_cast<std::size_t>(j));
      }
      exact *= end_factor(c, k, false);
      const std::complex<float> result = results[i * room + static_cast<std::size_t>(k)];
      error += (static_cast<double>(result.real()) - exact) *
               (static_cast<double>(result.real()) - exact);
      norm += exact * exact;
      EXPECT_EQ(result.imag(), -1.0f) << "between the numbers";
    }
    EXPECT_EQ(results[i * room + static_cast<std::size_t>(c.n)], std::complex<float>(-1, -1));
    EXPECT_LT(std::sqrt(error / norm), 4 * 0x1p-24) << to_string(c.domain) << " " << c.n;
  }
}

}  // namespace
}  // namespace sonoma::test
