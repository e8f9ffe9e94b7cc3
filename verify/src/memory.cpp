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
  const FftProblem& problem;
  bool input;
  unsigned bytes, row_bytes;  ///< of a point in memory and in the rows, where all are complex
  std::int64_t n, dist;
  std::int64_t signals, signal_dist;  ///< of a row
  std::vector<Axis> axes;

  Side(const FftProblem& of, bool of_input)
      : problem(of),
        input(of_input),
        bytes(problem.bytes_of_point(of_input)),
        row_bytes(point_bytes(of_input ? problem.storage : problem.result_storage())),
        n(problem.points()),
        dist(of_input ? problem.in_dist() : problem.out_dist()),
        signals(of_input ? problem.channels() : 1),
        signal_dist(problem.channel_dist()),
        axes(problem.axes()) {}

  [[nodiscard]] bool has(std::int64_t t) const { return is_in_memory(axes, input, t); }
  /// Of point t of the first transform.
  [[nodiscard]] std::int64_t place(std::int64_t t) const { return place_of(axes, input, t); }
  /// Of the first point of a row: the loops, innermost first, then the batch.
  [[nodiscard]] std::int64_t start(std::int64_t row) const {
    std::int64_t place = 0;
    for (const Loop& loop : problem.layout.loops) {
      place += row % loop.count * loop.stride(input);
      row /= loop.count;
    }
    return place + row * dist;
  }
};

// Calls move(row, in the image, in the row) for every point in memory.
template <class Move>
void for_each_point(const Side& side, std::int64_t rows, const Move& move) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t start = side.start(row);
    for (std::int64_t i = 0; i < side.signals * side.n; ++i) {
      const std::int64_t t = i % side.n;
      if (!side.has(t)) continue;
      const std::int64_t place = start + i / side.n * side.signal_dist + side.place(t);
      move(row, guard_bytes + static_cast<std::size_t>(place) * side.bytes,
           static_cast<std::size_t>(i) * side.row_bytes);
    }
  }
}

std::int64_t differing(const Image& a, const Image& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

TransformFn in_pieces(const TransformFn& transform, const FftProblem& problem, std::int64_t most) {
  const std::int64_t n = problem.points(), channels = problem.channels();
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    for (std::int64_t row = 0; row < batch; row += most) {
      transform(in + row * channels * n, out + row * n, std::min(most, batch - row));
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

InMemory::InMemory(FftProblem problem, ExecuteFn execute, std::int64_t least_batch)
    : problem_(std::move(problem)), execute_(std::move(execute)), least_batch_(least_batch) {
  for (const Loop& loop : problem_.layout.loops) transforms_ *= loop.count;
}

void InMemory::operator()(const std::byte* in, std::byte* out, std::int64_t rows) {
  problem_.batch = std::max(least_batch_, (rows + transforms_ - 1) / transforms_);
  validate(problem_);
  if (input_overlaps(problem_)) {
    throw std::invalid_argument("InMemory: " + to_string(problem_) +
                                "; an input whose rows do not overlap: each has its own values");
  }
  const std::int64_t all = problem_.batch * transforms_;
  const Side from(problem_, true), to(problem_, false);
  const bool in_place = problem_.placement == Placement::in_place;
  const std::size_t in_bytes = static_cast<std::size_t>(problem_.in_points()) * from.bytes;
  const std::size_t out_bytes = static_cast<std::size_t>(problem_.out_points()) * to.bytes;
  Image input = in_place ? Image{} : image_of(in_bytes);
  Image output = image_of(in_place ? std::max(in_bytes, out_bytes) : out_bytes);
  const auto at = [&](const Side& side, std::int64_t row) {
    return static_cast<std::size_t>(row % rows * side.signals * side.n) * side.row_bytes;
  };
  const auto put = [&](Image& image, const Side& side, const std::byte* given) {
    for_each_point(side, all, [&](auto row, auto place, auto point) {
      std::memcpy(image.data() + place, given + at(side, row) + point, side.bytes);
    });
  };
  put(in_place ? output : input, from, in);
  if (!in_place) put(output, to, out);
  const Image given = input;
  Image expected = output;
  execute_(problem_, input, output);
  for_each_point(to, all, [&](auto row, auto place, auto point) {
    std::memcpy(expected.data() + place, output.data() + place, to.bytes);
    if (row >= rows) return;
    std::memset(out + at(to, row) + point, 0, to.row_bytes);  // the imaginary part of a real number
    std::memcpy(out + at(to, row) + point, output.data() + place, to.bytes);
  });
  changed_ += differing(given, input) + differing(expected, output);
}

Report check_executions(const Executions& executions, const FftProblem& problem,
                        const Roundings& roundings, const CheckOptions& options) {
  InMemory memory(problem, executions.execute, executions.least_batch);
  const TransformFn rows = unpacked(problem.storage, problem.result_storage(), problem.points(),
                                    std::ref(memory), problem.channels());
  const TransformFn transform =
      in_pieces(in_order(rows, executions, problem), problem, executions.most);
  Report report = check_transform(transform, problem, roundings, options);
  const auto changed = static_cast<double>(memory.changed());
  report.findings.push_back({"memory", "changed bytes", changed, 0.0, changed == 0, false,
                             "input, or memory that holds no point of the result"});
  return report;
}

}  // namespace sonoma::verification
