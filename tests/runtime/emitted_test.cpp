// What the generator made, kept in the disk cache.
#include "emitted.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "launch_key.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/resolve.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

class EmittedTest : public ::testing::Test {
 protected:
  // The first of the program.
  [[nodiscard]] Launch launch_of(std::int64_t n, const Tuning& given = {}) const {
    return make_program({.lengths = {n}}, target_, given).launches.front();
  }
  [[nodiscard]] DiskCache open() const { return {config_with_cache(folder_.path()), log_}; }
  // The only file of the cache.
  [[nodiscard]] std::filesystem::path file() const {
    return folder_.path() / open().folder().files().at(0).name;
  }

  const Target target_ = target_for("sm_90");
  TemporaryFolder folder_;
  Log log_{LogLevel::off};
};

TEST_F(EmittedTest, IsWhatTheGeneratorMakes) {
  Tuning fused;
  fused.pass_lengths = {512, 512};
  fused.fused = true;
  for (const Launch& launch : {launch_of(64), launch_of(1009), launch_of(262144, fused)}) {
    const LaunchKernel made = generate(launch, target_);
    const Emitted first = find_or_emit(open(), launch, target_);
    EXPECT_EQ(first.source, made.source);
    EXPECT_GT(first.error.bound, 0);
    EXPECT_EQ(find_or_emit(open(), launch, target_), first);
  }
  EXPECT_EQ(open().folder().files().size(), 3U);
}

TEST_F(EmittedTest, BytesComeBack) {
  Emitted emitted;
  emitted.source = {"name", "text\n", {1, 2, 3, 4, 5, 6, 7, 8, true, 9, 67}, {8, 9, 10, 1u << 31}};
  emitted.error = {0.1, 0.01, -0.001};
  EXPECT_EQ(decode_emitted(encode(emitted)), emitted);
  EXPECT_EQ(decode_emitted(encode(Emitted{})), Emitted{});
}

TEST_F(EmittedTest, OtherBytesAreRejected) {
  const std::string bytes = encode(find_or_emit(open(), launch_of(8), target_));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_emitted(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_emitted(bytes + "x"));
  EXPECT_FALSE(decode_emitted("1\n2\n3\n4\n5\n6\n7\n8\n9\n-1\n1\n0\n"));
}

TEST_F(EmittedTest, DamagedEntryIsMadeAnew) {
  const Emitted sound = find_or_emit(open(), launch_of(64), target_);
  std::string bytes = read_file(file());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(file(), std::ios::binary) << bytes;
  EXPECT_EQ(find_or_emit(open(), launch_of(64), target_), sound);
}

// A sound entry of the cache whose bytes are none of ours.
TEST_F(EmittedTest, ForeignBytesAreMadeAnew) {
  const Launch launch = launch_of(64);
  open().store(emitted_inputs(launch, target_), {"no numbers", {}});
  EXPECT_EQ(find_or_emit(open(), launch, target_).source, generate(launch, target_).source);
}

TEST_F(EmittedTest, AnotherBuildFindsNothing) {
  const Launch launch = launch_of(64);
  CompileInputs other = emitted_inputs(launch, target_);
  EXPECT_EQ(other.compiler.size(), std::string("generator ").size() + 64);
  other.compiler.back() = other.compiler.back() == '0' ? '1' : '0';
  open().store(other, {encode(Emitted{}), {}});
  EXPECT_EQ(find_or_emit(open(), launch, target_).source, generate(launch, target_).source);
}

TEST_F(EmittedTest, EveryDifferenceIsInTheKey) {
  const Launch launch = launch_of(64);
  const std::string key = launch_key(launch, target_);
  Launch scaled = launch, inner = launch, coded = launch, fused = launch, last = launch;
  scaled.pass.problem.scale = std::nextafter(1.0, 2.0);
  inner.shape.shares.rounds = 2;
  coded.pass.problem.ends.load_code = "x";
  fused.fusion = Fusion{launch.pass, launch.shape};
  last.to = Buffer::workspace;
  for (const Launch& other : {scaled, inner, coded, fused, last}) {
    EXPECT_NE(launch_key(other, target_), key);
  }
  Target smaller = target_;
  --smaller.registers;
  EXPECT_NE(launch_key(launch, smaller), key);
}

}  // namespace
}  // namespace sonoma::testing
