// What C++ types are in memory: Plan::execute checks pointers to them.
#pragma once

#include <compare>
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "sonoma/api.hpp"
#include "sonoma/problem.hpp"

// Of cuda_runtime.h, cuda_fp16.h and cuda_bf16.h; pointers to them need no more than this.
struct float2;
struct double2;
struct short2;
// NOLINTBEGIN(bugprone-reserved-identifier)
struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;
// NOLINTEND(bugprone-reserved-identifier)

namespace SONOMA_API sonoma {

/// A complex point (re, im), or a real number, of a storage.
struct PointType {
  Storage storage = Storage::f32;   ///< of a component
  Values values = Values::complex;  ///< or real

  auto operator<=>(const PointType&) const = default;
};

// One overload for each type that has one; memory of others goes by void*.
constexpr PointType point_type(const std::complex<float>*) { return {}; }
constexpr PointType point_type(const float2*) { return {}; }
constexpr PointType point_type(const __half2*) { return {Storage::f16, Values::complex}; }
constexpr PointType point_type(const __nv_bfloat162*) { return {Storage::bf16, Values::complex}; }
constexpr PointType point_type(const short2*) { return {Storage::i16, Values::complex}; }
constexpr PointType point_type(const float*) { return {Storage::f32, Values::real}; }
constexpr PointType point_type(const __half*) { return {Storage::f16, Values::real}; }
constexpr PointType point_type(const __nv_bfloat16*) { return {Storage::bf16, Values::real}; }
constexpr PointType point_type(const std::int16_t*) { return {Storage::i16, Values::real}; }

template <class T>
concept Point = !std::is_const_v<T> && requires(const T* points) {
  { point_type(points) } -> std::same_as<PointType>;
};

/// Of double precision, which no storage has.
template <class T>
concept DoublePoint =
    std::same_as<T, double> || std::same_as<T, std::complex<double>> || std::same_as<T, double2>;

template <class In, class Out>
concept HasDouble = DoublePoint<In> || DoublePoint<Out>;

/// What memory of a side of the problem has.
[[nodiscard]] PointType point_type_of(const FftProblem& problem, bool input);

/// "complex points of f16 (__half2)"
[[nodiscard]] std::string to_string(const PointType& type);

}  // namespace sonoma
