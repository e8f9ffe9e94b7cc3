// sonoma convolve, beside sums over the taps with the indices of numpy.convolve and correlate, and
// of scipy.signal.convolve and correlate.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "run_array.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;

NpyArray random_array(const Shape& shape, Values values, std::uint64_t seed) {
  NpyArray x{shape, verification::normal_row(count_of(shape), seed), Storage::f32, values};
  for (auto& v : x.data) v = values == Values::real ? v.real() : v;
  return x;
}

Ran convolve(const std::string& options, const NpyArray& x, const NpyArray& h) {
  const TemporaryFolder folder;
  cli::save_npy(folder.file("x.npy"), x);
  cli::save_npy(folder.file("h.npy"), h);
  std::vector<std::string> arguments = {
      SONOMA_COMMAND,       "convolve", "--device",           "cpu",      "--input",
      folder.file("x.npy"), "--filter", folder.file("h.npy"), "--output", folder.file("y.npy")};
  const auto more = split(options);
  arguments.insert(arguments.end(), more.begin(), more.end());
  Ran ran{run_command(arguments), {}};
  if (ran.result.exit_code == 0) ran.y = cli::load_npy(folder.file("y.npy"));
  return ran;
}

/// A result: of numpy's full ones the `first`, ..., or around the ends.
struct Case {
  std::string options;
  Shape signals, taps;
  Values values;
  std::int64_t first, count;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.options; }

// Of signals at x, taps at h: the sum that is result t of numpy's full ones.
ComplexD sum_at(const Case& c, std::int64_t t, const std::complex<float>* x,
                const std::complex<float>* h) {
  const std::int64_t points = c.signals.back(), taps = c.taps.back();
  const bool correlate = c.options.find("--correlate") != std::string::npos;
  const bool circular = c.options.find("circular") != std::string::npos;
  ComplexD sum = 0;
  for (std::int64_t s = 0; s < taps; ++s) {
    std::int64_t at = !correlate ? t - s : circular ? t + s : t + s - (taps - 1);
    if (circular) at = (at + points) % points;
    if (at < 0 || at >= points) continue;
    sum += (correlate ? std::conj(ComplexD(h[s])) : ComplexD(h[s])) * ComplexD(x[at]);
  }
  return sum;
}

class Convolve : public testing::TestWithParam<Case> {};

TEST_P(Convolve, IsNumpys) {
  const Case& c = GetParam();
  const NpyArray x = random_array(c.signals, c.values, 3), h = random_array(c.taps, c.values, 4);
  const Ran ran = convolve(c.options, x, h);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  Shape shape = c.signals;
  shape.back() = c.count;
  if (c.taps.size() == 2) shape.insert(shape.end() - 1, c.taps.front());
  ASSERT_EQ(ran.y.shape, shape);
  EXPECT_EQ(ran.y.values, c.values);
  const std::int64_t filters = c.taps.size() == 2 ? c.taps.front() : 1;
  for (std::int64_t i = 0; i < count_of(shape); ++i) {
    const std::int64_t row = i / c.count / filters, f = i / c.count % filters;
    const ComplexD exact = sum_at(c, c.first + i % c.count, x.data.data() + row * c.signals.back(),
                                  h.data.data() + f * c.taps.back());
    EXPECT_LT(std::abs(ComplexD(ran.y.data[static_cast<std::size_t>(i)]) - exact), 2e-5) << i;
  }
}

const std::vector<Case> cases = {
    {"", {3, 50}, {7}, Values::real, 0, 56},
    {"--mode same", {40}, {8}, Values::complex, 3, 40},
    {"--mode valid --correlate", {2, 2, 45}, {3, 6}, Values::real, 5, 40},
    {"--correlate", {30}, {5}, Values::complex, 0, 34},
    {"--mode circular --correlate", {48}, {9}, Values::real, 0, 48},
    {"--mode same --n 64", {4}, {20}, Values::real, 9, 4},
};

INSTANTIATE_TEST_SUITE_P(Modes, Convolve, testing::ValuesIn(cases));

/// Of images: the result of scipy's full ones that comes first, and as many as that from there on.
struct ImageCase {
  std::string options;
  Shape images, taps;
  Values values;
  Shape first, count;
};

void PrintTo(const ImageCase& c, std::ostream* out) { *out << c.options; }

// Along one axis: the index of the signal that tap s meets in full result t, or -1.
std::int64_t met(const ImageCase& c, std::int64_t t, std::int64_t s, std::int64_t points,
                 std::int64_t taps) {
  const bool correlate = c.options.find("--correlate") != std::string::npos;
  const std::int64_t at = correlate ? t + s - (taps - 1) : t - s;
  return at < points ? at : -1;
}

ComplexD sum_at(const ImageCase& c, std::int64_t i, std::int64_t j, const std::complex<float>* x,
                const std::complex<float>* h) {
  const std::int64_t rows = *(c.images.end() - 2), columns = c.images.back(),
                     height = *(c.taps.end() - 2), width = c.taps.back();
  const bool correlate = c.options.find("--correlate") != std::string::npos;
  ComplexD sum = 0;
  for (std::int64_t s = 0; s < height * width; ++s) {
    const std::int64_t row = met(c, i, s / width, rows, height),
                       column = met(c, j, s % width, columns, width);
    if (row < 0 || column < 0) continue;
    const ComplexD tap = h[s];
    sum += (correlate ? std::conj(tap) : tap) * ComplexD(x[row * columns + column]);
  }
  return sum;
}

class ConvolveImages : public testing::TestWithParam<ImageCase> {};

TEST_P(ConvolveImages, IsScipys) {
  const ImageCase& c = GetParam();
  const NpyArray x = random_array(c.images, c.values, 3), h = random_array(c.taps, c.values, 4);
  const Ran ran = convolve("--axes -2,-1 " + c.options, x, h);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  const std::int64_t filters = c.taps.size() == 3 ? c.taps.front() : 1;
  Shape shape(c.images.begin(), c.images.end() - 2);
  if (c.taps.size() == 3) shape.push_back(filters);
  shape.insert(shape.end(), c.count.begin(), c.count.end());
  ASSERT_EQ(ran.y.shape, shape);
  EXPECT_EQ(ran.y.values, c.values);
  const std::int64_t points = c.images.back() * *(c.images.end() - 2),
                     taps = c.taps.back() * *(c.taps.end() - 2);
  for (std::int64_t k = 0; k < count_of(shape); ++k) {
    const std::int64_t image = k / (c.count[0] * c.count[1]);
    const ComplexD exact =
        sum_at(c, c.first[0] + k / c.count[1] % c.count[0], c.first[1] + k % c.count[1],
               x.data.data() + image / filters * points, h.data.data() + image % filters * taps);
    EXPECT_LT(std::abs(ComplexD(ran.y.data[static_cast<std::size_t>(k)]) - exact), 4e-5) << k;
  }
}

const std::vector<ImageCase> image_cases = {
    {"", {2, 13, 10}, {4, 3}, Values::real, {0, 0}, {16, 12}},
    {"--mode same", {11, 14}, {4, 5}, Values::complex, {1, 2}, {11, 14}},
    {"--mode valid --correlate", {3, 12, 15}, {2, 3, 4}, Values::real, {2, 3}, {10, 12}},
    {"--correlate --shape 16x20", {9, 11}, {5, 2}, Values::complex, {0, 0}, {13, 12}},
};

INSTANTIATE_TEST_SUITE_P(Modes, ConvolveImages, testing::ValuesIn(image_cases));

TEST(Convolve, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& options, const NpyArray& x, const NpyArray& h,
                          const std::vector<std::string>& parts) {
    const Ran ran = convolve(options, x, h);
    EXPECT_EQ(ran.result.exit_code, 2) << options << ": " << ran.result.err;
    for (const auto& part : parts) {
      EXPECT_NE(ran.result.err.find(part), std::string::npos) << options << ": " << ran.result.err;
    }
  };
  const NpyArray x = random_array({67}, Values::real, 1), h = random_array({5}, Values::real, 2);
  refused("--mode middle", x, h, {"--mode middle", "full, same, valid or circular"});
  refused("--mode valid", h, x, {"--mode valid", "67 taps"});
  refused("--mode circular", x, h, {"n = 67", "the next one is 68"});
  refused("--n 70", x, h, {"--n 70", "71 or more"});
  refused("", x, random_array({5}, Values::complex, 2), {"--filter", "float32"});
  refused("", x, random_array({1, 1, 5}, Values::real, 2), {"--filter", "taps"});
  const NpyArray images = random_array({4, 8, 9}, Values::real, 1);
  refused("--axes -2,-1", images, h, {"--filter", "along 2 axes"});
  refused("--axes 0,1", images, random_array({2, 2}, Values::real, 2),
          {"--axes 0,1", "the last axes", "(4, 8, 9)"});
  refused("--axes -1,-2 --shape 16x16", images, random_array({2, 2}, Values::real, 2),
          {"--axes -1,-2", "in their order"});
  refused("--axes -2,-1 --shape 8x16", images, random_array({2, 2}, Values::real, 2),
          {"--shape 8x16", "9x10 or more"});
}

}  // namespace
}  // namespace sonoma::tests
