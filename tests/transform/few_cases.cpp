#include "few_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "sonoma/program.hpp"

namespace sonoma::test {

void PrintTo(const FewOf& c, std::ostream* out) {
  *out << to_string(real_case(c.domain, c.lengths).problem);
}

void expect_bits_of_many(const FewOf& c) {
  const auto& [domain, lengths, many] = c;
  const RealCase one = real_case(domain, lengths), all = real_case(domain, lengths, many);
  const Plan few = make_plan(one.problem, one.options), plan = make_plan(all.problem, all.options);
  EXPECT_NE(few.program().launches, plan.program().launches);
  const Memory in = random_input(one.problem), out = result_of(few, in);
  const std::int64_t first = guard_of(one.problem, true), last = guard_of(one.problem, false);
  Memory rows = random_input(all.problem);
  const auto points = static_cast<std::ptrdiff_t>(in.size()) - 2 * first;
  std::copy_n(in.begin() + first, points, rows.begin() + guard_of(all.problem, true));
  const Memory results = result_of(plan, rows);
  const auto count = static_cast<std::size_t>(one.problem.out_dist());
  const auto from = static_cast<std::size_t>(guard_of(all.problem, false));
  EXPECT_TRUE(std::ranges::equal(std::span(out).subspan(static_cast<std::size_t>(last), count),
                                 std::span(results).subspan(from, count)));
}

}  // namespace sonoma::test
