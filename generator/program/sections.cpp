// Passes over memory that are sections of one Gentleman-Sande tree.
#include <algorithm>
#include <bit>

#include "program_parts.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// The tables of a first pass are 3 n bytes and more. Measured on an H200: from 2^20 on they cost
// more than they save.
constexpr std::int64_t most_points = std::int64_t{1} << 22;

[[noreturn]] void refuse(const Tuning& tuning, const std::string& allowed) {
  throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                           allowed + ", or of one of pass_lengths " +
                               to_list(*tuning.pass_lengths) + ", or none with them");
}

}  // namespace

std::vector<Decomposition> sections(const FftProblem& problem, const Tuning& tuning) {
  if (!tuning.decomposition || !tuning.pass_lengths) return {};
  if (tuning.decomposition->n() != problem.n()) return {};
  const auto& radices = tuning.decomposition->radices;
  const bool bits = std::all_of(radices.begin(), radices.end(),
                                [](unsigned radix) { return std::has_single_bit(radix); });
  // A fragment holds several columns, whose factors differ.
  const bool simt = tuning.engine.value_or(Engine::simt) == Engine::simt &&
                    problem.accuracy.arithmetic.value_or(Arithmetic::simt) == Arithmetic::simt;
  if (!bits || problem.n() > most_points || problem.order != Order::natural || !simt) {
    refuse(tuning,
           "of all passes: the arithmetic of the engine simt, powers of two up to 2^22 and order "
           "natural");
  }
  std::vector<Decomposition> result;
  auto next = radices.begin();
  for (const std::int64_t length : *tuning.pass_lengths) {
    Decomposition& section = result.emplace_back();
    std::int64_t points = 1;
    while (points < length && next != radices.end()) {
      points *= *next;
      section.radices.push_back(*next++);
    }
    if (points != length) refuse(tuning, "steps of all passes that end where the passes do");
  }
  return result;
}

}  // namespace sonoma
