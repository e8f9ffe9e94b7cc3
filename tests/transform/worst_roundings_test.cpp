// Bounds beside what roundings reach that nobody knows more of than how large they are. What is
// reached exceeds no bound; and bounds are not far above it.
#include "worst_roundings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <regex>

#include "accuracy_cases.hpp"
#include "laid_out.hpp"
#include "parallel.hpp"

namespace sonoma::test {
namespace {

constexpr double u = 0x1p-24;

const auto name_of = [](const Request& request) { return request.name; };

Request named(const std::string& name) {
  std::vector<Request> all = accuracy_requests();
  std::ranges::copy(short_requests(), std::back_inserter(all));
  return *std::ranges::find(all, name, &Request::name);
}
std::vector<Request> all_named(const std::vector<std::string>& names) {
  std::vector<Request> all;
  for (const std::string& name : names) all.push_back(named(name));
  return all;
}

// Of every method on CUDA cores, and of every kind.
const std::vector<std::string> recorded = {"simt_radix_16", "n13",           "n1000",
                                           "simt64_256",    "radix_powers",  "c2c_two_passes",
                                           "r2c_simt",      "r2c_passes",    "c2r_passes",
                                           "c2c_rader_37",  "c2c_Bluestein", "bluestein_passes",
                                           "r2c_Bluestein", "c2r_Bluestein", "small_plane",
                                           "dct2_16",       "dst1_16"};

// Normal numbers, and what FFTW makes of them.
struct Row {
  std::vector<double> input, exact;
};
std::vector<double> parts_of(const auto& memory, std::size_t first, std::size_t count, bool real) {
  std::vector<double> parts;
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back(memory[first + i].real());
    if (!real) parts.push_back(memory[first + i].imag());
  }
  return parts;
}
Row row_of(FftProblem problem) {
  problem.batch = 1;
  const Memory in = random_input(problem);
  const auto side = [&](const auto& memory, bool input) {
    return parts_of(memory, static_cast<std::size_t>(guard_of(problem, input)),
                    places(problem, input).size(), is_real(problem.values(input)));
  };
  return {side(in, true), side(expected_by_guru(problem, in), false)};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

// What is left are factors, which are rounded.
TEST(RecordedKernels, AreTheTransform) {
  const auto faults = [](const Request& request) -> std::string {
    const RecordedKernels kernels(request);
    const Row row = row_of(request.problem);
    const auto results = kernels.results(kernels.exact(row.input));
    if (results.size() != row.exact.size()) return "as many results as are stored";
    const double error = distance(results, row.exact);
    return error < 3 * u ? "" : std::to_string(error / u) + " u";
  };
  EXPECT_EQ(in_parallel(all_named(recorded), name_of, faults), "");
}

TEST(RecordedKernels, EffectsAreThoseOfTheProgramBackwards) {
  const RecordedKernels kernels(named("n13"));
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto some = [&](std::size_t count) {
    std::vector<double> all(count);
    for (double& one : all) one = normal(random);
    return all;
  };
  auto errors = some(kernels.values().size());
  errors[0] = 0;
  const auto direction = some(kernels.results(errors).size());
  const auto product = [](const auto& a, const auto& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  EXPECT_NEAR(product(kernels.carried(errors), direction),
              product(kernels.effects(direction), errors), 1e-10);
  const auto input = some(kernels.inputs());
  EXPECT_NEAR(product(kernels.exact(input), errors), product(kernels.gradient(errors), input),
              1e-10);
}

TEST(RecordedKernels, AProductOfTwoValuesIsRefused) {
  Request squares = named("n13");
  squares.problem.ends.store_code = "make_float2(value.x * value.x, value.y)";
  EXPECT_THROW(RecordedKernels{squares}, std::logic_error);
}

TEST(RecordedKernels, OtherStoragesAreRefused) {
  EXPECT_THROW(RecordedKernels{named("bf16")}, std::logic_error);
  EXPECT_THROW(RecordedKernels{named("f16_to_f32")}, std::logic_error);
}

// A sum of two: either part errs by u.
TEST(WorstRoundings, OfASumAreItsUnitRoundoff) {
  const RecordedKernels two(named("simt_2"));
  EXPECT_NEAR(worst_roundings(two, Rounding::relative, 10), u, 1e-3 * u);
  EXPECT_LE(worst_roundings(two, Rounding::half_ulp, 10), u);
}

TEST(WorstRoundings, ExceedNoBoundAndComeNear) {
  const auto faults = [](const Request& request) -> std::string {
    const RecordedKernels kernels(request);
    const double reached = worst_roundings(kernels, Rounding::relative, 12);
    const bool good = reached <= kernels.bound() && 3 * reached >= kernels.bound();
    return good ? "" : std::to_string(reached / u) + " u of " + std::to_string(kernels.bound() / u);
  };
  EXPECT_EQ(in_parallel(all_named(recorded), name_of, faults), "");
}

/// A row of the table in docs/accuracy.md.
struct Documented {
  std::string name;
  double bound = 0, reached = 0, half_ulp = 0;
};
std::vector<Documented> documented() {
  const std::regex row(R"(\| (\w+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+ \| [\d.]+ \|)");
  std::ifstream file(DOCUMENT);
  std::vector<Documented> rows;
  for (std::string text; std::getline(file, text);) {
    std::smatch found;
    if (!std::regex_match(text, found, row)) continue;
    rows.push_back({found[1], std::stod(found[2]), std::stod(found[3]), std::stod(found[4])});
  }
  return rows;
}

// A climb ends nearly where another one does. SONOMA_EVERY_ACCURACY=1 climbs all rows, and tells
// what it finds.
TEST(WorstRoundings, DocumentedFiguresAreThese) {
  const char* wanted = std::getenv("SONOMA_EVERY_ACCURACY");
  const bool all = wanted != nullptr && std::string(wanted) == "1";
  std::vector<Documented> rows = documented();
  EXPECT_GE(rows.size(), 12u);
  if (!all) std::erase_if(rows, [&](const Documented& row) { return (&row - rows.data()) % 4; });
  const auto faults = [&](const Documented& row) -> std::string {
    const RecordedKernels kernels(named(row.name));
    const double reached = worst_roundings(kernels, Rounding::relative, 40) / u;
    const double half_ulp = worst_roundings(kernels, Rounding::half_ulp, 40) / u;
    char told[200];
    std::snprintf(told, sizeof told, "bound %.2f, reached %.2f, half an ulp %.2f",
                  kernels.bound() / u, reached, half_ulp);
    if (all) std::printf("%-32s %s\n", row.name.c_str(), told);
    const bool same = std::fabs(kernels.bound() / u - row.bound) < 0.0051 &&
                      std::fabs(reached / row.reached - 1) < 0.04 &&
                      std::fabs(half_ulp / row.half_ulp - 1) < 0.04;
    return same ? "" : told;
  };
  EXPECT_EQ(in_parallel(
                rows, [](const Documented& row) { return row.name; }, faults),
            "");
}

}  // namespace
}  // namespace sonoma::test
