#include "sonoma/problem.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

#include "data_layout.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// As a convolution of 2^27 points, whose spectrum takes 1 GB of device memory.
constexpr std::int64_t largest_convolution = std::int64_t{1} << 26;

constexpr std::int64_t largest_n = std::int64_t{1} << 31;

std::int64_t points_of_side(const FftProblem& problem, std::int64_t length, std::int64_t stride,
                            std::int64_t dist, std::int64_t Loop::*loop_stride) {
  std::int64_t last = (length - 1) * stride + (problem.batch - 1) * dist;
  for (const Loop& loop : problem.layout.loops) last += (loop.count - 1) * (loop.*loop_stride);
  return last + 1;
}

// The one place that says which lengths there are.
void check_length(std::int64_t n) {
  const bool smooth = n >= 2 && is_smooth(n);
  if (n >= 1 && n <= (smooth ? largest_n : largest_convolution)) return;
  throw UnsupportedProblem("n", std::to_string(n),
                           "1 to " + std::to_string(largest_convolution) +
                               ", or a product of primes up to 31, up to 2^31; pad the data to "
                               "the next one");
}

void check_ends(const FftProblem& problem) {
  const Ends& ends = problem.ends;
  if (ends.in_length < 0 || ends.in_length > largest_n) {
    throw UnsupportedProblem("ends.in_length", std::to_string(ends.in_length),
                             "0 (all n) or the points that a transform has in memory, up to 2^31");
  }
  if (ends.out_length < 0 || ends.out_length > problem.n()) {
    throw UnsupportedProblem("ends.out_length", std::to_string(ends.out_length),
                             "0 (all n), or 1 to n; a longer output needs a longer transform");
  }
  validate_code("ends.load_code", ends.load_code);
  validate_code("ends.store_code", ends.store_code);
  if (!ends.has_code() || problem.layout.loops.empty()) return;
  throw UnsupportedProblem("layout.loops", to_string(problem.layout),
                           "none together with code of the caller's, which is told the number of "
                           "its transform in the batch; make one dimension the batch");
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

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
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

double scale_factor(Normalization normalization, Direction direction, std::int64_t n) {
  const auto length = static_cast<double>(n);
  switch (normalization) {
    case Normalization::ortho:
      return 1.0 / std::sqrt(length);
    case Normalization::backward:
      return direction == Direction::inverse ? 1.0 / length : 1.0;
    case Normalization::forward:
      return direction == Direction::forward ? 1.0 / length : 1.0;
  }
  throw InternalError("scale_factor: unknown normalization");
}

void validate(const FftProblem& problem) {
  if (problem.lengths.size() != 1) {
    throw UnsupportedProblem("lengths.size()", std::to_string(problem.lengths.size()),
                             "one axis; transform the axes of a larger array one by one");
  }
  const std::int64_t n = problem.n();
  check_length(n);
  if (problem.batch < 1) {
    throw UnsupportedProblem("batch", std::to_string(problem.batch), "at least 1");
  }
  if (problem.batch > std::numeric_limits<std::int64_t>::max() / n / 8) {
    throw UnsupportedProblem("batch", std::to_string(problem.batch),
                             "batch * n * 8 bytes must fit 63 bits; split the batch");
  }
  check_ends(problem);
  check_order(problem);
  validate_layout(problem);
  check_storage(problem);
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

std::int64_t FftProblem::in_points() const {
  return points_of_side(*this, in_length(), layout.in_stride, in_dist(), &Loop::in_stride);
}

std::int64_t FftProblem::out_points() const {
  return points_of_side(*this, out_length(), layout.out_stride, out_dist(), &Loop::out_stride);
}

DataLayout advanced_layout(std::int64_t istride, std::int64_t idist, std::int64_t ostride,
                           std::int64_t odist) {
  return {istride, ostride, idist, odist, {}};
}

std::string to_string(const DataLayout& layout) {
  if (layout == DataLayout{}) return {};
  const auto side = [](std::int64_t stride, std::int64_t dist) {
    return std::to_string(stride) + "," + (dist == 0 ? "n" : std::to_string(dist));
  };
  std::string text = "in " + side(layout.in_stride, layout.in_dist) + " out " +
                     side(layout.out_stride, layout.out_dist);
  for (const Loop& loop : layout.loops) {
    text += (&loop == &layout.loops.front() ? " loops " : ",") + std::to_string(loop.count) + ":" +
            std::to_string(loop.in_stride) + ":" + std::to_string(loop.out_stride);
  }
  return text;
}

std::string to_string(Direction direction) {
  return direction == Direction::forward ? "forward" : "inverse";
}

std::string to_string(Order order) { return order == Order::natural ? "natural" : "transposed"; }
std::string to_string(Placement placement) {
  return placement == Placement::in_place ? "in-place" : "out-of-place";
}

std::string to_string(Storage storage) {
  static constexpr const char* names[] = {"f32", "f16", "bf16", "i16", "c12e8"};
  return names[static_cast<int>(storage)];
}

std::string to_string(const FftProblem& problem) {
  std::string text =
      "c2c " + to_string(problem.storage) +
      (problem.result_storage() == problem.storage ? ""
                                                   : " to " + to_string(problem.result_storage())) +
      " n=";
  for (std::size_t axis = 0; axis < problem.lengths.size(); ++axis) {
    text += (axis ? "x" : "") + std::to_string(problem.lengths[axis]);
  }
  return text + " batch=" + std::to_string(problem.batch) + " " + to_string(problem.direction) +
         " " + to_string(problem.placement) +
         (problem.layout == DataLayout{} ? "" : " layout=" + to_string(problem.layout)) +
         (problem.order == Order::natural ? "" : " order=transposed") +
         (problem.ends == Ends{} ? "" : " ends: " + to_string(problem.ends)) +
         " scale=" + number(problem.scale) +
         (problem.accuracy == Accuracy{} ? "" : " accuracy=" + to_string(problem.accuracy));
}

}  // namespace sonoma
