#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "kernel_fixture.hpp"
#include "mma_reference.hpp"

namespace {

using sonoma::EmulationOptions;
using sonoma::testing::error_of;
using sonoma::testing::Halves;
using sonoma::testing::kernel;
using sonoma::testing::ramp;
using sonoma::testing::reference_dot;
using sonoma::testing::run;

// D = A B + C with A in `a_layout`, B in `b_layout`, C and D in `order`; all 16x16 in shared
// memory.
std::string product(const std::string& a_layout, const std::string& b_layout,
                    const std::string& order) {
  return R"(
    using namespace nvcuda::wmma;
    const unsigned* words = reinterpret_cast<const unsigned*>(in);
    unsigned* staged = reinterpret_cast<unsigned*>(shared);
    for (unsigned i = t; i < 512; i += 32) store_shared(staged + i, load_global(words + i));
    warp_barrier();
    const half* a_matrix = reinterpret_cast<const half*>(shared);
    const half* b_matrix = a_matrix + 256;
    fragment<matrix_a, 16, 16, 16, half, )" +
         a_layout + R"(> a;
    fragment<matrix_b, 16, 16, 16, half, )" +
         b_layout + R"(> b;
    fragment<accumulator, 16, 16, 16, float> d;
    load_matrix_sync(a, a_matrix, 16);
    load_matrix_sync(b, b_matrix, 16);
    load_matrix_sync(d, shared + 256, 16, )" +
         order + R"();
    mma_sync(d, a, b, d);
    store_matrix_sync(shared + 512, d, 16, )" +
         order + R"();
    warp_barrier();
    for (unsigned i = t; i < 256; i += 32) store_global(y + i, load_shared(shared + 512 + i));)";
}

struct Case {
  const char *a_layout, *b_layout, *order;
};
class WmmaLayouts : public ::testing::TestWithParam<Case> {};

TEST_P(WmmaLayouts, EqualTheReferenceToTheBit) {
  const auto [a_layout, b_layout, order] = GetParam();
  std::mt19937 random(5);
  std::vector<float> in(512);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0xbfffbfffu);
  for (unsigned i = 256; i < 512; ++i) in[i] = static_cast<float>(random()) * 0x1p-28f;
  const auto result = run(kernel(product(a_layout, b_layout, order), 32, 3072), in, 256,
                          EmulationOptions{.check_races = true});
  EXPECT_EQ(result.report.mmas, 2u);
  const auto half_at = [&](unsigned matrix, unsigned major, unsigned minor) {
    const unsigned index = matrix * 256 + major * 16 + minor;
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(in[index / 2]) >>
                                      16 * (index % 2));
  };
  const bool a_rows = std::string(a_layout) == "row_major";
  const bool b_rows = std::string(b_layout) == "row_major";
  const bool d_rows = std::string(order) == "mem_row_major";
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) {
      Halves a, b;
      for (unsigned k = 0; k < 16; ++k) {
        a[k] = a_rows ? half_at(0, i, k) : half_at(0, k, i);
        b[k] = b_rows ? half_at(1, k, j) : half_at(1, j, k);
      }
      const unsigned at = d_rows ? i * 16 + j : j * 16 + i;
      EXPECT_EQ(std::bit_cast<std::uint32_t>(result.out[at]),
                reference_dot(a, b, std::bit_cast<std::uint32_t>(in[256 + at])))
          << i << ' ' << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, WmmaLayouts,
                         ::testing::Values(Case{"row_major", "col_major", "mem_row_major"},
                                           Case{"row_major", "row_major", "mem_row_major"},
                                           Case{"col_major", "row_major", "mem_col_major"},
                                           Case{"col_major", "col_major", "mem_col_major"}));

TEST(Wmma, FillAndElements) {
  const auto source = kernel(R"(
    using namespace nvcuda::wmma;
    fragment<accumulator, 16, 16, 16, float> d;
    fill_fragment(d, 1.5f);
    for (int i = 0; i < d.num_elements; ++i) d.x[i] *= 2.0f;
    store_matrix_sync(shared, d, 16, mem_row_major);
    warp_barrier();
    for (unsigned i = t; i < 256; i += 32) store_global(y + i, load_shared(shared + i));)",
                             32, 1024);
  EXPECT_EQ(run(source, ramp(4), 256).out, std::vector<float>(256, 3.0f));
}

TEST(Wmma, StoreThenLoadNeedsABarrier) {
  const std::string head = R"(
    using namespace nvcuda::wmma;
    fragment<accumulator, 16, 16, 16, float> d;
    fill_fragment(d, 1.0f);
    store_matrix_sync(shared, d, 16, mem_row_major);)";
  const std::string tail = "store_global(y + t, load_shared(shared + t));";
  const EmulationOptions races{.check_races = true};
  EXPECT_NE(error_of(kernel(head + tail, 32, 1024), races), "no error");
  EXPECT_EQ(error_of(kernel(head + "warp_barrier();" + tail, 32, 1024), races), "no error");
}

TEST(Wmma, MisuseIsNamed) {
  const auto store = [](const std::string& arguments) {
    return error_of(
        kernel("using namespace nvcuda::wmma;"
               "fragment<accumulator, 16, 16, 16, float> d; fill_fragment(d, 1.0f);"
               "store_matrix_sync(" +
                   arguments + ", mem_row_major);",
               32, 1024));
  };
  EXPECT_EQ(store("shared, d, 16"), "no error");
  EXPECT_NE(store("shared + 4, d, 16").find("a corner that is not a multiple of 32 bytes"),
            std::string::npos);
  EXPECT_NE(store("shared, d, 18").find("stride of 72 bytes"), std::string::npos);
  EXPECT_NE(store("shared, d, 20").find("outside it and every buffer"), std::string::npos);
  const std::string diverged = error_of(kernel(R"(
    using namespace nvcuda::wmma;
    fragment<accumulator, 16, 16, 16, float> d;
    fill_fragment(d, 1.0f);
    if (t < 31) store_matrix_sync(shared, d, 16, mem_row_major);)",
                                               32, 1024));
  EXPECT_NE(diverged.find("waits at a wmma load or store, to which thread 31"), std::string::npos)
      << diverged;
}

}  // namespace
