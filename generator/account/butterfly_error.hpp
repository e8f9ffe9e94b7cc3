// The error of butterflies, from the sums and products that they take.
#pragma once

#include <complex>
#include <vector>

#include "error_share.hpp"
#include "rounded_program.hpp"
#include "sonoma/decomposition.hpp"

namespace sonoma {

/// Of roundings and of rounded factors, in u.
[[nodiscard]] ErrorShare butterfly_share(unsigned radix, Precision precision = Precision::fp32,
                                         ButterflyForm form = ButterflyForm::plain);

/// The matrix that the butterfly is, its factors as they are: by result, then by point. Forward.
[[nodiscard]] std::vector<std::vector<std::complex<double>>> butterfly_matrix(
    unsigned radix, ButterflyForm form = ButterflyForm::plain);

}  // namespace sonoma
