// Objects of our own are read as any JSON would be, field by field.
#include "own_object.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sonoma::testing {
namespace {

const std::string text =
    R"({"device":"NVIDIA H200","n":18446744073709551615,"eff":0.32374000000000003,"rel_l2":5.65e-08,)"
    R"("lengths":[16,2049],"fused":true,"staged":false,"tuning":{"radix":7,"n":2},"date":"2026"})";

TEST(OwnObject, HasTheValuesOfAnyJson) {
  OwnObject own(text);
  const Json any = Json::parse(text);
  for (const auto& [name, value] : any.items()) {
    EXPECT_TRUE(own.contains(name));
    const auto taken = own.take(name);
    ASSERT_TRUE(taken) << name;
    EXPECT_EQ(*taken, value.is_object() ? Json(value.dump()) : value) << name;
  }
  EXPECT_FALSE(own.take("date"));  // nothing is left
}

TEST(OwnObject, HasFieldsInTheirOrder) {
  OwnObject own(text);
  EXPECT_FALSE(own.take("n"));
  EXPECT_FALSE(own.take("dev"));
  EXPECT_TRUE(own.take("device"));
  EXPECT_TRUE(own.take("n"));
}

TEST(OwnObject, HasNoFieldOfAValuesName) {
  const OwnObject own(text);
  for (const char* name : {"NVIDIA H200", "NVIDIA", "dev", "16", "2026"}) {
    EXPECT_FALSE(own.contains(name)) << name;
  }
}

}  // namespace
}  // namespace sonoma::testing
