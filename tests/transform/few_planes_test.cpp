// A few planes and volumes: a launch for each axis in place of one for all, or columns in more
// blocks, for the same bits.
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "few_cases.hpp"
#include "host_compiler.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"

namespace sonoma::test {
namespace {

class FewPlanes : public testing::TestWithParam<FewOf> {};
TEST_P(FewPlanes, HaveTheBitsOfMany) { expect_bits_of_many(GetParam()); }

// Sums, powers of two, rounds and clusters of many, three axes; of 9 x 252 x 56 the last two.
INSTANTIATE_TEST_SUITE_P(
    ByAxes, FewPlanes,
    testing::Values(FewOf{Domain::c2c, {125, 125}, 90}, FewOf{Domain::c2c, {175, 70}, 90},
                    FewOf{Domain::c2c, {16, 1260}, 90}, FewOf{Domain::c2c, {128, 128}, 90},
                    FewOf{Domain::c2c, {32, 32, 32}, 50}, FewOf{Domain::c2c, {24, 24, 24}, 40},
                    FewOf{Domain::c2c, {9, 252, 56}, 10}));

// Of real numbers by a cluster, of which a block reads mirrored points of another.
INSTANTIATE_TEST_SUITE_P(
    ByClusters, FewPlanes,
    testing::Values(FewOf{Domain::r2c, {210, 120}, 70}, FewOf{Domain::c2r, {324, 96}, 70},
                    FewOf{Domain::r2c, {21, 686}, 70}, FewOf{Domain::c2r, {120, 150}, 70},
                    FewOf{Domain::r2c, {10, 18, 100}, 70}, FewOf{Domain::c2r, {8, 10, 216}, 70},
                    FewOf{Domain::c2r, {30, 30, 30}, 70}, FewOf{Domain::r2c, {54, 560}, 70},
                    FewOf{Domain::r2c, {45, 324}, 70}, FewOf{Domain::c2r, {45, 324}, 70}));

// Conflicts where lanes write to several blocks at once are predicted as if these had one memory:
// of r2c wavefronts without conflicts are compared alone.
void expect_counted(const Generated& kernel, Domain domain) {
  const CudaSource& source = kernel.source;
  constexpr std::uint64_t batch = 3;
  std::vector<std::byte> in(4u << 20), out(in.size());
  const EmulatedKernel emulated(HostCompiler().compile(source), source);
  const auto report = emulated.launch(in, out, source.tables, batch, {.count_wavefronts = true});
  if (domain == Domain::c2r) {
    EXPECT_EQ(report.loads.total + report.stores.total, batch * kernel.costs.shared_wavefronts);
  }
  EXPECT_EQ(report.loads.minimum + report.stores.minimum,
            batch * kernel.costs.shared_wavefronts_minimum);
}

// What the emulated device counts of all blocks of a cluster.
TEST(FewRealPlanes, CountsAreAsPredicted) {
  for (const auto& [domain, lengths] :
       {std::pair(Domain::r2c, Shape{210, 120}), std::pair(Domain::r2c, Shape{21, 686}),
        std::pair(Domain::r2c, Shape{10, 18, 100}), std::pair(Domain::c2r, Shape{324, 96}),
        std::pair(Domain::c2r, Shape{30, 30, 30}), std::pair(Domain::r2c, Shape{45, 324})}) {
    const RealCase one = real_case(domain, lengths);
    const Program program = make_plan(one.problem, one.options).program();
    ASSERT_GT(program.launches.at(0).shape.shares.cluster, 1u);
    const Generated kernel = generate(program.launches.at(0), target_for("sm_90")).passes.at(0);
    SCOPED_TRACE(to_string(one.problem));
    expect_counted(kernel, domain);
  }
}

INSTANTIATE_TEST_SUITE_P(InNarrowerColumns, FewPlanes,
                         testing::Values(FewOf{Domain::c2c, {600, 63}, 12},
                                         FewOf{Domain::c2c, {840, 90}, 9},
                                         FewOf{Domain::r2c, {420, 108}, 16},
                                         FewOf{Domain::c2r, {512, 128}, 20},
                                         FewOf{Domain::r2c, {1024, 64}, 40}));

}  // namespace
}  // namespace sonoma::test
