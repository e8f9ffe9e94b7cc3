#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"
#include "support/panels.hpp"
#include "support/photo.hpp"

namespace examples {
namespace {

using sonoma::tests::CommandResult;
using sonoma::tests::read_text;
using sonoma::tests::run_command;
using sonoma::tests::TemporaryFolder;

TEST(Photo, NumbersOf8BitsAreMultiplesOfOne255th) {
  EXPECT_EQ(in_8_bits({-0.1f, 0.0f, 0.4f / 255, 0.6f / 255, 1.0f, 1.7f}),
            (std::vector<float>{0, 0, 0, 1.0f / 255, 1, 1}));
}

TEST(Photo, PsnrIsThatOfTheMeanSquare) {
  EXPECT_NEAR(psnr(std::vector<float>{0, 0.5f}, std::vector<float>{0.1f, 0.6f}), 20, 1e-5);
}

TEST(Panels, ShowTheSamePartOfEachWithTicks) {
  Photo dark{100, 80, std::vector<float>(8000, 0.0f)}, bright = dark;
  bright.grey.assign(8000, 1.0f);
  dark.grey[30 * 100 + 20] = 1;  // the first pixel of the part
  const Picture picture = draw_side_by_side({dark, bright}, {20, 30, 60, 50});
  const auto level = [&](std::size_t x, std::size_t y) {
    return int{picture.rgb[3 * (y * picture.width + x)]};
  };
  const std::size_t left = picture.width - 2 * (60 + 12), beside = left + 60 + 12;
  EXPECT_EQ(level(left, 0), 255);
  EXPECT_EQ(level(left + 1, 0), 0);
  EXPECT_EQ(level(beside, 0), 255);
  EXPECT_EQ(level(left + 30, 50), 0);  // the tick of column 50, below
  EXPECT_EQ(level(left + 29, 50), 255);
  EXPECT_EQ(level(left - 1, 20), 0);      // that of row 50
  EXPECT_EQ(level(beside - 1, 20), 255);  // of the first panel alone
}

TEST(Deblur, RestoresThePhotograph) {
  if (!std::filesystem::exists(default_photo)) GTEST_SKIP() << "no " << default_photo;
  const TemporaryFolder folder;
  const CommandResult result =
      run_command({DEBLUR, "--device", "cpu", default_photo, folder.file("deblur.png")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("600 x 512 pixels, padded to 640 x 576"), std::string::npos)
      << result.out;
  EXPECT_EQ(read_text(folder.path() / "deblur.png").substr(1, 3), "PNG");
}

TEST(Deblur, SaysWhatIsWrong) {
  const CommandResult missing = run_command({DEBLUR, "/no/such.jpg"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("/no/such.jpg"), std::string::npos) << missing.err;
  const CommandResult device = run_command({DEBLUR, "--device", "tpu"});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_NE(device.err.find("auto, gpu or cpu"), std::string::npos) << device.err;
}

}  // namespace
}  // namespace examples
