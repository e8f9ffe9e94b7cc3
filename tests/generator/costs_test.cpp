// What a kernel does, counted, and the bound on its error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "count_costs.hpp"
#include "error_model.hpp"
#include "kernels.hpp"

namespace sonoma::test {
namespace {

KernelCosts costs(const Request& request) { return request.generated().costs; }

TEST(Costs, Of4096PointsByRadix16) {
  const KernelCosts c = costs({4096, Engine::mma, 16u});
  EXPECT_EQ(c.nominal_flops, 5.0 * 4096 * 12);
  // Products (the third step is butterflies), 16 x 16 tiles, three products of a real matrix by two
  // real halves by 2 MMAs.
  EXPECT_EQ(c.mmas, 2 * 16 * 12.0);
  EXPECT_EQ(c.tensor_flops, 384 * 4096.0);
  EXPECT_EQ(c.bytes_minimum, 65536.0);
  EXPECT_EQ(c.bytes_moved, 65536.0);
  EXPECT_EQ(c.passes, 1u);
}

TEST(Costs, A16BitTransformMovesHalfTheBytes) {
  FftProblem problem;
  problem.lengths = {4096};
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    problem.storage = storage;
    for (const Engine engine : {Engine::mma, Engine::simt}) {
      Tuning tuning;
      tuning.engine = engine;
      const KernelCosts c = generate(problem, target_for("sm_90"), tuning).costs;
      EXPECT_EQ(c.bytes_minimum, 32768.0);
      EXPECT_EQ(c.bytes_moved, 32768.0);
    }
  }
}

// Steps on tensor cores: the first two of radix 16 where there are any.
double products_of(std::int64_t n) {
  const auto radices = decompose(n).radices;
  const auto sixteens = std::count(radices.begin(), radices.end(), 16u);
  return static_cast<double>(sixteens > 0 ? std::min<std::ptrdiff_t>(sixteens, 2)
                                          : std::ssize(radices));
}

TEST(Costs, AreThoseOfATransformHoweverManyABlockHolds) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    const auto points = static_cast<double>(n);
    const KernelCosts mma = costs({n, Engine::mma, {}});
    const KernelCosts simt = costs({n, Engine::simt, {}});
    EXPECT_DOUBLE_EQ(mma.mmas, products_of(n) * 12 * points / 256) << n;
    EXPECT_EQ(simt.mmas, 0.0);
    for (const KernelCosts& c : {mma, simt}) {
      EXPECT_DOUBLE_EQ(c.bytes_minimum, 16 * points);
      EXPECT_DOUBLE_EQ(c.bytes_moved, 16 * points);
      EXPECT_GE(c.shared_wavefronts, c.shared_wavefronts_minimum);
      EXPECT_EQ(c.bank_conflicts(), c.shared_wavefronts - c.shared_wavefronts_minimum);
    }
  }
}

TEST(Costs, CountTheOperationsOfTheIr) {
  for (const Request& request : sample_requests()) {
    const Generated g = request.generated();
    unsigned barriers = 0, reads = 0;
    for (const Op& op : g.ir.ops) {
      const auto* barrier = std::get_if<op::Barrier>(&op);
      barriers += barrier && barrier->scope != op::Barrier::Scope::warp ? 1 : 0;
      const auto* turn = std::get_if<op::ReadTurn>(&op);
      const auto* part = std::get_if<op::ReadParts>(&op);
      const bool first =
          (turn && turn->half != op::Half::one) || (part && part->component == op::Component::real);
      reads += std::holds_alternative<op::ReadShared>(op) || first ? 1 : 0;
    }
    EXPECT_EQ(g.costs.barriers, barriers) << name(request);
    EXPECT_EQ(g.costs.exchanges, reads) << name(request);
  }
}

TEST(ErrorBound, IsSmallAndGrowsWithEveryStep) {
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    for (const unsigned radix : {2u, 4u, 8u, 16u}) {
      double last = 0;
      for (std::int64_t n = radix; n <= 8192; n *= radix) {
        const double bound = Request{n, engine, radix}.generated().error.bound;
        EXPECT_TRUE(std::isfinite(bound));
        EXPECT_GT(bound, last) << n;
        EXPECT_LT(bound, 1e-4) << n;  // far below FP16's 4e-4
        last = bound;
      }
    }
  }
}

TEST(ErrorBound, AFactorCostsTwoRoundings) {
  const Request plain{64, Engine::mma, {}};
  Request scaled = plain;
  scaled.scale = 0.3;
  EXPECT_NEAR(scaled.generated().error.bound, plain.generated().error.bound + 0x1p-23, 1e-11);
}

}  // namespace
}  // namespace sonoma::test
