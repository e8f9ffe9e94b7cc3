#include "sonoma/problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

#include "check_ends.hpp"
#include "data_layout.hpp"
#include "saturated.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

// As a convolution of 2^27 points, whose spectrum takes 1 GB of device memory.
constexpr std::int64_t largest_convolution = std::int64_t{1} << 26;

std::int64_t points_of_side(const FftProblem& problem, bool input) {
  std::int64_t points = 1;
  const auto add = [&](std::int64_t count, std::int64_t stride) {
    points = saturated_sum(points, saturated_reach(count, stride));
  };
  add(problem.batch, input ? problem.in_dist() : problem.out_dist());
  for (const Loop& loop : problem.layout.loops) add(loop.count, loop.stride(input));
  if (input) add(problem.channels(), problem.channel_dist());
  for (const Axis& axis : problem.axes()) add(axis.length(input), axis.stride(input));
  return points;
}

// How far an axis goes where nothing else is said.
std::int64_t reach(const FftProblem& problem, const Axis& axis, bool last, bool input) {
  const bool shared = last && problem.placement == Placement::in_place;
  const bool half = problem.values(true) != problem.values(false);  // as many bytes of less points
  if (!shared || !half) return saturated_product(axis.length(input), axis.stride(input));
  const std::int64_t frequencies = length_in_memory(axis.n, Values::hermitian);
  return saturated_product((problem.values(input) == Values::real ? 2 : 1) * frequencies,
                           axis.stride(input));
}

// From one transform to the next.
std::int64_t reach(const FftProblem& problem, bool input) {
  return reach(problem, problem.axes().front(), problem.lengths.size() == 1, input);
}

// The one place that says which lengths there are.
void check_length(Domain domain, std::int64_t length) {
  const std::int64_t least = domain == Domain::dct1 ? 2 : 1;
  const std::int64_t n = length < least || length > largest_n ? length : dft_length(domain, length);
  const bool smooth = n >= 2 && is_smooth(n);
  if (length >= least && n >= 1 && n <= (smooth ? largest_n : largest_convolution)) return;
  const std::string allowed = std::to_string(largest_convolution) +
                              ", or a product of primes up to 61, up to 2^31; pad the data to "
                              "the next one";
  if (!is_trigonometric(domain)) {
    throw UnsupportedProblem("n", std::to_string(length), std::to_string(least) + " to " + allowed);
  }
  throw UnsupportedProblem("n", std::to_string(length),
                           std::to_string(least) + " or more numbers of " + to_string(domain) +
                               ", whose DFT has 1 to " + allowed);
}

void check_axes(const FftProblem& problem) {
  constexpr std::int64_t most = std::int64_t{1} << 32;  // of several: see DataLayout
  if (problem.lengths.empty()) {
    throw UnsupportedProblem("lengths.size()", "0", "one axis or more");
  }
  std::int64_t points = 1;
  for (const std::int64_t n : problem.lengths) {
    check_length(problem.domain, n);
    if (n > most / points) {
      throw UnsupportedProblem("lengths", to_shape(problem.lengths),
                               "fewer points: at most 2^32 of all axes together");
    }
    points *= n;
  }
  for (const auto& [name, strides] :
       {std::pair{"layout.in_strides", &problem.layout.in_strides},
        std::pair{"layout.out_strides", &problem.layout.out_strides}}) {
    if (strides->empty() || strides->size() + 1 == problem.lengths.size()) continue;
    throw UnsupportedProblem(
        std::string(name) + ".size()", std::to_string(strides->size()),
        "0, or one for each axis before the last: " + std::to_string(problem.lengths.size() - 1));
  }
}

// What is there for one axis alone.
void check_several_axes(const FftProblem& problem) {
  if (problem.lengths.size() == 1) return;
  if (problem.order != Order::natural) {
    throw UnsupportedProblem("order", to_string(problem.order),
                             "natural for a transform of several axes");
  }
}

void check_storage(const FftProblem& problem) {
  for (const Storage storage : {problem.storage, problem.result_storage()}) {
    if (storage != Storage::c12e8) continue;
    throw UnsupportedProblem("storage", to_string(storage),
                             "f32, f16, bf16 or i16; only points between passes are stored so");
  }
  if (problem.placement == Placement::in_place && problem.result_storage() != problem.storage) {
    throw UnsupportedProblem(
        "out_storage", to_string(problem.result_storage()),
        to_string(problem.storage) + ", the storage of the input, where the transform is in place");
  }
  if (problem.result_storage() == Storage::i16 && problem.accuracy.max_rel_l2) {
    throw UnsupportedProblem("accuracy", to_string(problem.accuracy),
                             "no relative error of integers, which are off by up to 1/2; name an "
                             "arithmetic");
  }
}

void check_alignment(const FftProblem& problem) {
  if (problem.alignment == 16 || problem.alignment == 8) return;
  throw UnsupportedProblem("alignment", std::to_string(problem.alignment),
                           "16, or 8 for memory that begins at no multiple of 16 bytes");
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

void check_domain(const FftProblem& problem) {
  validate_trigonometric(problem);
  if (problem.domain == Domain::c2c) return;
  const Direction own = problem.domain == Domain::c2r ? Direction::inverse : Direction::forward;
  if (problem.direction != own) {
    throw UnsupportedProblem("direction", to_string(problem.direction),
                             to_string(own) + " for " + to_string(problem.domain) +
                                 "; the other sign is the conjugate of the complex side");
  }
  if (problem.order == Order::natural) return;
  throw UnsupportedProblem("order", to_string(problem.order),
                           "natural for " + to_string(problem.domain));
}

// In transposed order the place of a frequency depends on the passes of the plan.
void check_order(const FftProblem& problem) {
  if (problem.order == Order::natural) return;
  const bool forward = problem.direction == Direction::forward;
  const Ends& ends = problem.ends;
  const bool all =
      forward ? problem.out_length() == problem.n() : problem.in_length() >= problem.n();
  if (all && (forward ? ends.store_code : ends.load_code).empty()) return;
  throw UnsupportedProblem("order", "transposed",
                           std::string("natural where frequencies are ") +
                               (forward ? "cropped (out_length) or pass through store_code"
                                        : "padded (in_length) or pass through load_code") +
                               ": in this order their places depend on the passes of the plan");
}

}  // namespace

UnsupportedProblem::UnsupportedProblem(std::string field, std::string value, std::string allowed)
    : std::invalid_argument(field + " = " + value + " is not supported: " + allowed),
      field_(std::move(field)),
      value_(std::move(value)),
      allowed_(std::move(allowed)) {}

void validate(const FftProblem& problem) {
  check_axes(problem);
  check_loops(problem);
  check_several_axes(problem);
  const std::int64_t n = problem.n();
  if (problem.batch < 1) {
    throw UnsupportedProblem("batch", std::to_string(problem.batch), "at least 1");
  }
  if (problem.batch > std::numeric_limits<std::int64_t>::max() / n / 8) {
    throw UnsupportedProblem("batch", std::to_string(problem.batch),
                             "batch * n * 8 bytes must fit 63 bits; split the batch");
  }
  check_domain(problem);
  validate_convolution(problem);
  check_ends(problem);
  check_order(problem);
  validate_layout(problem);
  check_storage(problem);
  check_alignment(problem);
  const Accuracy& accuracy = problem.accuracy;
  if (accuracy.arithmetic && accuracy.max_rel_l2) {
    throw UnsupportedProblem("accuracy", to_string(*accuracy.arithmetic),
                             "a named arithmetic or max_rel_l2, not both");
  }
  if (accuracy.max_rel_l2 && !(*accuracy.max_rel_l2 > 0)) {
    throw UnsupportedProblem("accuracy", to_string(accuracy), "a max_rel_l2 above 0, e.g. 1e-6");
  }
  const auto factor = static_cast<float>(problem.scale);
  if (!std::isfinite(factor) || factor == 0.0f) {
    throw UnsupportedProblem("scale", number(problem.scale),
                             "a factor that is finite and not zero as a 32-bit float");
  }
}

std::int64_t FftProblem::n() const {
  std::int64_t points = 1;
  for (const std::int64_t length : lengths) {
    points = saturated_product(points, dft_length(domain, length));
  }
  return points;
}

std::int64_t FftProblem::points() const {
  std::int64_t points = 1;
  for (const std::int64_t length : lengths) points = saturated_product(points, length);
  return points;
}

std::vector<std::int64_t> FftProblem::dft_lengths() const {
  std::vector<std::int64_t> result = lengths;
  for (std::int64_t& n : result) n = dft_length(domain, n);
  return result;
}

std::vector<Axis> FftProblem::axes() const {
  std::vector<Axis> result(lengths.size());
  Axis below{1, layout.in_stride, layout.out_stride};
  for (std::size_t a = lengths.size(); a-- > 0;) {
    const bool last = a + 1 == lengths.size();
    Axis& axis = result[a];
    axis.n = lengths[a];
    axis.in_length = length(a, true), axis.out_length = length(a, false);
    axis.in_stride = last || layout.in_strides.empty() ? below.in_stride : layout.in_strides[a];
    axis.out_stride = last || layout.out_strides.empty() ? below.out_stride : layout.out_strides[a];
    below.in_stride = reach(*this, axis, last, true);
    below.out_stride = reach(*this, axis, last, false);
  }
  return result;
}

Values FftProblem::values(bool input) const {
  if (convolution && convolution->real) return Values::real;
  if (domain == Domain::c2c) return Values::complex;
  if (is_trigonometric(domain)) return Values::trigonometric;
  return (domain == Domain::r2c) == input ? Values::real : Values::hermitian;
}

std::int64_t FftProblem::length(std::size_t axis, bool input) const {
  const auto& before = input ? ends.in_lengths : ends.out_lengths;
  const bool last = axis + 1 == lengths.size();
  const std::int64_t own = !last   ? before.empty() ? 0 : before[axis]
                             : input ? ends.in_length
                                   : ends.out_length;
  return own != 0 ? own : length_in_memory(lengths[axis], last ? values(input) : Values::complex);
}

std::int64_t FftProblem::points_in_memory(bool input) const {
  std::int64_t points = 1;
  for (std::size_t a = 0; a < lengths.size(); ++a) {
    points = saturated_product(points, length(a, input));
  }
  return points;
}

std::int64_t FftProblem::channel_dist() const {
  const std::int64_t own = convolution ? convolution->channels.in_dist : 0;
  return own != 0 ? own : reach(*this, true);
}

std::int64_t FftProblem::in_dist() const {
  if (layout.in_dist != 0) return layout.in_dist;
  const std::int64_t one = reach(*this, true);
  return channels() == 1 ? one : std::max(one, saturated_product(channels(), channel_dist()));
}

std::int64_t FftProblem::out_dist() const {
  return layout.out_dist != 0 ? layout.out_dist : reach(*this, false);
}

std::int64_t FftProblem::in_points() const { return points_of_side(*this, true); }

std::int64_t FftProblem::out_points() const { return points_of_side(*this, false); }

std::string to_string(Direction direction) {
  return direction == Direction::forward ? "forward" : "inverse";
}

std::string to_string(Domain domain) {
  static constexpr const char* names[] = {"c2c",  "r2c",  "c2r",  "dct1", "dct2", "dct3",
                                          "dct4", "dst1", "dst2", "dst3", "dst4"};
  return names[static_cast<int>(domain)];
}
std::string to_string(Order order) { return order == Order::natural ? "natural" : "transposed"; }
std::string to_string(Placement placement) {
  return placement == Placement::in_place ? "in-place" : "out-of-place";
}

std::string to_string(Storage storage) {
  static constexpr const char* names[] = {"f32", "f16", "bf16", "i16", "c12e8"};
  return names[static_cast<int>(storage)];
}

std::string to_shape(const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (const std::int64_t n : lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

std::string to_string(const FftProblem& problem) {
  const std::string text =
      to_string(problem.domain) + " " + to_string(problem.storage) +
      (problem.result_storage() == problem.storage ? ""
                                                   : " to " + to_string(problem.result_storage())) +
      " n=" + to_shape(problem.lengths);
  return text + " batch=" + std::to_string(problem.batch) + " " + to_string(problem.direction) +
         " " + to_string(problem.placement) +
         (problem.layout == DataLayout{} ? "" : " layout=" + to_string(problem.layout)) +
         (problem.alignment == 16 ? "" : " alignment=" + std::to_string(problem.alignment)) +
         (problem.order == Order::natural ? "" : " order=transposed") +
         describe_convolution(problem) +
         (problem.ends == Ends{} ? "" : " ends: " + to_string(problem.ends)) +
         " scale=" + number(problem.scale) + (problem.orthogonal ? " orthogonal" : "") +
         (problem.accuracy == Accuracy{} ? "" : " accuracy=" + to_string(problem.accuracy));
}

}  // namespace sonoma
