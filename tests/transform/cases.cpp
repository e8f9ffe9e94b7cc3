#include "cases.hpp"

#include <algorithm>
#include <cmath>

#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

std::vector<std::int64_t> all_lengths() {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 2; n <= 8192; n *= 2) lengths.push_back(n);
  return lengths;
}

// Forward for even powers of two, inverse for odd ones.
Direction alternating(std::int64_t n) {
  return std::lround(std::log2(static_cast<double>(n))) % 2 == 0 ? Direction::forward
                                                                 : Direction::inverse;
}

}  // namespace

FftProblem KernelCase::problem(std::int64_t batch) const {
  FftProblem p;
  p.lengths = {n};
  p.batch = batch;
  p.direction = direction;
  p.scale = scale;
  p.storage = storage;
  if (packed) p.accuracy.arithmetic = Arithmetic::packed;
  return p;
}

Tuning KernelCase::tuning() const {
  Tuning t;
  t.method = method;
  t.engine = engine;
  t.decomposition = decomposition;
  t.products = products, t.twiddles = twiddles, t.rows = rows;
  if (cluster > 1 || rounds > 1) {
    t.cluster = cluster, t.rounds = rounds;
    t.block_points = static_cast<unsigned>(decomposition.n());
  }
  if (threads > 0) {
    t.threads = threads, t.points_per_thread = points_per_thread;
    t.block_points = transforms * static_cast<unsigned>(decomposition.n());
  }
  return t;
}

std::string name(const KernelCase& c) {
  std::string text =
      "n" + std::to_string(c.n) + "_" + to_string(c.direction) + "_" + to_string(c.engine);
  for (const unsigned radix : c.decomposition.radices) text += "_" + std::to_string(radix);
  if (c.method != Method::radix) text += "_" + to_string(c.method);
  if (c.scale != 1.0) text += "_scaled";
  if (c.storage != Storage::f32) text += "_" + to_string(c.storage);
  if (c.products) text += "_products_" + std::to_string(*c.products);
  if (c.cluster > 1) text += "_cluster_" + std::to_string(c.cluster);
  if (c.rounds > 1) text += "_rounds_" + std::to_string(c.rounds);
  if (c.threads > 0) text += "_threads_" + std::to_string(c.threads);
  if (c.twiddles) text += "_root_" + to_string(*c.twiddles);
  if (c.rows) text += "_rows_" + std::to_string(*c.rows);
  if (c.packed) text += "_packed";
  if (c.arch != "sm_90") text += "_" + c.arch;
  return text;
}

std::ostream& operator<<(std::ostream& stream, const KernelCase& c) {
  return stream << name(c) << " scale=" << c.scale;
}

int random_rows(std::int64_t n) {
  return static_cast<int>(std::max<std::int64_t>(2, 1024 / n) | 1);
}

std::vector<Decomposition> decompositions_by_radix(std::int64_t n) {
  std::vector<Decomposition> all;
  for (const unsigned radix : {16u, 8u, 4u, 2u}) {
    const Decomposition d = decompose(n, radix);
    if (std::find(all.begin(), all.end(), d) == all.end()) all.push_back(d);
  }
  return all;
}

std::vector<KernelCase> every_radix() {
  std::vector<KernelCase> cases;
  for (const std::int64_t n : all_lengths()) {
    for (const auto& decomposition : decompositions_by_radix(n)) {
      for (const Engine engine : {Engine::mma, Engine::simt}) {
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          cases.push_back({n, direction, engine, decomposition});
        }
      }
    }
  }
  return cases;
}

std::vector<KernelCase> sample(const std::vector<std::int64_t>& lengths) {
  std::vector<KernelCase> cases;
  for (const std::int64_t n : lengths) {
    for (const Engine engine : {Engine::mma, Engine::simt}) {
      cases.push_back({n, alternating(n), engine, decompose(n)});
    }
  }
  return cases;
}

std::vector<KernelCase> radices_of_both_scales() {
  std::vector<KernelCase> cases;
  // A scale for each step and group, and one for each transform.
  for (const std::int64_t n : {64, 512}) {
    for (const auto& d : decompositions_by_radix(n)) {
      cases.push_back({n, Direction::forward, Engine::simt, d});
      cases.push_back({n, Direction::inverse, Engine::mma, d});
    }
  }
  return cases;
}

std::vector<KernelCase> user_decompositions() {
  std::vector<KernelCase> cases;
  for (const char* text : {"(gs 2 (dft 16))", "(gs 4 (gs 16 (dft 2)))", "(gs 2 (gs 8 (dft 16)))",
                           "(gs 8 (gs 16 (dft 4)))", "(gs 2 (gs 16 (gs 4 (dft 8))))",
                           "(gs 16 (gs 2 (gs 16 (dft 16))))"}) {
    const Decomposition d = parse_decomposition(text);
    for (const Engine engine : {Engine::mma, Engine::simt}) {
      cases.push_back({d.n(), alternating(d.n()), engine, d});
    }
  }
  return cases;
}

namespace {

std::vector<KernelCase> convolution_cases(Method method, const std::vector<std::int64_t>& lengths) {
  std::vector<KernelCase> cases;
  for (const std::int64_t n : lengths) {
    const auto direction = cases.size() % 2 == 0 ? Direction::forward : Direction::inverse;
    FftProblem problem;
    problem.lengths = {n};
    Tuning tuning;
    tuning.method = method;
    const auto tree = resolve(tuning, problem, target_for("sm_90")).tree.decomposition;
    cases.push_back({n, direction, Engine::simt, tree});
    cases.back().method = method;
  }
  return cases;
}

}  // namespace

std::vector<KernelCase> bluestein_cases(const std::vector<std::int64_t>& lengths) {
  return convolution_cases(Method::bluestein, lengths);
}

std::vector<KernelCase> rader_cases(const std::vector<std::int64_t>& lengths) {
  return convolution_cases(Method::rader, lengths);
}

std::vector<KernelCase> scaled_cases() {
  std::vector<KernelCase> cases;
  const auto add = [&](std::int64_t n, Direction direction, Engine engine, double scale) {
    cases.push_back({n, direction, engine, decompose(n), scale});
  };
  using enum Normalization;
  add(8, Direction::inverse, Engine::mma, scale_factor(backward, Direction::inverse, 8));
  add(32, Direction::forward, Engine::simt, scale_factor(ortho, Direction::forward, 32));
  add(512, Direction::forward, Engine::mma, scale_factor(ortho, Direction::forward, 512));
  add(1024, Direction::forward, Engine::simt, scale_factor(forward, Direction::forward, 1024));
  add(256, Direction::inverse, Engine::simt, -1.0 / 3.0);
  add(256, Direction::forward, Engine::mma, -1.0 / 3.0);
  add(4096, Direction::inverse, Engine::mma, scale_factor(backward, Direction::inverse, 4096));
  return cases;
}

std::vector<KernelCase> rounds_cases() {
  std::vector<KernelCase> cases;
  const auto add = [&](std::int64_t n, unsigned cluster, const Decomposition& decomposition) {
    cases.push_back({n, alternating(n), Engine::simt, decomposition});
    cases.back().cluster = cluster, cases.back().rounds = 2;
  };
  add(1024, 1, {{16, 4, 16}});
  add(2048, 1, {{32, 32, 2}});
  add(2048, 1, decompose(2048));
  add(4096, 2, decompose(4096));
  add(8192, 1, {{16, 8, 8, 8}});  // two exchanges before the turn or after it
  add(8192, 4, {{16, 2, 16, 16}});
  add(16384, 1, {{32, 16, 32}});
  add(32768, 2, {{32, 32, 32}});
  add(2048, 1, {{16, 8, 16}});
  cases.back().storage = Storage::f16;
  cases.back().scale = 0.5;
  return cases;
}

std::vector<KernelCase> cluster_cases() {
  std::vector<KernelCase> cases;
  const auto add = [&](std::int64_t n, unsigned cluster, const Decomposition& decomposition) {
    cases.push_back({n, alternating(n), Engine::simt, decomposition});
    cases.back().cluster = cluster;
  };
  add(1024, 2, {{16, 4, 16}});
  add(2048, 4, decompose(2048));
  add(4096, 8, decompose(4096));
  add(4096, 4, decompose(4096, 4));
  add(8192, 16, decompose(8192, 8));
  add(8192, 2, {{16, 4, 4, 16, 2}});
  add(16384, 4, decompose(16384));
  add(32768, 8, decompose(32768));
  add(4096, 2, decompose(4096));
  cases.back().storage = Storage::f16;
  cases.back().scale = 0.5;
  return cases;
}

std::vector<KernelCase> packed_cases() {
  std::vector<KernelCase> cases;
  const auto add = [&](const Decomposition& half) -> KernelCase& {
    const std::int64_t n = 2 * half.n();
    cases.push_back({n, alternating(n), Engine::simt, half});
    cases.back().storage = Storage::f16, cases.back().packed = true;
    return cases.back();
  };
  for (const Decomposition& half :
       {Decomposition{{2}}, Decomposition{{4}}, Decomposition{{6}}, Decomposition{{16, 2}},
        Decomposition{{8, 16}}, Decomposition{{16, 8, 8}}, Decomposition{{5, 10, 10}},
        Decomposition{{30, 17}}, Decomposition{{9, 22, 13}}}) {
    add(half);
  }
  add({{16, 16, 16}}).scale = 1.0 / 8192;
  add({{16, 16}}).scale = -300.5;
  add({{20, 25, 5}}).twiddles = Twiddles::powers;
  add({{16, 16, 8}}).twiddles = Twiddles::products;
  KernelCase& laps = add({{11, 10, 12}});
  laps.threads = 96, laps.points_per_thread = 12;
  add({{16, 8, 8}}).rounds = 2;
  add({{16, 16, 16}}).cluster = 2;
  KernelCase& both = add({{16, 8, 8, 8}});
  both.cluster = 2, both.rounds = 2;
  return cases;
}

std::vector<KernelCase> stored(Storage storage, std::vector<KernelCase> cases) {
  for (auto& c : cases) c.storage = storage;
  return cases;
}

std::vector<KernelCase> on_sm_75(const std::vector<KernelCase>& cases) {
  std::vector<KernelCase> chosen;
  for (const auto& c : cases) {
    if (c.engine != Engine::mma) continue;
    chosen.push_back(c);
    chosen.back().arch = "sm_75";
  }
  return chosen;
}

std::vector<KernelCase> with_products(unsigned products, const std::vector<KernelCase>& cases) {
  std::vector<KernelCase> chosen;
  for (const auto& c : cases) {
    if (c.engine != Engine::mma) continue;
    chosen.push_back(c);
    chosen.back().products = products;
  }
  return chosen;
}

}  // namespace sonoma::test
