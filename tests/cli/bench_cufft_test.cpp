// How cuFFT is opened and called, with a stand-in for it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cufft.hpp"

namespace sonoma::bench {
namespace {

FftProblem problem_of(std::int64_t n, std::int64_t batch, Storage storage) {
  FftProblem problem;
  problem.lengths = {n};
  problem.batch = batch;
  problem.storage = storage;
  return problem;
}

int live_plans() {
  void* library = dlopen(SONOMA_FAKE_CUFFT, RTLD_NOW | RTLD_NOLOAD);
  const auto count = reinterpret_cast<int (*)()>(dlsym(library, "fake_cufft_live_plans"));
  const int result = count();
  dlclose(library);
  return result;
}

TEST(BenchCufft, PlansOfEveryStorageMoveAllBytes) {
  const Cufft library({"/nowhere/libcufft.so.12", SONOMA_FAKE_CUFFT});
  for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16}) {
    const std::size_t bytes = 3 * 8 * point_bytes(storage);
    std::vector<unsigned char> in(bytes), out(bytes + 1, 0xee);
    for (std::size_t i = 0; i < bytes; ++i) in[i] = static_cast<unsigned char>(i);
    const Cufft::Plan plan(library, problem_of(8, 3, storage), nullptr);
    plan.execute(in.data(), out.data());
    EXPECT_TRUE(std::equal(in.begin(), in.end(), out.begin())) << to_string(storage);
    EXPECT_EQ(out.back(), 0xee) << to_string(storage);
    EXPECT_EQ(plan.workspace_bytes(), bytes / 2);
  }
  EXPECT_EQ(live_plans(), 0);
}

TEST(BenchCufft, EveryPlaneOfColumnsIsExecuted) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  FftProblem problem = problem_of(8, 3, Storage::f32);
  problem.layout.in_stride = problem.layout.out_stride = 8;
  problem.layout.in_dist = problem.layout.out_dist = 64;
  problem.layout.loops = {{8, 1, 1}};
  std::vector<unsigned char> in(3 * 64 * 8), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i % 251);
  const Cufft::Plan plan(library, problem, nullptr);
  plan.execute(in.data(), out.data());
  EXPECT_EQ(in, out);
}

// Axes 1 and 3 of 3 x 2 x 4 x 6 x 2, the whole of which is copied.
TEST(BenchCufft, EveryIndexOfLoopsIsExecuted) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  FftProblem problem = problem_of(6, 3, Storage::f32);
  problem.lengths = {2, 6};
  problem.layout = {2, 2, 96, 96, {{2, 1, 1}, {4, 12, 12}}, {48}, {48}};
  validate(problem);
  std::vector<unsigned char> in(3 * 96 * 8), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i % 251);
  Cufft::Plan(library, problem, nullptr).execute(in.data(), out.data());
  EXPECT_EQ(in, out);
  problem.layout.loops[0].count = 1, problem.batch = 2;
  std::fill(out.begin(), out.end(), 0);
  Cufft::Plan(library, problem, nullptr).execute(in.data(), out.data());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool there = i / 8 % 2 == 0 && i < 2 * 96 * 8;
    EXPECT_EQ(out[i], there ? in[i] : 0) << i;
  }
}

TEST(BenchCufft, PlansTakeStridesAndDistances) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  for (const Storage storage : {Storage::f32, Storage::f16}) {
    FftProblem problem = problem_of(4, 2, storage);
    problem.layout = advanced_layout(2, 1, 3, 13);
    const std::size_t point = point_bytes(storage);
    std::vector<unsigned char> in(8 * point), out(23 * point, 0xee), expected = out;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t b = i / point % 2, k = i / point / 2;
      expected[(b * 13 + k * 3) * point + i % point] = in[i];
    }
    Cufft::Plan(library, problem, nullptr).execute(in.data(), out.data());
    EXPECT_EQ(out, expected) << to_string(storage);
  }
}

// Of an axis, and of several; the fake makes real parts of real numbers, and the other way round.
TEST(BenchCufft, PlansTakeRealSides) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16}) {
      FftProblem problem = problem_of(8, 2, storage);
      problem.lengths = {2, 8};
      problem.domain = domain;
      if (domain == Domain::c2r) problem.direction = Direction::inverse;
      validate(problem);
      const bool r2c = domain == Domain::r2c;
      const std::size_t real = point_bytes(storage) / 2, point = 2 * real;
      std::vector<unsigned char> in(r2c ? 4 * 8 * real : 4 * 5 * point);
      std::vector<unsigned char> expected(r2c ? 4 * 5 * point : 4 * 8 * real);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i);
      for (std::size_t i = 0; i < 4 * 5 * real; ++i) {
        const std::size_t row = i / real / 5, k = i / real % 5, byte = i % real;
        const std::size_t number = (row * 8 + k) * real + byte;
        const std::size_t frequency = (row * 5 + k) * point + byte;
        expected[r2c ? frequency : number] = in[r2c ? number : frequency];
      }
      std::vector<unsigned char> out(expected.size(), 0xee);
      const std::vector<unsigned char> given = in;
      Cufft::Plan(library, problem, nullptr).execute(in.data(), out.data());
      EXPECT_EQ(out, expected) << to_string(problem);
      EXPECT_EQ(in != given, Cufft::overwrites_input(problem)) << to_string(problem);
    }
  }
}

TEST(BenchCufft, PlanesOfColumnsWithARealSideAreAsFarApartAsTheirPoints) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  FftProblem problem = problem_of(8, 3, Storage::f32);
  problem.domain = Domain::r2c;
  problem.layout.in_stride = problem.layout.out_stride = 8;
  problem.layout.in_dist = 64, problem.layout.out_dist = 40;
  problem.layout.loops = {{8, 1, 1}};
  validate(problem);
  std::vector<float> in(3 * 64), out(2 * 3 * 40, -1), expected(out.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < 3 * 40; ++i) expected[2 * i] = in[i / 40 * 64 + i % 40];
  Cufft::Plan(library, problem, nullptr).execute(in.data(), out.data());
  EXPECT_EQ(out, expected);
}

// Axes in arrays that reach further than they do.
TEST(BenchCufft, PlansTakeAxes) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  const std::vector<std::vector<std::int64_t>> shapes = {{4, 8}, {2, 4, 8}};
  for (const auto& shape : shapes) {
    for (const Storage storage : {Storage::f32, Storage::f16}) {
      FftProblem problem = problem_of(1, 2, storage);
      problem.lengths = shape;
      std::vector<std::int64_t> larger = shape;
      for (std::int64_t& n : larger) n += 1;
      problem.layout = advanced_layout(shape, 1, 0, larger, 2, 2 * 135);
      validate(problem);
      const std::size_t point = point_bytes(storage), n = static_cast<std::size_t>(problem.n());
      std::vector<unsigned char> in(2 * n * point);
      std::vector<unsigned char> out(static_cast<std::size_t>(problem.out_points()) * point, 0xee);
      std::vector<unsigned char> expected = out;
      for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<unsigned char>(i % 251);
        const std::size_t b = i / point / n, t = i / point % n;
        const std::size_t place = b * 270 + 2 * (t / 32 * 45 + t / 8 % 4 * 9 + t % 8);
        expected[place * point + i % point] = in[i];
      }
      Cufft::Plan(library, problem, nullptr).execute(in.data(), out.data());
      EXPECT_EQ(out, expected) << to_string(problem);
    }
  }
}

TEST(BenchCufft, AxesInAnotherOrderAreUnsupported) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  FftProblem problem = problem_of(1, 1, Storage::f32);
  problem.lengths = {4, 8};
  problem.layout.in_stride = 4, problem.layout.in_strides = {1};
  EXPECT_THROW(Cufft::Plan(library, problem, nullptr), UnsupportedProblem);
  problem.layout.in_stride = 2, problem.layout.in_strides = {17};
  EXPECT_THROW(Cufft::Plan(library, problem, nullptr), UnsupportedProblem);
  EXPECT_EQ(live_plans(), 0);
}

TEST(BenchCufft, WhatItDoesNotTakeIsUnsupported) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  FftProblem padded = problem_of(8, 1, Storage::f32), converted = padded, far = padded;
  padded.ends.in_length = 5;
  converted.out_storage = Storage::f16;
  far.layout.in_stride = std::int64_t{1} << 31;
  for (const FftProblem& problem : {padded, converted, far, problem_of(8, 1, Storage::i16)}) {
    EXPECT_THROW(Cufft::Plan(library, problem, nullptr), UnsupportedProblem) << to_string(problem);
  }
  EXPECT_EQ(live_plans(), 0);
}

TEST(BenchCufft, WhatItDoesNotPlanIsUnsupportedAndLeavesNothing) {
  const Cufft library({SONOMA_FAKE_CUFFT});
  try {
    const Cufft::Plan plan(library, problem_of(12, 1, Storage::bf16), nullptr);
    FAIL() << "12 is no power of two";
  } catch (const UnsupportedProblem& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("n=12"), std::string::npos) << text;
    EXPECT_NE(text.find("bf16"), std::string::npos) << text;
    EXPECT_NE(text.find("error 16"), std::string::npos) << text;
  }
  EXPECT_EQ(live_plans(), 0);
}

TEST(BenchCufft, AMissingLibraryIsNamedWithTheWayOut) {
  try {
    const Cufft library({"/nowhere/libcufft.so.12"});
    FAIL();
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::load_library);
    EXPECT_NE(error.message().find("--vs copy"), std::string::npos) << error.message();
  }
}

TEST(BenchCufft, ALibraryWithoutItsFunctionsIsRejected) {
  try {
    const Cufft library({"libm.so.6"});
    FAIL();
  } catch (const FftError& error) {
    EXPECT_NE(error.message().find("cufftCreate"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace sonoma::bench
