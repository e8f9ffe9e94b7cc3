// The error of steps on tensor cores, by what each operation of theirs adds.
#pragma once

#include "error_share.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// What a split into so many FP16 parts leaves out. `points`: of the transform, where one scale
/// serves all of them and the largest is brought to 2^(target - 1) at least; 0: a scale for each
/// group of 16.
[[nodiscard]] ErrorShare split_share(unsigned parts, std::int64_t points = 0, int target = 15);

/// The products of a split tile with the matrix: what the halves leave of the matrix, the product
/// of low halves where there are three, and what tensor cores truncate.
[[nodiscard]] ErrorShare mma_share(unsigned radix, unsigned products, const Target& target);

/// The product of words with a matrix that is rounded to FP16.
[[nodiscard]] ErrorShare word_product_share(const Target& target);

/// Numbers rounded to a format of this unit roundoff.
[[nodiscard]] ErrorShare storage_share(double unit_roundoff);

/// Truncation of the main product, a fact of the hardware: the mean error along the result, and the
/// mean square about it, in u. Measured on the model of emulator/src/mma_model.cpp, which has an
/// H200's bits, with normal numbers; product_error_test measures it again.
struct Truncation {
  double bias, mean_square;
};
[[nodiscard]] Truncation truncation_of(unsigned radix);

}  // namespace sonoma
