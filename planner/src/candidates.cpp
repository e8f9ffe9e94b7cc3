#include "sonoma/candidates.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "mixed_shape.hpp"
#include "program_candidates.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "trees.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

// With radix 32 where that saves a step.
std::vector<Decomposition> trees_of_bits(std::int64_t n, Effort effort) {
  const auto bits = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(n)));
  const unsigned fewest = (bits + 3) / 4, fewest_of_32 = (bits + 4) / 5;
  std::vector<Decomposition> trees = trees_of(n, fewest, 16);
  const auto append = [&](const std::vector<Decomposition>& more) {
    trees.insert(trees.end(), more.begin(), more.end());
  };
  if (fewest_of_32 < fewest) append(trees_of(n, fewest_of_32, 32));
  if (effort == Effort::patient) {
    append(trees_of(n, fewest + 1, 16));
  } else if (const auto eights = decompose(n, 8); eights.radices.size() == fewest + 1) {
    append({eights});
  }
  return trees;
}

// Its points and a few for addresses and factors: the cost model judges what is above that.
bool can_hold(unsigned registers, const Tuning& tuning) {
  return registers >= 2 * *tuning.points_per_thread + 16;
}

// Of threads of so many points of a mixed tile: fewer would spill much.
unsigned few_mixed_registers(unsigned points, const Decomposition& tree) {
  return std::max(32u, (2 * points + registers_of_large_primes(tree) + 31) / 8 * 8);
}

class Search {
 public:
  Search(const FftProblem& problem, const Target& target, Effort effort)
      : problem_(problem), target_(target), effort_(effort) {}

  // Nothing where it is no kernel (not every combination of choices is one), or one seen before.
  std::optional<Candidate> made_of(const Tuning& tuning) { return made_of(tuning, seen_); }

  // `seen`: those before, and this one afterwards.
  std::optional<Candidate> made_of(const Tuning& tuning, std::set<Schedule>& seen) const {
    try {
      const Shape shape = resolve(tuning, problem_, target_);
      const Schedule made = schedule(problem_, target_, shape);
      if (!seen.insert(made).second) return std::nullopt;
      return Candidate{settled(shape, made), estimate_cost(made, target_)};
    } catch (const UnsupportedProblem&) {
      return std::nullopt;
    }
  }

  // The most registers of a thread, from few to many, as far as they change how many blocks an SM
  // holds; not patient: those next to the fewest that the cost model finds enough.
  void add_registers(Tuning tuning) {
    const unsigned threads = *tuning.block_points / *tuning.points_per_thread;
    std::vector<Candidate> shapes;
    unsigned last_blocks = 0;
    for (const unsigned registers : {32u, 40u, 48u, 56u, 64u, 80u, 96u, 128u, 168u, 255u}) {
      const unsigned blocks = static_cast<unsigned>(target_.registers) / (registers * threads);
      if (blocks == last_blocks || !can_hold(registers, tuning)) continue;
      last_blocks = blocks;
      tuning.registers = registers;
      if (const auto candidate = made_of(tuning)) shapes.push_back(*candidate);
    }
    const auto enough = std::find_if(shapes.begin(), shapes.end(), [](const Candidate& one) {
      return one.cost.missing_registers == 0;
    });
    for (auto at = shapes.begin(); at != shapes.end(); ++at) {
      const auto distance = at - enough;
      if (effort_ == Effort::patient || (distance >= -1 && distance <= 1)) keep(*at);
    }
  }

  // By the sectors first. In FP32 other ways rarely pay.
  void add_stagings(Tuning tuning) {
    add_registers(tuning);
    if (effort_ != Effort::patient && problem_.storage == Storage::f32) return;
    for (const bool load : {false, true}) {
      for (const bool store : {false, true}) {
        tuning.stage_load = load;
        tuning.stage_store = store;
        add_registers(tuning);
      }
    }
  }

  // Which steps of radix 16 are products: all, the first, or the last; patient: any.
  void add_tensor_steps(Tuning tuning) {
    add_shapes(tuning);
    if (tuning.engine != Engine::mma) return;
    std::vector<unsigned> sixteens;
    const auto& radices = tuning.decomposition->radices;
    for (unsigned s = 0; s < radices.size(); ++s) {
      if (radices[s] == 16) sixteens.push_back(s);
    }
    for (unsigned some = 1; some + 1 < 1u << sixteens.size(); ++some) {
      const bool end = some == 1 || some == 1u << (sixteens.size() - 1);
      if (effort_ != Effort::patient && !end) continue;
      tuning.tensor_steps = 0;
      for (unsigned i = 0; i < sixteens.size(); ++i) {
        *tuning.tensor_steps |= (some >> i & 1u) << sixteens[i];
      }
      add_shapes(tuning);
    }
  }

  // Lengths that are no powers of two have many decompositions and shapes: of all of them the
  // cheapest, not all of one decomposition; then registers and ways of those.
  void add_mixed(Tuning tuning, std::int64_t length) {
    const bool patient = effort_ == Effort::patient;
    const std::size_t most = patient ? 96 : 8, of_tree = patient ? 24 : 2;
    std::map<Decomposition, std::size_t> of_trees;
    std::size_t taken = 0;
    for (const Candidate& shape : cheapest_mixed_shapes(tuning, length)) {
      if (taken == most) break;
      if (of_trees[*shape.tuning.decomposition]++ == of_tree) continue;
      tuning.decomposition = shape.tuning.decomposition;
      tuning.points_per_thread = shape.tuning.points_per_thread;
      tuning.block_points = shape.tuning.block_points;
      add_registers(tuning);
      tuning.registers = shape.tuning.registers;
      const bool ways = patient || taken < 3 || problem_.storage != Storage::f32;
      for (const bool load : {false, true}) {
        for (const bool store : {false, true}) {
          if (ways) add_way(tuning, load, store);
        }
      }
      tuning.registers.reset();
      ++taken;
    }
  }

  // Of transforms of so many points.
  void add_all(Tuning tuning, std::int64_t length) {
    if (!is_power_of_two(length)) return add_mixed(tuning, length);
    for (const auto& tree : trees_of_bits(length, effort_)) {
      tuning.decomposition = tree;
      add_tensor_steps(tuning);
    }
  }

  // The cheapest; those that even a bad model tells to be hopeless are left out.
  [[nodiscard]] std::vector<Candidate> take(std::size_t few) const {
    constexpr double hopeless = 1.5;
    std::vector<Candidate> result;
    for (const auto& [cost, candidate] : found_) {
      const bool enough = effort_ != Effort::patient && result.size() == few;
      if (enough || cost > hopeless * found_.begin()->first) break;
      result.push_back(candidate);
    }
    return result;
  }

 private:
  // With as few registers as they need.
  std::vector<Candidate> cheapest_mixed_shapes(Tuning tuning, std::int64_t length) const {
    const std::size_t of_tree = effort_ == Effort::patient ? 24 : 3;
    std::set<Schedule> seen;
    std::vector<Candidate> shapes;
    for (const auto& tree : mixed_trees(length)) {
      tuning.decomposition = tree;
      const auto found = mixed_shapes(tree);
      for (std::size_t i = 0; i < std::min(of_tree, found.size()); ++i) {
        tuning.points_per_thread = found[i].points_per_thread;
        tuning.block_points = found[i].block_points;
        tuning.registers = few_mixed_registers(found[i].points_per_thread, tree);
        if (const auto one = made_of(tuning, seen)) shapes.push_back(*one);
      }
    }
    std::stable_sort(shapes.begin(), shapes.end(), [](const Candidate& a, const Candidate& b) {
      return a.cost.total < b.cost.total;
    });
    return shapes;
  }

  void add_way(Tuning tuning, bool stage_load, bool stage_store) {
    tuning.stage_load = stage_load;
    tuning.stage_store = stage_store;
    if (const auto one = made_of(tuning)) keep(*one);
  }

  void add_shapes(Tuning tuning) {
    const bool patient = effort_ == Effort::patient;
    const auto n = static_cast<unsigned>(tuning.decomposition->n());
    for (const unsigned per_thread : {2u, 4u, 8u, 16u, 32u}) {
      if (!patient && per_thread < 8) continue;
      const unsigned least = std::max(n, 32 * per_thread);
      const unsigned most = patient ? most_block_points : std::max(least, 2048u);
      for (unsigned block = least; block <= most; block *= 2) {
        if (block / per_thread > 1024) break;
        tuning.points_per_thread = per_thread;
        tuning.block_points = block;
        add_stagings(tuning);
      }
    }
  }

  void keep(const Candidate& candidate) { found_.emplace(candidate.cost.total, candidate); }

  const FftProblem& problem_;
  const Target& target_;
  Effort effort_;
  std::set<Schedule> seen_;
  std::multimap<double, Candidate> found_;  // by cost; equal ones in the order of their discovery
};

constexpr std::size_t few_of_mixed = 24, few_of_bits = 128;

// By a method that takes a convolution, of these lengths as many each: the model was fitted to
// kernels of bits and to mixed ones apart, and to no convolution.
void append_convolutions(std::vector<Candidate>& found, const FftProblem& problem,
                         const Target& target, const Tuning& tuning, Effort effort) {
  constexpr std::size_t bluestein_lengths = 4;
  const bool rader = tuning.method == Method::rader;
  const auto lengths =
      rader ? std::vector{problem.n() - 1} : convolution_lengths(problem.n(), bluestein_lengths);
  for (const std::int64_t length : lengths) {
    Search search(problem, target, effort);
    search.add_all(tuning, length);
    for (const Candidate& one : search.take(rader ? few_of_mixed : few_of_mixed / 2)) {
      if (one.tuning != found.front().tuning) found.push_back(one);
    }
  }
}

}  // namespace

std::string to_string(Effort effort) {
  static constexpr const char* names[] = {"estimate", "measure", "patient"};
  return names[static_cast<int>(effort)];
}

std::vector<Candidate> candidates(const FftProblem& problem, const Target& target,
                                  Arithmetic arithmetic, Effort effort) {
  Tuning tuning = with_arithmetic({}, arithmetic);
  const auto append_of = [&](std::vector<Candidate>& found, Method method) {
    tuning.method = method;
    append_convolutions(found, problem, target, tuning, effort);
  };
  if (takes_passes(problem, target, {}) || !is_plain(problem, {})) {
    if (arithmetic != Arithmetic::simt) {
      throw UnsupportedProblem("arithmetic", to_string(arithmetic), "simt beyond one block");
    }
    std::vector<Candidate> found = program_candidates(problem, target, effort);
    if (method_for({}, problem, target) == Method::rader) append_of(found, Method::rader);
    return found;
  }
  const Shape defaults = resolve(tuning, problem, target);
  Search search(problem, target, effort);
  const auto first = search.made_of(tuning_of(defaults));
  if (!first) (void)schedule(problem, target, defaults);  // says why not
  std::vector<Candidate> result = {first.value()};
  if (defaults.method == Method::rader) append_of(result, Method::rader);
  if (defaults.convolves()) {
    append_of(result, Method::bluestein);
    return result;
  }
  search.add_all(tuning, problem.n());
  const auto found = search.take(is_power_of_two(problem.n()) ? few_of_bits : few_of_mixed);
  result.insert(result.end(), found.begin(), found.end());
  return result;
}

}  // namespace sonoma
