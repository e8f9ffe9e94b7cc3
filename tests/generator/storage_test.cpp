#include "sonoma/storage.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "sonoma/float16.hpp"

namespace sonoma {
namespace {

using Complex = std::complex<float>;
constexpr float infinity = std::numeric_limits<float>::infinity();

class EveryStorage : public testing::TestWithParam<Storage> {
 protected:
  const Storage storage_ = GetParam();
  const StorageFormat format_ = format_of(storage_);

  float rounded(double value) const { return rounded_to(storage_, static_cast<float>(value)); }
  bool holds(double value) const { return static_cast<double>(rounded(value)) == value; }
};

TEST_P(EveryStorage, TheFormatIsWhatRoundingDoes) {
  EXPECT_TRUE(holds(format_.quantum));
  EXPECT_TRUE(holds(format_.smallest));
  EXPECT_TRUE(holds(format_.largest));
  EXPECT_TRUE(holds(1 + 2 * format_.unit_roundoff));
  EXPECT_TRUE(holds(format_.smallest - format_.quantum));
  EXPECT_TRUE(holds(format_.smallest * (1 + 2 * format_.unit_roundoff)));
  if (storage_ == Storage::f32) return;  // what it does not hold is no float
  EXPECT_EQ(rounded(format_.quantum / 2), 0.0f);
  EXPECT_EQ(rounded(1 + format_.unit_roundoff), 1.0f);
  EXPECT_FALSE(holds(format_.smallest * (1 + format_.unit_roundoff)));
  EXPECT_EQ(rounded(format_.overflow), infinity);
  EXPECT_EQ(rounded(-format_.overflow), -infinity);
  const float below = std::nextafter(static_cast<float>(format_.overflow), 0.0f);
  EXPECT_EQ(static_cast<double>(rounded_to(storage_, below)), format_.largest);
}

TEST_P(EveryStorage, RoundingKeepsSignsAndNan) {
  EXPECT_TRUE(std::signbit(rounded_to(storage_, -0.0f)));
  EXPECT_TRUE(std::isnan(rounded_to(storage_, std::nanf(""))));
  EXPECT_EQ(rounded_to(storage_, -infinity), -infinity);
  const Complex value = rounded_to(storage_, Complex{1.5f, -infinity});
  EXPECT_EQ(value, (Complex{1.5f, -infinity}));
}

TEST_P(EveryStorage, UnpackingWhatWasPackedRounds) {
  const std::vector<Complex> values = {
      {1.0f / 3, -2.0f / 3}, {1e-6f, -1e6f}, {-0.0f, 3}, {1e-39f, 1e38f}};
  const auto bytes = pack(storage_, values);
  EXPECT_EQ(bytes.size(), values.size() * point_bytes(storage_));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0u);
  const auto back = unpack(storage_, bytes);
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(back[i], rounded_to(storage_, values[i]));
  }
  EXPECT_EQ(pack(storage_, back), bytes);
  EXPECT_TRUE(pack(storage_, {}).empty());
  EXPECT_TRUE(unpack(storage_, {}).empty());
}

TEST_P(EveryStorage, OfARealSideHoldsRealPartsAlone) {
  const std::vector<Complex> values = {{1.0f / 3, 7}, {-1e6f, 0}, {2, -infinity}};
  const auto bytes = pack(storage_, Values::real, values);
  EXPECT_EQ(bytes.size(), values.size() * point_bytes(storage_, Values::real));
  const auto back = unpack(storage_, Values::real, bytes);
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(back[i], Complex(rounded_to(storage_, values[i].real())));
  }
  EXPECT_EQ(pack(storage_, Values::hermitian, values), pack(storage_, values));
  EXPECT_THROW((void)unpack(storage_, Values::real, std::vector<std::byte>(3)),
               std::invalid_argument);
}

TEST_P(EveryStorage, UnpackingHalfAPointIsAnError) {
  const std::vector<std::byte> bytes(3 * point_bytes(storage_) - 2);
  EXPECT_THROW((void)unpack(storage_, bytes), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(All, EveryStorage,
                         testing::Values(Storage::f32, Storage::f16, Storage::bf16),
                         [](const auto& tested) { return to_string(tested.param); });

TEST(Storage, OfPointsBetweenPassesIsForKernels) {
  const std::vector<Complex> one = {{1, -2}};
  EXPECT_THROW((void)pack(Storage::c12e8, one), std::invalid_argument);
  EXPECT_THROW((void)unpack(Storage::c12e8, std::vector<std::byte>(4)), std::invalid_argument);
  EXPECT_THROW((void)rounded_to(Storage::c12e8, 1.0f), std::invalid_argument);
  EXPECT_THROW((void)format_of(Storage::c12e8), std::invalid_argument);
}

// In memory: the real part first, little-endian.
TEST(Storage, TheLayoutOfAPoint) {
  const std::vector<Complex> one = {{1, -2}};
  const auto word_of = [&](Storage storage) {
    unsigned word = 0;
    std::memcpy(&word, pack(storage, one).data(), sizeof word);
    return word;
  };
  EXPECT_EQ(word_of(Storage::f32), 0x3f800000u);
  EXPECT_EQ(word_of(Storage::f16), 0xc0003c00u);
  EXPECT_EQ(word_of(Storage::bf16), 0xc0003f80u);
}

}  // namespace
}  // namespace sonoma
