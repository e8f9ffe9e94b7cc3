// Code of the caller's at load and store, on the emulated device.
#include <gtest/gtest.h>

#include <random>

#include "sonoma/code_errors.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

// A window that differs from transform to transform, by powers of two: products are exact.
constexpr const char* window =
    "make_float2(value.x * static_cast<const float*>(user)[index],\n"
    "            value.y * static_cast<const float*>(user)[index] *\n"
    "                static_cast<float>(1u << transform))";
// Marks what it sees.
constexpr const char* magnitude =
    "make_float2(sqrtf(value.x * value.x + value.y * value.y),\n"
    "            static_cast<float>(index) + 4096.0f * static_cast<float>(transform))";

struct Case {
  std::int64_t n, batch;
  std::vector<std::int64_t> lengths = {};  // of passes; empty: one
  std::int64_t in_length = 0, out_length = 0;
  Storage storage = Storage::f32;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "n=" << c.n << " batch=" << c.batch << " " << to_string(c.storage) << " in "
       << c.in_length << " out " << c.out_length << " passes " << c.lengths.size();
}

FftProblem problem_of(const Case& c) {
  FftProblem problem;
  problem.lengths = {c.n};
  problem.batch = c.batch;
  problem.storage = c.storage;
  problem.out_storage = Storage::f32;
  problem.ends = {c.in_length, c.out_length, window, magnitude};
  return problem;
}

PlanOptions options_of(const Case& c) {
  PlanOptions options;
  options.device = Device::cpu;
  if (!c.lengths.empty()) {
    options.tuning.pass_lengths = c.lengths;
    options.tuning.workspace_points = 1;  // the batch goes through the passes in parts
  }
  return options;
}

std::vector<Complex> random_points(const FftProblem& problem) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<Complex> points(static_cast<std::size_t>(problem.in_points()));
  for (auto& x : points) x = rounded_to(problem.storage, Complex{normal(random), normal(random)});
  return points;
}

std::vector<float> random_window(std::int64_t n) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(0.5f, 1.5f);
  std::vector<float> factors(static_cast<std::size_t>(n));
  for (float& factor : factors) factor = uniform(random);
  return factors;
}

class Code : public ::testing::TestWithParam<Case> {};

TEST_P(Code, SeesEveryPointItsIndexAndItsTransform) {
  const FftProblem problem = problem_of(GetParam());
  const auto in = random_points(problem);
  // As long as the points that memory has: no other index may reach the code.
  const auto factors = random_window(std::min(problem.n(), problem.in_length()));
  std::vector<Complex> out(static_cast<std::size_t>(problem.out_points()), {-1, -1});
  ExecuteOptions given;
  given.user = factors.data();
  const Plan plan = make_plan(problem, options_of(GetParam()));
  plan.execute(pack(problem.storage, in).data(), out.data(), given);
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    std::vector<Complex> x(static_cast<std::size_t>(problem.n()));
    for (std::size_t t = 0; t < factors.size(); ++t) {
      const Complex value = in[static_cast<std::size_t>(b * problem.in_dist()) + t];
      x[t] = {value.real() * factors[t], value.imag() * factors[t] * static_cast<float>(1u << b)};
    }
    const auto exact = verification::reference_dft(x, problem.n(), problem.direction, 1);
    double error = 0, norm = 0;
    for (const auto& X : exact) norm += std::norm(X);
    for (std::int64_t k = 0; k < problem.out_length(); ++k) {
      const Complex y = out[static_cast<std::size_t>(b * problem.out_dist() + k)];
      const double size = std::abs(exact[static_cast<std::size_t>(k)]);
      error += (static_cast<double>(y.real()) - size) * (static_cast<double>(y.real()) - size);
      EXPECT_EQ(y.imag(), static_cast<float>(k) + 4096.0f * static_cast<float>(b));
    }
    EXPECT_LT(std::sqrt(error / norm), 5 * 0x1p-24) << "transform " << b;
  }
}

std::vector<Case> cases() {
  const Case all[] = {{64, 5, {}},
                      {64, 5, {}, 40, 33},
                      {60, 5, {}},
                      {60, 3, {}, 41, 59},
                      {2048, 2, {}},
                      {19, 5, {}},
                      {19, 5, {}, 7, 18},
                      {1024, 3, {32, 32}},
                      {1024, 3, {32, 32}, 1000, 900},
                      {32768, 2, {32, 32, 32}, 20000, 30000},
                      {900, 2, {30, 30}, 0, 100},
                      {499, 3, {32, 64}},
                      {64, 5, {}, 40, 33, Storage::f16},
                      {1024, 3, {32, 32}, 0, 0, Storage::bf16},
                      {60, 5, {}, 0, 0, Storage::i16}};
  return {std::begin(all), std::end(all)};
}

INSTANTIATE_TEST_SUITE_P(All, Code, ::testing::ValuesIn(cases()));

Plan plan_with(const std::string& load_code, const std::string& store_code) {
  FftProblem problem = problem_of({64, 1});
  problem.ends = {0, 0, load_code, store_code};
  return make_plan(problem, options_of({64, 1}));
}

TEST(CodeOfTheCaller, ItsErrorsNameItsLines) {
  const auto message = [](const std::string& load_code, const std::string& store_code) {
    try {
      (void)plan_with(load_code, store_code);
      return std::string("compiled");
    } catch (const FftError& error) {
      EXPECT_EQ(error.stage(), Stage::compile);
      return error.message();
    }
  };
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  expect(message("make_float2(value.x,\n  nonsense)", ""), "; load_code, line 2: ");
  expect(message("value", "\n\nmake_float2(1.0f, value.z)"), "; store_code, line 3: ");
  expect(message("value.x", ""), "; load_code, line 1: ");
}

TEST(CodeOfTheCaller, ErrorsOfEveryCompilerAreRead) {
  EXPECT_EQ(code_error("x.cu(7): error: far\nload_code(2): error: identifier \"foo\" is undefined"),
            "; load_code, line 2: identifier \"foo\" is undefined");
  EXPECT_EQ(code_error("store_code:12:3: error: no"), "; store_code, line 12: no");
  EXPECT_EQ(code_error("load_code: In member function\nx.cu:1:1: error: no"), "");
  EXPECT_EQ(code_error("load_code:2:1: warning: unused"), "");
}

TEST(CodeOfTheCaller, WhatCouldLeaveTheExpressionIsRefused) {
  for (const std::string code :
       {"value)", "(value", "value; value", "value }", "value] [", "value // no", "value /* no",
        "value */", "\n#define x", "value \\", "\"value\"", "'v'",
        "?"
        "?/",
        "%: x", "<% x %>", " \n", "value\r", "\xc3\xa9"}) {
    EXPECT_THROW((void)plan_with(code, ""), UnsupportedProblem) << code;
    EXPECT_THROW((void)plan_with("", code), UnsupportedProblem) << code;
  }
}

TEST(CodeOfTheCaller, IsPartOfTheKernel) {
  EXPECT_NE(plan_with("value", "").source(), plan_with("(value)", "").source());
  EXPECT_NE(plan_with("value", "").source(), plan_with("", "value").source());
}

}  // namespace
}  // namespace sonoma::test
