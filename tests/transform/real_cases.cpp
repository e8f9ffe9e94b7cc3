#include "real_cases.hpp"

#include <functional>
#include <tuple>
#include <utility>

namespace sonoma::test {
namespace {

Way way(const char* name, std::int64_t n, const std::function<void(Tuning&)>& wish) {
  Way result{name, n, {}};
  wish(result.tuning);
  return result;
}

// Strides of the axes, the batch and the loops on one side.
Shape random_side(const FftProblem& problem, const Shape& loops, bool input, std::mt19937& random) {
  Shape counts;
  for (const Axis& axis : problem.axes()) counts.push_back(axis.length(input));
  counts.push_back(problem.batch);
  counts.insert(counts.end(), loops.begin(), loops.end());
  return random_strides(random, counts);
}

// The same of both sides in place: of frequencies that are neighbours; of real numbers twice that.
std::pair<Shape, Shape> random_shared(const FftProblem& problem, const Shape& loops,
                                      std::mt19937& random) {
  Shape counts(problem.lengths.begin(), problem.lengths.end() - 1);
  counts.push_back(problem.batch);
  counts.insert(counts.end(), loops.begin(), loops.end());
  Shape rows = random_strides(random, counts);
  const std::int64_t row = problem.lengths.back() / 2 + 1 + static_cast<std::int64_t>(random() % 3);
  for (std::int64_t& stride : rows) stride *= row;
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(problem.lengths.size()) - 1, 1);
  Shape real = rows;
  for (std::int64_t& stride : real) stride *= 2;
  real[problem.lengths.size() - 1] = 1;
  return problem.domain == Domain::r2c ? std::pair(real, rows) : std::pair(rows, real);
}

}  // namespace

void PrintTo(const RealCase& c, std::ostream* out) {
  *out << to_string(c.problem) << " " << to_string(c.options.tuning);
}

RealCase real_case(const FftProblem& problem) {
  RealCase c{problem};
  c.options.device = Device::cpu;
  return c;
}

RealCase real_case(Domain domain, const Shape& shape, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = shape, problem.batch = batch, problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return real_case(problem);
}

Memory result_of(const Plan& plan, const Memory& in) {
  Memory out = output_before(plan.problem(), in);
  execute_on(plan, in, out);
  return out;
}

std::vector<Way> all_ways() {
  const auto by = [](Method method) { return [=](Tuning& t) { t.method = method; }; };
  const auto in_passes = [](const Shape& lengths) {
    return [=](Tuning& t) { t.pass_lengths = lengths; };
  };
  return {
      way("mma", 256, [](Tuning& t) { t.engine = Engine::mma; }),
      way("simt", 256, [](Tuning& t) { t.engine = Engine::simt; }),
      way("mma of few points", 16, [](Tuning& t) { t.engine = Engine::mma; }),
      way("four products", 1024, [](Tuning& t) { t.engine = Engine::mma, t.products = 4; }),
      way("two passes", 4096, in_passes({64, 64})),
      way("mixed passes", 3600, in_passes({60, 60})),
      way("odd passes", 2025, in_passes({45, 45})),
      way("three passes", 32768, in_passes({32, 32, 32})),
      way("tensor core passes", 4096,
          [](Tuning& t) {
            t.pass_lengths = Shape{64, 64}, t.engine = Engine::mma;
          }),
      way("passes of odd columns", 1980, in_passes({44, 45})),
      way("passes of odd rows", 1980, in_passes({45, 44})),
      way("cluster", 8192, [](Tuning& t) { t.cluster = 2; }),
      way("rounds", 8192, [](Tuning& t) { t.rounds = 2; }),
      way("Bluestein", 107, by(Method::bluestein)),
      way("Bluestein of an even number", 514, by(Method::bluestein)),
      way("Bluestein in passes", 499,
          [](Tuning& t) {
            t.method = Method::bluestein, t.pass_lengths = Shape{32, 64};
          }),
      way("Bluestein in three passes", 499,
          [](Tuning& t) {
            t.method = Method::bluestein, t.pass_lengths = Shape{32, 32, 32};
          }),
  };
}

void lay_out_real(FftProblem& problem, std::mt19937& random) {
  Shape loops;
  for (auto count = random() % 3; count > 0; --count) loops.push_back(1 + random() % 5);
  Shape in, out;
  if (problem.placement == Placement::in_place) {
    std::tie(in, out) = random_shared(problem, loops, random);
  } else {
    in = random_side(problem, loops, true, random);
    out = random_side(problem, loops, false, random);
  }
  const std::size_t rank = problem.lengths.size();
  const auto before_last = static_cast<std::ptrdiff_t>(rank) - 1;
  DataLayout& layout = problem.layout;
  layout.in_strides.assign(in.begin(), in.begin() + before_last);
  layout.out_strides.assign(out.begin(), out.begin() + before_last);
  layout.in_stride = in[rank - 1], layout.out_stride = out[rank - 1];
  layout.in_dist = in[rank], layout.out_dist = out[rank];
  for (std::size_t l = 0; l < loops.size(); ++l) {
    layout.loops.push_back({loops[l], in[rank + 1 + l], out[rank + 1 + l]});
  }
}

}  // namespace sonoma::test
