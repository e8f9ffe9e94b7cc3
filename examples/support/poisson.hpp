// Poisson's equation in the unit square or cube by the sine transform.
//
// -Laplace u = f, u = 0 on the boundary, at the points ((i + 1) h, (j + 1) h, ...), i, j, ... = 0,
// ..., n - 1, h = 1 / (n + 1): with second differences in place of derivatives (the stencil of 5
// points, in the cube of 7) that is a matrix whose eigenvectors are products of sines, one along
// each axis, and whose eigenvalues are sums of 2 (1 - cos(pi (k + 1) / (n + 1))) / h^2. So a sine
// transform of type 1 along all axes, a division by the eigenvalues, and the same transform again.
// (J. W. Demmel, "Applied Numerical Linear Algebra", SIAM 1997, section 6.7.)
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sonoma/plan.hpp"

namespace examples {

class PoissonSolver {
 public:
  /// n points along each of `axes` axes.
  PoissonSolver(std::size_t axes, std::size_t n, sonoma::Device device);

  /// u of all points, in C order, from f of all points.
  [[nodiscard]] std::vector<float> solve(std::vector<float> f) const;

  [[nodiscard]] sonoma::Device device() const { return plan_.device(); }

 private:
  std::size_t axes_, n_;
  sonoma::Plan plan_;
};

/// A function of a point's coordinates.
using Field = std::function<double(std::span<const double>)>;

/// Its values at the points that a solver takes.
[[nodiscard]] std::vector<double> sampled(const Field& field, std::size_t axes, std::size_t n);

/// A solution that is no eigenvector of anything: the product over all axes of s (1 - s) exp(a s),
/// a = 1, -2, 1.5; and its -Laplace u.
[[nodiscard]] double exact_solution(std::span<const double> at);
[[nodiscard]] double right_side(std::span<const double> at);

/// The largest error of that equation's solution, relative to the largest value of u.
[[nodiscard]] double relative_error(const PoissonSolver& solver, std::size_t axes, std::size_t n);

}  // namespace examples
