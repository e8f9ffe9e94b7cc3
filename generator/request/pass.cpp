#include "sonoma/pass.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sonoma/errors.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {
namespace {

// The memory of a side begins with a pair of points. Between passes it may be that of the output.
bool begins_with_pair(const Pass& pass, bool input) {
  return pass.problem.alignment >= 2 * pass.bytes_of_point(input);
}

bool is_of_bits(const Pass& pass, bool input) {
  const std::int64_t stride = pass.side(input).stride;
  const auto bit = [](std::int64_t value) {
    return std::has_single_bit(static_cast<std::uint64_t>(value));
  };
  const std::int64_t column = pass.loops.front().stride(input);
  const bool pairs = !pass.is_chirped(input) && (stride == 1 || column == 1);
  const bool channels = input && pass.channels() > 1 && pass.filter->channels.in_dist % 2 != 0;
  const bool even = begins_with_pair(pass, input) && pass.side(input).dist % 2 == 0 &&
                    pass.side(input).first % 2 == 0 && !channels &&
                    std::all_of(pass.loops.begin() + 1, pass.loops.end(),
                                [&](const Loop& loop) { return loop.stride(input) % 2 == 0; });
  return bit(stride) && bit(column) && (even || !pairs);
}

// Of the transforms' first points, and no others.
std::int64_t points_of_end(const Pass& pass, std::int64_t batch, bool input) {
  const DataLayout& layout = pass.whole().layout;
  const std::int64_t stride = !pass.part ? pass.side(input).stride
                              : input    ? layout.in_stride
                                         : layout.out_stride;
  std::int64_t last =
      (pass.points_at_end(input) - 1) * stride + (batch - 1) * pass.side(input).dist;
  const auto& loops = pass.part ? layout.loops : pass.loops;
  for (const Loop& loop : loops) last += (loop.count - 1) * loop.stride(input);
  return last + 1;
}

// Those nearest to each other in the output first.
std::vector<std::size_t> loops_by_output(const FftProblem& problem) {
  const std::vector<Loop>& loops = problem.layout.loops;
  std::vector<std::size_t> order(loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return loops[i].out_stride; });
  return order;
}

// From the first point that `batch` of them have on that side to behind the last one.
std::int64_t points_of_side(const Pass& pass, std::int64_t batch, bool input) {
  if (pass.has_ends() && pass.side(input).end) return points_of_end(pass, batch, input);
  const PassSide& side = pass.side(input);
  const std::int64_t points = side.half                 ? pass.n() / 2 + 1
                              : pass.is_mirrored(input) ? pass.mirrored_points()
                                                        : pass.n();
  const std::int64_t together = side.half && pass.parted_length() != 0 ? 2 : 1;
  const std::int64_t first = pass.problem.lengths.front();
  std::int64_t last = side.first_axis == 0
                          ? (points - 1) * side.stride
                          : (first - 1) * side.first_axis + (points / first - 1) * side.stride;
  last += (batch - 1) * side.dist;
  for (const Loop& loop : pass.loops) last += (loop.count - 1) * loop.stride(input);
  const std::int64_t joined = pass.joins() && !input ? pass.points_of_whole() : 0;
  return last + together + joined;
}

}  // namespace

FilterSide filter_side(const FftProblem& problem) {
  const Convolution& asked = problem.convolution.value();
  FilterSide side;
  side.stride = asked.spectrum_stride;
  side.dist = asked.spectrum_dist;
  side.values = asked.real ? Values::hermitian : Values::complex;
  side.conjugated = asked.correlate;
  side.loops = asked.spectrum_strides;
  side.loops.resize(problem.layout.loops.size());
  if (problem.channels() > 1) {
    side.channels = asked.channels;
    side.channels.in_dist = problem.channel_dist();
  }
  return side;
}

namespace {

// Of transforms that lie so far apart that the points of several are not within largest_span a
// block takes one: the only one of a loop.
void take_one_by_one(Pass& pass) {
  constexpr std::int64_t usual_block = 2048;
  const std::int64_t together = std::max<std::int64_t>(1, usual_block / pass.n());
  const auto far = [&](bool input) {
    return to_next(pass, input) > (largest_span - reach(pass, input)) / together;
  };
  if (is_contiguous(pass) || (!far(true) && !far(false))) return;
  pass.loops.insert(pass.loops.begin(), Loop{});
  if (pass.filter) pass.filter->loops.insert(pass.filter->loops.begin(), 0);
}

}  // namespace

Pass single_pass(const FftProblem& problem) {
  Pass pass;
  pass.problem = problem;
  pass.problem.layout = {};
  const bool plain =
      problem.ends == Ends{} && problem.domain == Domain::c2c && !problem.convolution;
  if (!plain) pass.problem.placement = Placement::out_of_place;
  pass.in = {problem.storage, problem.layout.in_stride, problem.in_dist()};
  pass.out = {problem.result_storage(), problem.layout.out_stride, problem.out_dist()};
  const std::vector<std::size_t> order = loops_by_output(problem);
  for (const std::size_t i : order) pass.loops.push_back(problem.layout.loops[i]);
  if (!problem.convolution) return take_one_by_one(pass), pass;
  pass.problem.convolution->spectrum_dist = 0;
  pass.problem.convolution->spectrum_strides.clear();
  pass.problem.convolution->channels = {problem.channels(), 0, 0};
  pass.filter = filter_side(problem);
  const std::vector<std::int64_t> strides = pass.filter->loops;
  for (std::size_t i = 0; i < order.size(); ++i) pass.filter->loops[i] = strides[order[i]];
  pass.between = {Factor::Kind::filter, problem.n()};
  if (!problem.convolution->real) pass.after = {Factor::Kind::conjugate, problem.n()};
  take_one_by_one(pass);
  return pass;
}

Pass pass_of_rows(const FftProblem& problem) {
  Pass pass = single_pass(problem);
  PassSide& half = problem.domain == Domain::r2c ? pass.out : pass.in;
  half.mirror = {Mirror::Kind::rows, problem.lengths.back()};
  return pass;
}

std::int64_t in_points(const Pass& pass, std::int64_t batch) {
  const std::int64_t channels =
      pass.filter ? (pass.channels() - 1) * pass.filter->channels.in_dist : 0;
  return pass.in.first + channels + points_of_side(pass, batch, true);
}

std::int64_t out_points(const Pass& pass, std::int64_t batch) {
  return pass.out.first + points_of_side(pass, batch, false);
}

std::int64_t filter_points(const Pass& pass, std::int64_t batch) {
  const FilterSide& filter = pass.filter.value();
  const std::int64_t n = filter.pairs ? 2 * pass.n() : pass.whole().n();
  const std::int64_t stride = pass.whole().convolution->spectrum_stride;
  std::int64_t points =
      (length_in_memory(n, filter.values) - 1) * stride + 1 + (batch - 1) * filter.dist;
  for (std::size_t i = own_loops(pass); i < pass.loops.size(); ++i) {
    points += (pass.loops[i].count - 1) * filter.loops[i];
  }
  points += (pass.channels() - 1) * filter.channels.spectrum_dist;
  return points;
}

std::size_t own_loops(const Pass& pass) {
  return pass.part ? pass.loops.size() - pass.whole().layout.loops.size() : 0;
}

std::int64_t Part::points() const { return product_of(lengths); }

bool Pass::is_chirped(bool input) const {
  const auto& factor = input ? before : after;
  return factor && factor->kind == Factor::Kind::chirp;
}

namespace {

// Of the side of that kind.
std::int64_t length_of(const Pass& pass, Mirror::Kind kind) {
  for (const PassSide* side : {&pass.in, &pass.out}) {
    if (side->mirror && side->mirror->kind == kind) return side->mirror->length;
  }
  return 0;
}

}  // namespace

std::int64_t Pass::twiddle_length() const {
  for (const auto& factor : {before, after}) {
    if (factor && factor->kind == Factor::Kind::twiddle) return factor->length;
  }
  return 0;
}

std::int64_t Pass::row_length() const { return length_of(*this, Mirror::Kind::rows); }

std::int64_t Pass::mirrored_row_points() const {
  return row_length() != 0 ? row_length() / 2 + 1 : problem.lengths.back() + 1;
}

std::int64_t Pass::mirrored_points() const {
  return n() / problem.lengths.back() * mirrored_row_points();
}

std::vector<std::int64_t> Pass::real_lengths() const {
  std::vector<std::int64_t> lengths = problem.lengths;
  if (real_length() != 0) lengths.back() = real_length();
  return lengths;
}

std::int64_t Pass::real_length() const {
  return filter && filter->pairs ? 2 * n() : length_of(*this, Mirror::Kind::pairs);
}
std::int64_t Pass::parted_length() const { return length_of(*this, Mirror::Kind::parted); }

Domain Pass::domain() const {
  if (real_length() == 0 || filter || pairs_of) return whole().domain;
  return is_mirrored(true) ? Domain::c2r : Domain::r2c;
}

std::int64_t Pass::tree_columns() const {
  return part && part->tree && part->number < part->lengths.size() ? loops.front().count : 1;
}

Values Pass::values(bool input) const {
  if (parted_length() != 0) return Values::complex;  // neighbours are one point
  if (side(input).end) return whole().values(input);
  return side(input).half ? Values::hermitian : Values::complex;
}

std::int64_t Pass::hermitian_rows() const {
  const bool last = part && !part->convolution && part->number == part->lengths.size();
  return last && out.end && values(false) == Values::hermitian ? part->lengths.front() : 0;
}

std::int64_t Pass::points_at_end(bool input) const {
  if (parted_length() != 0) return whole().n();
  const bool numbers = values(input) == Values::trigonometric;
  if (is_mirrored(input) && !numbers) return mirrored_points();
  const std::int64_t all =
      numbers ? whole().points() : length_in_memory(whole().n(), values(input));
  return std::min(all, input ? whole().in_length() : whole().out_length());
}

const std::string& Pass::code(bool input) const {
  static const std::string none;
  if (!side(input).end) return none;
  return whole().ends.code(input);
}

bool Pass::has_ends() const {
  const FftProblem& all = whole();
  const auto half = [&](bool input) { return values(input) != Values::complex; };
  return half(true) || half(false) ||
         (in.end && (all.in_length() != all.n() || !code(true).empty())) ||
         (out.end && (all.out_length() != all.n() || !code(false).empty()));
}

bool is_contiguous(const Pass& pass) {
  if (pass.problem.alignment < 16) return false;  // of which so many bytes go together
  // A mirrored side goes through shared memory, however it lies.
  const auto follow = [&](bool input) {
    const PassSide& side = pass.side(input);
    return pass.is_mirrored(input) || (side.stride == 1 && side.first == 0 &&
                                       side.dist == (pass.joins() && !input ? 2 : 1) * pass.n());
  };
  return pass.loops.empty() && follow(true) && follow(false);
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
    if (reach(pass, input) < largest_span) continue;
    throw UnsupportedProblem(input ? "in_stride" : "out_stride", to_string(pass),
                             "points of a transform within 2^32 points");
  }
}

// What lies behind the points that are there is not addressed.
std::int64_t reach(const Pass& pass, bool input) {
  const PassSide& side = pass.side(input);
  if (!side.end) return (pass.n() - 1) * side.stride;
  const DataLayout& layout = pass.whole().layout;
  const std::int64_t stride = !pass.part ? side.stride
                              : input    ? layout.in_stride
                                         : layout.out_stride;
  return (pass.points_at_end(input) - 1) * stride;
}

std::int64_t to_next(const Pass& pass, bool input) {
  if (pass.loops.empty()) return pass.side(input).dist;
  return own_loops(pass) > 0 ? 0 : pass.loops.front().stride(input);
}

namespace {

// With the spectrum.
std::string product_text(const Pass& pass) {
  if (!pass.convolves() || pass.by_powers) return {};
  const std::string sum =
      pass.channels() == 1 ? "" : "the sum of " + std::to_string(pass.channels()) + " channels, ";
  return std::string("; then times the ") + (pass.filter ? "filter" : "chirp") + "'s spectrum, " +
         sum + "and backwards";
}

// Of real numbers.
std::string mirrored_text(const Pass& pass) {
  if (pass.filter && pass.filter->pairs) {
    return "; pairs of " + std::to_string(pass.real_length()) + " real numbers";
  }
  const bool input = pass.is_mirrored(true);
  if (pass.real_length() != 0) {
    return std::string("; ") + (input ? "from" : "to") + " the frequencies of " +
           to_shape(pass.real_lengths()) + " real numbers";
  }
  if (pass.row_length() != 0) {
    return std::string("; ") + (input ? "of" : "to") + " the first " +
           std::to_string(pass.mirrored_row_points()) + " frequencies of each row";
  }
  if (pass.parted_length() == 0) return "";
  return std::string("; ") + (input ? "first" : "then") +
         " the frequencies of two neighbours, times w_" + std::to_string(pass.parted_length()) +
         "^(k column)";
}

}  // namespace

std::string to_string(const Pass& pass) {
  std::string text = "DFTs of " + to_shape(pass.problem.lengths) + " points, " +
                     std::to_string(pass.in.stride) + " apart in, " +
                     std::to_string(pass.out.stride) + " apart out";
  if (pass.in.first_axis != 0) {
    text += ", along the first axis " + std::to_string(pass.in.first_axis) + " apart in";
  }
  for (const Loop& loop : pass.loops) {
    text += "; " + std::to_string(loop.count) + " of them, " + std::to_string(loop.in_stride) +
            " apart in, " + std::to_string(loop.out_stride) + " apart out";
  }
  if (pass.tree_columns() > 1) text += "; steps of the tree of the whole transform";
  if (pass.twiddle_length() != 0) {
    text += (pass.goes_back() ? "; first times w_" : "; then times w_") +
            std::to_string(pass.twiddle_length()) + "^(k column)" +
            (pass.problem.lengths.size() > 1 ? ", k along the first axis" : "");
  }
  text += mirrored_text(pass);
  if (pass.packed) text += "; each of them two of " + std::to_string(pass.packed->n()) + " in FP16";
  text += product_text(pass);
  const bool real = pass.values(true) != Values::complex || pass.values(false) != Values::complex;
  if (real) text += "; " + to_string(pass.whole().domain);
  if (pass.has_ends() && pass.whole().ends != Ends{}) {
    text += "; ends: " + to_string(pass.whole().ends);
  }
  for (const bool input : {true, false}) {
    if (!pass.is_chirped(input)) continue;
    text += std::string("; ") + (input ? "reads " : "writes ") +
            std::to_string(pass.convolved_points()) + " of the points, times the chirp";
  }
  return text;
}

}  // namespace sonoma
