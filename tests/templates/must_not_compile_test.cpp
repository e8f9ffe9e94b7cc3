// Misuse of the primitives is an error of the compiler.
#include <gtest/gtest.h>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

std::string log_of(const std::string& statement) {
  return compile_error(
      kernel(primitives({"fold.cuh", "split.cuh", "mma_ptx.cuh", "butterflies.cuh"}),
             "  float2 x[4] = {};\n  SplitTile two = {};\n  Matrix f = {};\n" + statement));
}

TEST(MustNotCompile, ButTheRestDoes) {
  EXPECT_EQ(log_of("  load_pair(in, x[0], x[1], When{true}); dft4<-1>(x[0], x[1], x[2], x[3]);\n"
                   "  left8<8, 3>(f, two); store_cluster_pair(cluster_point(0, 1), x[0], x[1]);"),
            "compiles");
}

TEST(MustNotCompile, AnotherNumberOfPointsThanTheRadix) {
  const std::string log = log_of("dft4<-1>(x[0], x[1], x[2]);");
  EXPECT_NE(log.find("dft4"), std::string::npos) << log;
}

// Places of other blocks, and conditions, are types of their own.
TEST(MustNotCompile, NumbersForPlacesAndConditions) {
  for (const char* statement : {"store_cluster(8u, x[0]);", "load_point(in, 8u);",
                                "store_point(out, x[0], true);", "store_shared(8u, x[0]);"}) {
    EXPECT_NE(log_of(statement), "compiles") << statement;
  }
}

TEST(MustNotCompile, ThirdsWhereTheDataIsSplitInTwo) {
  const std::string log = log_of("left8<4, 3>(f, two);");
  EXPECT_NE(log.find("re_rest"), std::string::npos) << log;
}

}  // namespace
}  // namespace sonoma::test
