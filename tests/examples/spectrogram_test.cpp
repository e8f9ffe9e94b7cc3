#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "command.hpp"
#include "support/picture.hpp"
#include "support/reference.hpp"
#include "support/short_time.hpp"
#include "support/sound.hpp"

namespace examples {
namespace {

using Spectra = std::vector<std::complex<float>>;
using sonoma::tests::CommandResult;
using sonoma::tests::read_text;
using sonoma::tests::run_command;
using sonoma::tests::TemporaryFolder;

// 16-bit mono PCM of samples from -1 to 1.
std::string wav_of(const std::function<double(std::uint32_t)>& sample, std::uint32_t rate,
                   std::uint32_t samples) {
  const auto word = [](std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
  };
  std::string wav = "RIFF" + word(36 + 2 * samples, 4) + "WAVEfmt " + word(16, 4) + word(1, 2) +
                    word(1, 2) + word(rate, 4) + word(2 * rate, 4) + word(2, 2) + word(16, 2) +
                    "data" + word(2 * samples, 4);
  for (std::uint32_t t = 0; t < samples; ++t) {
    wav += word(static_cast<std::uint32_t>(std::lround(16384 * sample(t))), 2);
  }
  return wav;
}

std::string wav_of_tone(double hertz, std::uint32_t rate, std::uint32_t samples) {
  return wav_of([=](auto t) { return std::sin(2 * std::numbers::pi * hertz * t / rate); }, rate,
                samples);
}

int brightness(const Picture& picture, std::size_t x, std::size_t y) {
  const std::size_t at = 3 * (y * picture.width + x);
  return picture.rgb[at] + picture.rgb[at + 1] + picture.rgb[at + 2];
}

// 4 frames of 64 samples at 6400 Hz: bin k is k * 100 Hz.
Picture picture_of_point(std::size_t frame, std::size_t bin) {
  Spectra spectra(4 * 33);
  spectra[frame * 33 + bin] = 1;
  return draw_spectrogram(spectra, 64, {6400, 3200, 60, 80, 100});
}

TEST(Picture, TimeRunsRightAndFrequencyUp) {
  const Picture late_high = picture_of_point(3, 28), early_low = picture_of_point(0, 2);
  const auto in_quarter = [](const Picture& p, std::size_t x0, std::size_t y0) {
    int brightest = 0;
    for (std::size_t y = y0; y < y0 + 50; ++y) {
      for (std::size_t x = x0; x < x0 + 40; ++x)
        brightest = std::max(brightest, brightness(p, x, y));
    }
    return brightest;
  };
  const int loud = 300, silent = 10;
  EXPECT_GT(in_quarter(late_high, 40, 0), loud);
  EXPECT_LT(in_quarter(late_high, 0, 50), silent);
  EXPECT_GT(in_quarter(early_low, 0, 50), loud);
  EXPECT_LT(in_quarter(early_low, 40, 0), silent);
}

TEST(Picture, LowFrequenciesHaveMoreRoom) {
  const auto row_of = [](std::size_t bin) {
    const Picture picture = picture_of_point(1, bin);
    std::size_t best = 0;
    for (std::size_t y = 0; y < 100; ++y) {
      if (brightness(picture, 30, y) > brightness(picture, 30, best)) best = y;
    }
    return best;
  };
  EXPECT_GT(row_of(2) - row_of(6), row_of(24) - row_of(28));
}

// Where `canvas` has ink on a line of pixels.
std::vector<std::size_t> ink(const Picture& picture, bool across, std::size_t line) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < (across ? picture.width : picture.height); ++i) {
    const int level = across ? brightness(picture, i, line) : brightness(picture, line, i);
    if (level < 300) places.push_back(i);
  }
  return places;
}

TEST(Picture, ScalesHaveTicksWhereTimesAndFrequenciesAre) {
  Picture plain{100, 80, std::vector<std::uint8_t>(3 * 100 * 80, 200)};
  SpectrogramAxes axes;
  axes.top_frequency = 2000;
  const Picture scaled = with_scales(plain, axes, {-0.05, 0.95});
  const std::size_t left = scaled.width - plain.width;
  EXPECT_EQ(brightness(scaled, left + 50, 40), 600);  // as it was
  const auto below = ink(scaled, true, plain.height + 1);
  ASSERT_EQ(below.size(), 20u);  // ten ticks, two wide: 0, 0.1, ... 0.9
  EXPECT_EQ(below.front(), left + 5);
  EXPECT_EQ(below[2], left + 15);
  const auto beside = ink(scaled, false, left - 2);
  ASSERT_EQ(beside.size(), 12u);  // 0, 0.25, 0.5, 1, 1.5 and 2 kHz
  EXPECT_EQ(beside.front(), 0u);  // 2 kHz is the upper edge
  EXPECT_EQ(beside.back(), plain.height - 1);
  // The mel scale: 1 kHz is two thirds of the way to 2 kHz.
  EXPECT_NEAR(static_cast<double>(beside[4]), 80 * (1 - 1000.0 / 1521.4), 1);
}

TEST(Picture, TimesAreThoseOfTheMiddlesOfFrames) {
  const Times times = times_of(3, 1024, 256, 1000);
  EXPECT_DOUBLE_EQ(times.left, 0.384);  // the first frame's middle, at 0.512 s, less half a hop
  EXPECT_DOUBLE_EQ(times.right, 0.384 + 3 * 0.256);
}

TEST(Sound, FramesOverlapAndTheLastIsPadded) {
  EXPECT_EQ(frames_of(20, 8, 4), 4u);
  EXPECT_EQ(frames_of(21, 8, 4), 5u);
  EXPECT_EQ(frames_of(1, 8, 4), 1u);
  EXPECT_EQ(padded(std::vector<float>(20, 1.0f), 8, 4).size(), 20u);
  const std::vector<float> longer = padded(std::vector<float>(21, 1.0f), 8, 4);
  ASSERT_EQ(longer.size(), 24u);
  EXPECT_EQ(longer[20], 1.0f);
  EXPECT_EQ(longer[21], 0.0f);
}

TEST(Sound, TheWindowIsHanns) {
  const std::vector<float> window = hann_window(8);
  EXPECT_EQ(window[0], 0.0f);
  EXPECT_FLOAT_EQ(window[4], 1.0f);  // the middle
}

TEST(Reference, MeasuresTheWorstRow) {
  const std::vector<float> samples(6, 0.5f), window(4, 2.0f);
  Spectra out(2 * 3);
  out[0] = out[3] = 4;
  EXPECT_EQ(worst_error_in_u(samples, window, 2, out), 0);
  out[3] = 4 * (1 + 0x1p-20f);
  EXPECT_NEAR(worst_error_in_u(samples, window, 2, out), 16, 1e-6);
  out[1] = {std::numeric_limits<float>::quiet_NaN(), 0};
  EXPECT_TRUE(std::isinf(worst_error_in_u(samples, window, 2, out)));
}

TEST(Spectrogram, DrawsAndChecks) {
  const TemporaryFolder folder;
  sonoma::tests::write_text(folder.path() / "tone.wav", wav_of_tone(1000, 48000, 6000));
  const CommandResult result =
      run_command({SPECTROGRAM, folder.file("tone.wav"), folder.file("tone.png")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("21 frames of 1024"), std::string::npos) << result.out;
  EXPECT_EQ(read_text(folder.path() / "tone.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
}

TEST(Spectrogram, NamesTheMissingPackage) {
  const CommandResult missing = run_command({SPECTROGRAM, "/no/such.wav"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("/no/such.wav"), std::string::npos) << missing.err;
}

// A sweep, which is like itself at one place only.
TEST(MatchedFilter, FindsAPieceUnderNoise) {
  const TemporaryFolder folder;
  const auto sweep = [](std::uint32_t t) { return std::sin(2e-5 * t * t); };
  sonoma::tests::write_text(folder.path() / "sweep.wav", wav_of(sweep, 48000, 40000));
  const CommandResult result = run_command(
      {MATCHED_FILTER, folder.file("sweep.wav"), folder.file("found.png"), "0.5", "0.2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("found at 0.5000 s"), std::string::npos) << result.out;
  EXPECT_EQ(read_text(folder.path() / "found.png").substr(1, 3), "PNG");
}

TEST(Demo, LeavesKernelPlanAndPicture) {
  const TemporaryFolder folder;
  sonoma::tests::write_text(folder.path() / "tone.wav", wav_of_tone(440, 48000, 6000));
  const CommandResult result = run_command({DEMO, folder.file("out"), folder.file("tone.wav")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("against FFTW in double"), std::string::npos) << result.out;
  EXPECT_NE(read_text(folder.path() / "out/kernel.cu").find("__global__"), std::string::npos);
  EXPECT_NE(read_text(folder.path() / "out/plan.txt").find("factors: (gs "), std::string::npos);
  EXPECT_EQ(read_text(folder.path() / "out/spectrogram.png").substr(1, 3), "PNG");
}

Picture read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  Picture picture;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return picture;
  image.format = PNG_FORMAT_RGB;
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) == 0) return {};
  picture.width = image.width, picture.height = image.height;
  return picture;
}

// Levels may be rounded another way by another mathematical library.
TEST(Demo, MakesThePictureInDocs) {
  if (!std::filesystem::exists(default_sound)) GTEST_SKIP() << "no " << default_sound;
  const TemporaryFolder folder;
  const CommandResult result = run_command({DEMO, folder.file("out")});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const Picture made = read_png(folder.file("out/spectrogram.png"));
  const Picture shown = read_png(SONOMA_DOCS "/spectrogram.png");
  ASSERT_GT(made.width, 0u);
  ASSERT_EQ(made.width, shown.width);
  ASSERT_EQ(made.height, shown.height);
  int most = 0;
  for (std::size_t i = 0; i < made.rgb.size(); ++i) {
    most = std::max(most, std::abs(int{made.rgb[i]} - int{shown.rgb[i]}));
  }
  EXPECT_LE(most, 1) << "build/bin/demo, and out/spectrogram.png to docs";
}

}  // namespace
}  // namespace examples
