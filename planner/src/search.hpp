// What a search makes of wishes: candidates, each kernel once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "mixed_shape.hpp"
#include "sonoma/candidates.hpp"
#include "sonoma/half_length.hpp"
#include "way.hpp"

namespace sonoma {

/// Points m >= 2n - 1 of the convolutions that a search tries for n points: those that the weights
/// of convolution_lengths() like best; patient, the shortest too that have no factors between their
/// last two steps.
[[nodiscard]] std::vector<std::int64_t> convolution_lengths_tried(const FftProblem& problem,
                                                                  bool patient);

/// A program, the tuning that makes it again, and what it costs.
struct Judged {
  Program program;
  Candidate candidate;
};

/// Of one launch nothing is left open. Throws as schedule() does.
[[nodiscard]] Judged judged(Program program, const Tuning& wish, const Target& target);

class Search {
 public:
  Search(const FftProblem& of, const Target& on, Effort with)
      : problem(of), target(on), effort(with) {}

  /// What make_program() makes of a wish. Throws UnsupportedProblem.
  [[nodiscard]] Judged made(const Tuning& wish) const;
  /// Nothing where that is refused (not every combination of choices is a kernel), or was seen
  /// before.
  [[nodiscard]] std::optional<Candidate> unseen(const Tuning& wish);
  void keep(const Candidate& one) { found_.emplace(one.cost.total, one); }
  void keep(const Tuning& wish) {
    if (const auto one = unseen(wish)) keep(*one);
  }
  [[nodiscard]] MixedKernel mixed_kernel(const Tuning& tuning = {}) const {
    const bool opposite = tuning.opposite.value_or(false);
    MixedKernel kernel =
        sonoma::mixed_kernel(opposite ? half_length_pass(problem) : single_pass(problem),
                             tuning.method.value_or(Method::radix), target, opposite);
    kernel.sums = tuning.sums.value_or(Sums::fp32);
    // Of Rader's algorithm by default none: the best of the first few such shapes has .98 of the
    // speed of what was searched before in the median of 198 primes, though 57 of 217 are faster
    // so.
    kernel.laps = kernel.laps || (kernel.in_order && kernel.laps_at_need);
    return kernel;
  }
  /// What was kept, the cheapest first; of equal ones those found first.
  [[nodiscard]] std::vector<Candidate> found() const;

  const FftProblem& problem;
  const Target& target;
  const Effort effort;
  const bool patient = effort == Effort::patient;

 private:
  std::set<Program> seen_;
  std::multimap<double, Candidate> found_;
};

/// The wish for a shape of a tile that is no power of two, and the registers that it takes.
[[nodiscard]] Tuning with_shape(Tuning tuning, const Decomposition& tree, const MixedShape& shape);

/// Keeps the tuning with some most registers of a thread, and blocks known, that let an SM hold
/// more blocks or fewer; not patient: than with enough registers, by so many steps.
void add_registers(Search& search, Tuning tuning, int fewer = 1, int more = 2);
/// What is left open, and patient, of butterflies on CUDA cores, where else their factors may come
/// from: smaller tables than those of 2048 points stay in the L1 cache. Constants would keep longer
/// transforms from clusters, where they are few.
[[nodiscard]] std::vector<std::optional<Twiddles>> twiddles_tried(const Search& search,
                                                                  const Tuning& tuning,
                                                                  std::int64_t points);
/// Keeps it with each way from and to memory, staged or direct.
void add_ways(Search& search, Tuning tuning);

/// Kernels of one tile of `length` points by what `tuning` says, the cheapest first; those that
/// even a bad model tells to be hopeless are left out. Not patient: a `few`.
[[nodiscard]] std::vector<Candidate> cheapest_kernels(Search search, const Tuning& tuning,
                                                      std::int64_t length, std::size_t few);

/// As candidates(), of columns, of axes that share a launch and of convolutions: all in one launch,
/// resolved. Engine simt.
[[nodiscard]] std::vector<Candidate> block_candidates(const Search& begun);

/// The same of axes in two passes, see axis_passes(): tunings that say their lengths, whether they
/// share a launch, and what their kernels share. None where there are no such passes.
[[nodiscard]] std::vector<Candidate> axis_pass_candidates(const Search& begun);

/// Of a length that is no power of two one launch in which blocks of a cluster, or rounds, share a
/// tile: of each number of them that its steps can number those steps and threads that fill an SM
/// best. Engine simt.
[[nodiscard]] std::vector<Candidate> candidates_in_parts(Search& search);

/// One axis after the other, each as the planner chooses: see says_each_axis(). Nothing for one.
[[nodiscard]] std::optional<Candidate> axis_by_axis_candidate(const Search& search);

/// As candidates(): tunings that say the lengths of the passes, whether two share a launch, and
/// what the kernels of all passes share; or resolved ones of a cluster of blocks. On tensor cores
/// of powers of two.
[[nodiscard]] std::vector<Candidate> program_candidates(const Search& begun, const Way& way,
                                                        Arithmetic arithmetic);

}  // namespace sonoma
