// sonoma run on an array, for tests, and the transform by its definition.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "npy.hpp"

namespace sonoma::tests {

using ComplexD = std::complex<double>;
using Shape = std::vector<std::int64_t>;

[[nodiscard]] std::int64_t count_of(const Shape& shape);

/// Words between blanks.
[[nodiscard]] std::vector<std::string> split(const std::string& text);

struct Ran {
  CommandResult result;
  cli::NpyArray y;  ///< if it succeeded; int16 as that of `integers`
};

/// On the emulated device, in a folder of its own.
[[nodiscard]] Ran run(const std::vector<std::string>& options, const cli::NpyArray& x,
                      Values integers = Values::complex);
[[nodiscard]] Ran run(const std::string& options, const cli::NpyArray& x,
                      Values integers = Values::complex);

/// Expects exit code 2 and every part in the message.
void expect_refused(const cli::NpyArray& x, const std::string& options,
                    const std::vector<std::string>& parts);

/// By the definition, along one axis of an array in C order.
void transform_along(std::vector<ComplexD>& x, const Shape& shape, std::size_t axis, int sign);

/// The points whose indices both shapes have; the others are zero.
[[nodiscard]] std::vector<ComplexD> resized(const std::vector<ComplexD>& x, const Shape& from,
                                            const Shape& to);

}  // namespace sonoma::tests
