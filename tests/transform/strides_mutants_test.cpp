// Kernels for any strides with one fault each: their results differ, or the emulated device
// complains.
#include <gtest/gtest.h>

#include <complex>
#include <span>

#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

// A block takes 32 of 37 columns; the second one has 5.
CudaSource source_of_columns() {
  FftProblem problem;
  problem.lengths = {16};
  problem.layout.in_stride = 37, problem.layout.out_stride = 39;
  problem.layout.in_dist = 600, problem.layout.out_dist = 640;
  problem.layout.loops = {{37, 1, 1}};
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.block_points = 512;
  return generate(problem, target_for("sm_90"), tuning).source;
}

// The output, or what the device says. Memory behind the batch exists, so that what is stored there
// is seen.
std::string result_of(const CudaSource& source) {
  std::vector<Complex> in(1400), out(1400, {-1, -1});
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {static_cast<float>(i % 7), 1.5f};
  const EmulatedKernel kernel(HostCompiler().compile(source), source);
  try {
    (void)kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)),
                        source.tables, 2, {.host_threads = 1});
  } catch (const EmulationError& error) {
    return error.what();
  }
  std::string text;
  for (const Complex& y : out) {
    text += std::to_string(y.real()) + "," + std::to_string(y.imag()) + " ";
  }
  return text;
}

TEST(StridesMutants, AreCaught) {
  const CudaSource source = source_of_columns();
  const std::string right = result_of(source);
  EXPECT_NE(right.find("-1.000000,-1.000000"), right.npos);  // between the columns
  const std::pair<std::string, std::string> faults[] = {
      {"column_of<End>(offset) < place.columns", "column_of<End>(offset) <= place.columns"},
      {"const Place to{0, columns,", "const Place to{0, 32u,"},
      {"? 37u - column : 32u", "? 36u - column : 32u"},
      {"block % 2u * 32", "block % 2u * 33"},
      {"Input = End<16, 16, 37,", "Input = End<16, 16, 39,"},
      {"Output = End<16, 16, 39, 1,", "Output = End<16, 16, 39, 2,"},
  };
  for (const auto& [from, to] : faults) {
    CudaSource mutant = source;
    const std::size_t at = mutant.text.find(from);
    ASSERT_NE(at, mutant.text.npos) << from;
    mutant.text.replace(at, from.size(), to);
    EXPECT_TRUE(result_of(mutant) != right) << from << " -> " << to;
  }
}

}  // namespace
}  // namespace sonoma::test
