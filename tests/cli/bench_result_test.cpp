#include <gtest/gtest.h>

#include "result.hpp"

namespace sonoma::bench {
namespace {

TEST(BenchResult, CsvHasTheColumnsOfTheRecordedRuns) {
  EXPECT_EQ(csv_header(),
            "lib,type,dims,batch,place,ms,copy_ms,eff,relL2,workspace,gpu,cuda,commit,date\n");
  const Result result{"sonoma-mma", "f32", "4096", 16384, "out", 0.3200004, 0.256, 1.853e-7, 0};
  const Machine machine{"NVIDIA H200", "13.0", "abc1234", "2026-11-20"};
  EXPECT_EQ(csv_line(result, machine),
            "sonoma-mma,f32,4096,16384,out,0.32000,0.25600,0.800,1.85e-07,0,NVIDIA "
            "H200,13.0,abc1234,2026-11-20\n");
}

}  // namespace
}  // namespace sonoma::bench
