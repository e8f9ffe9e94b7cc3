#include "support/short_time.hpp"

#include "sonoma/device_buffer.hpp"

namespace examples {

sonoma::FftProblem short_time_problem(std::size_t length, std::size_t hop, std::size_t frames) {
  sonoma::FftProblem problem;
  problem.domain = sonoma::Domain::r2c;
  problem.lengths = {static_cast<std::int64_t>(length)};
  problem.batch = static_cast<std::int64_t>(frames);
  problem.layout.in_dist = static_cast<std::int64_t>(hop);
  problem.ends.load_code = "make_float2(value.x * static_cast<const float*>(user)[index], 0.0f)";
  return problem;
}

std::vector<std::complex<float>> execute(const sonoma::Plan& plan,
                                         const std::vector<float>& samples,
                                         const std::vector<float>& window) {
  std::vector<std::complex<float>> spectra(static_cast<std::size_t>(plan.problem().out_points()));
  const std::size_t out_bytes = spectra.size() * sizeof spectra[0];
  sonoma::DeviceBuffer in(plan.device(), samples.size() * sizeof samples[0]),
      factors(plan.device(), window.size() * sizeof window[0]), out(plan.device(), out_bytes);
  in.upload(samples.data(), samples.size() * sizeof samples[0]);
  factors.upload(window.data(), window.size() * sizeof window[0]);
  sonoma::ExecuteOptions options;
  options.user = factors.data();
  plan.execute(in.data(), out.data(), options);
  out.download(spectra.data(), out_bytes);
  return spectra;
}

Times times_of(std::size_t frames, std::size_t length, std::size_t hop, double sample_rate) {
  const auto middle = static_cast<double>(length) / 2, step = static_cast<double>(hop);
  return {(middle - step / 2) / sample_rate,
          (middle + (static_cast<double>(frames) - 0.5) * step) / sample_rate};
}

}  // namespace examples
