// Points of every storage on their way to and from registers, and where the batch ends.
#include "sonoma/storage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

using Bytes = std::vector<std::byte>;
constexpr unsigned block_points = 256;

/// How the templates name a storage.
struct Memory {
  Storage storage;
  const char *file, *point;
};
const Memory f32{Storage::f32, "storage_32.cuh", "float2"};
const Memory f16{Storage::f16, "storage_16.cuh", "HalfPoint"};
const Memory bf16{Storage::bf16, "storage_16.cuh", "BfloatPoint"};

// `body` sees the block's points of that storage in `from` and `to`, and registers x.
CudaSource kernel_on(const Memory& memory, const std::string& body) {
  const std::string point = memory.point;
  return kernel(primitives({}, memory.file),
                "  const unsigned tile = 256 * block_index();\n  const " + point +
                    "* from = reinterpret_cast<const " + point + "*>(in) + tile;\n  " + point +
                    "* to = reinterpret_cast<" + point + "*>(out) + tile;\n  float2 x[8];\n" +
                    body);
}

// Two neighbours at a time, or one; `access`: see global.cuh, p being the point.
std::string load(bool pairs, const std::string& access) {
  return pairs ? "  for (unsigned r = 0; r < 8; r += 2) {\n    const unsigned p = 2 * thread + 32 "
                 "* r;\n"
                 "    load_pair(from + p, x[r], x[r + 1], " +
                     access + ");\n  }\n"
               : "  for (unsigned r = 0; r < 8; ++r) {\n    const unsigned p = thread + 32 * r;\n"
                 "    x[r] = load_point(from + p, " +
                     access + ");\n  }\n";
}
std::string store(bool pairs, const std::string& access) {
  return pairs ? "  for (unsigned r = 0; r < 8; r += 2) {\n    const unsigned p = 2 * thread + 32 "
                 "* r;\n"
                 "    store_pair(to + p, x[r], x[r + 1], " +
                     access + ");\n  }\n"
               : "  for (unsigned r = 0; r < 8; ++r) {\n    const unsigned p = thread + 32 * r;\n"
                 "    store_point(to + p, x[r], " +
                     access + ");\n  }\n";
}

/// `out_bytes` that the kernel leaves. Buffers are as large as the data, to the byte.
Bytes run_on(const CudaSource& source, const Bytes& in, std::size_t out_bytes, unsigned blocks) {
  Points words(in.size() / sizeof(Points::value_type));
  std::memcpy(words.data(), in.data(), in.size());
  const Points out = run(source, words, out_bytes / sizeof(Points::value_type), {}, blocks);
  const auto view = std::as_bytes(std::span(out));
  return {view.begin(), view.end()};
}

std::uint16_t part(const Bytes& bytes, std::size_t i) {
  std::uint16_t value;
  std::memcpy(&value, &bytes[2 * i], 2);
  return value;
}
bool is_nan(Storage storage, unsigned part) {
  return (part & 0x7fffu) > (storage == Storage::f16 ? 0x7c00u : 0x7f80u);
}

// Every value of 16 bits, as a real part and as an imaginary one.
Bytes every_value() {
  Bytes bytes;
  for (unsigned i = 0; i < 0x10000; ++i) {
    for (const unsigned value : {i, i * 40503u + 7}) {
      bytes.push_back(static_cast<std::byte>(value));
      bytes.push_back(static_cast<std::byte>(value >> 8));
    }
  }
  return bytes;
}

TEST(SixteenBits, EveryValueGoesRoundUnchanged) {
  const Bytes in = every_value();
  for (const Memory& memory : {f16, bf16}) {
    for (const bool pairs : {false, true}) {
      const auto source = kernel_on(memory, load(pairs, "Always{}") + store(pairs, "Always{}"));
      const Bytes out = run_on(source, in, in.size(), 0x10000 / block_points);
      for (std::size_t i = 0; i < in.size() / 2; ++i) {
        if (is_nan(memory.storage, part(in, i))) {
          ASSERT_TRUE(is_nan(memory.storage, part(out, i))) << part(in, i);
        } else {
          ASSERT_EQ(part(out, i), part(in, i)) << to_string(memory.storage);
        }
      }
    }
  }
}

TEST(SixteenBits, RegistersHoldTheNumbers) {
  const Bytes in = every_value();
  for (const Memory& memory : {f16, bf16}) {
    const auto source = kernel_on(
        memory, load(false, "Always{}") +
                    "  for (unsigned r = 0; r < 8; ++r) out[tile + thread + 32 * r] = x[r];");
    const auto numbers = unpack(memory.storage, in);
    const auto out =
        unpack(Storage::f32, run_on(source, in, 8 * numbers.size(), 0x10000 / block_points));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
      ASSERT_TRUE(same(out[i].real(), numbers[i].real())) << numbers[i];
      ASSERT_TRUE(same(out[i].imag(), numbers[i].imag())) << numbers[i];
    }
  }
}

// Every magnitude, ties, the largest and what is beyond: infinity, nothing saturates.
std::vector<std::complex<float>> numbers_to_round() {
  const float special[] = {65504.0f,  65519.996f, 65520.0f,        1e30f,
                           FLT_MAX,   INFINITY,   0x1.008p0f,      0x1.018p0f,
                           0x1.01p0f, 0x1.03p0f,  0x1p-25f,        0x1.000002p-25f,
                           0x1p-134f, 0.0f,       0x1.fefffep127f, 0x1.ffp127f};
  std::vector<std::complex<float>> numbers = random_points(block_points, 41);
  for (unsigned i = 0; i < numbers.size(); ++i) {
    numbers[i] *= std::ldexp(1.0f, static_cast<int>(i) - 128);
  }
  for (unsigned i = 0; i < std::size(special); ++i) numbers[i] = {special[i], -special[i]};
  return numbers;
}

TEST(SixteenBits, StoresRoundToNearestAndOverflowToInfinity) {
  const auto numbers = numbers_to_round();
  for (const Memory& memory : {f16, bf16}) {
    const auto source = kernel_on(
        memory, "  for (unsigned r = 0; r < 8; ++r) x[r] = in[tile + thread + 32 * r];\n" +
                    store(false, "Always{}"));
    const Bytes out = run_on(source, pack(Storage::f32, numbers), 4 * block_points, 1);
    EXPECT_EQ(out, pack(memory.storage, numbers)) << to_string(memory.storage);
  }
}

TEST(SixteenBits, ANanIsStoredAsOne) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Memory& memory : {f16, bf16}) {
    const auto source = kernel_on(
        memory, "  for (unsigned r = 0; r < 8; ++r) x[r] = in[r];\n" + store(true, "Always{}"));
    const Bytes in = pack(Storage::f32, std::vector(8, std::complex(nan, -nan)));
    const Bytes out = run_on(source, in, 4 * block_points, 1);
    for (std::size_t i = 0; i < out.size() / 2; ++i) {
      EXPECT_TRUE(is_nan(memory.storage, part(out, i)));
    }
  }
}

// Buffers end where the batch does: the emulated device sees any byte read or written behind them.
TEST(BatchEnd, NothingBehindItIsTouched) {
  constexpr unsigned count = 100;
  const Points values = random_points(count, 43);
  const std::string there = "When{p < 100}", all = "Always{}";
  for (const Memory& memory : {f32, f16, bf16}) {
    const Bytes in = pack(memory.storage, values);
    const auto through = [&](bool pairs, const std::string& loaded, const std::string& stored) {
      return run_on(kernel_on(memory, load(pairs, loaded) + store(pairs, stored)), in, in.size(),
                    1);
    };
    for (const bool pairs : {false, true}) {
      EXPECT_EQ(through(pairs, there, there), in) << memory.point;
      EXPECT_THROW(through(pairs, all, there), EmulationError) << memory.point;
      EXPECT_THROW(through(pairs, there, all), EmulationError) << memory.point;
    }
  }
}

TEST(BatchEnd, MissingPointsReadAsZero) {
  for (const Memory& memory : {f32, f16, bf16}) {
    const Bytes in = pack(memory.storage, Points(block_points, {1.0f, 2.0f}));
    for (const bool pairs : {false, true}) {
      const auto source =
          kernel_on(memory, load(pairs, "When{p < 64}") +
                                "  for (unsigned r = 0; r < 8; ++r) out[8 * thread + r] = x[r];");
      const Bytes out = run_on(source, in, 8 * block_points, 1);
      const auto zeros = std::ranges::count(unpack(Storage::f32, out), std::complex<float>());
      EXPECT_EQ(zeros, block_points - 64) << memory.point;
    }
  }
}

}  // namespace
}  // namespace sonoma::test
