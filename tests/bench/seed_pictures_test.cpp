// The pictures of the seeds' page.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "../temporary_folder.hpp"
#include "seed_files.hpp"
#include "seed_plots.hpp"

namespace sonoma::bench {
namespace {

TEST(SeedPictures, AreWhatThePagesFilesMakeOfThem) {
  const std::string page = text_of(SONOMA_SOURCE "/docs/seeds.md");
  const SeedTables tables = tables_of(page);
  const testing::TemporaryFolder folder;
  write_seed_pictures(tables, folder.path().string());
  for (const SeedPicture& picture : seed_pictures(tables)) {
    EXPECT_NE(page.find("](" + picture.file + ")"), std::string::npos) << picture.file;
    EXPECT_TRUE(text_of(folder.path() / picture.file) ==
                text_of(SONOMA_SOURCE "/docs/" + picture.file))
        << picture.file << ": seed_tables --page docs/seeds.md mends it";
  }
}

const ChartLine& line_of(const Chart& chart, const std::string& name) {
  return *std::ranges::find(chart.lines, name, &ChartLine::name);
}

// Rows of the page, as they are in it.
TEST(SeedPictures, HaveTheNumbersOfTheTables) {
  const auto pictures = seed_pictures(tables_of(text_of(SONOMA_SOURCE "/docs/seeds.md")));
  ASSERT_EQ(pictures.size(), 3u);
  const Chart &sizes = pictures[0].charts.at(0), &radix4 = pictures[0].charts.at(2),
              &errors = pictures[1].charts.at(3), &ranges = pictures[2].charts.at(0);
  EXPECT_EQ(line_of(sizes, "choice").points.back().x, 65536);
  EXPECT_NEAR(line_of(sizes, "choice").points.back().y, 9.01, 0.005);
  EXPECT_NEAR(line_of(radix4, "published").points.back().y, 1.51, 0.005);
  EXPECT_NEAR(line_of(radix4, "choice").points[4].y, 1.02, 0.005);
  EXPECT_EQ(line_of(radix4, "cuFFT").points[0].y, 1);
  EXPECT_EQ(line_of(errors, "published").points[0].x, 4096);
  EXPECT_NEAR(line_of(errors, "published").points[0].y, 5.34e-4, 1e-7);
  EXPECT_NEAR(line_of(errors, "radix 8").points[1].y, 2.30e-6, 1e-8);
  EXPECT_EQ(line_of(ranges, "radix 4").points.size(), 13u);
  EXPECT_EQ(line_of(ranges, "published").points.size(), 7u);
  EXPECT_EQ(line_of(ranges, "cuFFT FP16").points.size(), 8u);  // without infinities
}

}  // namespace
}  // namespace sonoma::bench
