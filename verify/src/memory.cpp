#include "sonoma/verify/memory.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "protocol.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

using Image = std::vector<std::byte>;

// f32 and bf16 1.3e36, f16 61280, i16 31611: no NaN, which could be written over unseen.
constexpr std::byte poison{0x7b};

Image image_of(std::size_t bytes) { return Image(bytes + 2 * guard_bytes, poison); }

/// Where the points of one side lie.
struct Side {
  unsigned bytes, row_bytes;  ///< of a point in memory and in the rows, where all are complex
  std::int64_t n, dist;
  std::vector<Axis> axes;
  bool input;

  Side(const FftProblem& problem, bool of_input)
      : bytes(problem.bytes_of_point(of_input)),
        row_bytes(point_bytes(of_input ? problem.storage : problem.result_storage())),
        n(problem.points()),
        dist(of_input ? problem.in_dist() : problem.out_dist()),
        axes(problem.axes()),
        input(of_input) {}

  [[nodiscard]] bool has(std::int64_t t) const { return is_in_memory(axes, input, t); }
  /// Of point t of the first transform.
  [[nodiscard]] std::int64_t place(std::int64_t t) const { return place_of(axes, input, t); }
};

// Calls move(in the image, in the rows) for every point in memory.
template <class Move>
void for_each_point(const Side& side, std::int64_t batch, const Move& move) {
  for (std::int64_t row = 0; row < batch; ++row) {
    for (std::int64_t t = 0; t < side.n; ++t) {
      if (!side.has(t)) continue;
      const auto place = static_cast<std::size_t>(row * side.dist + side.place(t));
      move(guard_bytes + place * side.bytes,
           static_cast<std::size_t>(row * side.n + t) * side.row_bytes);
    }
  }
}

std::int64_t differing(const Image& a, const Image& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

TransformFn in_pieces(const TransformFn& transform, std::int64_t n, std::int64_t most) {
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    for (std::int64_t row = 0; row < batch; row += most) {
      transform(in + row * n, out + row * n, std::min(most, batch - row));
      if (most > batch - row) return;
    }
  };
}

// What `executions` compute, in natural order.
TransformFn in_order(const TransformFn& transform, const Executions& executions,
                     const FftProblem& problem) {
  if (problem.order == Order::natural) return transform;
  const bool forward = problem.direction == Direction::forward;
  const std::int64_t n = problem.n();
  return [=, place_of_batch = executions.place_of](const Complex* in, Complex* out,
                                                   std::int64_t batch) {
    const auto place_of = place_of_batch(batch);
    const auto place = [&](std::int64_t row, std::int64_t k) {
      return static_cast<std::size_t>(row * n + place_of(k));
    };
    std::vector<Complex> from(in, in + batch * n), to(out, out + batch * n);
    for (std::int64_t row = 0; row < batch && !forward; ++row) {
      for (std::int64_t k = 0; k < n; ++k) from[place(row, k)] = in[row * n + k];
    }
    transform(from.data(), to.data(), batch);
    for (std::int64_t row = 0; row < batch; ++row) {
      for (std::int64_t k = 0; k < n; ++k) {
        out[row * n + k] = to[forward ? place(row, k) : static_cast<std::size_t>(row * n + k)];
      }
    }
  };
}

}  // namespace

std::int64_t place_of(const std::vector<Axis>& axes, bool input, std::int64_t t) {
  std::int64_t place = 0;
  for (std::size_t a = axes.size(); a-- > 0; t /= axes[a].n) {
    place += t % axes[a].n * axes[a].stride(input);
  }
  return place;
}

InMemory::InMemory(FftProblem problem, ExecuteFn execute)
    : problem_(std::move(problem)), execute_(std::move(execute)) {
  if (problem_.layout.loops.empty()) return;
  throw std::invalid_argument("InMemory: " + to_string(problem_) + "; a layout without loops");
}

void InMemory::operator()(const std::byte* in, std::byte* out, std::int64_t batch) {
  problem_.batch = batch;
  validate(problem_);
  if (input_overlaps(problem_)) {
    throw std::invalid_argument("InMemory: " + to_string(problem_) +
                                "; an input whose rows do not overlap: each has its own values");
  }
  const Side from(problem_, true), to(problem_, false);
  const bool in_place = problem_.placement == Placement::in_place;
  const std::size_t in_bytes = static_cast<std::size_t>(problem_.in_points()) * from.bytes;
  const std::size_t out_bytes = static_cast<std::size_t>(problem_.out_points()) * to.bytes;
  Image input = in_place ? Image{} : image_of(in_bytes);
  Image output = image_of(in_place ? std::max(in_bytes, out_bytes) : out_bytes);
  const auto put = [&](Image& image, const Side& side, const std::byte* rows) {
    for_each_point(side, batch, [&](auto place, auto row) {
      std::memcpy(image.data() + place, rows + row, side.bytes);
    });
  };
  put(in_place ? output : input, from, in);
  if (!in_place) put(output, to, out);
  const Image given = input;
  Image expected = output;
  execute_(problem_, input, output);
  for_each_point(to, batch, [&](auto place, auto row) {
    std::memset(out + row, 0, to.row_bytes);  // the imaginary part of a real number
    std::memcpy(out + row, output.data() + place, to.bytes);
    std::memcpy(expected.data() + place, output.data() + place, to.bytes);
  });
  changed_ += differing(given, input) + differing(expected, output);
}

Report check_executions(const Executions& executions, const FftProblem& problem,
                        const Roundings& roundings, const CheckOptions& options) {
  InMemory memory(problem, executions.execute);
  const TransformFn rows =
      unpacked(problem.storage, problem.result_storage(), problem.points(), std::ref(memory));
  const TransformFn transform =
      in_pieces(in_order(rows, executions, problem), problem.points(), executions.most);
  Report report = check_transform(transform, problem, roundings, options);
  const auto changed = static_cast<double>(memory.changed());
  report.findings.push_back({"memory", "changed bytes", changed, 0.0, changed == 0, false,
                             "input, or memory that holds no point of the result"});
  return report;
}

}  // namespace sonoma::verification
