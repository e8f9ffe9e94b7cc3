// Kernels whose ends have one fault each: their results differ, or the emulated device complains.
#include <gtest/gtest.h>

#include <complex>
#include <span>

#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

// A block takes 32 transforms.
FftProblem problem_with_all() {
  FftProblem problem;
  problem.lengths = {16};
  problem.batch = 35;
  problem.ends = {11, 13, "make_float2(value.x + static_cast<float>(index), value.y)",
                  "make_float2(value.x, value.y + static_cast<float>(transform))"};
  return problem;
}

CudaSource source_of(const FftProblem& problem) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.block_points = 512;
  return generate(problem, target_for("sm_90"), tuning).source;
}

// The output, or what the device says. Memory behind the batch exists, so that what is stored there
// is seen.
std::string result_of(const CudaSource& source) {
  std::vector<Complex> in(600), out(600, {-1, -1});
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {static_cast<float>(i % 7), 1.5f};
  const EmulatedKernel kernel(HostCompiler().compile(source), source);
  try {
    (void)kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)),
                        source.tables, 35, {.check_races = true});
  } catch (const EmulationError& error) {
    return error.what();
  }
  std::string text;
  for (const Complex& y : out) {
    text += std::to_string(y.real()) + "," + std::to_string(y.imag()) + " ";
  }
  return text;
}

TEST(EndsMutants, AreCaught) {
  const CudaSource source = source_of(problem_with_all());
  const std::string right = result_of(source);
  EXPECT_NE(right.find("-1.000000,-1.000000"), right.npos);  // behind the batch
  const std::pair<std::string, std::string> faults[] = {
      {"< End::length", "<= End::length"},
      {"place.first + in_transform<End>(p)", "place.first + 1 + in_transform<End>(p)"},
      {"column_of<End>(offset) < place.columns", "column_of<End>(offset) <= place.columns"},
      {"place.transform + column", "place.transform"},
      {"return code(value, index_at<End, offset>(p, place)", "return code(value, p + offset + 1"},
      {"if (!is_there<End, offset>(p, place)) return value;", ""},
      {"in += transform * 11ull", "in += transform * 16ull"},
      {"Input = End<16, 11,", "Input = End<16, 16,"},
      {"Output = End<16, 13,", "Output = End<16, 16,"},
      {"const Place to{0, columns,", "const Place to{0, 32,"},
  };
  for (const auto& [from, to] : faults) {
    CudaSource mutant = source;
    const std::size_t at = mutant.text.find(from);
    ASSERT_NE(at, mutant.text.npos) << from;
    mutant.text.replace(at, from.size(), to);
    EXPECT_NE(result_of(mutant), right) << from << " -> " << to;
  }
}

}  // namespace
}  // namespace sonoma::test
