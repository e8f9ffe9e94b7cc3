#include "thread_rows.hpp"

namespace sonoma {
namespace {

// Lanes whose points, of 8 bytes each, shared memory serves at once.
constexpr unsigned half_warp = 16;

unsigned whole_half_warps(unsigned threads) {
  return (threads + half_warp - 1) / half_warp * half_warp;
}

unsigned count_between(const Schedule& schedule, const Layout& layout, unsigned first,
                       unsigned last) {
  const auto begin = layout.threads.begin();
  return count_of(schedule.digits, {begin + first, begin + last});
}

// The remainder that is counted without a jump: of two that by the number that leaves fewer lanes
// idle, but some.
unsigned row_of_remainders(const Schedule& schedule, const Layout& layout) {
  const Residues residues = residues_of(schedule.digits, layout);
  const unsigned a = count_between(schedule, layout, residues.first, residues.middle),
                 b = count_between(schedule, layout, residues.middle, residues.last);
  if (residues.last == 0 || residues.first > 0) return schedule.work_items(layout);
  if (a % half_warp == 0) return b;
  if (b % half_warp == 0) return a;
  return whole_half_warps(a) * b < whole_half_warps(b) * a ? a : b;
}

// What differs in the digit that changes fastest, of one step or of the transforms of a block.
unsigned row_of_digit(const Schedule& schedule, const Layout& layout) {
  const auto& threads = layout.threads;
  const auto step_of_digit = [&](std::size_t i) { return schedule.digits[threads[i]].step; };
  unsigned last = 0;
  while (last < threads.size() && step_of_digit(last) == step_of_digit(0)) ++last;
  return count_between(schedule, layout, 0, last);
}

ThreadRows rows_of_phase(const Schedule& schedule, std::size_t p) {
  const Layout& layout = schedule.phases[p].in;
  const bool remainders = schedule.coprime_phase > 0 && p + 1 == schedule.coprime_phase;
  const unsigned threads =
      remainders ? row_of_remainders(schedule, layout) : row_of_digit(schedule, layout);
  const unsigned items = schedule.work_items(layout);  // one row of all needs no other one's lanes
  return {threads, threads < items ? whole_half_warps(threads) : threads};
}

}  // namespace

ThreadRows Schedule::rows_of(const Layout& layout) const {
  for (std::size_t p = 0; shape.rows >> p != 0 && p < phases_there(); ++p) {
    if ((shape.rows >> p & 1u) != 0 && phases[p].in == layout) return rows_of_phase(*this, p);
  }
  const unsigned items = work_items(layout);
  return {items, items};
}

unsigned phases_in_rows(const Schedule& schedule) {
  const Shape& shape = schedule.shape;
  const bool serves = schedule.mixed() && schedule.engine() == Engine::simt &&
                      shape.shares.parts() == 1 && !shape.opposite &&
                      shape.prefetch != Prefetch::persistent && schedule.phases.size() > 1 &&
                      schedule.pass.may_go_round();
  unsigned phases = 0;
  for (std::size_t p = 0; serves && shape.rows >> p != 0 && p < schedule.phases_there(); ++p) {
    const bool wished = (shape.rows >> p & 1u) != 0;
    if (wished && rows_of_phase(schedule, p).have_gaps()) phases |= 1u << p;
  }
  return phases;
}

}  // namespace sonoma
