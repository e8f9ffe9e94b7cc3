#include "run_array.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <sstream>

namespace sonoma::tests {

std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const auto extent : shape) count *= extent;
  return count;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Ran run(const std::vector<std::string>& options, const cli::NpyArray& x, Values integers) {
  const TemporaryFolder folder;
  cli::save_npy(folder.file("in.npy"), x);
  std::vector<std::string> arguments = {
      SONOMA_COMMAND,        "run", "--device", "cpu", "--input", folder.file("in.npy"), "--output",
      folder.file("out.npy")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Ran ran{run_command(arguments), {}};
  if (ran.result.exit_code == 0) ran.y = cli::load_npy(folder.file("out.npy"), integers);
  return ran;
}

Ran run(const std::string& options, const cli::NpyArray& x, Values integers) {
  return run(split(options), x, integers);
}

void expect_refused(const cli::NpyArray& x, const std::string& options,
                    const std::vector<std::string>& parts) {
  const Ran ran = run(options, x);
  EXPECT_EQ(ran.result.exit_code, 2) << options << ": " << ran.result.err;
  for (const auto& part : parts) {
    EXPECT_NE(ran.result.err.find(part), std::string::npos) << options << ": " << ran.result.err;
  }
}

void transform_along(std::vector<ComplexD>& x, const Shape& shape, std::size_t axis, int sign) {
  const auto n = static_cast<std::size_t>(shape[axis]);
  std::size_t stride = 1;
  for (std::size_t a = axis + 1; a < shape.size(); ++a) {
    stride *= static_cast<std::size_t>(shape[a]);
  }
  for (std::size_t first = 0; first < x.size(); ++first) {
    if (first / stride % n != 0) continue;
    std::vector<ComplexD> sums(n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t t = 0; t < n; ++t) {
        const double turns = static_cast<double>(k * t % n) / static_cast<double>(n);
        sums[k] += x[first + t * stride] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
      }
    }
    for (std::size_t k = 0; k < n; ++k) x[first + k * stride] = sums[k];
  }
}

std::vector<ComplexD> resized(const std::vector<ComplexD>& x, const Shape& from, const Shape& to) {
  std::vector<ComplexD> result(static_cast<std::size_t>(count_of(to)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto rest = static_cast<std::int64_t>(i);
    std::int64_t place = 0, stride = 1;
    bool there = true;
    for (std::size_t a = to.size(); a-- > 0; rest /= to[a]) {
      there = there && rest % to[a] < from[a];
      place += rest % to[a] * stride;
      stride *= from[a];
    }
    if (there) result[i] = x[static_cast<std::size_t>(place)];
  }
  return result;
}

}  // namespace sonoma::tests
