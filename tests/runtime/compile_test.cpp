// From source to cubin with the NVRTC that is installed.
#include <gtest/gtest.h>

#include <algorithm>

#include "disk_cache.hpp"
#include "runtime.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

CudaSource small_kernel(const std::string& body = "out[threadIdx.x] = in[threadIdx.x];") {
  CudaSource source;
  source.name = "small";
  source.text =
      "extern \"C\" __global__ void small(const float2* in, float2* out, const uint4* tables,\n"
      "                                 unsigned long long batch) {\n  " +
      body + "\n}\n";
  return source;
}

class Compile : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  Config config_ = [this] {
    Config config = Config::from_environment([](const char*) { return nullptr; });
    config.cache_dir = folder_.path() / "cache";
    return config;
  }();
};

bool has_option(const CompileInputs& inputs, const std::string& prefix) {
  return std::any_of(inputs.options.begin(), inputs.options.end(),
                     [&](const std::string& option) { return option.starts_with(prefix); });
}

bool nvrtc_is_open() {
  return read_file("/proc/self/maps").find("libnvrtc.so") != std::string::npos;
}

// The first test: in the others this process opens NVRTC itself.
TEST_F(Compile, WhatIsCachedNeedsNoNvrtcOpened) {
  if (!find_nvrtc(config_)) GTEST_SKIP() << "NVRTC's file does not say its version";
  if (nvrtc_is_open()) GTEST_SKIP() << "another test has opened it; run this one alone";
  const auto opens_nvrtc = [&] {
    return wait_for(start_child([&] {
      Runtime runtime(config_);
      (void)runtime.compile(small_kernel(), target_for("sm_90"));
      return nvrtc_is_open() ? 1 : 0;
    }));
  };
  EXPECT_EQ(opens_nvrtc(), 1);  // it compiles
  EXPECT_EQ(opens_nvrtc(), 0);
}

TEST_F(Compile, LineInformationLeavesTheCodeAsItIs) {
  Runtime runtime(config_);
  const Cubin plain = runtime.compile(small_kernel(), target_for("sm_90"));
  const Cubin lined = runtime.compile(small_kernel(), target_for("sm_90"), LineInfo::yes);
  EXPECT_FALSE(lined.from_cache);  // another binary
  EXPECT_NE(lined.bytes, plain.bytes);
  EXPECT_EQ(lined.code_bytes, plain.code_bytes);
  EXPECT_EQ(lined.registers, plain.registers);
}

TEST_F(Compile, GivesACubinAndItsNeeds) {
  Runtime runtime(config_);
  const Cubin cubin = runtime.compile(small_kernel(), target_for("sm_90"));
  EXPECT_TRUE(
      cubin.bytes.starts_with("\x7f"
                              "ELF"));
  EXPECT_GT(cubin.registers, 0);
  EXPECT_EQ(cubin.local_bytes, 0);
  EXPECT_EQ(cubin.static_shared_bytes, 0);
  EXPECT_FALSE(cubin.from_cache);
  EXPECT_GT(cubin.compile_ms, 0.0);
}

TEST_F(Compile, TheSecondProcessCompilesNothing) {
  const auto compile_in_child = [&](bool expect_cached) {
    return wait_for(start_child([&] {
      Runtime runtime(config_);
      const Cubin cubin = runtime.compile(small_kernel(), target_for("sm_90"));
      return cubin.from_cache == expect_cached && !cubin.bytes.empty() ? 0 : 1;
    }));
  };
  EXPECT_EQ(compile_in_child(false), 0);
  EXPECT_EQ(compile_in_child(true), 0);
}

TEST_F(Compile, NvrtcIsWhatItsFileSays) {
  const auto found = find_nvrtc(config_);
  if (!found) GTEST_SKIP() << "NVRTC's file does not say its version";
  EXPECT_EQ(NvrtcCompiler(config_).identity(), to_string(*found));
  const NvrtcLibrary library(config_, found);
  EXPECT_EQ(to_string(library.identity()), to_string(*found));
  NvrtcIdentity other = *found;
  other.build_id += "0";
  EXPECT_THROW(NvrtcLibrary(config_, other), FftError);
  other = *found;
  ++other.minor;
  EXPECT_THROW(NvrtcLibrary(config_, other), FftError);
}

TEST_F(Compile, OtherTextOrArchIsOtherBinary) {
  Runtime runtime(config_);
  (void)runtime.compile(small_kernel(), target_for("sm_90"));
  EXPECT_FALSE(runtime.compile(small_kernel(), target_for("sm_80")).from_cache);
  EXPECT_FALSE(runtime.compile(small_kernel("out[0] = in[0];"), target_for("sm_90")).from_cache);
  EXPECT_TRUE(runtime.compile(small_kernel(), target_for("sm_90")).from_cache);
}

TEST_F(Compile, ErrorHasStageLogAndSource) {
  Runtime runtime(config_);
  const CudaSource source = small_kernel("out[0] = undeclared_name;");
  try {
    (void)runtime.compile(source, target_for("sm_90"));
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::compile);
    EXPECT_NE(error.log().find("undeclared_name"), std::string::npos) << error.log();
    EXPECT_NE(error.log().find("small.cu(3)"), std::string::npos) << error.log();
    EXPECT_EQ(read_file(error.source_path()), source.text);
    EXPECT_NE(std::string(error.what()).find(error.source_path()), std::string::npos);
  }
}

TEST_F(Compile, UnknownArchSaysWhichThereAre) {
  Runtime runtime(config_);
  Target target;
  target.arch = 53;
  try {
    (void)runtime.compile(small_kernel(), target);
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::compile);
    EXPECT_NE(std::string(error.what()).find("sm_90"), std::string::npos) << error.what();
  }
}

TEST_F(Compile, KernelOfAnotherNameIsAnError) {
  Runtime runtime(config_);
  CudaSource source = small_kernel();
  source.name = "other";
  EXPECT_THROW((void)runtime.compile(source, target_for("sm_90")), FftError);
}

TEST_F(Compile, OptionsKeepTheArithmeticAsWritten) {
  const NvrtcCompiler compiler(config_);
  const CompileInputs inputs = compiler.inputs_for(small_kernel(), target_for("sm_90"));
  EXPECT_TRUE(has_option(inputs, "--fmad=false"));
  EXPECT_TRUE(has_option(inputs, "--gpu-architecture=sm_90"));
  EXPECT_FALSE(has_option(inputs, "--include-path"));
}

}  // namespace
}  // namespace sonoma::testing
