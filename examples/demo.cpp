// Sonoma's main job: the spectrogram of recorded speech, with every step shown.
//
//   demo [OUT_DIR [WAV]]      (default: out, the recording of alsa-utils)
//
// Leaves OUT_DIR/kernel.cu (the generated kernel), plan.txt (how it came about) and
// spectrogram.png.
#include <chrono>
#include <cmath>
#include <complex>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sonoma/inspect.hpp"
#include "sonoma/plan.hpp"
#include "support/picture.hpp"
#include "support/reference.hpp"
#include "support/short_time.hpp"
#include "support/sound.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t frame_length = 1024;
constexpr std::size_t hop = 256;

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

std::string explanation(const sonoma::Plan& plan) {
  const sonoma::Generated& g = plan.generated();
  const sonoma::KernelCosts& c = g.costs;
  std::ostringstream text;
  text << plan.describe()
       << "\nTree of Gentleman-Sande factors: " << to_string(*g.tuning.decomposition)
       << "\n\nSchedule:\n"
       << to_string(g.schedule) << "\nPer transform: " << c.bytes_moved << " bytes moved ("
       << c.bytes_minimum << " are the minimum), " << c.mmas << " MMAs, " << c.barriers
       << " block barriers, " << c.exchanges << " exchanges through shared memory, "
       << c.bank_conflicts() << " bank conflicts\n";
  return text.str();
}

std::vector<std::complex<float>> execute(const sonoma::Plan& plan,
                                         const std::vector<float>& samples,
                                         const std::vector<float>& window) {
  const auto start = Clock::now();
  auto spectra = examples::execute(plan, samples, window);
  const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
  std::cout << "Executed on the "
            << (plan.device() == sonoma::Device::gpu ? "GPU" : "emulated device (no GPU here)")
            << " in " << std::fixed << std::setprecision(1) << elapsed.count() << " ms\n";
  return spectra;
}

bool demonstrate(const std::filesystem::path& folder, const std::string& wav) {
  const examples::Sound sound = examples::read_sound(wav);
  const std::size_t frames = examples::frames_of(sound.samples.size(), frame_length, hop);
  const auto samples = examples::padded(sound.samples, frame_length, hop);
  const auto window = examples::hann_window(frame_length);
  std::cout << wav << ": " << sound.samples.size() << " samples at " << sound.sample_rate << " Hz, "
            << frames << " frames of " << frame_length << ", " << hop << " apart\n\n";
  const sonoma::Plan plan =
      sonoma::make_plan(examples::short_time_problem(frame_length, hop, frames));
  std::cout << explanation(plan) << std::endl;
  const auto spectra = execute(plan, samples, window);

  examples::SpectrogramAxes axes;
  axes.sample_rate = sound.sample_rate;
  std::filesystem::create_directories(folder);
  write_text(folder / "kernel.cu", plan.source());
  write_text(folder / "plan.txt",
             explanation(plan) + "\nKernel IR:\n" + to_string(plan.generated().ir));
  examples::write_png(
      folder / "spectrogram.png",
      examples::with_scales(examples::draw_spectrogram(spectra, frame_length, axes), axes,
                            examples::times_of(frames, frame_length, hop, axes.sample_rate)));
  const double error = examples::worst_error_in_u(samples, window, hop, spectra);
  const double limit = 1.5 * std::sqrt(std::log2(double{frame_length}));
  std::cout << "Worst relative L2 error of a frame against FFTW in double: " << std::setprecision(2)
            << error << " u (limit " << limit << " u, u = 2^-24)\n"
            << "Left in " << folder.string() << ": kernel.cu, plan.txt, spectrogram.png\n";
  return error <= limit;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return demonstrate(argc > 1 ? argv[1] : "out", argc > 2 ? argv[2] : examples::default_sound)
               ? 0
               : 1;
  } catch (const std::exception& error) {
    std::cerr << "demo: " << error.what() << '\n';
    return 2;
  }
}
