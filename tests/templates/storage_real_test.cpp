// Real numbers and Hermitian points on their way to and from registers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "primitives.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::test {
namespace {

using Bytes = std::vector<std::byte>;
constexpr unsigned count = 256;

/// How the templates name a storage, and what they name a real number of it.
struct Memory {
  Storage storage;
  const char *file, *point, *real;
};
const Memory memories[] = {{Storage::f32, "storage_32.cuh", "float2", "float"},
                           {Storage::f16, "storage_16.cuh", "HalfPoint", "Real<HalfPoint>"},
                           {Storage::bf16, "storage_16.cuh", "BfloatPoint", "Real<BfloatPoint>"},
                           {Storage::i16, "storage_16.cuh", "IntegerPoint", "Real<IntegerPoint>"}};

// `body` sees `from` and `to` of these types, and a `value`.
CudaSource kernel_on(const Memory& memory, const std::string& from, const std::string& to,
                     const std::string& body) {
  return kernel(primitives({"storage_int16.cuh", "storage_real.cuh"}, memory.file),
                "  const " + from + "* from = reinterpret_cast<const " + from + "*>(in);\n  " + to +
                    "* to = reinterpret_cast<" + to + "*>(out);\n" +
                    "  for (unsigned r = 0; r < 8; ++r) {\n    const unsigned p = thread + 32 * "
                    "r;\n    float2 value = make_float2(0.0f, 0.0f);\n" +
                    body + "  }\n");
}

// `points` numbers of 8 bytes, whose buffers are as large as the data.
Bytes run_on(const CudaSource& source, const Bytes& in, std::size_t out_bytes) {
  Points words((in.size() + 7) / 8);
  std::memcpy(words.data(), in.data(), in.size());
  const Points out = run(source, words, out_bytes / 8);
  const auto view = std::as_bytes(std::span(out));
  return {view.begin(), view.end()};
}

// Real numbers lie where complex ones of half as many points would.
Points pairs_of(const Memory& memory, float unit) {
  Points pairs = random_points(count / 2, 47);
  for (auto& pair : pairs) pair = rounded_to(memory.storage, pair * unit);
  return pairs;
}
float number(const Points& pairs, std::size_t i) {
  return i % 2 ? pairs[i / 2].imag() : pairs[i / 2].real();
}

TEST(RealNumbers, AreReadWithoutImaginaryParts) {
  for (const Memory& memory : memories) {
    const Points pairs = pairs_of(memory, 100);
    for (const bool streamed : {false, true}) {
      const std::string access = streamed ? ", Streamed{}" : "";
      const CudaSource source = kernel_on(memory, memory.real, "float2",
                                          "    to[p] = load_real(from + p" + access + ");\n");
      const Points out =
          unpack(Storage::f32, run_on(source, pack(memory.storage, pairs), 8 * count));
      for (unsigned i = 0; i < count; ++i) {
        ASSERT_EQ(out[i], std::complex<float>(number(pairs, i))) << memory.real << " " << i;
        ASSERT_FALSE(std::signbit(out[i].imag()));
      }
    }
  }
}

TEST(RealNumbers, AreStoredAsRealPartsOfPoints) {
  for (const Memory& memory : memories) {
    Points values = random_points(count, 53), pairs;
    for (auto& value : values) value *= 3000.0f;
    values[0] = 1e6f, values[1] = -1e6f, values[2] = 2.5f, values[3] = 0x1.01p0f;
    for (auto& value : values) value.imag(std::numeric_limits<float>::quiet_NaN());
    for (unsigned i = 0; i < count; i += 2) {
      pairs.push_back({values[i].real(), values[i + 1].real()});
    }
    for (const char* access : {"", ", Streamed{}", ", When{true}", ", StreamedWhen{true}"}) {
      const CudaSource source =
          kernel_on(memory, "float2", memory.real,
                    std::string("    store_real(to + p, from[p]") + access + ");\n");
      const Bytes expected = pack(memory.storage, pairs);
      EXPECT_EQ(run_on(source, pack(Storage::f32, values), expected.size()), expected)
          << memory.real;
    }
  }
}

// Buffers end in the middle of the tile: the emulated device sees any byte touched behind them.
TEST(RealNumbers, BehindTheEndReadAsZeroAndAreNotTouched) {
  for (const Memory& memory : memories) {
    Points pairs = pairs_of(memory, 100);
    pairs.resize(50);
    const Bytes in = pack(memory.storage, pairs);
    const auto through = [&](const std::string& loaded, const std::string& stored) {
      const CudaSource source =
          kernel_on(memory, memory.real, memory.real,
                    "    value = load_real(from + p, " + loaded +
                        ");\n    store_real(to + p, value, " + stored + ");\n");
      return run_on(source, in, in.size());
    };
    for (const std::string when : {"When", "StreamedWhen"}) {
      EXPECT_EQ(through(when + "{p < 100}", when + "{p < 100}"), in) << memory.real;
      EXPECT_THROW(through("Always{}", when + "{p < 100}"), EmulationError) << memory.real;
      EXPECT_THROW(through(when + "{p < 100}", "Always{}"), EmulationError) << memory.real;
      const CudaSource zeros =
          kernel_on(memory, memory.real, "float2",
                    "    to[p] = load_real(from + p, " + when + "{p < 100});\n");
      const Points out = unpack(Storage::f32, run_on(zeros, in, 8 * count));
      for (unsigned i = 100; i < count; ++i) ASSERT_EQ(out[i], std::complex<float>());
    }
  }
}

// 256 points, or 255, of which memory has those up to half, `stride` apart.
TEST(HermitianPoints, BehindHalfAreConjugates) {
  for (const Memory& memory : memories) {
    for (const unsigned n : {count, count - 1}) {
      for (const unsigned stride : {1u, 3u}) {
        Points points = random_points((n / 2) * stride + 1, 59);
        for (auto& point : points) point = rounded_to(memory.storage, point * 100.0f);
        if (points.size() % 2 != 0) points.push_back({});  // whole words
        const CudaSource source = kernel_on(
            memory, memory.point, "float2",
            "    const unsigned i = p < " + std::to_string(n) +
                "u ? p : 0;\n    to[p] = own_conjugates<" + std::to_string(n) +
                "u>(load_hermitian<" + std::to_string(n) + "u, " + std::to_string(stride) +
                ">(from + i * " + std::to_string(stride) + "ll, i), i);\n");
        const Points out =
            unpack(Storage::f32, run_on(source, pack(memory.storage, points), 8 * count));
        for (unsigned i = 0; i < n; ++i) {
          const bool behind = i > n / 2;
          auto point = points[std::size_t{stride} * (behind ? n - i : i)];
          if (i == 0 || 2 * i == n) point.imag(0);  // its own conjugate
          ASSERT_EQ(out[i], behind ? std::conj(point) : point) << memory.point << " " << i;
        }
      }
    }
  }
}

TEST(HermitianPoints, TheCallersCodeSeesTheFrequenciesInMemory) {
  const CudaSource source =
      kernel_on(memories[0], "float2", "float2",
                "    const auto code = [](float2 a, unsigned index, unsigned long long transform,\n"
                "                         const void*) {\n"
                "      return make_float2(a.x + 1000.0f * transform, a.y + index);\n    };\n"
                "    to[p] = of_hermitian<256u>(code, from[p], p, 2, nullptr);\n");
  const Points in = random_points(count, 61);
  const Points out = unpack(Storage::f32, run_on(source, pack(Storage::f32, in), 8 * count));
  for (unsigned i = 0; i < count; ++i) {
    const bool behind = i > count / 2;
    const auto index = static_cast<float>(behind ? count - i : i);
    float imaginary = behind ? -(-in[i].imag() + index) : in[i].imag() + index;
    if (i % (count / 2) == 0) imaginary = 0;
    ASSERT_EQ(out[i], std::complex<float>(in[i].real() + 2000.0f, imaginary)) << i;
  }
}

TEST(HermitianPoints, RealPartsAreWhatRealOutputHas) {
  const CudaSource source =
      kernel_on(memories[0], "float2", "float2", "    to[p] = real_part(from[p]);\n");
  const Points in = random_points(count, 67);
  const Points out = unpack(Storage::f32, run_on(source, pack(Storage::f32, in), 8 * count));
  for (unsigned i = 0; i < count; ++i) ASSERT_EQ(out[i], std::complex<float>(in[i].real()));
}

}  // namespace
}  // namespace sonoma::test
