// Typed pointers of Plan::execute.
#include "sonoma/point_type.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "plan_impl.hpp"
#include "sonoma/resolve.hpp"

// CUDA's types are those that are declared without its headers.
#if __has_include(<vector_types.h>) && __has_include(<cuda_fp16.h>) && __has_include(<cuda_bf16.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector_types.h>
#pragma GCC diagnostic pop
#endif

namespace sonoma::testing {
namespace {

using Complex = std::complex<float>;

template <class In, class Out, class... Others>
concept Executes = requires(const Plan& plan, In* in, Out* out, const Others&... others) {
  plan.execute(in, out, others...);
};

static_assert(Executes<Complex, Complex>);
static_assert(Executes<const Complex, Complex, ExecuteOptions>);
static_assert(Executes<const float, float2, Stream>);
static_assert(Executes<float, Complex, void*, Stream>);
static_assert(Executes<__half2, __nv_bfloat162>);
static_assert(Executes<std::byte, std::byte>);
static_assert(Executes<void, Complex>);
static_assert(!Executes<double, Complex>);
static_assert(!Executes<Complex, std::complex<double>>);
static_assert(!Executes<std::complex<double>, double2, ExecuteOptions>);
static_assert(!Executes<Complex, const Complex>);

// Types are checked before anything is launched: no kernel is needed for that.
Plan plan_of(const FftProblem& problem) {
  const Program program = make_program(problem, target_for("sm_90"), {});
  return Plan(std::make_shared<Plan::Impl>(problem, nullptr, program, Plan::Impl::Kernels{},
                                           nullptr, nullptr));
}

FftProblem problem_of(Domain domain, Storage storage = Storage::f32) {
  FftProblem problem;
  problem.lengths = {16}, problem.domain = domain, problem.storage = storage;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

// The error of a call, that of the null pointers where the types are right.
template <class In, class Out>
std::string error_of(const FftProblem& problem) {
  try {
    plan_of(problem).execute(static_cast<const In*>(nullptr), static_cast<Out*>(nullptr));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

constexpr const char* right = "execute: in is null";

TEST(PointTypes, ThatFitTheSidesAreTaken) {
  using enum Storage;
  const auto expect = [](const std::string& error) { EXPECT_EQ(error.find(right), 0u) << error; };
  expect(error_of<Complex, Complex>(problem_of(Domain::c2c)));
  expect(error_of<float2, Complex>(problem_of(Domain::c2c)));
  expect(error_of<float, float2>(problem_of(Domain::r2c)));
  expect(error_of<Complex, float>(problem_of(Domain::c2r)));
  expect(error_of<__half2, __half2>(problem_of(Domain::c2c, f16)));
  expect(error_of<__half, __half2>(problem_of(Domain::r2c, f16)));
  expect(error_of<__nv_bfloat162, __nv_bfloat16>(problem_of(Domain::c2r, bf16)));
  expect(error_of<std::int16_t, Complex>(problem_of(Domain::r2c, i16)));
  FftProblem integers = problem_of(Domain::c2c, i16);
  integers.out_storage = i16;
  expect(error_of<short2, short2>(integers));
  integers.out_storage.reset(), integers.placement = Placement::in_place;
  EXPECT_EQ(integers.result_storage(), i16);
  expect(error_of<std::byte, float>(problem_of(Domain::c2c)));  // bytes say nothing
}

TEST(PointTypes, ThatDoNotAreNamedWithWhatIsExpected) {
  EXPECT_EQ((error_of<float, Complex>(problem_of(Domain::c2c))),
            "execute: in points to real numbers of f32 (float), and the problem has complex points "
            "of f32 (std::complex<float>, float2) there; pass such a pointer, ask for that storage "
            "and domain, or pass void* where the memory is right");
  const auto expect = [](const std::string& error, const char* given, const char* expected) {
    EXPECT_EQ(error.find(given), 0u) << error;
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  };
  expect(error_of<float, float>(problem_of(Domain::r2c)), "execute: out points to real numbers",
         "the problem has complex points of f32 (std::complex<float>, float2)");
  expect(error_of<Complex, Complex>(problem_of(Domain::c2r)), "execute: out points to complex",
         "real numbers of f32 (float)");
  expect(error_of<Complex, Complex>(problem_of(Domain::c2c, Storage::bf16)),
         "execute: in points to complex points of f32", "of bf16 (__nv_bfloat162)");
  expect(error_of<__half2, __nv_bfloat162>(problem_of(Domain::c2c, Storage::f16)),
         "execute: out points to complex points of bf16 (__nv_bfloat162)", "of f16 (__half2)");
  expect(error_of<std::int16_t, short2>(problem_of(Domain::c2c, Storage::i16)),
         "execute: in points to real numbers of i16 (std::int16_t)", "of i16 (short2)");
}

}  // namespace
}  // namespace sonoma::testing
