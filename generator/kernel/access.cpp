#include "access.hpp"

#include <algorithm>

#include "saturated.hpp"

namespace sonoma {
namespace {

// Between points of the transform, on a side of a pass that is an end.
std::int64_t point_stride(const Pass& pass, bool input) {
  const DataLayout& layout = pass.whole().layout;
  if (pass.part) return input ? layout.in_stride : layout.out_stride;
  return pass.side(input).stride;
}

// Points that are there, or 0 for all.
std::int64_t points_present(const Schedule& schedule, bool input) {
  const Pass& pass = schedule.pass;
  const bool end = pass.side(input).end;
  const bool numbers = pass.values(input) == Values::trigonometric;
  // The others follow from those in memory, or are stored in their place.
  const bool follow =
      input ? numbers || pass.values(true) == Values::hermitian : pass.hermitian_rows() != 0;
  if (pass.side(input).half) return input ? 0 : pass.n() / 2 + 1;
  const std::int64_t there = !end || follow ? pass.whole().n()
                             : numbers
                                 ? frequencies_of(pass.whole().domain, pass.whole().lengths.back())
                                 : pass.points_at_end(input);
  if (pass.is_chirped(input)) return pass.is_mirrored(input) || pass.pairs_of ? pass.n() : there;
  return end && there < pass.whole().n() ? there : 0;
}

std::optional<Access::Trigonometric> trigonometric_access(const Pass& pass, bool input) {
  if (pass.values(input) != Values::trigonometric) return std::nullopt;
  const FftProblem& whole = pass.whole();
  const std::int64_t n = whole.lengths.back();
  return Access::Trigonometric{numbers_of(whole.domain, n, input),
                               n,
                               point_stride(pass, input),
                               pass.points_at_end(input),
                               is_sine(whole.domain),
                               whole.orthogonal,
                               pass.pairs_of.has_value()};
}

bool may_end_within(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  const unsigned columns = schedule.launch.transforms_per_block;
  return pass.loops.empty() ? columns > 1 : pass.loops.front().count % columns != 0;
}

// Transforms of odd lengths follow each other at odd places: points, not pairs.
unsigned neighbours_together(const Schedule& schedule, bool input) {
  if (input && schedule.words()) return 4;
  const bool single = schedule.mixed() || schedule.pass.by_powers || schedule.by_index();
  return single || schedule.pass.is_chirped(input) ? 1 : 2;
}

std::optional<Access::Hermitian> hermitian_access(const Pass& pass, bool input, std::int64_t each) {
  const PassSide& side = pass.side(input);
  const std::int64_t rows = input ? 0 : pass.hermitian_rows();
  if (pass.values(input) != Values::hermitian || (!input && rows == 0)) return std::nullopt;
  if (side.half) return Access::Hermitian{pass.n(), side.stride, pass.n() / 2 + 1};
  return Access::Hermitian{pass.whole().n(), each, pass.points_at_end(input), rows};
}

// The number that code is told: `own` loops are those of the passes, the others the caller's. Where
// there is no code, nobody has checked that it has 32 bits, nor reads it.
void tell(Access& access, const Schedule& schedule, bool input, std::size_t own) {
  const Pass& pass = schedule.pass;
  const std::int64_t step = pass.whole().ends.index(input).step;
  const bool loop_of_caller = own == 0 && !pass.loops.empty();
  for (std::size_t id = 0; id < schedule.digits.size(); ++id) {
    const Digit& digit = schedule.digits[id];
    const bool column = digit.step < 0 && loop_of_caller;
    access.told.push_back(static_cast<std::uint32_t>(
        column ? saturated_product(digit.weight, pass.loops.front().index(input))
               : saturated_product(access.index[id], step)));
  }
  for (std::size_t i = 0; i < pass.loops.size(); ++i) {
    access.told_loops.push_back(i < own ? saturated_product(access.loops[i], step)
                                        : pass.loops[i].index(input));
  }
}

}  // namespace

bool differs_by_block(const Access& access) {
  return std::ranges::any_of(access.loops, [](std::int64_t step) { return step != 0; });
}

Access access_of(const Schedule& schedule, bool input) {
  const Pass& pass = schedule.pass;
  const bool time = input || pass.convolves();
  const std::int64_t apart =
      !pass.loops.empty() ? pass.loops.front().stride(input) : pass.side(input).dist;
  const bool part = pass.part && pass.side(input).end;
  const std::int64_t each = point_stride(pass, input);
  Access access;
  access.trigonometric = trigonometric_access(pass, input);
  for (const Digit& digit : schedule.digits) {
    const bool column = digit.step < 0;
    const std::int64_t number = column ? digit.weight
                                : time ? digit.time_stride
                                       : digit.freq_stride;
    // Where one transform, or one point, is all there is, what it is apart may be any number.
    const std::int64_t place =
        column ? saturated_product(number, apart)
               : place_of(pass, digit, input, time ? Side::time : Side::frequency);
    const std::int64_t index = part ? place / each : column ? 0 : number;
    const auto before = static_cast<std::uint32_t>(index) * static_cast<std::uint32_t>(each);
    access.memory.push_back(static_cast<std::uint32_t>(place) -
                            (access.trigonometric ? before : 0));
    access.index.push_back(static_cast<std::uint32_t>(index));
  }
  // The caller's loops number transforms.
  const std::size_t own = part ? pass.loops.size() - pass.whole().layout.loops.size() : 0;
  for (std::size_t i = 0; i < pass.loops.size(); ++i) {
    access.loops.push_back(i < own ? pass.loops[i].stride(input) / each : 0);
  }
  tell(access, schedule, input, own);
  access.present = points_present(schedule, input);
  access.hermitian = hermitian_access(pass, input, each);
  access.columns_end = may_end_within(schedule);
  access.together = neighbours_together(schedule, input);
  return access;
}

bool can_copy(const Schedule& schedule) {
  return (schedule.pass.in.storage == Storage::f32 || schedule.words()) && !schedule.mixed() &&
         !schedule.by_index() &&
         std::all_of(schedule.digits.begin(), schedule.digits.end(),
                     [](const Digit& digit) { return digit.in_stride == digit.time_stride; });
}

}  // namespace sonoma
