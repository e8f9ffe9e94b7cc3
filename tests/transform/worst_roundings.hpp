// How much the roundings of a program may err, if no more is known of them than how large one is.
#pragma once

#include "recorded_kernels.hpp"

namespace sonoma::test {

/// What is known of a rounding: it changes a value by at most u times the value, as proofs have it;
/// or by at most half a unit in its last place, which is all that rounding to nearest promises.
enum class Rounding { relative, half_ulp };

/// The largest relative error, in the 2-norm and to first order, that was found for some input and
/// some such roundings. No bound that holds for all of them is smaller. (What rounded factors do is
/// left out: they are known, and one of two opposite choices of roundings adds to it.)
///
/// The error is linear in the input, and in the roundings relative to their values. So it climbs:
/// roundings go the way the error goes, then the input the way that these roundings err most, in
/// turn, from a few random inputs on.
[[nodiscard]] double worst_roundings(const RecordedKernels& kernels, Rounding rounding, int turns);

}  // namespace sonoma::test
