// Poisson's equation in the unit square and cube, by the sine transform of type 1.
//
//   poisson [DEVICE [PNG]]      (default: auto, poisson.png; DEVICE: auto, gpu or cpu)
//
// Each row of the table is one solution, checked against the exact one. Second differences are off
// by a multiple of h^2, so halving h divides the error by 4: the order is 2.
#include "support/poisson.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/picture.hpp"

namespace {

sonoma::Device device_named(const std::string& name) {
  if (name == "auto") return sonoma::Device::automatic;
  if (name == "gpu") return sonoma::Device::gpu;
  if (name == "cpu") return sonoma::Device::cpu;
  throw std::invalid_argument("DEVICE = " + name + "; must be auto, gpu or cpu");
}

// True if the order is 2, as far as the last two solutions tell.
bool converges(std::size_t axes, const std::vector<std::size_t>& lengths, sonoma::Device device) {
  double before = 0, order = 0;
  for (const std::size_t n : lengths) {
    const examples::PoissonSolver solver(axes, n, device);
    const double error = examples::relative_error(solver, axes, n);
    order = std::log2(before / error);
    std::printf("%zu  %5zu  1/%-5zu  %.2e  ", axes, n, n + 1, error);
    std::printf(before > 0 ? "%.2f\n" : "\n", order);
    before = error;
  }
  return order > 1.9 && order < 2.1;
}

bool solve(sonoma::Device device, const std::string& png) {
  std::puts("axes   n    h       max error  order");
  const bool square = converges(2, {7, 15, 31, 63}, device);
  const bool cube = converges(3, {7, 15}, device);
  constexpr std::size_t n = 63;
  const examples::PoissonSolver solver(2, n, device);
  const std::vector<double> f = examples::sampled(examples::right_side, 2, n);
  const std::vector<float> u = solver.solve({f.begin(), f.end()});
  examples::write_png(png, examples::draw_square(u, n));
  std::printf("u over the square: %s\n", png.c_str());
  return square && cube;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const sonoma::Device device = device_named(argc > 1 ? argv[1] : "auto");
    return solve(device, argc > 2 ? argv[2] : "poisson.png") ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "poisson: %s\n", error.what());
    return 2;
  }
}
