#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "canvas.hpp"

namespace examples {
namespace {

// Lightness rises steadily, so that the picture also reads in grey.
constexpr std::array<Colour, 8> colour_map{{{0, 0, 6},
                                            {26, 14, 66},
                                            {84, 20, 112},
                                            {142, 36, 106},
                                            {199, 61, 76},
                                            {238, 107, 38},
                                            {251, 179, 45},
                                            {254, 253, 190}}};

Colour colour_of(double level) {  // 0 to 1
  const double position = std::clamp(level, 0.0, 1.0) * (colour_map.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), colour_map.size() - 2);
  const double t = position - static_cast<double>(below);
  const Colour &a = colour_map[below], &b = colour_map[below + 1];
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

double mel(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz(double mels) { return 700 * (std::pow(10, mels / 2595) - 1); }

/// Levels in dB relative to the loudest, on a grid of frames x bins.
class Levels {
 public:
  Levels(std::span<const std::complex<float>> spectra, std::size_t n)
      : bins_(n / 2 + 1), frames_(spectra.size() / bins_), db_(spectra.size()) {
    double loudest = 1e-30;
    for (const auto& x : spectra) loudest = std::max(loudest, double{std::abs(x)});
    for (std::size_t i = 0; i < spectra.size(); ++i) {
      db_[i] = 20 * std::log10(std::max(double{std::abs(spectra[i])} / loudest, 1e-10));
    }
  }

  [[nodiscard]] std::size_t frames() const { return frames_; }

  /// Bilinear between the four grid points around (frame, bin).
  [[nodiscard]] double at(double frame, double bin) const {
    const double top_frame = static_cast<double>(frames_ - 1),
                 top_bin = static_cast<double>(bins_ - 1);
    frame = std::clamp(frame, 0.0, top_frame);
    bin = std::clamp(bin, 0.0, top_bin);
    const double f0 = std::floor(frame), k0 = std::floor(bin);
    const double f1 = std::min(f0 + 1, top_frame), k1 = std::min(k0 + 1, top_bin);
    const double left = std::lerp(value(f0, k0), value(f0, k1), bin - k0);
    const double right = std::lerp(value(f1, k0), value(f1, k1), bin - k0);
    return std::lerp(left, right, frame - f0);
  }

 private:
  [[nodiscard]] double value(double frame, double bin) const {
    return db_[static_cast<std::size_t>(frame) * bins_ + static_cast<std::size_t>(bin)];
  }

  std::size_t bins_, frames_;
  std::vector<double> db_;
};

/// Bilinear between the values, and to zero on the boundary.
double between(std::span<const float> values, std::size_t n, double up, double right) {
  const auto value = [&](double i, double k) {
    const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(k);
    const bool inside = row > 0 && column > 0 && row <= n && column <= n;
    return inside ? static_cast<double>(values[(row - 1) * n + column - 1]) : 0.0;
  };
  const double i = up * static_cast<double>(n + 1), k = right * static_cast<double>(n + 1);
  const double i0 = std::floor(i), k0 = std::floor(k);
  const double low = std::lerp(value(i0, k0), value(i0, k0 + 1), k - k0);
  const double high = std::lerp(value(i0 + 1, k0), value(i0 + 1, k0 + 1), k - k0);
  return std::lerp(low, high, i - i0);
}

}  // namespace

Picture draw_square(std::span<const float> values, std::size_t n) {
  constexpr std::size_t side = 480, left = 72, top = 24, bar = 24, gap = 32, tick = 8;
  constexpr std::size_t pen = 3, letter = 4 * pen, letter_height = 5 * pen;
  const double largest = static_cast<double>(*std::ranges::max_element(values));
  Canvas canvas(left + side + gap + bar + 6 * letter, top + side + 64, pen, {40, 40, 40});
  canvas.fill(left - 2, top - 2, side + 4, side + 4);
  canvas.fill(left + side + gap - 2, top - 2, bar + 4, side + 4);
  for (std::size_t y = 0; y < side; ++y) {
    const double up = 1 - (static_cast<double>(y) + 0.5) / side;
    canvas.fill(left + side + gap, top + y, bar, 1, colour_of(up));
    for (std::size_t x = 0; x < side; ++x) {
      const double right = (static_cast<double>(x) + 0.5) / side;
      canvas.fill(left + x, top + y, 1, 1, colour_of(between(values, n, up, right) / largest));
    }
  }
  const char* const labels[] = {"0", "0.5", "1"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t at = i * side / 2, wide = std::string(labels[i]).size() * letter;
    canvas.fill(left + at - 1, top + side, 2, tick);
    canvas.fill(left - tick, top + side - at - 1, tick, 2);
    canvas.write(left + at - wide / 2, top + side + 2 * tick, labels[i]);
    canvas.write(left - 2 * tick - wide, top + side - at - letter_height / 2, labels[i]);
  }
  char text[16];
  std::snprintf(text, sizeof text, "%.3f", largest);
  canvas.write(left + side + gap + bar + tick, top, text);
  canvas.write(left + side + gap + bar + tick, top + side - letter_height, "0");
  return canvas.take();
}

Picture draw_spectrogram(std::span<const std::complex<float>> spectra, std::size_t n,
                         const SpectrogramAxes& axes) {
  const Levels levels(spectra, n);
  Picture picture{axes.width, axes.height, {}};
  picture.rgb.reserve(3 * axes.width * axes.height);
  for (std::size_t y = 0; y < axes.height; ++y) {
    const double up = 1 - (static_cast<double>(y) + 0.5) / static_cast<double>(axes.height);
    const double bin =
        hertz(up * mel(axes.top_frequency)) / axes.sample_rate * static_cast<double>(n);
    for (std::size_t x = 0; x < axes.width; ++x) {
      const double time = (static_cast<double>(x) + 0.5) / static_cast<double>(axes.width);
      const double db = levels.at(time * static_cast<double>(levels.frames()) - 0.5, bin);
      const Colour c = colour_of(1 + db / axes.range_db);
      for (const double channel : {c.r, c.g, c.b}) {
        picture.rgb.push_back(static_cast<std::uint8_t>(std::lround(channel)));
      }
    }
  }
  return picture;
}

namespace {

constexpr std::size_t scale_pen = 2, scale_tick = 8, scale_left = 64, scale_below = 40;

std::string decimal(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// Below the picture, which is `height` high: a tick every 1, 2 or 5 times a power of ten, so that
// there are at most 12.
void draw_seconds(Canvas& canvas, const Picture& spectrogram, const Times& times) {
  const double span = times.right - times.left, width = static_cast<double>(spectrogram.width);
  double step = 1e-6;
  for (const double next : {2.0, 2.5, 2.0}) {  // 1, 2, 5, 10
    while (span / step > 120) step *= 10;
    if (span / step > 12) step *= next;
  }
  const std::size_t top = spectrogram.height, letters = top + scale_tick + 6;
  const std::size_t unit = scale_left + spectrogram.width - canvas.letter_width();
  for (double t = std::ceil(std::max(0.0, times.left) / step) * step; t < times.right; t += step) {
    const auto x =
        static_cast<std::size_t>(std::lround((t - times.left) / span * width)) + scale_left;
    const std::string words = decimal(std::round(t * 1e6) / 1e6);
    const std::size_t wide = words.size() * canvas.letter_width();
    canvas.fill(x, top, 2, scale_tick);
    if (x + wide < unit) canvas.write(x - wide / 2, letters, words);
  }
  canvas.write(unit, letters, "s");
}

// To its left, where the mel scale has room for them.
void draw_kilohertz(Canvas& canvas, const Picture& spectrogram, double top_frequency) {
  const auto height = static_cast<double>(spectrogram.height);
  const std::size_t letter = canvas.letter_height();
  std::size_t above = spectrogram.height + letter;  // the last one that was written
  for (const double khz : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0}) {
    if (1000 * khz > top_frequency) break;
    const double down = height * (1 - mel(1000 * khz) / mel(top_frequency));
    const auto y = std::min(static_cast<std::size_t>(down), spectrogram.height - 2);
    canvas.fill(scale_left - scale_tick, y, scale_tick, 2);
    const std::size_t top = std::min(y - std::min(y, letter / 2), spectrogram.height - letter);
    const bool at_unit = top > 0 && top < 2 * letter + 12;
    if (at_unit || top + letter + 4 > above) continue;
    const std::string words = decimal(khz);
    canvas.write(scale_left - scale_tick - 4 - words.size() * canvas.letter_width(), top, words);
    above = top;
  }
  canvas.write(scale_left - scale_tick - 4 - 3 * canvas.letter_width(), letter + 6, "kHz");
}

}  // namespace

Picture with_scales(const Picture& spectrogram, const SpectrogramAxes& axes, const Times& times) {
  Canvas canvas(scale_left + spectrogram.width, spectrogram.height + scale_below, scale_pen,
                {40, 40, 40});
  for (std::size_t y = 0; y < spectrogram.height; ++y) {
    for (std::size_t x = 0; x < spectrogram.width; ++x) {
      const std::uint8_t* const at = &spectrogram.rgb[3 * (y * spectrogram.width + x)];
      canvas.fill(
          scale_left + x, y, 1, 1,
          {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
    }
  }
  draw_seconds(canvas, spectrogram, times);
  draw_kilohertz(canvas, spectrogram, axes.top_frequency);
  return canvas.take();
}

void write_png(const std::string& path, const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.rgb.data(), 0, nullptr) == 0) {
    throw std::runtime_error(path + ": " + image.message);
  }
}

}  // namespace examples
