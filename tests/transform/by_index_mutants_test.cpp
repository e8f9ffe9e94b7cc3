// Kernels that find points by their index (ends, any strides) with one fault each: their results
// differ, or the emulated device complains.
#include <gtest/gtest.h>

#include <complex>
#include <span>

#include "damage_text.hpp"
#include "host_compiler.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

struct Subject {
  CudaSource source;
  std::int64_t batch;
  std::size_t points;  // of the memory on either side, some of it behind the batch
  std::size_t out_points = points;
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
  std::vector<Complex> in(subject.points), out(subject.out_points, {-1, -1});
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {static_cast<float>(i % 7), 1.5f};
  const EmulatedKernel kernel(compiled(subject.source), subject.source);
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

void expect_caught(const Subject& subject, const std::vector<Damage>& faults) {
  const std::string right = result_of(subject);
  EXPECT_NE(right.find("-1.000000,-1.000000"), right.npos);  // what belongs to no transform
  for (const Damage& damage : faults) {
    Subject mutant = subject;
    mutant.source.text = damage.text;
    EXPECT_TRUE(result_of(mutant) != right) << damage.what;
  }
}

void append(std::vector<Damage>& faults, const std::vector<Damage>& more) {
  faults.insert(faults.end(), more.begin(), more.end());
}

TEST(ByIndexMutants, OfEndsAreCaught) {
  FftProblem problem;
  problem.batch = 35;
  problem.ends = {11, 13,
                  "make_float2(value.x + static_cast<float>(index),\n"
                  "            value.y - static_cast<float>(transform))",
                  "make_float2(value.x, value.y + static_cast<float>(transform))"};
  const Subject subject = subject_of(problem, 35, 600);
  const std::string& text = subject.source.text;
  std::vector<Damage> faults = {
      in_function(text, "load", "index < 11u", "index < 12u"),
      in_function(text, "store", "index < 13u", "index < 14u"),
      in_function(text, "store", "< columns", "<= columns"),
      in_function(text, "change_input", "index, transform", "index + 1, transform"),
      in_function(text, "change_input", "if \\([^;]*?\\)\n", ""),
      in_function(text, "change_result", "transform \\+ column", "transform"),
      in_function(text, subject.source.name, "in \\+= transform \\* 11ull",
                  "in += transform * 16ull"),
  };
  append(faults, without_statements(text));
  append(faults, off_by_one(text));
  expect_caught(subject, faults);
}

// What is loaded for no transform is stored for none: only memory that ends there shows it.
TEST(ByIndexMutants, OfWhatIsLoadedBehindTheBatchAreCaught) {
  FftProblem problem;
  problem.batch = 35;
  problem.ends.in_length = 11;
  Subject subject = subject_of(problem, 35, 35 * 11);
  subject.out_points = 35 * 16;
  const std::string right = result_of(subject);
  subject.source.text = in_function(subject.source.text, "load", "< columns", "<= columns").text;
  EXPECT_NE(result_of(subject), right);
}

// Of 37 columns the second block has 5.
TEST(ByIndexMutants, OfStridesAreCaught) {
  FftProblem problem;
  problem.layout.in_stride = 37, problem.layout.out_stride = 39;
  problem.layout.in_dist = 600, problem.layout.out_dist = 640;
  problem.layout.loops = {{37, 1, 1}};
  const Subject subject = subject_of(problem, 2, 1400);
  const std::string &text = subject.source.text, &kernel = subject.source.name;
  std::vector<Damage> faults = {
      in_function(text, "store", "< columns", "<= columns"),
      in_function(text, kernel, "37u - column", "36u - column"),
      in_function(text, kernel, "block % 2u \\* 32", "block % 2u * 33"),
      in_function(text, kernel, "block / 2u", "block"),
  };
  append(faults, without_statements(text));
  append(faults, off_by_one(text));
  expect_caught(subject, faults);
}

}  // namespace
}  // namespace sonoma::test
