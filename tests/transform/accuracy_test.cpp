// What a plan says of its error: no input that a search finds exceeds the bound, random input errs
// as much as is expected, and at short lengths the bound is within ten times what a search finds.
//
// A sample of the requests; SONOMA_EVERY_ACCURACY=1 covers all, and searches longer (the preset
// nightly sets it).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <string_view>

#include "accuracy_cases.hpp"
#include "parallel.hpp"

namespace sonoma::test {
namespace {

constexpr double u = 0x1p-24;

bool all_are_wanted() {
  const char* wanted = std::getenv("SONOMA_EVERY_ACCURACY");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

std::vector<Request> sample(const std::vector<Request>& all, std::size_t stride) {
  if (all_are_wanted()) return all;
  std::vector<Request> some;
  for (std::size_t i = 0; i < all.size(); i += stride) some.push_back(all[i]);
  return some;
}

void tell(const Request& request, const Accuracy& accuracy) {
  if (!all_are_wanted()) return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::printf("%-32s %s\n", request.name.c_str(), to_string(accuracy).c_str());
}

const auto name_of = [](const Request& request) { return request.name; };

TEST(Accuracy, NoBoundIsExceededAndRandomInputErrsAsExpected) {
  const auto faults = [](const Request& request) -> std::string {
    const Accuracy a = accuracy_of(request, Device::cpu, all_are_wanted() ? 30 : 3);
    tell(request, a);
    const double bias_off = std::fabs(a.bias - a.expected_bias) - 4 * a.spread;
    const bool good = a.found <= a.bound && std::fabs(a.random / a.expected - 1) <= 0.25 &&
                      bias_off <= 0.15 * a.expected;
    return good ? "" : to_string(a);
  };
  EXPECT_EQ(in_parallel(sample(accuracy_requests(), 5), name_of, faults), "");
}

TEST(Accuracy, ShortTransformsErrAtLeastATenthOfTheBound) {
  const auto faults = [](const Request& request) -> std::string {
    const Accuracy a = accuracy_of(request, Device::cpu, all_are_wanted() ? 60 : 12);
    tell(request, a);
    return a.found <= a.bound && 10 * a.found >= a.bound ? "" : to_string(a);
  };
  EXPECT_EQ(in_parallel(sample(short_requests(), 4), name_of, faults), "");
}

// Else it is -0.7 u and more.
TEST(Accuracy, SpectraGiveBackWhatRoundedFactorsLose) {
  for (const Request& request : accuracy_requests()) {
    if (request.name != "c2c_Bluestein" && request.name != "c2c_rader_257") continue;
    const Accuracy a = accuracy_of(request, Device::cpu, 0);
    EXPECT_NEAR(a.bias, 0, 0.2 * u) << request.name;
  }
}

/// A row of the table in docs/accuracy.md.
struct Documented {
  std::string name, method;
  double bound = 0, found = 0, expected = 0, random = 0, ratio = 0;
};
std::vector<Documented> documented() {
  std::ifstream file(DOCUMENT);
  std::vector<Documented> rows;
  for (std::string text; std::getline(file, text);) {
    Documented row;
    char name[64], method[64];
    if (std::sscanf(text.c_str(), "| %63s | %lf | %lf | %lf | %lf | %lf | %63[^|]|", name,
                    &row.bound, &row.found, &row.expected, &row.random, &row.ratio, method) != 7) {
      continue;
    }
    row.name = name, row.method = method;
    rows.push_back(row);
  }
  return rows;
}

// What is computed to the last digit; what was found and measured, nearly.
std::string difference(const Documented& row, const Request& request) {
  const Plan plan = plan_of(request, Device::cpu, 4096);
  std::string wrong;
  const auto compare = [&](const char* what, double shown, double is) {
    if (std::fabs(shown * u - is) < 0.0051 * u) return;
    wrong += std::string(what) + std::to_string(is / u) + " u;";
  };
  compare(" its bound is ", row.bound, plan.error_bound());
  compare(" its expected error is ", row.expected, plan.expected_error());
  if (std::fabs(row.ratio - row.bound / row.found) > 0.051 + 0.01 * row.ratio)
    wrong += " its ratio";
  if (!all_are_wanted()) return wrong;
  const Accuracy a = accuracy_of(request, Device::cpu, 120);
  tell(request, a);
  if (a.found < 0.7 * row.found * u) wrong += " what was found";
  if (std::fabs(a.random / (row.random * u) - 1) > 0.03) wrong += " its random error";
  return wrong.empty() ? "" : wrong + ": " + to_string(a);
}

std::vector<Request> all_requests() {
  std::vector<Request> all = accuracy_requests();
  for (const Request& request : short_requests()) all.push_back(request);
  return all;
}

// The first request of each method: bounds add up the worst of every step, so that they are nearest
// where there are few.
TEST(Accuracy, EachMethodHasABoundWithinTenTimesWhatIsFound) {
  std::vector<Request> first;
  std::set<std::string> methods;
  const std::vector<Request> all = all_requests();
  for (const Documented& row : documented()) {
    if (!methods.insert(row.method).second) continue;
    first.push_back(*std::ranges::find(all, row.name, &Request::name));
  }
  EXPECT_GE(first.size(), 10u);
  const auto faults = [](const Request& request) -> std::string {
    const Accuracy a = accuracy_of(request, Device::cpu, 60);
    return a.found <= a.bound && 10 * a.found >= a.bound ? "" : to_string(a);
  };
  EXPECT_EQ(in_parallel(first, name_of, faults), "");
}

TEST(Accuracy, DocumentedFiguresAreThese) {
  const std::vector<Request> all = all_requests();
  const std::vector<Documented> rows = documented();
  EXPECT_GE(rows.size(), 20u);
  const auto faults = [&](const Documented& row) -> std::string {
    const auto request = std::ranges::find(all, row.name, &Request::name);
    return request == all.end() ? "no such request" : difference(row, *request);
  };
  EXPECT_EQ(in_parallel(
                rows, [](const Documented& row) { return row.name; }, faults),
            "");
}

// The slope of log(value) over log(log2 n).
double growth(const std::vector<std::pair<double, double>>& levels_and_values) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [levels, value] : levels_and_values) {
    const double a = std::log(levels), b = std::log(value);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const auto count = static_cast<double>(levels_and_values.size());
  return (count * xy - x * y) / (count * xx - x * x);
}

// Of radix 2 alone, where all levels are alike; the bias, which grows with the levels, is taken
// off.
TEST(Accuracy, ErrorsGrowAsTheRootOfTheLevelsAndTheirBoundAsTheLevels) {
  std::vector<std::pair<double, double>> errors, bounds;
  for (const std::int64_t n : {64, 128, 256, 512, 1024, 2048, 4096}) {
    Request request{"", {.lengths = {n}}, {}};
    request.tuning.engine = Engine::simt, request.tuning.radix = 2u;
    const Accuracy a = accuracy_of(request, Device::cpu, 0);
    const double levels = std::log2(static_cast<double>(n));
    errors.emplace_back(levels, std::sqrt(a.random * a.random - a.bias * a.bias));
    bounds.emplace_back(levels, a.bound);
  }
  EXPECT_NEAR(growth(errors), 0.5, 0.1);
  EXPECT_NEAR(growth(bounds), 1.0, 0.15);  // twiddles begin with the second level
}

}  // namespace
}  // namespace sonoma::test
