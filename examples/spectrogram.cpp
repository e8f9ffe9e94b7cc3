// The short-time transform of recorded speech, as a picture.
//
//   spectrogram [WAV [PNG]]      (default: the recording of alsa-utils, spectrogram.png)
//
// All frames are one batch of one plan. The result is checked against FFTW in double precision.
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/plan.hpp"
#include "support/picture.hpp"
#include "support/reference.hpp"
#include "support/sound.hpp"

namespace {

constexpr std::size_t frame_length = 1024;
constexpr std::size_t hop = 256;

std::vector<std::complex<float>> transform(const std::vector<std::complex<float>>& frames) {
  sonoma::FftProblem problem;
  problem.lengths = {frame_length};
  problem.batch = static_cast<std::int64_t>(frames.size() / frame_length);
  const sonoma::Plan plan = sonoma::make_plan(problem);

  const std::size_t bytes = frames.size() * sizeof frames[0];
  sonoma::DeviceBuffer in(plan.device(), bytes), out(plan.device(), bytes);
  in.upload(frames.data(), bytes);
  plan.execute(in.data(), out.data());
  std::vector<std::complex<float>> spectra(frames.size());
  out.download(spectra.data(), bytes);
  return spectra;
}

bool draw(const std::string& wav, const std::string& png) {
  const examples::Sound sound = examples::read_sound(wav);
  const auto frames = examples::windowed_frames(sound, frame_length, hop);
  const auto spectra = transform(frames);

  examples::SpectrogramAxes axes;
  axes.sample_rate = sound.sample_rate;
  examples::write_png(png, examples::draw_spectrogram(spectra, frame_length, axes));

  const double error = examples::worst_error_in_u(frames, spectra, frame_length);
  const double limit = 1.5 * std::sqrt(std::log2(double{frame_length}));
  std::printf(
      "%zu frames of %zu samples; worst rel L2 against FFTW in double: %.2f u (limit %.2f u)\n%s\n",
      frames.size() / frame_length, frame_length, error, limit, png.c_str());
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
