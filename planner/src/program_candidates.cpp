#include "program_candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "trees.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

// The divisors of n that leave at most 2^12 points to each of `passes` passes, those nearest to the
// root of that degree first.
Lengths divisors_near_root(std::int64_t n, unsigned passes) {
  constexpr std::int64_t largest = 4096;
  const double root = std::pow(static_cast<double>(n), 1.0 / passes);
  const auto distance = [&](std::int64_t d) {
    return std::abs(std::log(static_cast<double>(d) / root));
  };
  Lengths divisors;
  for (std::int64_t d = 2; d <= std::min(n - 1, largest); ++d) {
    const std::int64_t rest = n / d;
    if (n % d == 0 && std::pow(largest, passes - 1) >= static_cast<double>(rest)) {
      divisors.push_back(d);
    }
  }
  std::stable_sort(divisors.begin(), divisors.end(),
                   [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
  return divisors;
}

// Of each first length, as even as possible, as many as `few` says for each further one.
std::vector<Lengths> lists_of(std::int64_t n, unsigned passes, std::size_t few) {
  if (passes == 1) return {{n}};
  std::vector<Lengths> lists;
  Lengths divisors = divisors_near_root(n, passes);
  if (divisors.size() > few) divisors.resize(few);
  for (const std::int64_t first : divisors) {
    for (Lengths rest : lists_of(n / first, passes - 1, few)) {
      rest.insert(rest.begin(), first);
      lists.push_back(rest);
    }
  }
  return lists;
}

std::vector<Lengths> lists_of(std::int64_t n, Effort effort) {
  constexpr std::int64_t three_are_worth_it = std::int64_t{1} << 21;
  const bool patient = effort == Effort::patient;
  std::vector<Lengths> lists = lists_of(n, 2, patient ? 10 : 5);
  if (lists.empty() || n >= three_are_worth_it) {
    const auto three = lists_of(n, 3, patient ? 4 : 2);
    lists.insert(lists.end(), three.begin(), three.end());
  }
  return lists;
}

// What the passes multiply to: n, or some lengths of its convolution.
Lengths points_of(const FftProblem& problem, const Tuning& tuning) {
  constexpr std::size_t lengths = 4;
  const bool convolves = method_for(tuning, problem.n()) == Method::bluestein;
  return convolves ? convolution_lengths(problem.n(), lengths) : Lengths{problem.n()};
}

// Steps of radix 8 to 32, one for each phase of threads of 32 points, the most even ones first.
std::vector<Decomposition> trees_of_rounds(std::int64_t n, std::size_t few) {
  const auto bits = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(n)));
  std::vector<Decomposition> trees = trees_of(n, (bits + 4) / 5, 32, 8);
  const auto smallest = [](const Decomposition& tree) {
    return *std::min_element(tree.radices.begin(), tree.radices.end());
  };
  std::stable_sort(trees.begin(), trees.end(), [&](const Decomposition& a, const Decomposition& b) {
    return smallest(a) > smallest(b);
  });
  if (trees.size() > few) trees.resize(few);
  return trees;
}

// Of all passes, each in as few steps of radix 32 or less as its length allows.
Decomposition tree_of(const Lengths& lengths) {
  constexpr unsigned most = 5;
  Decomposition tree;
  for (const std::int64_t length : lengths) {
    auto left = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(length)));
    for (unsigned steps = (left + most - 1) / most; steps > 0; --steps) {
      tree.radices.push_back(1u << left / steps);
      left -= left / steps;
    }
  }
  return tree;
}

// Points of a thread and its registers.
constexpr std::pair<unsigned, unsigned> shapes_of_threads[] = {{16, 64}, {16, 80}, {32, 128}};

class ProgramSearch {
 public:
  ProgramSearch(const FftProblem& problem, const Target& target, Effort effort)
      : problem_(problem), target_(target), effort_(effort) {}

  // Nothing where there is no such program, or one like it was seen before.
  std::optional<Candidate> made_of(Tuning tuning) {
    try {
      const Program program = make_program(problem_, target_, tuning);
      if (!seen_.insert(program).second) return std::nullopt;
      const Launch& launch = program.launches.front();
      if (takes_passes(problem_, target_, tuning)) {
        tuning.fused = launch.fusion.has_value();
      } else {
        tuning = settled(launch.shape, schedule(launch.pass, target_, launch.shape));
      }
      return Candidate{tuning, estimate_cost(program, target_)};
    } catch (const UnsupportedProblem&) {
      return std::nullopt;
    }
  }

  // One launch of clusters of blocks. The model does not know them: all are kept.
  void add_clusters(Tuning tuning) {
    for (const unsigned blocks : {2u, 4u, 8u, 16u}) {
      tuning.cluster = blocks;
      for (const auto& [points, registers] : shapes_of_threads) {
        tuning.points_per_thread = points;
        tuning.registers = registers;
        // The default steps of a convolution fill 32 points.
        tuning.radix.reset();
        if (points == 16 && !is_power_of_two(problem_.n())) tuning.radix = 16;
        const bool one_launch = !takes_passes(problem_, target_, tuning);
        if (const auto one = one_launch ? made_of(tuning) : std::nullopt) {
          unjudged_.push_back(*one);
        }
      }
    }
  }

  // One launch of blocks, or clusters of them, that take their tile in two rounds.
  void add_rounds(Tuning tuning) {
    const std::size_t few = effort_ == Effort::patient ? 24 : 5;
    tuning.rounds = 2, tuning.points_per_thread = 32, tuning.registers = 128;
    for (const Decomposition& tree : trees_of_rounds(problem_.n(), few)) {
      tuning.decomposition = tree;
      for (const unsigned blocks : {1u, 2u, 4u, 8u}) {
        const std::int64_t threads = problem_.n() / (*tuning.points_per_thread * 2 * blocks);
        if (threads < 128 || threads > 512) continue;
        tuning.cluster = blocks;
        if (const auto one = made_of(tuning)) unjudged_.push_back(*one);
      }
    }
  }

  // What lies between the passes of a convolution is written and read twice: as much of it at once
  // as the L2 cache holds. The model does not know it.
  void add_in_cache(Tuning tuning) {
    tuning.workspace_points = 3 << 20;
    if (const auto one = made_of(tuning)) unjudged_.push_back(*one);
  }

  // Sections of a tree, which have tables where other passes compute the factors between them: the
  // model does not know what either costs.
  void add_sections(Tuning tuning) {
    tuning.decomposition = tree_of(*tuning.pass_lengths);
    for (const bool fused : {false, true}) {
      tuning.fused = fused;
      if (const auto one = made_of(tuning)) unjudged_.push_back(*one);
    }
  }

  void add_lengths(Tuning tuning) {
    std::vector<std::optional<unsigned>> columns = {std::nullopt, 4, 8, 16};
    if (!is_power_of_two(problem_.n()))
      columns = {std::nullopt, 4, 8, 9, 10, 12, 16, 20, 24, 27, 32};
    if (effort_ == Effort::patient) columns.insert(columns.end(), {2, 32, 64});
    for (const auto& side_by_side : columns) {
      tuning.columns = side_by_side;
      add_threads(tuning);
    }
  }

  // Of each product of pass lengths at most `few`, unless patient.
  [[nodiscard]] std::vector<Candidate> take(const Candidate& first, std::size_t few) const {
    std::vector<Candidate> result = {first};
    result.insert(result.end(), unjudged_.begin(), unjudged_.end());
    std::map<std::int64_t, std::size_t> of_product;
    for (const auto& [cost, candidate] : found_) {
      const std::int64_t points = product_of(*candidate.tuning.pass_lengths);
      if (effort_ == Effort::patient || of_product[points]++ < few) result.push_back(candidate);
    }
    return result;
  }

 private:
  // Points and registers of threads; of mixed lengths the generator's choice is one of many.
  void add_threads(Tuning tuning) {
    add_launches(tuning);
    if (!is_power_of_two(problem_.n())) return;
    for (const auto& [points, registers] : shapes_of_threads) {
      tuning.points_per_thread = points;
      tuning.registers = registers;
      add_launches(tuning);
    }
    // Of those threads of 32 points, where it saves an exchange.
    const Lengths& lengths = *tuning.pass_lengths;
    if (std::find(lengths.begin(), lengths.end(), 1024) == lengths.end()) return;
    tuning.radix = 32;
    add_launches(tuning);
  }

  // One launch for each pass or for two, and then the ring between them.
  void add_launches(Tuning tuning) {
    constexpr std::int64_t largest_fused = std::int64_t{1} << 21;  // two of them leave the L2 cache
    tuning.fused = false;
    keep(tuning);
    if (!is_power_of_two(problem_.n()) || problem_.n() > largest_fused ||
        tuning.pass_lengths->size() != 2)
      return;
    tuning.fused = true;
    keep(tuning);
    if (effort_ != Effort::patient) return;
    for (const std::int64_t millions : {2, 4, 6}) {
      tuning.workspace_points = millions << 20;
      keep(tuning);
    }
  }

  void keep(const Tuning& tuning) {
    if (const auto one = made_of(tuning)) found_.emplace(one->cost.total, *one);
  }

  const FftProblem& problem_;
  const Target& target_;
  Effort effort_;
  std::set<Program> seen_;
  std::vector<Candidate> unjudged_;
  std::multimap<double, Candidate> found_;
};

}  // namespace

std::vector<Candidate> program_candidates(const FftProblem& problem, const Target& target,
                                          Effort effort) {
  ProgramSearch search(problem, target, effort);
  Tuning tuning;
  tuning.engine = Engine::simt;
  if (takes_passes(problem, target, {})) {
    tuning.pass_lengths = default_lengths(problem, tuning, target);
  }
  const auto first = search.made_of(tuning);
  if (!first) (void)estimate_cost(make_program(problem, target, tuning), target);  // says why not
  tuning.pass_lengths.reset();
  const bool convolves = method_for({}, problem.n()) == Method::bluestein;
  if (is_power_of_two(problem.n()) || convolves) search.add_clusters(tuning);
  if (is_power_of_two(problem.n()) && !convolves) search.add_rounds(tuning);
  constexpr std::size_t few = 28;
  const Lengths products = points_of(problem, tuning);
  for (const std::int64_t points : products) {
    if (convolves) {
      tuning.pass_lengths = pass_lengths(points);
      search.add_in_cache(tuning);
    }
    for (const Lengths& lengths : lists_of(points, effort)) {
      tuning.pass_lengths = lengths;
      if (is_power_of_two(problem.n()) && !convolves) search.add_sections(tuning);
      search.add_lengths(tuning);
    }
  }
  return search.take(first.value(), few / products.size());
}

}  // namespace sonoma
