#include "sound.hpp"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

namespace examples {

Sound read_sound(const std::string& path) {
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> file(sf_open(path.c_str(), SFM_READ, &info),
                                                         sf_close);
  if (!file) {
    const bool debian = path == default_sound;
    throw std::runtime_error(path + ": " + sf_strerror(nullptr) +
                             (debian ? " (Debian and Ubuntu: apt install alsa-utils)" : ""));
  }
  const auto channels = static_cast<std::size_t>(info.channels);
  const auto frames = static_cast<std::size_t>(info.frames);
  std::vector<float> interleaved(channels * frames);
  if (sf_readf_float(file.get(), interleaved.data(), info.frames) != info.frames) {
    throw std::runtime_error(path + ": ends before its header says");
  }
  Sound sound{info.samplerate, std::vector<float>(frames)};
  for (std::size_t t = 0; t < frames; ++t) sound.samples[t] = interleaved[t * channels];
  return sound;
}

std::size_t frames_of(std::size_t samples, std::size_t length, std::size_t hop) {
  return samples <= length ? 1 : 1 + (samples - length + hop - 1) / hop;
}

std::vector<float> padded(std::vector<float> samples, std::size_t length, std::size_t hop) {
  samples.resize((frames_of(samples.size(), length, hop) - 1) * hop + length);
  return samples;
}

std::vector<float> hann_window(std::size_t length) {
  std::vector<float> window(length);
  for (std::size_t t = 0; t < length; ++t) {
    const double phase =
        2 * std::numbers::pi * static_cast<double>(t) / static_cast<double>(length);
    window[t] = static_cast<float>(0.5 - 0.5 * std::cos(phase));
  }
  return window;
}

}  // namespace examples
