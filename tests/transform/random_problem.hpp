// Requests of every kind, at random.
#pragma once

#include <random>

#include "sonoma/problem.hpp"

namespace sonoma::test {

/// A layout of random order, gaps and up to two loops of up to `loops` transforms. In place both
/// sides have the same places; the strides of a real side follow from those of the other.
void lay_out(FftProblem& problem, std::mt19937& random, unsigned loops = 5);

/// One to three axes, up to 600 points, a few transforms; any domain, placement and direction.
[[nodiscard]] FftProblem random_problem(std::mt19937& random);

/// A convolution of as many points, with a filter for all, or others for each of the batch.
[[nodiscard]] FftProblem random_convolution(std::mt19937& random);

/// Spectra of its own for some of the loops and, of channels, for all.
void spread_spectra(FftProblem& problem, std::mt19937& random);

/// Two or three channels, and several filters for all signals; laid out before.
void add_channels(FftProblem& problem, std::mt19937& random);

/// Padding and cropping along random axes.
void cut(FftProblem& problem, std::mt19937& random);

}  // namespace sonoma::test
