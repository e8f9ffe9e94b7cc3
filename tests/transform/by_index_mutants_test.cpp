// Kernels that find points by their index (ends, any strides) with one fault each: their results
// differ, or the emulated device complains.
#include <gtest/gtest.h>

#include <complex>
#include <span>

#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

struct Subject {
  CudaSource source;
  std::int64_t batch;
  std::size_t points;  // of the memory on either side, some of it behind the batch
};

// A block takes 32 transforms.
Subject subject_of(FftProblem problem, std::int64_t batch, std::size_t points) {
  problem.lengths = {16};
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.block_points = 512;
  return {generate(problem, target_for("sm_90"), tuning).source, batch, points};
}

// The output, or what the device says. Memory that belongs to no transform exists, so that what is
// stored there is seen.
std::string result_of(const Subject& subject) {
  std::vector<Complex> in(subject.points), out(subject.points, {-1, -1});
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {static_cast<float>(i % 7), 1.5f};
  const EmulatedKernel kernel(HostCompiler().compile(subject.source), subject.source);
  try {
    (void)kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)),
                        subject.source.tables, subject.batch, {.check_races = true});
  } catch (const EmulationError& error) {
    return error.what();
  }
  std::string text;
  for (const Complex& y : out) {
    text += std::to_string(y.real()) + "," + std::to_string(y.imag()) + " ";
  }
  return text;
}

void expect_caught(const Subject& subject,
                   const std::vector<std::pair<std::string, std::string>>& faults) {
  const std::string right = result_of(subject);
  EXPECT_NE(right.find("-1.000000,-1.000000"), right.npos);  // what belongs to no transform
  for (const auto& [from, to] : faults) {
    Subject mutant = subject;
    const std::size_t at = mutant.source.text.find(from);
    ASSERT_NE(at, mutant.source.text.npos) << from;
    mutant.source.text.replace(at, from.size(), to);
    EXPECT_TRUE(result_of(mutant) != right) << from << " -> " << to;
  }
}

TEST(ByIndexMutants, OfEndsAreCaught) {
  FftProblem problem;
  problem.batch = 35;
  problem.ends = {11, 13, "make_float2(value.x + static_cast<float>(index), value.y)",
                  "make_float2(value.x, value.y + static_cast<float>(transform))"};
  expect_caught(
      subject_of(problem, 35, 600),
      {
          {"< End::length", "<= End::length"},
          {"place.first + in_transform<End>(p)", "place.first + 1 + in_transform<End>(p)"},
          {"column_of<End>(offset) < place.columns", "column_of<End>(offset) <= place.columns"},
          {"place.transform + column", "place.transform"},
          {"return code(value, index_at<End, offset>(p, place)",
           "return code(value, p + offset + 1"},
          {"if (!is_there<End, offset>(p, place)) return value;", ""},
          {"in += transform * 11ull", "in += transform * 16ull"},
          {"Input = End<16, 11,", "Input = End<16, 16,"},
          {"Output = End<16, 13,", "Output = End<16, 16,"},
          {"const Place to{0, columns,", "const Place to{0, 32,"},
      });
}

// Of 37 columns the second block has 5.
TEST(ByIndexMutants, OfStridesAreCaught) {
  FftProblem problem;
  problem.layout.in_stride = 37, problem.layout.out_stride = 39;
  problem.layout.in_dist = 600, problem.layout.out_dist = 640;
  problem.layout.loops = {{37, 1, 1}};
  expect_caught(
      subject_of(problem, 2, 1400),
      {
          {"column_of<End>(offset) < place.columns", "column_of<End>(offset) <= place.columns"},
          {"const Place to{0, columns,", "const Place to{0, 32u,"},
          {"? 37u - column : 32u", "? 36u - column : 32u"},
          {"block % 2u * 32", "block % 2u * 33"},
          {"Input = End<16, 16, 37,", "Input = End<16, 16, 39,"},
          {"Output = End<16, 16, 39, 1,", "Output = End<16, 16, 39, 2,"},
      });
}

}  // namespace
}  // namespace sonoma::test
