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
  EXPECT_EQ(log_of("  read_shared<-1, 0, 0, 1, 2, 3>(x, 0); read_shared<0, 0, 0, 2>(x, 0);\n"
                   "  write_shared<-1, 0, 0, 1, 2, 3>(x, 0); left8<8, 3>(f, two);\n"
                   "  load_tile<1, 0, 0, 2>(x, in, 0, AllPoints()); butterflies4<-1, 3>(x);"),
            "compiles");
}

TEST(MustNotCompile, AnotherNumberOfOffsetsThanAccesses) {
  for (const char* statement :
       {"read_shared<-1, 0, 0, 1, 2>(x, 0);", "write_shared<-1, 0, 0, 1, 2, 3, 4>(x, 0);",
        "load_tile<0, 0, 0, 2, 4, 6>(x, in, 0, AllPoints());",
        "store_tile<-1, 0, 0, 1>(x, out, 0, AllPoints());"}) {
    const std::string log = log_of(statement);
    EXPECT_NE(log.find("one offset an access"), std::string::npos) << statement << "\n" << log;
  }
}

TEST(MustNotCompile, AButterflyOfAnotherRadix) {
  const std::string log = log_of("butterflies3<-1, 1>(x);");
  EXPECT_NE(log.find("butterflies3"), std::string::npos) << log;
}

TEST(MustNotCompile, ThirdsWhereTheDataIsSplitInTwo) {
  const std::string log = log_of("left8<4, 3>(f, two);");
  EXPECT_NE(log.find("re_rest"), std::string::npos) << log;
}

}  // namespace
}  // namespace sonoma::test
