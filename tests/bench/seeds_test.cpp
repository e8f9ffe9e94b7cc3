// The seeds' tables: what they published, the errors they print, and rows on the emulated device.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "seed_error.hpp"
#include "seed_files.hpp"
#include "seed_measurement.hpp"
#include "seed_page.hpp"
#include "seed_plans.hpp"
#include "seed_row.hpp"
#include "seed_stand.hpp"
#include "sonoma/decomposition.hpp"

namespace sonoma::bench {
namespace {

using Complex = std::complex<float>;

SeedRow row_of(std::vector<std::int64_t> lengths, double norm = 1) {
  SeedRow row;
  row.lengths = std::move(lengths);
  row.batch = 2, row.radix = 2, row.norm = norm;
  return row;
}

TEST(SeedRows, AllTablesAreThere) {
  std::map<std::string, int> rows;
  for (const auto& row : published()) ++rows[row.table];
  EXPECT_EQ(rows, (std::map<std::string, int>{{"000-1", 7},
                                              {"000-failed", 6},
                                              {"000-sizes", 8},
                                              {"001-1", 11},
                                              {"001-2", 9},
                                              {"001-3", 5},
                                              {"001-4", 8},
                                              {"001-5", 8},
                                              {"001-6", 5},
                                              {"001-7", 7},
                                              {"001-8", 7},
                                              {"001-9", 4}}));
}

TEST(SeedRows, ShapesArePowersOfTheRadixAndMakeThePrintedPoints) {
  for (const auto& row : rows_of_table(published(), "001")) {
    SCOPED_TRACE(row.table + " " + row.row);
    ASSERT_TRUE(row.row.ends_with('k'));
    EXPECT_EQ(row.problem().n() * row.batch, std::stoll(row.row) * 1024);
    EXPECT_EQ(row.lengths.size(), 1 + static_cast<std::size_t>(row.table.back() - '1') / 3);
    for (const std::int64_t n : row.lengths) {
      for (const unsigned r : decompose(n, row.radix).radices) EXPECT_EQ(r, row.radix);
    }
    EXPECT_TRUE(row.error && row.time && row.cufft16_error && row.cufft16_time && row.cufft32_time);
    EXPECT_LT(*row.error, *row.cufft16_error);
  }
}

void expect_refused(const std::string& text, const std::string& named) {
  try {
    (void)parse_seed_rows(text);
    FAIL() << text;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << error.what();
  }
}

TEST(SeedRows, BadLinesAreNamed) {
  const std::string header =
      "# a comment\n"
      "table,row,dims,batch,radix,norm,cufft32_time,cufft16_time,cufft16_error,time,error\n";
  EXPECT_EQ(parse_seed_rows(header + "t,r,4x8,3,2,1e-9,,,,,2e-7\n")[0].error, 2e-7);
  expect_refused("table,row\n", "line 1: is not the header");
  expect_refused(header + "t,r,4,3\n", "line 3: has 4 fields");
  expect_refused(header + "t,r,4y8,3,2,1,,,,,\n", "dims is '4y8'");
  expect_refused(header + "t,r,4,0,2,1,,,,,\n", "line 3: batch");
  expect_refused(header + "t,r,4,3,1,1,,,,,\n", "radix is 1");
  expect_refused(header + "t,r,4,3,2,0,,,,,\n", "norm is 0");
  expect_refused(header + "t,r,4,3,2,1,,,,,-1\n", "error is -1");
  EXPECT_THROW((void)rows_of_table(published(), "002"), std::invalid_argument);
}

// Two transforms of (1, 0) and (0, 1): (1, 1) and (1, -1). One result is off by 3 + 4i, one by 1.
TEST(SeedErrors, AreThoseOfACaseByHand) {
  const std::vector<Complex> input = {1, 0, 0, 1};
  const std::vector<Complex> output = {{4, 4}, 1, 1, -2};
  const auto errors = seed_errors(row_of({2}, 2), input, {output, {1, 1, 1, -1}});
  EXPECT_DOUBLE_EQ(errors[0].sum, (5.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(errors[0].error, (7.0 + 1) / 2 / 4);
  EXPECT_DOUBLE_EQ(errors[0].error_f32, (7.0 + 1) / 2 / 4);
  EXPECT_DOUBLE_EQ(errors[0].rel_l2, 5 / std::sqrt(2.0));
  EXPECT_EQ(errors[1], SeedError{});
}

TEST(SeedErrors, OfThreeAxesAreDividedByTheBatchToo) {
  const std::vector<Complex> input = {1, 0, 0, 1};
  const std::vector<Complex> output = {2, 1, 1, -1};
  EXPECT_DOUBLE_EQ(seed_errors(row_of({1, 1, 2}), input, {output})[0].error, 1.0 / 4 / 2);
}

TEST(SeedErrors, InFp32SmallTermsAreLostBesideALargeSum) {
  const std::vector<Complex> input(4), output = {0x1p24f, 1, 1, 1};
  const auto errors = seed_errors(row_of({2}), input, {output});
  EXPECT_DOUBLE_EQ(errors[0].error, (0x1p24 + 3) / 4);
  EXPECT_DOUBLE_EQ(errors[0].error_f32, 0x1p24 / 4);
}

TEST(SeedErrors, WhatIsNotFiniteErrsInfinitely) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto errors =
      seed_errors(row_of({2}), std::vector<Complex>{1, 0, 0, 1}, {{1, 1, {1, nan}, -1}});
  for (const double error : {errors[0].sum, errors[0].error, errors[0].rel_l2}) {
    EXPECT_EQ(error, HUGE_VAL);
  }
}

// Seed 000, Table 1: FP16 has nothing left of data below 1e-9, and errs 14.684.
TEST(SeedErrors, OfDataThatIsLostAreThePublishedOne) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> component(-1e-9f, 1e-9f);
  std::vector<Complex> input(256 * 256);
  for (auto& x : input) x = {component(generator), component(generator)};
  const SeedRow row = rows_of_table(published(), "000-1")[0];
  const auto errors = seed_errors(row, input, {std::vector<Complex>(input.size())});
  EXPECT_NEAR(errors[0].error, *row.cufft16_error, 0.01 * *row.cufft16_error);
}

TEST(SeedMeasurements, AreReadAsTheyWereWritten) {
  SeedMeasurementRow row{
      {"001-4", "4k", "64x64", 1, 2, 1e-9, "sonoma", {1.5, 2e-7, HUGE_VAL, 1e-7}},
      {"NVIDIA H200", "13.0", "abc1234", "2026-11-25"}};
  row.measurement.ms = 0.25, row.measurement.copy_ms = 0.125;
  const std::string text = seed_csv_header() + to_csv(row);
  EXPECT_EQ(parse_seed_csv(text + text), (std::vector{row, row}));
  EXPECT_THROW((void)parse_seed_csv("table\n"), std::invalid_argument);
  EXPECT_THROW((void)parse_seed_csv(text + "1,2\n"), std::invalid_argument);
}

SeedMeasurementRow measured(const std::string& lib, double error, double ms) {
  SeedMeasurement m{"001-3", "4k", "64", 64, 8, 1, lib, {0, error, error / 2, 0x1p-24}, ms, 0.004};
  return {m, {"NVIDIA H200", "13.0", "abc1234", "2026-11-25"}};
}

std::string table_of_4k(const std::string& what, double error, double ms) {
  SeedTables tables{rows_of_table(published(), "001-3"), {}, {}};
  for (const char* lib : {"sonoma-mma", "sonoma"})
    tables.measured.push_back(measured(lib, error, ms));
  tables.measured.push_back(measured("cufft32", 1e-6, 0.005));
  const std::string page = with_seed_tables(
      "a\n<!-- seed_tables " + what + " 001-3 -->\nold\n<!-- end -->\nb\n", tables);
  EXPECT_TRUE(page.starts_with("a\n<!-- seed_tables")) << page;
  EXPECT_TRUE(page.ends_with("<!-- end -->\nb\n")) << page;
  EXPECT_EQ(page.find("old"), std::string::npos);
  const std::size_t row = page.find("| 4k |");
  return page.substr(row, page.find('\n', row) - row);
}

TEST(SeedPage, RowsSayWhatIsNotBetter) {
  EXPECT_EQ(table_of_4k("errors", 2e-7, 0.0041),
            "| 4k | 64 x 64 | 5.34e-4 | 2.00e-7 | 2.00e-7 | 1.00e-6 | 5.02e-3 | | 1.0u | 1.0u | "
            "1.0u | yes |");
  EXPECT_TRUE(table_of_4k("errors", 6e-4, 1).ends_with("| no; summed in FP32 yes: 3.00e-4 |"));
  EXPECT_TRUE(table_of_4k("errors", 2e-3, 1).ends_with("| no |"));
  EXPECT_EQ(table_of_4k("times", 2e-7, 0.0041),
            "| 4k | 64 x 64 | 0.94 | 0.82 | 4.1 | 4.1 | 5 | | 4 | yes |");
  EXPECT_TRUE(table_of_4k("times", 2e-7, 0.0051).ends_with("| no |"));
}

TEST(SeedPage, MistakesAreNamed) {
  const SeedTables tables{published(), {}, {}};
  EXPECT_THROW((void)with_seed_tables("<!-- seed_tables errors 001-3 -->\n", tables),
               std::invalid_argument);
  EXPECT_THROW((void)with_seed_tables("<!-- seed_tables error 001-3 -->\n<!-- end -->", tables),
               std::invalid_argument);
  EXPECT_THROW((void)with_seed_tables("<!-- seed_tables errors 009 -->\n<!-- end -->", tables),
               std::invalid_argument);
  EXPECT_THROW((void)measured_files("no line"), std::invalid_argument);
  EXPECT_EQ(measured_files("x\n<!-- measured: a.csv b.csv -->\n"),
            (std::vector<std::string>{"a.csv", "b.csv"}));
}

TEST(SeedPage, IsWhatItsFilesMakeOfIt) {
  const std::string page = text_of(SONOMA_SOURCE "/docs/seeds.md");
  EXPECT_TRUE(page == with_seed_tables(page, tables_of(page)))
      << "seed_tables --page docs/seeds.md mends it";
}

TEST(SeedPlans, AreCountedFromSchedules) {
  const auto locality = locality_rows();
  EXPECT_EQ(locality[6][0], "2^10");  // one trip through memory
  EXPECT_EQ((Cells{locality[6].begin() + 3, locality[6].begin() + 7}),
            (Cells{"16", "16", "50", "1.00"}));
  EXPECT_EQ(locality.back()[0], "2^26");  // three
  EXPECT_EQ((Cells{locality.back().begin() + 3, locality.back().begin() + 7}),
            (Cells{"48", "48", "43.3", "0.33"}));
  int clusters = 0;
  for (const Cells& row : volumes_rows()) {
    if (row[1] != "blocks of a cluster") continue;
    EXPECT_EQ(row[7], row[6]) << row[0] << ": as much as the transposed transform";
    ++clusters;
  }
  EXPECT_GT(clusters, 0);
}

TEST(SeedPlans, MethodsAreRead) {
  const auto rows = methods_rows("# c\nlg_n,a,b,c,d\n12,1.01,,1.00,\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ((Cells{rows[0].begin(), rows[0].begin() + 6}),
            (Cells{"2^12", "1.01", "", "1.00", "", "c"}));
  EXPECT_THROW((void)methods_rows("lg_n,a\n"), std::invalid_argument);
}

TEST(SeedStand, BatchesAreCutToWholeTransforms) {
  EXPECT_EQ(problem_within(row_of({8}), 8).batch, 1);
  EXPECT_EQ(problem_within(row_of({8}), 3).batch, 1);
  EXPECT_EQ(problem_within(row_of({8}), 1000).batch, 2);
}

// The contract that docs/seeds.md states, on rows that run in moments.
TEST(SeedStand, SonomaErrsLessThanTheSeeds) {
  std::vector<SeedRow> rows;
  const std::map<std::string, std::string> chosen = {{"000-1", "1e-9"}, {"001-1", "1k"},
                                                     {"001-2", "16k"},  {"001-3", "32k"},
                                                     {"001-4", "16k"},  {"001-8", "64k"}};
  for (const auto& row : published()) {
    const auto at = chosen.find(row.table);
    if (at != chosen.end() && at->second == row.row) rows.push_back(row);
  }
  ASSERT_EQ(rows.size(), chosen.size());
  SeedStand stand(Device::cpu, rows, 1024, 1);
  for (const auto& row : rows) {
    const auto measured = stand.run(row, [](const std::string& note) { FAIL() << note; });
    ASSERT_EQ(measured.size(), 2u);
    for (const auto& m : measured) {
      SCOPED_TRACE(m.table + " " + m.row + " " + m.lib);
      EXPECT_LT(m.error.error, *row.error);
      EXPECT_GT(m.error.error, 0);
      EXPECT_LT(m.error.rel_l2, 3e-7);
      EXPECT_EQ(m.ms, 0);
    }
  }
}

}  // namespace
}  // namespace sonoma::bench
