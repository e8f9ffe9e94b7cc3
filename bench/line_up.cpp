#include "line_up.hpp"

#include <memory>
#include <utility>

#include "sonoma/device_buffer.hpp"
#include "sonoma/verify/convolution.hpp"
#include "suite.hpp"
#include "three_calls.hpp"

namespace sonoma::bench {

Contender copy_contender(const FftProblem& problem, const Workload& workload, Stream stream) {
  return {"copy",
          [&workload, stream, bytes = bytes_of(problem)] {
            copy_on_device(workload.out(), workload.in(), bytes, stream);
          },
          0};
}

Contender sonoma_contender(const Variant& variant, const FftProblem& problem,
                           const Workload& workload, Stream stream) {
  PlanOptions options;
  options.device = workload.output().device();
  options.tuning = variant.tuning;
  options.edit_kernel = variant.edit_kernel;
  options.overrides = variant.overrides;
  FftProblem asked = problem;
  if (variant.accuracy != Accuracy{}) asked.accuracy = variant.accuracy;
  const Plan plan = make_plan(asked, options);
  const auto spectrum = std::make_shared<DeviceBuffer>(spectrum_on_device(problem));
  return {variant.name,
          [plan, &workload, spectrum, stream] {
            ExecuteOptions execution;
            execution.stream = stream;
            if (spectrum->bytes() > 0) execution.spectrum = spectrum->data();
            plan.execute(workload.in(), workload.out(), execution);
          },
          plan.workspace_bytes()};
}

Contender cufft_contender(const Cufft& library, const FftProblem& problem, const Workload& workload,
                          Stream stream) {
  const auto plan = std::make_shared<Cufft::Plan>(library, problem, stream);
  if (!Cufft::overwrites_input(problem)) {
    return {"cufft", [plan, &workload] { plan->execute(workload.in(), workload.out()); },
            plan->workspace_bytes()};
  }
  const auto input = std::make_shared<DeviceBuffer>(
      Device::gpu, static_cast<std::size_t>(problem.in_points()) * problem.bytes_of_point(true));
  return {"cufft", [plan, input, &workload] { plan->execute(input->data(), workload.out()); },
          plan->workspace_bytes(),
          [input, stream, &workload] {
            copy_on_device(input->data(), workload.in(), input->bytes(), stream);
          }};
}

namespace {

Contender three_calls(const Cufft& library, const FftProblem& problem, const Workload& workload,
                      Stream stream) {
  const auto calls = std::make_shared<ThreeCallConvolution>(
      library, problem, verification::random_spectrum(problem, seed_of_spectrum), stream);
  return {"cufft+product", [calls, &workload] { calls->execute(workload.in(), workload.out()); },
          calls->workspace_bytes()};
}

}  // namespace

const std::vector<Variant>& sonoma_variants() {
  static const std::vector<Variant> variants = [] {
    std::vector<Variant> all = {
        {"sonoma", {}}, {"sonoma-mma", {}}, {"sonoma-simt", {}}, {"sonoma-packed", {}}};
    all[1].tuning.engine = Engine::mma;
    all[2].tuning.engine = Engine::simt;
    all[3].accuracy.arithmetic = Arithmetic::packed;
    return all;
  }();
  return variants;
}

LineUp line_up(const FftProblem& problem, const std::vector<Variant>& variants,
               const Workload& workload, const Cufft* cufft, const GpuStream& stream) {
  LineUp result;
  const auto add = [&](const std::string& name, auto&& make) {
    try {
      result.contenders.push_back(make());
    } catch (const UnsupportedProblem& error) {
      result.notes.push_back(name + ": " + error.what());
    }
  };
  add("copy", [&] { return copy_contender(problem, workload, stream.get()); });
  for (const auto& variant : variants) {
    // Others have no sums in FP16; a note for each of their runs would tell nothing.
    const bool packed = variant.accuracy.arithmetic == Arithmetic::packed;
    if (packed && problem.storage != Storage::f16) continue;
    add(variant.name, [&] { return sonoma_contender(variant, problem, workload, stream.get()); });
  }
  if (cufft != nullptr && problem.convolution) {
    add("cufft+product", [&] { return three_calls(*cufft, problem, workload, stream.get()); });
  } else if (cufft != nullptr) {
    add("cufft", [&] { return cufft_contender(*cufft, problem, workload, stream.get()); });
  }
  return result;
}

}  // namespace sonoma::bench
