// How accurate a transform has to be: the caller's side of the precision dial.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// How the products of a transform are computed; all but simt64 accumulate in FP32.
///   split3  tensor cores, FP32 split into two FP16 halves, three products (lo * lo left out)
///   split4  the same with all four products
///   half    tensor cores, one product of FP16-rounded factors: about 11 bits, half the work
///   simt    FP32 butterflies on CUDA cores
///   simt64  the same, each butterfly in FP64 and rounded once: less than half of the error of
///           cuFFT's FP32, of products of 2 to 13. Points, factors and memory stay FP32. Of such n
///           to 1000 it takes as long as simt, or up to 7 % more, on an H100; slow where FP64 is,
///           which is fast on sm_80, sm_90 and sm_100
///   packed  FP16 butterflies on CUDA cores, two points at once: each sum and product is rounded to
///           11 bits, as by cuFFT's FP16, and errs .6 to .9 times as much. Only where it is named,
///           or max_rel_l2 allows it. See packed.hpp
enum class Arithmetic { split3, split4, half, simt, simt64, packed };
inline constexpr Arithmetic all_arithmetics[] = {Arithmetic::simt,   Arithmetic::simt64,
                                                 Arithmetic::split3, Arithmetic::split4,
                                                 Arithmetic::half,   Arithmetic::packed};

/// Those that are searched where none is named, and chosen from. Of packed points what was found of
/// half of the length in FP32 serves too.
inline constexpr Arithmetic searched_arithmetics[] = {
    Arithmetic::simt, Arithmetic::simt64, Arithmetic::split3, Arithmetic::split4, Arithmetic::half};

/// At most one of the two; none: any arithmetic that the storage cannot tell from FP32's (f32:
/// split3, split4 or simt; f16 and bf16: half too). Of max_rel_l2 simt64 is tried last, and only of
/// one axis in one block.
struct Accuracy {
  std::optional<Arithmetic> arithmetic;  ///< this one
  std::optional<double> max_rel_l2;      ///< any whose error_limit() is at most this; > 0

  auto operator<=>(const Accuracy&) const = default;
};

[[nodiscard]] std::string to_string(Arithmetic arithmetic);
/// "default", "split3", ... or "max_rel_l2=1e-06"
[[nodiscard]] std::string to_string(const Accuracy& accuracy);

}  // namespace sonoma
