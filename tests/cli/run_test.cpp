// run: .npy to .npy on the emulated device, against FFTW.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "command.hpp"
#include "npy.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/metrics.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;

NpyArray random_array(std::vector<std::int64_t> shape) {
  std::int64_t count = 1;
  for (const auto extent : shape) count *= extent;
  return {std::move(shape), verification::normal_row(count, 7)};
}

CommandResult sonoma_run(std::vector<std::string> arguments, const std::string& in,
                         const std::string& out) {
  arguments.insert(arguments.begin(),
                   {SONOMA_COMMAND, "run", "--device", "cpu", "--input", in, "--output", out});
  return run_command(arguments);
}

// Of the file's numbers as the storage holds them, in FP32 arithmetic.
void expect_transform(NpyArray x, const NpyArray& y, Direction direction, double scale,
                      Storage storage = Storage::f32) {
  ASSERT_EQ(x.shape, y.shape);
  const std::int64_t n = x.shape.back();
  for (auto& v : x.data) v = rounded_to(storage, v);
  const auto exact = verification::reference_dft(x.data, n, direction, scale);
  const auto length = static_cast<std::size_t>(n);
  for (std::size_t start = 0; start < x.data.size(); start += length) {
    const auto metrics =
        verification::measure({x.data.data() + start, length}, {y.data.data() + start, length},
                              {exact.data() + start, length}, scale, storage);
    EXPECT_LE(metrics.e2, verification::e2_limit(n)) << "row " << start / length;
  }
}

struct RunCase {
  std::vector<std::int64_t> shape;
  std::vector<std::string> options;
  Direction direction;
  double scale;
  Storage storage = Storage::f32;
};

class Run : public testing::TestWithParam<RunCase> {};

TEST_P(Run, AgreesWithFftw) {
  const RunCase& c = GetParam();
  const TemporaryFolder folder;
  const NpyArray x = random_array(c.shape);
  cli::save_npy(folder.file("in.npy"), x);
  const auto result = sonoma_run(c.options, folder.file("in.npy"), folder.file("out.npy"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  expect_transform(x, cli::load_npy(folder.file("out.npy")), c.direction, c.scale, c.storage);
}

INSTANTIATE_TEST_SUITE_P(
    Requests, Run,
    testing::Values(
        RunCase{{4096}, {"--n", "4096"}, Direction::forward, 1},
        RunCase{{3, 256}, {"--n", "256"}, Direction::forward, 1},
        RunCase{{5, 64}, {"--in-place"}, Direction::forward, 1},
        RunCase{{2, 16}, {"--inverse", "--norm", "backward"}, Direction::inverse, 1.0 / 16},
        RunCase{{2, 64}, {"--norm", "ortho", "--engine", "simt"}, Direction::forward, 0.125},
        RunCase{{1, 2}, {"--scale", "-3"}, Direction::forward, -3},
        RunCase{{3, 64},
                {"--precision", "f16", "--engine", "simt"},
                Direction::forward,
                1,
                Storage::f16},
        RunCase{{3, 64},
                {"--precision", "bf16", "--accuracy", "split3", "--in-place"},
                Direction::forward,
                1,
                Storage::bf16}));

TEST(RunPrecision, WhatTheStorageCannotHoldBecomesInfinite) {
  const TemporaryFolder folder;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  // 1e5 is infinite already when it is stored, 4e4 + 4e4 when the sum is; 1e-9 is zero.
  cli::save_npy(
      folder.file("in.npy"),
      NpyArray{{3, 2}, {{1e5f, 0}, {0, 0}, {4e4f, -4e4f}, {4e4f, -4e4f}, {1e-9f, 1}, {}}});
  const auto result =
      sonoma_run({"--precision", "f16"}, folder.file("in.npy"), folder.file("out.npy"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto y = cli::load_npy(folder.file("out.npy")).data;
  EXPECT_EQ(y[0].real(), infinity);
  EXPECT_EQ(y[2], (std::complex<float>{infinity, -infinity}));
  EXPECT_EQ(y[3], (std::complex<float>{0, 0}));
  EXPECT_EQ(y[4], (std::complex<float>{0, 1}));
  EXPECT_NE(run_command({SONOMA_COMMAND, "run", "--help"}).out.find("becomes infinity"),
            std::string::npos);
}

TEST(RunFiles, InputMayBeOutput) {
  const TemporaryFolder folder;
  const NpyArray x = random_array({2, 32});
  cli::save_npy(folder.file("a.npy"), x);
  ASSERT_EQ(sonoma_run({}, folder.file("a.npy"), folder.file("a.npy")).exit_code, 0);
  expect_transform(x, cli::load_npy(folder.file("a.npy")), Direction::forward, 1);
}

void expect_failure(const CommandResult& result, int exit_code, const std::string& part) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
}

TEST(RunFiles, BadShapesAndLengthsAreBadArguments) {
  const TemporaryFolder folder;
  const std::string in = folder.file("in.npy"), out = folder.file("out.npy");
  cli::save_npy(in, NpyArray{{}, {{1, 0}}});
  expect_failure(sonoma_run({}, in, out), 2, "must have an axis");
  cli::save_npy(in, NpyArray{{0, 16}, {}});
  expect_failure(sonoma_run({}, in, out), 2, "(0, 16)");
  cli::save_npy(in, random_array({2, 16}));
  expect_failure(sonoma_run({"--n", "32", "--in-length", "8"}, in, out), 2, "--in-length 8");
  cli::save_npy(in, random_array({2, 67}));
  expect_failure(sonoma_run({"--method", "radix"}, in, out), 2, "67");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(RunFiles, BadFilesAreFileErrors) {
  const TemporaryFolder folder;
  const std::string in = folder.file("in.npy"), out = folder.file("out.npy");
  expect_failure(sonoma_run({}, in, out), 3, "in.npy: cannot be read");
  write_text(in, "not an array");
  expect_failure(sonoma_run({}, in, out), 3, "not a .npy");
  cli::save_npy(in, random_array({16}));
  std::filesystem::resize_file(in, std::filesystem::file_size(in) - 1);
  expect_failure(sonoma_run({}, in, out), 3, "truncated");
  cli::save_npy(in, random_array({16}));
  expect_failure(sonoma_run({}, in, folder.file("no/out.npy")), 3, "no/out.npy");
  expect_failure(sonoma_run({}, folder.path().string(), out), 3, folder.path().string());
}

}  // namespace
}  // namespace sonoma::tests
