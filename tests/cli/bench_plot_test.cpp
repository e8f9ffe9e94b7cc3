// Plots: what is in which panel or chart, and that its lines are where they belong in the PNG.
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "command.hpp"
#include "error_plot.hpp"
#include "plot.hpp"

namespace sonoma::bench {
namespace {

const Machine machine{"NVIDIA H200", "13.0", "abc1234", "2026-11-20"};

Row row(const std::string& lib, const std::string& type, int n, int batch, double eff) {
  return {{lib, type, std::to_string(n), batch, "out", 1 / eff, 1, 0, 0}, machine};
}

// Two types; each contender has an efficiency of its own at every length.
std::vector<Row> rows_of_two_types() {
  std::vector<Row> rows;
  for (const std::string type : {"f32", "f16"}) {
    double eff = type == "f32" ? 0.9 : 0.6;
    for (const std::string lib : {"copy", "sonoma", "sonoma-mma", "sonoma-simt", "cufft"}) {
      for (const int n : {64, 16, 256}) {  // not sorted
        rows.push_back(row(lib, type, n, 65536 / n, lib == "copy" ? 1 : eff - n / 10000.0));
      }
      eff -= 0.1;
    }
  }
  return rows;
}

TEST(BenchPlot, PanelsAreOfATypeAndABatch) {
  auto rows = rows_of_two_types();
  rows.push_back(row("cufft", "f32", 64, 1, 0.5));
  const auto panels = panels_of(rows);
  ASSERT_EQ(panels.size(), 3u);
  EXPECT_EQ(panels[0].title, "f32, 2^16 points a run");
  EXPECT_EQ(panels[1].title, "f16, 2^16 points a run");
  EXPECT_EQ(panels[2].title, "f32, one transform a launch");
  ASSERT_EQ(panels[0].series.size(), 4u);  // the copy is no series
  EXPECT_EQ(panels[0].series[1].lib, "sonoma-mma");
  std::vector<double> lengths;
  for (const auto& point : panels[0].series[1].points) lengths.push_back(point.n);
  EXPECT_EQ(lengths, (std::vector<double>{16, 64, 256}));
}

TEST(BenchPlot, FramesHoldTheirPointsAndDoNotOverlap) {
  auto rows = rows_of_two_types();
  rows.push_back(row("sonoma", "f16", 1024, 64, 2.35));
  const auto panels = panels_of(rows);
  const auto frames = frames_of(charts_of(panels));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_LT(frames[0].bottom, frames[1].top);
  EXPECT_DOUBLE_EQ(frames[0].y.last, 1.2);
  EXPECT_DOUBLE_EQ(frames[1].y.last, 2.4);
  for (std::size_t i = 0; i < 2; ++i) {
    for (const auto& series : panels[i].series) {
      for (const auto& point : series.points) {
        const Spot at = frames[i].at(point.n, point.eff);
        EXPECT_GT(at.x, frames[i].left);
        EXPECT_LT(at.x, frames[i].right);
        EXPECT_GT(at.y, frames[i].top);
        EXPECT_LT(at.y, frames[i].bottom);
      }
    }
  }
  const Spot low = frames[0].at(16, 0.2), high = frames[0].at(64, 0.4);
  EXPECT_LT(low.x, high.x);
  EXPECT_GT(low.y, high.y);
}

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;

  explicit Picture(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return;
    image.format = PNG_FORMAT_RGB;
    rgb.resize(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr) == 0) return;
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
  }

  /// True if the pixel is of that colour.
  [[nodiscard]] bool has(Spot at, Color color) const {
    const auto x = std::lround(at.x - 0.5), y = std::lround(at.y - 0.5);
    const unsigned char* pixel = &rgb[static_cast<std::size_t>(3 * (y * width + x))];
    const double wanted[] = {color.red, color.green, color.blue};
    for (int i = 0; i < 3; ++i) {
      if (std::abs(pixel[i] - 255 * wanted[i]) > 2) return false;
    }
    return true;
  }
};

class BenchPicture : public testing::Test {
 protected:
  void SetUp() override {
    try {
      require_plotting("plot.png");
    } catch (const std::runtime_error& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

constexpr Color white = {1, 1, 1};

TEST_F(BenchPicture, LinesAreWhereTheyBelong) {
  const tests::TemporaryFolder folder;
  const auto rows = rows_of_two_types();
  plot(rows, folder.file("plot.png"));
  const Picture picture(folder.file("plot.png"));
  ASSERT_GT(picture.width, 0);
  const auto panels = panels_of(rows);
  const auto frames = frames_of(charts_of(panels));
  ASSERT_LT(frames[1].bottom, picture.height);
  for (std::size_t i = 0; i < 2; ++i) {
    for (const auto& series : panels[i].series) {
      const Color color = color_of(series.lib);
      for (const auto& point : series.points) {
        EXPECT_TRUE(picture.has(frames[i].at(point.n, point.eff), color)) << series.lib << point.n;
      }
      // Length 32 has a line of the grid, 34 has not. Halfway between two lengths on the log2 axis
      // a straight line is halfway between the two.
      const double middle = (series.points[0].eff + series.points[1].eff) / 2;
      EXPECT_TRUE(picture.has(frames[i].at(32, middle), color)) << series.lib;
      EXPECT_TRUE(picture.has(frames[i].at(34, middle - 0.05), white)) << series.lib;
    }
    EXPECT_TRUE(picture.has(frames[i].at(34, 1.1), white));
  }
}

TEST_F(BenchPicture, TheCopyIsADashedLineAtOne) {
  const tests::TemporaryFolder folder;
  plot({row("cufft", "f32", 64, 2, 0.5)}, folder.file("plot.png"));
  const Picture picture(folder.file("plot.png"));
  const Frame frame = frames_of(charts_of(panels_of({row("cufft", "f32", 64, 2, 0.5)})))[0];
  int dark = 0;
  for (double x = frame.left; x < frame.right; ++x) {
    dark += picture.has({x, frame.at(64, 1).y}, {0.4, 0.4, 0.4}) ? 1 : 0;
  }
  const double share = dark / (frame.right - frame.left);
  EXPECT_GT(share, 0.4);
  EXPECT_LT(share, 0.7);
}

TEST_F(BenchPicture, WhatCannotBeDrawnIsAnError) {
  const tests::TemporaryFolder folder;
  auto rows = rows_of_two_types();
  EXPECT_THROW(plot({}, folder.file("none.png")), std::invalid_argument);
  EXPECT_THROW(plot({row("copy", "f32", 64, 2, 1)}, folder.file("none.png")),
               std::invalid_argument);
  try {
    plot(rows, folder.file("no/folder.png"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no/folder.png"), std::string::npos) << error.what();
  }
  rows.back().machine.gpu = "another";
  EXPECT_THROW(plot(rows, folder.file("none.png")), std::invalid_argument);
}

// "12.5" of 12.499
std::string hundredths(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  std::string digits = text.data();
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.ends_with('.') ? digits.substr(0, digits.size() - 1) : digits;
}

// It needs no library.
TEST(BenchPlot, AnSvgHasTheSameLines) {
  const tests::TemporaryFolder folder;
  const auto rows = rows_of_two_types();
  plot(rows, folder.file("plot.svg"));
  const std::string picture = tests::read_text(folder.path() / "plot.svg");
  EXPECT_TRUE(picture.starts_with("<svg"));
  EXPECT_NE(picture.find("</svg>"), std::string::npos);
  EXPECT_EQ(picture.find("<image"), std::string::npos);  // lines, not pixels
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = picture.find("<path", at)) != std::string::npos; ++at) ++lines;
  EXPECT_GT(lines, 50u);
  const auto charts = charts_of(panels_of(rows));
  const Spot point = charts[1].lines[0].points[1];
  const Spot spot = frames_of(charts)[1].at(point.x, point.y);
  EXPECT_NE(picture.find(hundredths(spot.x) + " " + hundredths(spot.y)), std::string::npos);
}

ErrorOfPlan error_of(std::int64_t n, const std::string& asked, double measured,
                     Storage storage = Storage::f32) {
  ErrorOfPlan error{{}, asked, measured, measured / 2, measured * 8, {}};
  error.problem.lengths = {n};
  error.problem.storage = storage;
  return error;
}

const ChartLine* line_of(const Chart& chart, const std::string& name) {
  const auto found = std::ranges::find(chart.lines, name, &ChartLine::name);
  return found == chart.lines.end() ? nullptr : &*found;
}

TEST(ErrorPlot, HasALineForEachTuningAndFigure) {
  std::vector<ErrorOfPlan> errors = {error_of(64, "mma", 2), error_of(16, "mma", 1.5),
                                     error_of(16, "simt", 1), error_of(1, "mma", 0),
                                     error_of(16, "", 4000, Storage::f16)};
  errors[1].cufft = errors[2].cufft = 3;
  const auto charts = error_charts(errors);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].title, "f32");
  EXPECT_EQ(charts[0].lines.size(), 2u * 3 + 2);
  const ChartLine* const mma = line_of(charts[0], "measured, mma");
  ASSERT_NE(mma, nullptr);
  ASSERT_EQ(mma->points.size(), 2u);  // by length, without the one that errs nothing
  EXPECT_EQ(mma->points[0].x, 16);
  EXPECT_EQ(mma->points[0].y, 1.5);
  EXPECT_EQ(line_of(charts[0], "expected, simt")->points[0].y, 0.5);
  EXPECT_EQ(line_of(charts[0], "bound, mma")->points[1].y, 16);
  EXPECT_EQ(line_of(charts[0], "cuFFT, recorded")->points.size(), 1u);
  for (const Spot& at : line_of(charts[0], "sqrt(log2 n)")->points) {
    EXPECT_DOUBLE_EQ(at.y * at.y, std::log2(at.x));
  }
  EXPECT_EQ(charts[1].title, "f16");
  ASSERT_EQ(charts[1].lines.size(), 3u);  // neither cuFFT nor u sqrt(log2 n)
  EXPECT_EQ(charts[1].lines[2].name, "measured");
}

TEST(ErrorPlot, PointsAreWithinTheirAxes) {
  const auto charts = error_charts({error_of(2, "", 0.5), error_of(1 << 20, "", 3)});
  const Frame frame = frames_of(charts)[0];
  for (const ChartLine& line : charts[0].lines) {
    for (const Spot& point : line.points) {
      const Spot at = frame.at(point.x, point.y);
      EXPECT_TRUE(at.x > frame.left && at.x < frame.right) << line.name;
      EXPECT_TRUE(at.y > frame.top && at.y < frame.bottom) << line.name;
    }
  }
}

TEST(ErrorPlot, CufftIsFoundByKindAndLengths) {
  std::vector<Row> rows = rows_of_two_types();
  for (Row& one : rows) one.result.rel_l2 = one.result.lib == "cufft" ? 0x1p-23 : 1;
  FftProblem problem;
  problem.lengths = {64};
  EXPECT_EQ(cufft_error(rows, problem), 2.0);
  problem.domain = Domain::r2c;
  EXPECT_EQ(cufft_error(rows, problem), std::nullopt);
  problem.domain = Domain::c2c, problem.lengths = {8, 8};
  EXPECT_EQ(cufft_error(rows, problem), std::nullopt);
}

TEST(Charts, LinearAxesHaveRoundSteps) {
  for (const double most : {0.3, 1.0, 7.0, 43.0, 99.0, 1e6}) {
    Chart chart{"", {"x"}, {"y"}, {{"a", {}, 3, 5, true, false, {{1, 0}, {2, most}}}}};
    fit(chart);
    EXPECT_EQ(chart.y.first, 0);
    EXPECT_GT(chart.y.last, most);
    EXPECT_LT(chart.y.last, 1.3 * most);
    EXPECT_NEAR(chart.y.last / chart.y.step, std::round(chart.y.last / chart.y.step), 1e-9);
    EXPECT_LE(chart.y.last / chart.y.step, 13);
  }
}

TEST(BenchPlot, OtherPicturesAreRefused) {
  for (const char* path : {"plot.pdf", "plot", "png", "plot.svg.gz", ""}) {
    EXPECT_THROW(plot(rows_of_two_types(), path), std::invalid_argument) << path;
    EXPECT_THROW(require_plotting(path), std::invalid_argument) << path;
  }
}

}  // namespace
}  // namespace sonoma::bench
