// Compiling, loading and launching.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "kernel_fixture.hpp"

namespace {

using sonoma::CudaSource;
using sonoma::EmulatedKernel;
using sonoma::EmulationError;
using sonoma::EmulationOptions;
using sonoma::HostCompiler;
using sonoma::testing::compiled;
using sonoma::testing::kernel;
using sonoma::testing::ramp;
using sonoma::testing::run;

const char* const squares = R"(
  const unsigned i = block_index() * 64 + t;
  store_shared(shared + t, load_global(x + i));
  block_barrier();
  const float value = load_shared(shared + 63 - t);
  store_global(y + i, value * value + float(batch));)";

std::vector<float> expected_squares(std::size_t blocks) {
  std::vector<float> values(blocks * 64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto mirrored = static_cast<float>(i / 64 * 64 + 63 - i % 64);
    values[i] = mirrored * mirrored + static_cast<float>(blocks);
  }
  return values;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const EmulationError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Launch, AnyOrderOfBlocksAndAnyNumberOfThreads) {
  const CudaSource source = kernel(squares, 64, 256);
  for (const unsigned threads : {1u, 2u, 5u, 0u}) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const auto result =
          run(source, ramp(37 * 64), 37 * 64, {.order_seed = seed, .host_threads = threads}, 37);
      EXPECT_EQ(result.out, expected_squares(37));
      EXPECT_EQ(result.report.blocks, 37u);
      EXPECT_EQ(result.report.block_barriers, 37u);
    }
  }
}

TEST(Launch, SeedDrawsTheOrder) {
  // Every block overwrites the same word: the last one shows.
  const CudaSource source = kernel("if (t == 0) store_global(y, float(block_index()));", 1);
  const auto last = [&](std::uint64_t seed) {
    return run(source, ramp(4), 1, {.order_seed = seed, .host_threads = 1}, 100).out[0];
  };
  EXPECT_EQ(last(1), last(1));
  EXPECT_FALSE(last(1) == last(2) && last(2) == last(3) && last(3) == last(4));
}

TEST(Launch, FromManyThreadsAtOnce) {
  const CudaSource source = kernel(squares, 64, 256);
  const EmulatedKernel& loaded = compiled(source);
  const std::vector<float> in = ramp(8 * 64);
  std::vector<std::vector<float>> outs(6, std::vector<float>(in.size()));
  {
    std::vector<std::jthread> threads;
    for (auto& out : outs) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          loaded.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)), {}, 8,
                        {.host_threads = 2});
        }
      });
    }
  }
  for (const auto& out : outs) EXPECT_EQ(out, expected_squares(8));
}

TEST(Launch, EmptyBatchDoesNothing) {
  const auto result = run(kernel(squares, 64, 256), ramp(64), 64, {}, 0);
  EXPECT_EQ(result.out, std::vector<float>(64, -1.0f));
  EXPECT_EQ(result.report.blocks, 0u);
}

TEST(Launch, InPlaceAndTables) {
  CudaSource source = kernel(R"(
    const uint4 words = load_table(tables + t);
    store_global(y + t, load_global(x + t) + float(words.x + words.w));)",
                             4);
  for (unsigned i = 0; i < 16; ++i) source.tables.push_back(i);
  std::vector<float> data = ramp(4);
  compiled(source).launch(std::as_bytes(std::span(data)), std::as_writable_bytes(std::span(data)),
                          source.tables, 1);
  EXPECT_EQ(data, (std::vector<float>{3, 12, 21, 30}));
}

TEST(Launch, MisalignedPointersAreRefused) {
  const CudaSource source = kernel(squares, 64, 256);
  std::vector<float> data(128);
  const std::vector<std::uint32_t> tables(8);
  EXPECT_EQ(message_of([&] {
              compiled(source).launch(std::as_bytes(std::span(data)),
                                      std::as_writable_bytes(std::span(data)),
                                      std::span(tables).subspan(1), 1);
            }),
            "kernel kernel_under_test: 'tables' is not 16-byte aligned; pass a pointer that is a "
            "multiple of 16");
}

TEST(Launch, DeepFramesFit) {
  const CudaSource source = kernel(R"(
    float values[4096];
    for (unsigned i = 0; i < 4096; ++i) values[i] = load_global(x + (i + t) % 64);
    block_barrier();
    float sum = 0;
    for (unsigned i = 0; i < 4096; ++i) sum += values[(i * 7) % 4096];
    store_global(y + t, sum);)",
                                   64);
  EXPECT_EQ(run(source, ramp(64), 64).out, std::vector<float>(64, 64.0f * 63 * 32));
}

TEST(Compile, ErrorsCarryTheLogWithTheKernelsOwnLines) {
  CudaSource source = kernel("");
  source.text = "extern \"C\" __global__ void kernel_under_test() {\n  no_such_function();\n}\n";
  try {
    (void)HostCompiler().compile(source);
    FAIL() << "compiled";
  } catch (const EmulationError& error) {
    EXPECT_NE(std::string(error.what()).find("failed on kernel kernel_under_test"),
              std::string::npos);
    EXPECT_NE(error.log().find("kernel_under_test.cu:2"), std::string::npos) << error.log();
  }
}

TEST(Compile, BadCompilersAndFoldersAreNamed) {
  EXPECT_NE(message_of([] { HostCompiler("no-such-compiler"); }).find("'no-such-compiler'"),
            std::string::npos);
  EXPECT_NE(message_of([] { HostCompiler("false"); }).find("is it a C++ compiler?"),
            std::string::npos);
  const HostCompiler compiler("c++", "/no/such/folder");
  EXPECT_NE(message_of([&] { (void)compiler.compile(kernel("")); }).find("'/no/such/folder'"),
            std::string::npos);
}

TEST(Compile, LeavesNothingBehind) {
  const auto folder = std::filesystem::temp_directory_path() / "sonoma-emulator-test";
  std::filesystem::create_directories(folder);
  CudaSource bad = kernel("}");
  const HostCompiler compiler("c++", folder);
  (void)compiler.compile(kernel(""));
  EXPECT_NE(message_of([&] { (void)compiler.compile(bad); }), "no error");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(Compile, IdentityTellsCompilersApart) {
  const HostCompiler compiler;
  EXPECT_EQ(compiler.identity(), HostCompiler().identity());
  EXPECT_NE(compiler.identity().find("-ffp-contract=off"), std::string::npos);
  EXPECT_NE(compiler.identity().find("device text"), std::string::npos);
}

TEST(Load, DamagedObjectsAreRefused) {
  const CudaSource source = kernel(squares, 64, 256);
  std::vector<std::uint8_t> object = HostCompiler().compile(source);
  object.resize(100);
  EXPECT_NE(message_of([&] { EmulatedKernel(object, source); }).find("cannot load its object"),
            std::string::npos);
  EXPECT_NE(message_of([&] { EmulatedKernel({}, source); }), "no error");
}

TEST(Load, TheNameMustBeThere) {
  CudaSource source = kernel(squares, 64, 256);
  const std::vector<std::uint8_t> object = HostCompiler().compile(source);
  source.name = "another";
  EXPECT_EQ(message_of([&] { EmulatedKernel(object, source); }),
            "kernel another: its object has no function 'another'");
  source.name = "kernel_under_test";
  source.launch.threads = 0;
  EXPECT_NE(message_of([&] { EmulatedKernel(object, source); }).find("1 to 1024 threads"),
            std::string::npos);
}

// Descriptors are used again; the loader must not mistake one object for another.
TEST(Load, ManyKernelsOneAfterAnother) {
  for (const float value : {1.0f, 2.0f, 3.0f}) {
    const CudaSource source = kernel("store_global(y + t, " + std::to_string(value) + "f);", 4);
    const EmulatedKernel loaded(HostCompiler().compile(source), source);
    std::vector<float> out(4);
    loaded.launch({}, std::as_writable_bytes(std::span(out)), {}, 1);
    EXPECT_EQ(out, std::vector<float>(4, value));
  }
}

}  // namespace
