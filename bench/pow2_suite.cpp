#include "pow2_suite.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "contender.hpp"
#include "cufft.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::bench {
namespace {

using verification::Complex;
using verification::ComplexD;

/// What every contender of the run works on.
struct Data {
  explicit Data(std::size_t points)
      : host(points),
        in(Device::gpu, points * sizeof(Complex)),
        out(Device::gpu, points * sizeof(Complex)) {
    std::minstd_rand generator(1);
    const auto component = [&] {
      return static_cast<float>(static_cast<double>(generator()) * 0x1p-30 - 1);
    };
    for (auto& x : host) x = {component(), component()};
    in.upload(host.data(), in.bytes());
  }

  std::vector<Complex> host;
  DeviceBuffer in, out;
};

/// Rows spread over the batch, first and last among them: enough to catch a kernel that is wrong
/// anywhere, and few enough for FP64 on the host.
class Sample {
 public:
  Sample(const Data& data, std::size_t n) : n_(n) {
    const std::size_t batch = data.host.size() / n;
    const std::size_t count = std::min(batch, std::clamp<std::size_t>(65536 / n, 16, 1024));
    std::vector<Complex> input;
    for (std::size_t i = 0; i < count; ++i) {
      rows_.push_back(count == 1 ? 0 : i * (batch - 1) / (count - 1));
      const auto start = data.host.begin() + static_cast<std::ptrdiff_t>(rows_.back() * n);
      input.insert(input.end(), start, start + static_cast<std::ptrdiff_t>(n));
    }
    exact_ = verification::reference_dft(input, static_cast<std::int64_t>(n), Direction::forward);
  }

  /// Worst of the rows.
  [[nodiscard]] double relative_l2(const DeviceBuffer& out) const {
    std::vector<Complex> row(n_);
    double worst = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      out.download(row.data(), n_ * sizeof row[0], rows_[i] * n_ * sizeof row[0]);
      double error = 0, norm = 0;
      for (std::size_t k = 0; k < n_; ++k) {
        error += std::norm(ComplexD(row[k]) - exact_[i * n_ + k]);
        norm += std::norm(exact_[i * n_ + k]);
      }
      const double relative = std::sqrt(error / norm);
      worst = relative >= 0 ? std::max(worst, relative) : std::numeric_limits<double>::infinity();
    }
    return worst;
  }

 private:
  std::size_t n_;
  std::vector<std::size_t> rows_;
  std::vector<ComplexD> exact_;
};

Contender copy_contender(const Data& data, Stream stream) {
  return {
      "copy",
      [&data, stream] { copy_on_device(data.out.data(), data.in.data(), data.in.bytes(), stream); },
      0};
}

Contender sonoma_contender(std::string name, std::optional<Engine> engine, const Data& data,
                           std::size_t n, Stream stream) {
  FftProblem problem;
  problem.lengths = {static_cast<std::int64_t>(n)};
  problem.batch = static_cast<std::int64_t>(data.host.size() / n);
  PlanOptions options;
  options.device = Device::gpu;
  options.tuning.engine = engine;
  const Plan plan = make_plan(problem, options);
  return {std::move(name),
          [plan, &data, stream] { plan.execute(data.in.data(), data.out.data(), stream); },
          plan.workspace_bytes()};
}

Contender cufft_contender(const Cufft& library, const Data& data, std::size_t n, Stream stream) {
  const auto plan =
      std::make_shared<Cufft::Plan>(library, static_cast<std::int64_t>(n),
                                    static_cast<std::int64_t>(data.host.size() / n), stream);
  return {"cufft", [plan, &data] { plan->execute(data.in.data(), data.out.data()); },
          plan->workspace_bytes()};
}

std::vector<Contender> contenders_for(std::size_t n, const Data& data, const Cufft* cufft,
                                      Stream stream) {
  std::vector<Contender> contenders = {
      copy_contender(data, stream),
      sonoma_contender("sonoma", std::nullopt, data, n, stream),
      sonoma_contender("sonoma-mma", Engine::mma, data, n, stream),
      sonoma_contender("sonoma-simt", Engine::simt, data, n, stream),
  };
  if (cufft != nullptr) contenders.push_back(cufft_contender(*cufft, data, n, stream));
  return contenders;
}

}  // namespace

void run_pow2_suite(const Pow2Options& options, const std::function<void(const Result&)>& report) {
  const GpuStream stream;
  const Data data(std::size_t{1} << options.log2_points);
  std::optional<Cufft> cufft;
  if (options.with_cufft) cufft.emplace();
  for (std::size_t n = 2; n <= std::min<std::size_t>(8192, data.host.size()); n *= 2) {
    const auto contenders = contenders_for(n, data, cufft ? &*cufft : nullptr, stream.get());
    const auto times = time_contenders(contenders, stream, options.repetitions);
    const Sample sample(data, n);
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      contenders[0].enqueue();  // the copy: nobody is judged by what another has left
      contenders[c].enqueue();
      stream.synchronize();
      const bool copies = contenders[c].name == "copy";
      report({contenders[c].name, "f32", std::to_string(n),
              static_cast<std::int64_t>(data.host.size() / n), "out", times[c], times[0],
              copies ? 0 : sample.relative_l2(data.out), contenders[c].workspace});
    }
  }
}

}  // namespace sonoma::bench
