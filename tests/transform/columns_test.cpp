// However many columns a block of a pass takes: the result is right, or the number is refused.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "parallel.hpp"
#include "plan_transform.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::test {
namespace {

struct Case {
  std::int64_t n;
  std::vector<std::int64_t> lengths;
  unsigned columns;
  Domain domain = Domain::c2c;
};

std::string name(const Case& c) {
  return std::to_string(c.n) + " in passes of " + to_list(c.lengths) + ", columns " +
         std::to_string(c.columns) + " " + to_string(c.domain);
}

// Powers of two beside other lengths, first and last; 2003: a convolution.
std::vector<Case> cases() {
  std::vector<Case> list;
  for (const unsigned columns : {4u, 5u, 8u, 16u}) {
    for (const std::int64_t n : {5120, 2003}) {
      list.push_back({n, {64, 80}, columns});
      list.push_back({n, {80, 64}, columns});
    }
    list.push_back({5120, {20, 256}, columns});
    list.push_back({2003, {64, 80}, columns, Domain::r2c});
    list.push_back({2310, {33, 70}, columns, Domain::c2r});
  }
  return list;
}

Plan plan_of(const Case& c, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = {c.n};
  problem.batch = batch;
  problem.domain = c.domain;
  if (c.domain == Domain::c2r) problem.direction = Direction::inverse;
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.pass_lengths = c.lengths;
  options.tuning.columns = c.columns;
  if (c.n == 2003) options.tuning.method = Method::bluestein;
  return make_plan(problem, options);
}

std::string faults_of(const Case& c) {
  const PlanTransform transform([&](std::int64_t batch) { return plan_of(c, batch); });
  const auto report = transform.check({.random_transforms = 1});
  return report.pass() ? "" : to_string(report);
}

TEST(Columns, OfEveryNumberAreRightOrRefused) {
  std::atomic<unsigned> served = 0, refused = 0;
  const std::string faults = in_parallel(cases(), name, [&](const Case& c) -> std::string {
    try {
      std::string found = faults_of(c);
      ++served;
      return found;
    } catch (const UnsupportedProblem&) {
      ++refused;
      return "";
    }
  });
  EXPECT_EQ(faults, "");
  EXPECT_GE(served, 5u);
  EXPECT_GE(refused, 5u);
}

}  // namespace
}  // namespace sonoma::test
