// Rows, their files, and what is derived from them.
#include <gtest/gtest.h>

#include <limits>

#include "csv.hpp"
#include "plan_result.hpp"
#include "result.hpp"
#include "statistics.hpp"

namespace sonoma::bench {
namespace {

const Machine machine{"NVIDIA H200", "13.0", "abc1234", "2026-11-20"};
const Result result{"sonoma-mma", "f32", "4096", 16384, "out", 0.3200004, 0.256, 1.853e-7, 0};

TEST(BenchResult, CsvHasTheColumnsOfTheRecordedRuns) {
  EXPECT_EQ(csv_header(),
            "lib,type,dims,batch,place,ms,copy_ms,eff,relL2,workspace,gpu,cuda,commit,date\n");
  EXPECT_EQ(to_csv({result, machine}),
            "sonoma-mma,f32,4096,16384,out,0.32000,0.25600,0.800,1.85e-07,0,NVIDIA "
            "H200,13.0,abc1234,2026-11-20\n");
}

TEST(BenchResult, ShortTimesKeepFiveDigits) {
  Result single = result;
  single.ms = 0.00234567;
  EXPECT_NE(to_csv({single, machine}).find(",0.0023457,"), std::string::npos);
}

TEST(BenchResult, CsvIsReadAsItWasWritten) {
  Row first{result, machine}, second{result, machine};
  first.result.ms = 0.32;
  first.result.rel_l2 = 1.85e-7;
  second.result = {"copy", "bf16", "64x32", 3, "out", 0.0025, 0.0025, 0, 12};
  second.machine.gpu = "a \"GPU\", quoted";
  const std::string text = csv_header() + to_csv(first) + csv_header() + to_csv(second);
  EXPECT_EQ(parse_csv(text), (std::vector<Row>{first, second}));
}

TEST(BenchResult, AnErrorThatIsNotFiniteIsKept) {
  Row row{result, machine};
  row.result.rel_l2 = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_csv(csv_header() + to_csv(row))[0].result.rel_l2, row.result.rel_l2);
}

void expect_rejected(const std::string& text, const std::string& named) {
  try {
    (void)parse_csv(text);
    FAIL() << text;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << error.what();
  }
}

TEST(BenchResult, BadFilesAreRejectedWithTheLine) {
  const std::string line = to_csv({result, machine});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = line;
    changed.replace(changed.find(from), from.size(), to);
    return csv_header() + line + changed;
  };
  expect_rejected("", "empty");
  expect_rejected(line, "line 1: is not the header lib,type");
  expect_rejected(plan_csv_header(), "line 1");
  expect_rejected(csv_header() + "sonoma,f32\n", "line 2: has 2 fields, not 14");
  expect_rejected(with("0.32000", "fast"), "line 3: ms is 'fast'");
  expect_rejected(with("0.32000", "0"), "line 3: ms and copy_ms must be above 0");
  expect_rejected(with("0.32000", "nan"), "line 3: ms and copy_ms");
  expect_rejected(with(",4096,", ",64x,"), "line 3: dims");
  expect_rejected(with(",4096,", ",0,"), "line 3: dims must be above 0");
  expect_rejected(with("16384", "16384.5"), "line 3: batch");
  expect_rejected(with("NVIDIA", "\"NVIDIA"), "line 3: a quote is not closed");
  expect_rejected(with("sonoma-mma", "\"sonoma\"-mma"), "line 3: text after a quote");
}

TEST(BenchResult, RatesCountEveryPointOnce) {
  EXPECT_DOUBLE_EQ(result.efficiency(), 0.256 / 0.3200004);
  Result r = result;
  r.ms = 0.5;
  EXPECT_EQ(r.points(), 4096);
  EXPECT_DOUBLE_EQ(r.gflops(), 5.0 * 12 * 4096 * 16384 / 0.5e6);
  EXPECT_DOUBLE_EQ(r.gb_per_s(), 2.0 * 8 * 4096 * 16384 / 0.5e6);
  r.type = "bf16";
  EXPECT_DOUBLE_EQ(r.gb_per_s(), 2.0 * 4 * 4096 * 16384 / 0.5e6);
  r.dims = "64x32";
  EXPECT_EQ(r.points(), 2048);
  EXPECT_DOUBLE_EQ(r.gflops(), 5.0 * 11 * 2048 * 16384 / 0.5e6);
  r.lib = "copy";
  EXPECT_EQ(r.gflops(), 0);
}

TEST(BenchResult, RatesOfRealSidesCountWhatMemoryHas) {
  Result r = result;
  r.ms = 0.5;
  for (const std::string domain : {"r2c", "c2r"}) {
    r.type = domain + " f32";
    r.dims = "4096";
    EXPECT_DOUBLE_EQ(r.gflops(), 2.5 * 12 * 4096 * 16384 / 0.5e6);
    EXPECT_DOUBLE_EQ(r.gb_per_s(), (4.0 * 4096 + 8 * 2049) * 16384 / 0.5e6);
    r.dims = "3x5";
    EXPECT_DOUBLE_EQ(r.gb_per_s(), (4.0 * 15 + 8 * 9) * 16384 / 0.5e6);
    r.type = domain + " bf16";
    EXPECT_DOUBLE_EQ(r.gb_per_s(), (2.0 * 15 + 4 * 9) * 16384 / 0.5e6);
    r.lib = "copy";
    EXPECT_EQ(r.gflops(), 0);
    r.lib = result.lib;
  }
  r.type = "r2c i16 to f32";
  EXPECT_DOUBLE_EQ(r.gb_per_s(), (2.0 * 15 + 8 * 9) * 16384 / 0.5e6);
  EXPECT_EQ(parse_csv(csv_header() + to_csv({r, machine}))[0].result.type, r.type);
  EXPECT_EQ(domain_of("r2c f32"), Domain::r2c);
  EXPECT_EQ(domain_of("c2r i16 to f32"), Domain::c2r);
  EXPECT_EQ(domain_of("f32"), Domain::c2c);
}

// Each has a transform, all one back.
TEST(BenchResult, RatesCountChannels) {
  Result r = result;
  r.ms = 0.5, r.type = "3-channel convolution f32";
  EXPECT_DOUBLE_EQ(r.gflops(), (4 * 5.0 * 12 + 3 * 6 + 2 * 2) * 4096 * 16384 / 0.5e6);
  EXPECT_DOUBLE_EQ(r.gb_per_s(), (3 + 1) * 8.0 * 4096 * 16384 / 0.5e6);
  EXPECT_EQ(parse_csv(csv_header() + to_csv({r, machine}))[0].result.type, r.type);
  r.type = "3-channel real-convolution f16";
  EXPECT_DOUBLE_EQ(r.gb_per_s(), (3 + 1) * 2.0 * 4096 * 16384 / 0.5e6);
  for (const std::string type : {"x-channel convolution f32", "0-channel convolution f32"}) {
    r.type = type;
    EXPECT_THROW((void)parse_csv(csv_header() + to_csv({r, machine})), std::invalid_argument);
  }
}

TEST(BenchResult, PlanRowsHaveTheirOwnColumns) {
  const PlanResult plan{1000003, "f16", 1, "out", 1212.3, 1720, 3.5, 3, 2};
  EXPECT_EQ(plan_csv_header(),
            "n,type,batch,place,cold_ms,nvrtc_ms,warm_ms,launches,kernels,gpu,cuda,commit,date\n");
  EXPECT_EQ(to_csv({plan, machine}),
            "1000003,f16,1,out,1212.3,1720.0,3.5000,3,2,NVIDIA H200,13.0,abc1234,2026-11-20\n");
}

TEST(BenchCsv, FieldsComeBack) {
  const std::vector<std::string> fields = {"", "a,b", "\"", "", "x\"y\",z", ""};
  std::string line = csv_line(fields);
  EXPECT_EQ(line.back(), '\n');
  line.pop_back();
  EXPECT_EQ(csv_fields(line), fields);
  EXPECT_EQ(csv_fields(line + '\r'), fields);
}

TEST(BenchStatistics, MedianIsTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median({4}), 4);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 3, 100}), 3.5);
  EXPECT_THROW((void)median({}), std::invalid_argument);
}

// How often fewer than k of n coins show heads: 6 of 6 in 1 of 64, below 2.5 of 100; of 9 one or
// none in 10 of 512; of 31 nine or fewer in 1.5 of 100, ten or fewer in 3.5.
TEST(BenchStatistics, AMediansBoundsAreOrderStatistics) {
  const auto bounds = [](int n) {
    std::vector<double> values;
    for (int i = n; i > 0; --i) values.push_back(i);
    const MedianInterval interval = median_interval(values);
    EXPECT_EQ(interval.median, (n + 1) / 2.0);
    return std::pair(interval.low, interval.high);
  };
  EXPECT_EQ(bounds(1), std::pair(1.0, 1.0));
  EXPECT_EQ(bounds(5), std::pair(1.0, 5.0));
  EXPECT_EQ(bounds(6), std::pair(1.0, 6.0));
  EXPECT_EQ(bounds(9), std::pair(2.0, 8.0));
  EXPECT_EQ(bounds(31), std::pair(10.0, 22.0));
  EXPECT_THROW((void)median_interval({}), std::invalid_argument);
}

}  // namespace
}  // namespace sonoma::bench
