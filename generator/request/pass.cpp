#include "sonoma/pass.hpp"

#include <algorithm>
#include <bit>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// Within a tile, points are addressed by 32 bits.
constexpr std::int64_t largest_span = std::int64_t{1} << 32;

std::int64_t span(const Pass& pass, bool input) {
  const std::int64_t stride = input ? pass.in_stride : pass.out_stride;
  std::int64_t points = (pass.n() - 1) * stride;
  if (!pass.loops.empty()) {
    const Loop& columns = pass.loops.front();
    points += (columns.count - 1) * (input ? columns.in_stride : columns.out_stride);
  }
  return points;
}

bool is_of_bits(const Pass& pass, bool input) {
  const std::int64_t stride = input ? pass.in_stride : pass.out_stride;
  const std::int64_t dist = input ? pass.in_dist : pass.out_dist;
  std::int64_t Loop::*const loop_stride = input ? &Loop::in_stride : &Loop::out_stride;
  const auto bit = [](std::int64_t value) {
    return std::has_single_bit(static_cast<std::uint64_t>(value));
  };
  const std::int64_t column = pass.loops.front().*loop_stride;
  const bool pairs = !pass.is_chirped(input) && (stride == 1 || column == 1);
  const bool even =
      dist % 2 == 0 && std::all_of(pass.loops.begin() + 1, pass.loops.end(),
                                   [&](const Loop& loop) { return loop.*loop_stride % 2 == 0; });
  return bit(stride) && bit(column) && (even || !pairs);
}

// Of the transforms' first points, and no others.
std::int64_t points_of_end(const Pass& pass, std::int64_t batch, bool input) {
  const FftProblem& whole = pass.whole();
  const std::int64_t stride = pass.part ? (input ? whole.layout.in_stride : whole.layout.out_stride)
                              : input   ? pass.in_stride
                                        : pass.out_stride;
  std::int64_t last = (pass.points_at_end(input) - 1) * stride +
                      (batch - 1) * (input ? pass.in_dist : pass.out_dist);
  const auto& loops = pass.part ? whole.layout.loops : pass.loops;
  for (const Loop& loop : loops)
    last += (loop.count - 1) * (input ? loop.in_stride : loop.out_stride);
  return last + 1;
}

}  // namespace

Pass single_pass(const FftProblem& problem) {
  Pass pass;
  pass.problem = problem;
  pass.problem.layout = {};
  if (problem.ends != Ends{}) pass.problem.placement = Placement::out_of_place;
  pass.in_storage = problem.storage, pass.out_storage = problem.result_storage();
  pass.in_stride = problem.layout.in_stride, pass.out_stride = problem.layout.out_stride;
  pass.in_dist = problem.in_dist(), pass.out_dist = problem.out_dist();
  pass.loops = problem.layout.loops;
  std::stable_sort(pass.loops.begin(), pass.loops.end(),
                   [](const Loop& a, const Loop& b) { return a.out_stride < b.out_stride; });
  return pass;
}

std::int64_t in_points(const Pass& pass, std::int64_t batch) {
  if (pass.has_ends() && pass.is_end(true)) return points_of_end(pass, batch, true);
  std::int64_t last = (pass.n() - 1) * pass.in_stride + (batch - 1) * pass.in_dist;
  for (const Loop& loop : pass.loops) last += (loop.count - 1) * loop.in_stride;
  return last + 1;
}

std::int64_t out_points(const Pass& pass, std::int64_t batch) {
  if (pass.has_ends() && pass.is_end(false)) return points_of_end(pass, batch, false);
  std::int64_t last = (pass.n() - 1) * pass.out_stride + (batch - 1) * pass.out_dist;
  for (const Loop& loop : pass.loops) last += (loop.count - 1) * loop.out_stride;
  return last + 1;
}

bool Pass::is_end(bool input) const {
  if (!part) return true;
  const std::size_t lengths = part->lengths.size(), last = convolution ? 2 * lengths - 1 : lengths;
  return part->number == (input ? 1 : last);
}

std::int64_t Pass::tree_columns() const {
  return part && part->tree && part->number < part->lengths.size() ? loops.front().count : 1;
}

std::int64_t Pass::points_at_end(bool input) const {
  return std::min(whole().n(), input ? whole().in_length() : whole().out_length());
}

const std::string& Pass::code(bool input) const {
  static const std::string none;
  if (!is_end(input)) return none;
  return input ? whole().ends.load_code : whole().ends.store_code;
}

bool Pass::has_ends() const {
  const FftProblem& all = whole();
  const bool in = all.in_length() != all.n(), out = all.out_length() != all.n();
  return (is_end(true) && (in || !code(true).empty())) ||
         (is_end(false) && (out || !code(false).empty()));
}

bool is_contiguous(const Pass& pass) {
  return pass.in_stride == 1 && pass.out_stride == 1 && pass.loops.empty() &&
         pass.in_dist == pass.n() && pass.out_dist == pass.n();
}

bool is_of_bits(const Pass& pass) {
  return !pass.loops.empty() && is_of_bits(pass, true) && is_of_bits(pass, false);
}

std::uint64_t tiles_of_row(const Pass& pass, unsigned columns) {
  return (static_cast<std::uint64_t>(pass.loops.front().count) + columns - 1) / columns;
}

void validate(const Pass& pass) {
  validate(pass.problem);
  for (const bool input : {true, false}) {
    if (span(pass, input) < largest_span) continue;
    throw UnsupportedProblem(input ? "in_stride" : "out_stride", to_string(pass),
                             "points of a pass at most 2^32 points apart");
  }
}

std::string to_string(const Pass& pass) {
  std::string text = "DFTs of " + std::to_string(pass.n()) + " points, " +
                     std::to_string(pass.in_stride) + " apart in, " +
                     std::to_string(pass.out_stride) + " apart out";
  for (const Loop& loop : pass.loops) {
    text += "; " + std::to_string(loop.count) + " of them, " + std::to_string(loop.in_stride) +
            " apart in, " + std::to_string(loop.out_stride) + " apart out";
  }
  if (pass.tree_columns() > 1) text += "; steps of the tree of the whole transform";
  if (pass.twiddle_length != 0) {
    text += (pass.goes_back() ? "; first times w_" : "; then times w_") +
            std::to_string(pass.twiddle_length) + "^(k column)";
  }
  if (pass.is(Convolution::Place::spectrum))
    text += "; then times the chirp's spectrum, and backwards";
  if (pass.has_ends()) text += "; ends: " + to_string(pass.whole().ends);
  for (const bool input : {true, false}) {
    if (!pass.is_chirped(input)) continue;
    text += std::string("; ") + (input ? "reads " : "writes ") +
            std::to_string(pass.convolution->n) + " of the points, times the chirp";
  }
  return text;
}

}  // namespace sonoma
