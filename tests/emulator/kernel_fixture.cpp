#include "kernel_fixture.hpp"

#include <map>
#include <numeric>

namespace sonoma::testing {

CudaSource kernel(const std::string& body, unsigned threads, unsigned shared_bytes) {
  CudaSource source;
  source.name = "kernel_under_test";
  source.text = "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(threads) +
                ", 1) kernel_under_test(const float2* in, float2* out, const uint4* tables,\n"
                "    unsigned long long batch) {\n"
                "  const float* x = reinterpret_cast<const float*>(in);\n"
                "  float* y = reinterpret_cast<float*>(out);\n"
                "  float* shared = reinterpret_cast<float*>(dynamic_shared());\n"
                "  const unsigned t = thread_index();\n" +
                body + "\n}\n";
  source.launch = {threads, shared_bytes, 1};
  return source;
}

const EmulatedKernel& compiled(const CudaSource& source) {
  static std::map<CudaSource, EmulatedKernel> kernels;
  const auto found = kernels.find(source);
  if (found != kernels.end()) return found->second;
  static const HostCompiler compiler;
  return kernels.emplace(source, EmulatedKernel(compiler.compile(source), source)).first->second;
}

Run run(const CudaSource& source, const std::vector<float>& in, std::size_t out_floats,
        const EmulationOptions& options, std::uint64_t batch) {
  Run result{std::vector<float>(out_floats, -1.0f), {}};
  result.report = compiled(source).launch(std::as_bytes(std::span(in)),
                                          std::as_writable_bytes(std::span(result.out)),
                                          source.tables, batch, options);
  return result;
}

std::string error_of(const CudaSource& source, const EmulationOptions& options,
                     std::size_t floats) {
  try {
    (void)run(source, ramp(floats), floats, options);
  } catch (const EmulationError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

}  // namespace sonoma::testing
