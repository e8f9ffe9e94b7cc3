// A photograph is blurred, stored in 8 bits, and restored, each by a convolution.
//
//   deblur [--device auto|gpu|cpu] [JPEG [PNG]]      (default: a photograph of
//                                                     python-matplotlib-data, deblur.png)
//
// Two convolutions of real numbers over two axes, whose filters are known by their spectra. The
// first one pads the photograph with black, so that what the blur smears beyond its edges is kept;
// the second one crops it again. Rows go to frequencies, columns there, times the filter, and back,
// rows back: three launches each.
// The filter of the way back is Wiener's (N. Wiener, Extrapolation, Interpolation, and Smoothing of
// Stationary Time Series, 1949): H / (H^2 + noise / signal), H being the blur's.
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/plan.hpp"
#include "support/panels.hpp"
#include "support/photo.hpp"

namespace {

using Complex = std::complex<float>;
using Lengths = std::vector<std::int64_t>;

constexpr double sigma = 1.6;               ///< of the blur, in pixels
constexpr std::int64_t margin = 24;         ///< of black, more than the blur reaches
constexpr double noise_over_signal = 3e-4;  ///< of 8 bits, beside a photograph's high frequencies
constexpr examples::Part shown = {150, 20, 240, 300};

sonoma::Device parse_device(const std::string& name) {
  if (name == "auto") return sonoma::Device::automatic;
  if (name == "gpu") return sonoma::Device::gpu;
  if (name == "cpu") return sonoma::Device::cpu;
  throw std::runtime_error("--device " + name + ": auto, gpu or cpu");
}

// Lengths that have fast transforms; the last one even.
Lengths padded_lengths(const examples::Photo& photo) {
  const auto up = [](std::size_t length) {
    return (static_cast<std::int64_t>(length) + margin + 63) / 64 * 64;
  };
  return {up(photo.height), up(photo.width)};
}

sonoma::FftProblem problem_of(const Lengths& lengths) {
  sonoma::FftProblem problem;
  problem.lengths = lengths;
  problem.convolution.emplace().real = true;
  problem.scale = 1 / static_cast<double>(problem.n());
  return problem;
}

std::vector<float> convolved(const sonoma::FftProblem& problem, sonoma::Device device,
                             const std::vector<float>& in, const std::vector<Complex>& filter) {
  sonoma::PlanOptions options;
  options.device = device;
  const sonoma::Plan plan = sonoma::make_plan(problem, options);
  std::vector<float> out(static_cast<std::size_t>(problem.out_points()));
  sonoma::DeviceBuffer from(plan.device(), in.size() * sizeof in[0]),
      spectrum(plan.device(), filter.size() * sizeof filter[0]),
      to(plan.device(), out.size() * sizeof out[0]);
  from.upload(in.data(), from.bytes());
  spectrum.upload(filter.data(), spectrum.bytes());
  sonoma::ExecuteOptions given;
  given.spectrum = spectrum.data();
  plan.execute(static_cast<const float*>(from.data()), static_cast<float*>(to.data()), given);
  to.download(out.data(), to.bytes());
  return out;
}

// A factor for each of the n0 x (n1 / 2 + 1) frequencies, of cycles a pixel.
std::vector<Complex> filter_of(const Lengths& lengths,
                               const std::function<double(double, double)>& factor) {
  const std::int64_t n0 = lengths[0], n1 = lengths[1];
  std::vector<Complex> filter;
  for (std::int64_t k0 = 0; k0 < n0; ++k0) {
    for (std::int64_t k1 = 0; k1 <= n1 / 2; ++k1) {
      const std::int64_t signed_k0 = k0 <= n0 / 2 ? k0 : k0 - n0;
      filter.emplace_back(
          static_cast<float>(factor(static_cast<double>(signed_k0) / static_cast<double>(n0),
                                    static_cast<double>(k1) / static_cast<double>(n1))));
    }
  }
  return filter;
}

// The transform of a Gaussian of variance sigma^2.
double gaussian(double f0, double f1) {
  return std::exp(-2 * std::numbers::pi * std::numbers::pi * sigma * sigma * (f0 * f0 + f1 * f1));
}

double wiener(double f0, double f1) {
  const double h = gaussian(f0, f1);
  return h / (h * h + noise_over_signal);
}

// The first rows and columns.
examples::Photo corner(const std::vector<float>& grey, const Lengths& lengths,
                       const examples::Photo& like) {
  examples::Photo photo{like.width, like.height, {}};
  for (std::size_t y = 0; y < like.height; ++y) {
    const auto row = grey.begin() + static_cast<std::ptrdiff_t>(y) * lengths[1];
    photo.grey.insert(photo.grey.end(), row, row + static_cast<std::ptrdiff_t>(like.width));
  }
  return photo;
}

bool deblur(sonoma::Device device, const std::string& jpeg, const std::string& png) {
  const examples::Photo photo = examples::read_photo(jpeg);
  const Lengths lengths = padded_lengths(photo);
  const auto height = static_cast<std::int64_t>(photo.height),
             width = static_cast<std::int64_t>(photo.width);
  sonoma::FftProblem padding = problem_of(lengths), cropping = padding;
  padding.ends.in_lengths = {height}, padding.ends.in_length = width;
  cropping.ends.out_lengths = {height}, cropping.ends.out_length = width;

  const auto blurred =
      examples::in_8_bits(convolved(padding, device, photo.grey, filter_of(lengths, gaussian)));
  const examples::Photo restored{photo.width, photo.height,
                                 convolved(cropping, device, blurred, filter_of(lengths, wiener))};

  const examples::Photo stored = corner(blurred, lengths, photo);
  examples::write_png(png, examples::draw_side_by_side({photo, stored, restored}, shown));
  const double before = examples::psnr(photo.grey, stored.grey),
               after = examples::psnr(photo.grey, restored.grey);
  std::printf(
      "%zu x %zu pixels, padded to %lld x %lld; PSNR blurred %.2f dB, restored %.2f dB\n%s\n",
      photo.height, photo.width, static_cast<long long>(lengths[0]),
      static_cast<long long>(lengths[1]), before, after, png.c_str());
  return after > before;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    sonoma::Device device = sonoma::Device::automatic;
    if (words.size() >= 2 && words[0] == "--device") {
      device = parse_device(words[1]);
      words.erase(words.begin(), words.begin() + 2);
    }
    const std::string jpeg = words.empty() ? examples::default_photo : words[0];
    return deblur(device, jpeg, words.size() > 1 ? words[1] : "deblur.png") ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deblur: %s\n", error.what());
    return 2;
  }
}
