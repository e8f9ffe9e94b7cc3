// Points on their way to and from memory, and factors.
#include <gtest/gtest.h>

#include <bit>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

constexpr unsigned threads = 32, points = 256;

Points numbered() {
  Points in(points);
  for (unsigned p = 0; p < points; ++p) in[p] = {static_cast<float>(p), -static_cast<float>(p)};
  return in;
}

// Every thread does `body` with each p = 2 thread + 64 r, points a and b.
Points run_pairs(const std::string& body, const std::vector<std::uint32_t>& tables = {}) {
  return run(
      kernel(primitives(),
             "  for (unsigned r = 0; r < 4; ++r) {\n    const unsigned p = 2 * thread + 64 * r;\n"
             "    float2 a = {}, b = {};\n" +
                 body + "\n  }",
             threads, 8 * points),
      numbered(), points, tables);
}

TEST(SharedMemory, PointsKeepTheirPlaces) {
  for (const char* body :
       {"store_shared(shared_point(p), in[p]); store_shared(shared_point(p + 1), in[p + 1]);"
        "load_shared_pair(shared_point(p), a, b); out[p] = a, out[p + 1] = b;",
        "store_shared_pair(shared_point(p), in[p], in[p + 1]);"
        "out[p] = load_shared(shared_point(p)), out[p + 1] = load_shared(shared_point(p) + 1);",
        "copy_pair(shared_point(p), in + p); wait_for_copies();"
        "load_shared_pair(shared_point(p), a, b); out[p] = a, out[p + 1] = b;"}) {
    EXPECT_EQ(run_pairs(body), numbered()) << body;
  }
}

TEST(SharedMemory, PartsHaveFourBytes) {
  const Points out = run_pairs(
      "store_shared(shared_part(p), in[p].x); store_shared(shared_part(p) + 256, in[p].y);"
      "out[p] = make_float2(load_shared(shared_part(p)), load_shared(shared_part(p + 256)));"
      "out[p + 1] = in[p + 1];");
  EXPECT_EQ(out, numbered());
}

// Points from 100 on are not there.
TEST(GlobalMemory, WhatIsNotThereReadsAsZeroAndIsNotWritten) {
  for (const char* access : {"When{p < 100}", "StreamedWhen{p < 100}"}) {
    const std::string when = access;
    for (const std::string& load :
         {"a = load_point(in + p, " + when + "), b = load_point(in + p + 1, " + when + ");",
          "load_pair(in + p, a, b, " + when + ");",
          std::string("copy_pair(shared_point(p), in + p, p < 100); wait_for_copies();"
                      "load_shared_pair(shared_point(p), a, b);")}) {
      const Points out = run_pairs(load + "out[p] = a, out[p + 1] = b;");
      for (unsigned p = 0; p < points; ++p) {
        EXPECT_EQ(out[p], p < 100 ? numbered()[p] : 0.0f) << load << p;
      }
    }
    for (const std::string& store : {"store_point(out + p, in[p], " + when +
                                         "); store_point(out + p + 1, in[p + 1], " + when + ");",
                                     "store_pair(out + p, in[p], in[p + 1], " + when + ");"}) {
      const Points out = run_pairs(store);
      for (unsigned p = 0; p < points; ++p) {
        EXPECT_EQ(out[p], p < 100 ? numbered()[p] : std::complex(-1.0f, -1.0f)) << store << p;
      }
    }
  }
}

TEST(GlobalMemory, EveryAccessMovesWhatIsThere) {
  for (const std::string access : {"Always{}", "When{true}", "Streamed{}", "StreamedWhen{true}"}) {
    EXPECT_EQ(run_pairs("load_pair(in + p, a, b, " + access + "); store_pair(out + p, a, b, " +
                        access + ");"),
              numbered());
    EXPECT_EQ(run_pairs("a = load_point(in + p, " + access + "), b = load_point(in + p + 1, " +
                        access + "); store_point(out + p, a, " + access +
                        "); store_point(out + p + 1, b, " + access + ");"),
              numbered());
  }
}

TEST(GlobalMemory, ColumnsThatAreLeft) {
  const Points out = run_pairs(
      "out[p] = make_float2(at_most(p, 7), at_most(0x100000000ull + p, 9)); out[p + 1] = out[p];");
  for (unsigned p = 0; p < points; p += 2) {
    EXPECT_EQ(out[p], std::complex<float>(static_cast<float>(std::min(p, 7u)), 9.0f));
  }
}

// Factor i is (i, -i): two in a unit of 16 bytes.
TEST(Factors, LieTwoInAUnit) {
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < points; ++i) {
    for (const float part : {static_cast<float>(i), -static_cast<float>(i)}) {
      words.push_back(std::bit_cast<std::uint32_t>(part));
    }
  }
  EXPECT_EQ(run_pairs("const Factors w = factors_of(load_table(tables + p / 2));"
                      "out[p] = w.first, out[p + 1] = w.second;",
                      words),
            numbered());
  EXPECT_EQ(
      run_pairs("out[p] = factor_at(tables, p), out[p + 1] = factor_at(tables, p + 1);", words),
      numbered());
}

TEST(Arithmetic, ProductsAndScales) {
  const Points out = run_pairs(
      "out[p] = complex_product(in[p], make_float2(0.5f, 2.0f));"
      "out[p + 1] = scaled(conjugate(in[p + 1]), -0.5f);");
  for (unsigned p = 0; p < points; p += 2) {
    EXPECT_EQ(out[p], numbered()[p] * std::complex(0.5f, 2.0f));
    EXPECT_EQ(out[p + 1], std::conj(numbered()[p + 1]) * -0.5f);
  }
}

}  // namespace
}  // namespace sonoma::test
