#include "sonoma/verify/inputs.hpp"

#include "random.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::verification {

const char* to_string(Gauge gauge) {
  switch (gauge) {
    case Gauge::statistical:
      return "statistical";
    case Gauge::structured:
      return "structured";
    case Gauge::adversarial:
      return "adversarial";
    case Gauge::constant:
      return "constant";
    case Gauge::exact:
      return "exact";
    case Gauge::zero:
      return "zero";
    case Gauge::poisoned:
      return "poisoned";
    case Gauge::unbounded:
      return "unbounded";
  }
  return "?";
}

std::vector<Complex> normal_row(std::int64_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Complex> x(static_cast<std::size_t>(n));
  for (auto& v : x) {
    const double re = random.normal(), im = random.normal();
    v = {static_cast<float>(re), static_cast<float>(im)};
  }
  return x;
}

std::vector<InputCase> random_inputs(std::int64_t n, int count, std::uint64_t seed, Storage storage,
                                     float unit) {
  std::vector<InputCase> cases;
  for (int i = 0; i < count; ++i) {
    auto x = normal_row(n, seed * 1000003 + static_cast<std::uint64_t>(i));
    for (auto& v : x) v = rounded_to(storage, v * unit);
    cases.push_back({"normal", "rounding in general", Gauge::statistical, std::move(x)});
  }
  return cases;
}

std::vector<Complex> concatenate(const std::vector<InputCase>& cases) {
  std::vector<Complex> rows;
  for (const auto& c : cases) rows.insert(rows.end(), c.x.begin(), c.x.end());
  return rows;
}

}  // namespace sonoma::verification
