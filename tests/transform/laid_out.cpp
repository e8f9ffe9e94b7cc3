#include "laid_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sonoma/device_buffer.hpp"
#include "sonoma/storage.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

constexpr Complex poison{12345.0f, -5432.0f};

bool is_real(const FftProblem& problem, bool input) { return is_real(problem.values(input)); }

std::vector<std::byte> packed(const FftProblem& problem, bool input, const Memory& memory) {
  const Storage storage = input ? problem.storage : problem.result_storage();
  if (!is_real(problem, input)) return pack(storage, memory);
  Memory pairs;
  for (std::size_t i = 0; i + 1 < memory.size(); i += 2) {
    pairs.emplace_back(memory[i].real(), memory[i + 1].real());
  }
  return pack(storage, pairs);
}

Memory unpacked(const FftProblem& problem, bool input, const std::vector<std::byte>& bytes) {
  Memory pairs = unpack(input ? problem.storage : problem.result_storage(), bytes);
  if (!is_real(problem, input)) return pairs;
  Memory memory;
  for (const Complex& pair : pairs) memory.insert(memory.end(), {pair.real(), pair.imag()});
  return memory;
}

}  // namespace

std::size_t size_of(const FftProblem& problem, bool input) {
  const auto bytes = [&](bool side) {
    const std::int64_t points = side ? problem.in_points() : problem.out_points();
    return points * problem.bytes_of_point(side);
  };
  const bool in_place = problem.placement == Placement::in_place;
  const std::int64_t own = in_place ? std::max(bytes(true), bytes(false)) : bytes(input);
  const std::int64_t pair = point_bytes(input ? problem.storage : problem.result_storage());
  const std::int64_t pairs = (own + pair - 1) / pair + 2 * guard;
  return static_cast<std::size_t>(is_real(problem, input) ? 2 * pairs : pairs);
}

std::ptrdiff_t guard_of(const FftProblem& problem, bool input) {
  return is_real(problem, input) ? 2 * guard : guard;
}

namespace {

Memory gaps_poisoned(const FftProblem& problem, Memory memory) {
  const bool shared = problem.placement == Placement::in_place;
  if (shared || problem.storage == Storage::i16) return memory;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Memory poisoned(memory.size(), {nan, is_real(problem, true) ? 0 : nan});
  const std::vector<std::int64_t> points = places(problem, true);
  for (const std::int64_t start : starts_of_signals(problem)) {
    for (const std::int64_t place : points) {
      const auto at = static_cast<std::size_t>(guard_of(problem, true) + start + place);
      poisoned[at] = memory[at];
    }
  }
  return poisoned;
}

}  // namespace

Memory random_input(const FftProblem& problem, float unit) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Memory memory(size_of(problem, true));
  for (auto& x : memory) {
    x = rounded_to(problem.storage, Complex{unit * normal(random), unit * normal(random)});
    if (is_real(problem, true)) x = x.real();
  }
  return gaps_poisoned(problem, std::move(memory));
}

Memory output_before(const FftProblem& problem, const Memory& in) {
  if (problem.placement == Placement::in_place) {
    return unpacked(problem, false, packed(problem, true, in));
  }
  const Complex value = is_real(problem, false) ? poison.real() : poison;
  return Memory(size_of(problem, false), rounded_to(problem.result_storage(), value));
}

std::vector<std::int64_t> places(const FftProblem& problem, bool input) {
  std::vector<std::int64_t> all = {0};
  for (const Axis& axis : problem.axes()) {
    const std::vector<std::int64_t> before = std::move(all);
    all.clear();
    for (const std::int64_t place : before) {
      for (std::int64_t t = 0; t < axis.length(input); ++t)
        all.push_back(place + t * axis.stride(input));
    }
  }
  return all;
}

namespace {

// So that pointers are multiples of the problem's alignment, and of no more.
std::vector<std::byte> moved_by(std::ptrdiff_t skip, std::vector<std::byte> bytes) {
  bytes.insert(bytes.begin(), static_cast<std::size_t>(skip), std::byte{});
  return bytes;
}

// Both sides as bytes, and the places of their first points in them.
struct Sides {
  std::vector<std::byte> from, to;
  std::ptrdiff_t first, result;

  Sides(const FftProblem& problem, const Memory& in, const Memory& out) {
    const auto skip = static_cast<std::ptrdiff_t>(problem.alignment % 16);
    from = moved_by(skip, packed(problem, true, in));
    to = moved_by(skip, packed(problem, false, out));
    first = skip + guard * static_cast<std::ptrdiff_t>(point_bytes(problem.storage));
    result = skip + guard * static_cast<std::ptrdiff_t>(point_bytes(problem.result_storage()));
  }
  [[nodiscard]] Memory output(const FftProblem& problem) const {
    return unpacked(problem, false, {to.begin() + problem.alignment % 16, to.end()});
  }
};

DeviceBuffer on_gpu(const void* data, std::size_t bytes) {
  DeviceBuffer buffer(Device::gpu, bytes);
  buffer.upload(data, bytes);
  return buffer;
}

}  // namespace

void execute_on(const Plan& plan, const Memory& in, Memory& out, void* workspace, const void* user,
                const void* spectrum) {
  const FftProblem& problem = plan.problem();
  Sides sides(problem, in, out);
  const std::vector<std::byte> given = sides.from;
  std::byte* const result = sides.to.data() + sides.result;
  ExecuteOptions options;
  options.workspace = workspace, options.user = user, options.spectrum = spectrum;
  const bool in_place = problem.placement == Placement::in_place;
  plan.execute(in_place ? result : sides.from.data() + sides.first, result, options);
  EXPECT_TRUE(sides.from == given) << "the input has changed";
  out = sides.output(problem);
}

void execute_on_gpu(const Plan& plan, const Memory& in, Memory& out,
                    const std::vector<Complex>& spectra) {
  const FftProblem& problem = plan.problem();
  Sides sides(problem, in, out);
  const std::vector<std::byte> given = sides.from;
  const DeviceBuffer from = on_gpu(sides.from.data(), sides.from.size());
  const DeviceBuffer to = on_gpu(sides.to.data(), sides.to.size());
  std::optional<DeviceBuffer> spectrum;
  if (!spectra.empty()) spectrum = on_gpu(spectra.data(), spectra.size() * sizeof(Complex));
  ExecuteOptions options;
  if (spectrum) options.spectrum = spectrum->data();
  std::byte* const result = static_cast<std::byte*>(to.data()) + sides.result;
  const std::byte* const first = static_cast<const std::byte*>(from.data()) + sides.first;
  plan.execute(problem.placement == Placement::in_place ? result : first, result, options);
  to.download(sides.to.data(), sides.to.size());
  from.download(sides.from.data(), sides.from.size());
  EXPECT_TRUE(sides.from == given) << "the input has changed";
  out = sides.output(problem);
}

void expect_transforms(const FftProblem& problem, const MemoryD& exact, const Memory& out,
                       Memory untouched, double limit, const std::vector<double>& norms) {
  const std::vector<std::int64_t> points = places(problem, false);
  double worst = 0;
  for (std::size_t i = 0; const std::int64_t start : starts(problem, false)) {
    double error = 0, norm = 0;
    for (const std::int64_t place : points) {
      const auto at = static_cast<std::size_t>(guard_of(problem, false) + start + place);
      const ComplexD difference = ComplexD(out[at]) - exact[at];
      error += std::norm(difference), norm += std::norm(exact[at]);
      worst = std::max({worst, std::abs(difference.real()), std::abs(difference.imag())});
      untouched[at] = out[at];
    }
    if (!norms.empty()) norm = norms[i++];
    if (problem.result_storage() != Storage::i16) {
      EXPECT_LT(std::sqrt(error / norm), limit) << "from " << start;
    }
  }
  if (problem.result_storage() == Storage::i16) {
    EXPECT_LT(worst, 0.51);
  }
  EXPECT_TRUE(out == untouched) << "points that are of no transform";
}

std::vector<std::int64_t> random_strides(std::mt19937& random,
                                         const std::vector<std::int64_t>& counts) {
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::int64_t> strides(counts.size());
  std::int64_t end = 1;
  for (const std::size_t i : order) {
    strides[i] = end + static_cast<std::int64_t>(random() % 4);
    end += (counts[i] - 1) * strides[i];
  }
  return strides;
}

}  // namespace sonoma::test
