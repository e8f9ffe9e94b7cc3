// Points on their way to and from memory, and twiddles.
#include <gtest/gtest.h>

#include <bit>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

constexpr unsigned threads = 32, registers = 8, points = threads * registers;

Points numbered() {
  Points in(points);
  for (unsigned p = 0; p < points; ++p) in[p] = {static_cast<float>(p), -static_cast<float>(p)};
  return in;
}

Points run_points(const std::string& body) {
  static const std::string text = primitives();
  return run(kernel(text, "  float2 x[8];\n  Tile y[1];\n" + body, threads, 8 * points), numbered(),
             points);
}

TEST(SharedMemory, PointsKeepTheirPlacesInEveryLayout) {
  const char* bodies[] = {
      // thread % 32 and registers, one point at a time, then pairs of neighbours
      R"(load_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, in, thread, AllPoints());
         write_shared<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, thread);
         block_barrier();
         read_shared<1, 248, 0, 2, 4, 6>(y, 8 * thread);
         store_tile<1, 248, 0, 2, 4, 6>(y, out, 8 * thread, AllPoints());)",
      R"(load_tile<0, 62, 0, 64, 128, 192>(y, in, 2 * thread, AllPoints());
         write_shared<0, 62, 0, 64, 128, 192>(y, 2 * thread);
         block_barrier();
         read_shared<2, 62, 0, 64, 128, 192>(x, thread % 4 * 16 + thread / 4 * 2);
         store_tile<2, 62, 0, 64, 128, 192>(x, out, thread % 4 * 16 + thread / 4 * 2, AllPoints());)",
      R"(copy_to_shared<62, 0, 64, 128, 192>(in, 2 * thread, AllPoints());
         wait_for_copies();
         block_barrier();
         read_shared<-1, 248, 0, 1, 2, 3, 4, 5, 6, 7>(x, 8 * thread);
         store_tile<-1, 248, 0, 1, 2, 3, 4, 5, 6, 7>(x, out, 8 * thread, AllPoints());)"};
  for (const char* body : bodies) EXPECT_EQ(run_points(body), numbered()) << body;
}

TEST(SharedMemory, PlacesAreSwizzled) {
  const Points out = run_points(R"(
    load_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, in, thread, AllPoints());
    write_shared<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, thread);
    block_barrier();
    for (unsigned p = thread; p < 256; p += 32) out[p] = load_shared(shared_point(p));)");
  for (unsigned p = 0; p < points; ++p) {
    EXPECT_EQ(out[p ^ (p >> 4 & 14)].real(), static_cast<float>(p));
  }
}

// Only the first 100 points are there.
TEST(GlobalMemory, PointsTheBatchDoesNotHaveReadAsZeroAndAreNotWritten) {
  const std::string existing = "const FirstPoints existing{100};\n";
  const std::string loads[] = {
      "load_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, in, thread, existing);",
      "load_tile<0, 62, 0, 64, 128, 192>(x, in, 2 * thread, existing);",
      "copy_to_shared<62, 0, 64, 128, 192>(in, 2 * thread, existing); wait_for_copies();\n"
      "block_barrier(); read_shared<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, thread);"};
  const std::string places[] = {"thread + 32 * r", "2 * thread + 32 * (r & 6) + r % 2",
                                "thread + 32 * r"};
  for (unsigned i = 0; i < 3; ++i) {
    const Points out = run_points(existing + loads[i] + "for (unsigned r = 0; r < 8; ++r) out[" +
                                  places[i] + "] = x[r];");
    for (unsigned p = 0; p < points; ++p) {
      EXPECT_EQ(out[p], p < 100 ? numbered()[p] : 0.0f) << loads[i] << " point " << p;
    }
  }
  for (const char* store :
       {"load_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, in, thread, AllPoints());"
        "store_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, out, thread, existing);",
        "load_tile<0, 62, 0, 64, 128, 192>(x, in, 2 * thread, AllPoints());"
        "store_tile<0, 62, 0, 64, 128, 192>(x, out, 2 * thread, existing);"}) {
    const Points out = run_points(existing + store);
    for (unsigned p = 0; p < points; ++p) {
      EXPECT_EQ(out[p], p < 100 ? numbered()[p] : std::complex(-1.0f, -1.0f)) << store << p;
    }
  }
}

// Register r of a thread holds point p ^ offset, where a fold lets offsets share bits with p: a
// digit of stride 1 (its lower bits 1 in a register, 2 and 4 in lanes), and one of stride 2.
struct FoldedLayout {
  std::vector<unsigned> register_bits;
  std::string list;  ///< pair bit, bits of p, offsets
  std::string p;
  unsigned (*of_thread)(unsigned thread);
};
const std::vector<FoldedLayout> folded_layouts = {
    {{1, 15, 128},
     "0, 118, 0, 15, 128, 143",
     "(thread % 4 * 2 + thread / 4 * 16)",
     [](unsigned t) { return t % 4 * 2 + t / 4 * 16; }},
    {{128, 15, 1},
     "2, 118, 0, 128, 15, 143",
     "(thread % 4 * 2 + thread / 4 * 16)",
     [](unsigned t) { return t % 4 * 2 + t / 4 * 16; }},
    {{1, 15, 128},
     "-1, 118, 0, 1, 15, 14, 128, 129, 143, 142",
     "(thread % 4 * 2 + thread / 4 * 16)",
     [](unsigned t) { return t % 4 * 2 + t / 4 * 16; }},
    {{8, 240, 4},
     "-1, 115, 0, 8, 240, 248, 4, 12, 244, 252",
     "(thread % 4 + thread / 4 * 16)",
     [](unsigned t) { return t % 4 + t / 4 * 16; }},
    {{1, 30, 128}, "0, 110, 0, 30, 128, 158", "(thread % 8 * 2 + thread / 8 * 32)", [](unsigned t) {
       return t % 8 * 2 + t / 8 * 32;
     }}};

unsigned point_of(const FoldedLayout& layout, unsigned thread, unsigned r) {
  unsigned p = layout.of_thread(thread);
  for (unsigned bit = 0; bit < 3; ++bit) p ^= r >> bit & 1u ? layout.register_bits[bit] : 0;
  return p;
}

const std::string dump = "for (unsigned r = 0; r < 8; ++r) out[8 * thread + r] = x[r];";
const std::string fill = "for (unsigned r = 0; r < 8; ++r) x[r] = in[8 * thread + r];";

TEST(FoldedLayouts, LoadsAndReadsFetchThePointsOfEveryRegister) {
  for (const FoldedLayout& layout : folded_layouts) {
    for (const unsigned limit : {points, 100u}) {
      const std::string existing = "FirstPoints{" + std::to_string(limit) + "}";
      const std::string load =
          "load_tile<" + layout.list + ">(x, in, " + layout.p + ", " + existing + ");";
      const std::string read =
          "load_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, in, thread, " + existing +
          "); write_shared<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, thread); block_barrier();"
          "read_shared<" +
          layout.list + ">(x, " + layout.p + ");";
      for (const std::string& body : {load, read}) {
        const Points out = run_points(body + dump);
        for (unsigned i = 0; i < points; ++i) {
          const unsigned p = point_of(layout, i / registers, i % registers);
          EXPECT_EQ(out[i], p < limit ? numbered()[p] : 0.0f) << body << " register " << i;
        }
      }
    }
  }
}

TEST(FoldedLayouts, StoresAndWritesPutThePointsOfEveryRegister) {
  for (const FoldedLayout& layout : folded_layouts) {
    for (const unsigned limit : {points, 100u}) {
      const std::string existing = "FirstPoints{" + std::to_string(limit) + "}";
      const std::string store =
          "store_tile<" + layout.list + ">(x, out, " + layout.p + ", " + existing + ");";
      const std::string write =
          "write_shared<" + layout.list + ">(x, " + layout.p +
          "); block_barrier();"
          "read_shared<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, thread);"
          "store_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, out, thread, " +
          existing + ");";
      for (const std::string& body : {store, write}) {
        const Points out = run_points(fill + body);
        for (unsigned i = 0; i < points; ++i) {
          const unsigned p = point_of(layout, i / registers, i % registers);
          EXPECT_EQ(out[p], p < limit ? numbered()[i] : std::complex(-1.0f, -1.0f)) << body << p;
        }
      }
    }
  }
}

TEST(FoldedLayouts, AsynchronousCopiesReachEveryPoint) {
  for (const unsigned limit : {points, 100u}) {
    const Points out = run_points(
        "copy_to_shared<110, 0, 30, 128, 158>(in, thread % 8 * 2 + thread / 8 * 32, FirstPoints{" +
        std::to_string(limit) +
        "}); wait_for_copies(); block_barrier();"
        "read_shared<-1, 248, 0, 1, 2, 3, 4, 5, 6, 7>(x, 8 * thread);" +
        dump);
    for (unsigned p = 0; p < points; ++p) EXPECT_EQ(out[p], p < limit ? numbered()[p] : 0.0f) << p;
  }
}

struct TwiddleCase {
  unsigned mask, unity, stride;
};

// Factor i of thread t is (1 + i, t); unit u of thread t holds factors 2u and 2u + 1.
std::vector<std::uint32_t> factors(unsigned stride) {
  std::vector<std::uint32_t> words;
  for (unsigned unit = 0; unit < 4; ++unit) {
    for (unsigned t = 0; t < stride; ++t) {
      for (unsigned i = 2 * unit; i < 2 * unit + 2; ++i) {
        words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(1 + i)));
        words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(t)));
      }
    }
  }
  return words;
}

TEST(Twiddle, RegistersTakeTheFactorsThatTheirBitsSelect) {
  for (const TwiddleCase& c :
       {TwiddleCase{7, 0, 32}, {7, 7, 32}, {5, 4, 8}, {2, 0, 4}, {0, 0, 16}, {6, 2, 1}}) {
    const std::string list =
        std::to_string(c.mask) + ", " + std::to_string(c.unity) + ", " + std::to_string(c.stride);
    const Points out =
        run(kernel(primitives(),
                   "  Tile x[1];\n  for (int r = 0; r < 8; ++r) x[0].at[r] = in[8 * thread + r];\n"
                   "  twiddle<8, " +
                       list + ">(x, tables + thread % " + std::to_string(c.stride) +
                       ");\n  for (int r = 0; r < 8; ++r) out[8 * thread + r] = x[0].at[r];"),
            Points(points, {2.0f, 1.0f}), points, factors(c.stride));
    for (unsigned p = 0; p < points; ++p) {
      const unsigned thread = p / registers, reg = p % registers;
      unsigned entry = 0, place = 0;
      for (unsigned bit = 0; bit < 3; ++bit) {
        if (c.mask >> bit & 1u) entry |= (reg >> bit & 1u) << place++;
      }
      const std::complex<float> w(static_cast<float>(1 + entry),
                                  static_cast<float>(thread % c.stride));
      const bool unity = c.unity != 0 && (reg & c.unity) == 0;
      EXPECT_EQ(out[p], std::complex(2.0f, 1.0f) * (unity ? 1.0f : w)) << list << " point " << p;
    }
  }
}

TEST(Multiply, ScalesEveryPoint) {
  const Points out = run_points(R"(
    load_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, in, thread, AllPoints());
    multiply<8>(x, -0.5f);
    store_tile<-1, 31, 0, 32, 64, 96, 128, 160, 192, 224>(x, out, thread, AllPoints());)");
  for (unsigned p = 0; p < points; ++p) EXPECT_EQ(out[p], numbered()[p] * -0.5f);
}

}  // namespace
}  // namespace sonoma::test
