// How large a matrix is in the 2-norm.
#pragma once

#include <vector>

namespace sonoma {

/// Not less than the 2-norm of the matrix of these rows, at most 1 % more where it has up to 100 of
/// them or as many columns.
[[nodiscard]] double norm_bound(const std::vector<std::vector<double>>& rows);

}  // namespace sonoma
