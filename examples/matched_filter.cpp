// Finds a piece of recorded speech in the recording, under noise that is louder than it.
//
//   matched_filter [WAV [PNG [START [LENGTH]]]]      (default: the recording of alsa-utils,
//                                                     matched_filter.png, 0.8 s, 0.2 s)
//
// The matched filter is a correlation with the piece. All of the recording goes through one launch:
// frames overlap in memory, and of each the lags are kept at which the whole piece lies within it.
// The result is checked against sums in double precision. The picture has the piece in its place,
// the noisy recording, and the correlation.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/plan.hpp"
#include "support/sound.hpp"
#include "support/traces.hpp"

namespace {

using Samples = std::vector<float>;

constexpr std::int64_t frame_length = 32768;

// Lags that a frame gives: even, so that pairs of samples are points of the kernel.
std::int64_t lags_of_frame(std::size_t taps) {
  return (frame_length - static_cast<std::int64_t>(taps) + 1) / 2 * 2;
}

sonoma::FftProblem correlation(std::size_t taps, std::size_t lags) {
  sonoma::FftProblem problem;
  sonoma::Convolution& convolution = problem.convolution.emplace();
  convolution.real = convolution.correlate = true;
  problem.lengths = {frame_length};
  problem.scale = 1.0 / frame_length;
  const std::int64_t hop = lags_of_frame(taps);
  problem.batch = (static_cast<std::int64_t>(lags) + hop - 1) / hop;
  problem.layout.in_dist = problem.layout.out_dist = problem.ends.out_length = hop;
  return problem;
}

sonoma::DeviceBuffer on_device(sonoma::Device device, const Samples& samples) {
  sonoma::DeviceBuffer buffer(device, samples.size() * sizeof samples[0]);
  buffer.upload(samples.data(), buffer.bytes());
  return buffer;
}

// y[lag] = sum over s of piece[s] sound[lag + s].
Samples correlated(Samples sound, const Samples& piece) {
  const std::size_t lags = sound.size();
  const sonoma::FftProblem problem = correlation(piece.size(), lags);
  const auto taps = static_cast<std::int64_t>(piece.size());
  const sonoma::Plan plan = sonoma::make_plan(problem),
                     forward = sonoma::make_plan(sonoma::spectrum_problem(problem, taps));
  const sonoma::Device device = plan.device();
  sound.resize(static_cast<std::size_t>(problem.in_points()));
  const sonoma::DeviceBuffer in = on_device(device, sound), filter = on_device(device, piece);
  const auto points = static_cast<std::size_t>(sonoma::spectrum_points(problem));
  const sonoma::DeviceBuffer spectrum(device, points * 2 * sizeof(float));
  Samples y(static_cast<std::size_t>(problem.out_points()));
  const sonoma::DeviceBuffer out(device, y.size() * sizeof y[0]);
  forward.execute(filter.data(), spectrum.data());
  sonoma::ExecuteOptions options;
  options.spectrum = spectrum.data();
  plan.execute(in.data(), out.data(), options);
  out.download(y.data(), out.bytes());
  y.resize(lags);
  return y;
}

double norm_of(const Samples& samples) {
  double sum = 0;
  for (const float x : samples) sum += double{x} * x;
  return std::sqrt(sum);
}

// White, three times as loud as the recording.
Samples with_noise(const Samples& sound) {
  std::mt19937 generator(1);
  const double rms = norm_of(sound) / std::sqrt(static_cast<double>(sound.size()));
  Samples noisy = sound;
  for (float& x : noisy) {
    const double uniform = static_cast<double>(generator()) * 0x1p-31 - 1;
    x += static_cast<float>(3 * std::sqrt(3.0) * rms * uniform);
  }
  return noisy;
}

// Largest of the differences at some lags, relative to the norms of what the sums are of, in u.
double worst_error_in_u(const Samples& sound, const Samples& piece, const Samples& y) {
  double worst = 0;
  for (std::size_t lag = 0; lag < y.size(); lag += y.size() / 97 + 1) {
    double sum = 0;
    for (std::size_t s = 0; s < piece.size() && lag + s < sound.size(); ++s) {
      sum += double{piece[s]} * sound[lag + s];
    }
    worst = std::max(worst, std::abs(sum - y[lag]));
  }
  return worst / (norm_of(piece) * norm_of(sound)) * 0x1p24;
}

bool find(const std::string& wav, const std::string& png, double start, double length) {
  const examples::Sound sound = examples::read_sound(wav);
  const std::size_t all = sound.samples.size();
  const auto first = std::min(static_cast<std::size_t>(start * sound.sample_rate), all - 1);
  const auto taps = std::clamp<std::size_t>(static_cast<std::size_t>(length * sound.sample_rate), 1,
                                            std::min<std::size_t>(all - first, frame_length / 2));
  const auto begin = sound.samples.begin() + static_cast<std::ptrdiff_t>(first);
  const Samples piece(begin, begin + static_cast<std::ptrdiff_t>(taps));
  const Samples noisy = with_noise(sound.samples), y = correlated(noisy, piece);

  const auto peak = static_cast<std::size_t>(std::max_element(y.begin(), y.end()) - y.begin());
  Samples alone(all);
  std::copy(piece.begin(), piece.end(), alone.begin() + static_cast<std::ptrdiff_t>(first));
  const std::vector<Samples> traces = {alone, noisy, y};
  examples::TraceAxes axes;
  axes.sample_rate = sound.sample_rate;
  examples::write_png(png, examples::draw_traces(traces, axes));

  const double error = worst_error_in_u(noisy, piece, y);
  const double limit = 1.5 * std::sqrt(2 * std::log2(double{frame_length}) + 1);
  std::printf(
      "a piece of %zu samples from %.4f s on, found at %.4f s under noise three times as loud; "
      "worst error against sums in double: %.2f u (limit %.2f u)\n%s\n",
      taps, static_cast<double>(first) / sound.sample_rate,
      static_cast<double>(peak) / sound.sample_rate, error, limit, png.c_str());
  const std::size_t millisecond = static_cast<std::size_t>(sound.sample_rate) / 1000;
  return std::max(peak, first) - std::min(peak, first) <= millisecond && error <= limit;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string wav = argc > 1 ? argv[1] : examples::default_sound;
    const std::string png = argc > 2 ? argv[2] : "matched_filter.png";
    const double start = argc > 3 ? std::stod(argv[3]) : 0.8;
    const double length = argc > 4 ? std::stod(argv[4]) : 0.2;
    return find(wav, png, start, length) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "matched_filter: %s\n", error.what());
    return 2;
  }
}
