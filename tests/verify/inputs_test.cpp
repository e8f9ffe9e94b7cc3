#include "sonoma/verify/inputs.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <set>

#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

double sum_of_moduli(const std::vector<Complex>& x) {
  double sum = 0;
  for (const auto& v : x) sum += std::abs(ComplexD(v));
  return sum;
}

TEST(Inputs, EveryRowHasItsLengthAndItsOwnName) {
  for (const std::int64_t n : {1, 2, 3, 4, 17, 64, 8192}) {
    std::set<std::string> names;
    for (const auto& c : adversarial_inputs(n, 1)) {
      EXPECT_EQ(c.x.size(), static_cast<std::size_t>(n)) << c.name;
      EXPECT_TRUE(names.insert(c.name).second) << c.name;
    }
    EXPECT_GE(names.size(), 30u);
  }
}

TEST(Inputs, OfAStorageAreHeldByIt) {
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    auto cases = adversarial_inputs(64, 1, storage);
    EXPECT_GE(cases.size(), 30u);
    const auto random = random_inputs(64, 2, 1, storage, 0.125f);
    cases.insert(cases.end(), random.begin(), random.end());
    for (const auto& c : cases) {
      EXPECT_EQ(unpack(storage, pack(storage, c.x)).size(), c.x.size());
      const bool has_nan = c.name == "NaN in one row";
      EXPECT_EQ(unpack(storage, pack(storage, c.x)) == c.x, !has_nan) << c.name;
      const bool has_infinity = c.gauge == Gauge::poisoned;
      EXPECT_EQ(std::isfinite(sum_of_moduli(c.x)), !has_infinity) << c.name;
    }
  }
}

TEST(Inputs, OfAStorageReachItsEnds) {
  const auto largest = [](Storage storage, const std::string& name) {
    float top = -1;
    for (const auto& c : adversarial_inputs(64, 3, storage)) {
      if (c.name != name) continue;
      for (const auto& v : c.x) top = std::max({top, std::abs(v.real()), std::abs(v.imag())});
    }
    return top;
  };
  EXPECT_EQ(largest(Storage::f16, "max = 2^-24"), 0x1p-24f);
  EXPECT_EQ(largest(Storage::f16, "near 65504"), 65504.0f);
  EXPECT_EQ(largest(Storage::f16, "constant 2^15"), 0x1p15f);
  EXPECT_EQ(largest(Storage::f16, "mantissas of ones"), 2 - 0x1p-10f);
  EXPECT_EQ(largest(Storage::bf16, "max = 2^-133"), 0x1p-133f);
  EXPECT_GT(largest(Storage::bf16, "3e38 one-hot"), 2.9e38f);
}

TEST(Inputs, SumsStayBelowTheLargestFloatWhereFiniteOutputIsAsked) {
  for (const std::int64_t n : {1, 2, 3, 8, 97, 8192}) {
    for (const auto& c : adversarial_inputs(n, 1)) {
      const double sum = sum_of_moduli(c.x);
      if (c.gauge == Gauge::poisoned) {
        EXPECT_FALSE(std::isfinite(sum)) << c.name;
      } else if (c.gauge == Gauge::unbounded) {
        EXPECT_GT(sum, static_cast<double>(FLT_MAX)) << c.name;
      } else {
        EXPECT_LE(sum, static_cast<double>(FLT_MAX)) << c.name;
      }
    }
  }
}

TEST(Inputs, MagnitudesAreReached) {
  const auto cases = adversarial_inputs(64, 3);
  const auto largest = [&](const std::string& name) {
    float top = 0;
    for (const auto& c : cases) {
      if (c.name != name) continue;
      for (const auto& v : c.x) top = std::max({top, std::abs(v.real()), std::abs(v.imag())});
    }
    return top;
  };
  EXPECT_EQ(largest("max = 2^-113"), 0x1p-113f);
  EXPECT_EQ(largest("max = 1e-40"), 1e-40f);
  EXPECT_EQ(largest("max = 1e-44"), 1e-44f);
  EXPECT_EQ(largest("mantissas of ones"), 2 - 0x1p-23f);
  EXPECT_EQ(largest("constant 3e38"), 3e38f);
}

TEST(Inputs, AreReproducibleAndIndependent) {
  const auto a = random_inputs(64, 3, 5), b = random_inputs(64, 3, 5), c = random_inputs(64, 3, 6);
  EXPECT_EQ(concatenate(a), concatenate(b));
  EXPECT_NE(concatenate(a), concatenate(c));
  EXPECT_NE(a[0].x, a[1].x);
  // mt19937_64 and Box-Muller leave a platform nothing but the last bit of its log and cos.
  EXPECT_FLOAT_EQ(normal_row(2, 1)[0].real(), 0.350992501f);
}

}  // namespace
}  // namespace sonoma::verification
