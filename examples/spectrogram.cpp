// The short-time transform of recorded speech, as a picture.
//
//   spectrogram [WAV [PNG]]      (default: the recording of alsa-utils, spectrogram.png)
//
// All frames are one batch of one plan of real transforms. They overlap in memory, and the window
// is code of the kernel's: nothing is copied. The result is checked against FFTW in double
// precision.
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sonoma/plan.hpp"
#include "support/picture.hpp"
#include "support/reference.hpp"
#include "support/short_time.hpp"
#include "support/sound.hpp"

namespace {

constexpr std::size_t frame_length = 1024;
constexpr std::size_t hop = 256;

std::vector<std::complex<float>> transform(const std::vector<float>& samples,
                                           const std::vector<float>& window, std::size_t frames) {
  const sonoma::Plan plan =
      sonoma::make_plan(examples::short_time_problem(frame_length, hop, frames));
  return examples::execute(plan, samples, window);
}

bool draw(const std::string& wav, const std::string& png) {
  const examples::Sound sound = examples::read_sound(wav);
  const std::size_t frames = examples::frames_of(sound.samples.size(), frame_length, hop);
  const auto samples = examples::padded(sound.samples, frame_length, hop);
  const auto window = examples::hann_window(frame_length);
  const auto spectra = transform(samples, window, frames);

  examples::SpectrogramAxes axes;
  axes.sample_rate = sound.sample_rate;
  examples::write_png(
      png, examples::with_scales(examples::draw_spectrogram(spectra, frame_length, axes), axes,
                                 examples::times_of(frames, frame_length, hop, axes.sample_rate)));

  const double error = examples::worst_error_in_u(samples, window, hop, spectra);
  const double limit = 1.5 * std::sqrt(std::log2(double{frame_length}));
  std::printf(
      "%zu frames of %zu samples; worst rel L2 against FFTW in double: %.2f u (limit %.2f u)\n%s\n",
      frames, frame_length, error, limit, png.c_str());
  return error <= limit;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string wav = argc > 1 ? argv[1] : examples::default_sound;
    const std::string png = argc > 2 ? argv[2] : "spectrogram.png";
    return draw(wav, png) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "spectrogram: %s\n", error.what());
    return 2;
  }
}
