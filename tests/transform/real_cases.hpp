// Requests with a real side, for the tests of them.
#pragma once

#include <ostream>
#include <random>
#include <vector>

#include "every_kind.hpp"
#include "laid_out.hpp"
#include "sonoma/plan.hpp"

namespace sonoma::test {

using Shape = std::vector<std::int64_t>;
inline constexpr Domain real_domains[] = {Domain::r2c, Domain::c2r};

struct RealCase {
  FftProblem problem;
  PlanOptions options = {};
};
void PrintTo(const RealCase& c, std::ostream* out);

/// On the emulated device, in the direction of the domain.
[[nodiscard]] RealCase real_case(const FftProblem& problem);
[[nodiscard]] RealCase real_case(Domain domain, const Shape& shape, std::int64_t batch = 1);

/// Collects cases.
struct RealCases {
  std::vector<RealCase> all;

  FftProblem& problem(Domain domain, const Shape& shape, std::int64_t batch = 1) {
    return all.emplace_back(real_case(domain, shape, batch)).problem;
  }
};

/// What a plan makes, in memory laid out as the problem says.
[[nodiscard]] Memory result_of(const Plan& plan, const Memory& in, const void* user = nullptr);

/// The plan makes what FFTW makes within its limit, and changes no other memory.
void expect_served(const RealCase& c);

}  // namespace sonoma::test
