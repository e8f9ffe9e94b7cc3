// The reader of cubins against the report of ptxas on the same kernel.
#include "cubin_resources.hpp"

#include <gtest/gtest.h>

#include "nvrtc.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

// Far more live values than registers, some static shared memory, and a second kernel beside it.
constexpr const char* spilling_source = R"(
extern "C" __global__ void other(float* out) { out[threadIdx.x] = 1.0f; }
extern "C" __global__ void __launch_bounds__(1024) spilling(const float2* in, float2* out,
                                                            const uint4*, unsigned long long) {
  __shared__ float shared[33];
  float2 a[40];
#pragma unroll
  for (int i = 0; i < 40; i++) a[i] = in[threadIdx.x + i * 1024];
  shared[threadIdx.x % 33] = a[0].x;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 40; i++) {
#pragma unroll
    for (int j = 0; j < 40; j++) a[i].x += a[j].y * a[(j + 3) % 40].x;
  }
#pragma unroll
  for (int i = 0; i < 40; i++) out[threadIdx.x + i * 1024] = a[i];
  out[0].y = shared[out[1].x > 0.0f];
})";

struct PtxasReport {
  int registers = 0, stack = 0, spill_stores = 0, shared = 0;
};

int number_before(const std::string& text, const std::string& words) {
  const std::size_t end = text.find(words);
  if (end == std::string::npos) return 0;
  const std::size_t start = text.find_last_not_of("0123456789", end - 1) + 1;
  return std::stoi(text.substr(start, end - start));
}

// The lines about one kernel.
PtxasReport report_of(const std::string& log, const std::string& kernel) {
  const std::size_t start = log.find("Compiling entry function '" + kernel);
  if (start == std::string::npos) throw std::runtime_error("no report of " + kernel + ":\n" + log);
  const std::size_t end = log.find("Compiling entry function", start + 1);
  const std::string text = log.substr(start, end - start);
  return {number_before(text, " registers"), number_before(text, " bytes stack frame"),
          number_before(text, " bytes spill stores"), number_before(text, " bytes smem")};
}

Binary compile_with_report(const char* arch) {
  const NvrtcCompiler compiler{Config{}};
  CompileInputs inputs =
      compiler.inputs_for({"spilling", spilling_source, {}, {}}, target_for(arch));
  inputs.options.emplace_back("--ptxas-options=-v");
  return compiler.compile(inputs);
}

class CubinResourcesOf : public ::testing::TestWithParam<const char*> {};

TEST_P(CubinResourcesOf, AgreeWithPtxas) {
  const Binary binary = compile_with_report(GetParam());
  for (const char* kernel : {"spilling", "other"}) {
    SCOPED_TRACE(kernel);
    const PtxasReport report = report_of(binary.log, kernel);
    const auto resources = cubin_resources(binary.bytes, kernel);
    ASSERT_TRUE(resources);
    EXPECT_GT(resources->registers, 0);
    EXPECT_EQ(resources->registers, report.registers);
    EXPECT_EQ(resources->local_bytes, report.stack);
    EXPECT_EQ(resources->static_shared_bytes, report.shared);
    EXPECT_GT(resources->code_bytes, 0);
    EXPECT_EQ(resources->code_bytes % 16, 0) << "an instruction has 16";
  }
  EXPECT_GT(report_of(binary.log, "spilling").spill_stores, 0);
  EXPECT_GT(cubin_resources(binary.bytes, "spilling")->local_bytes, 0);
  EXPECT_EQ(cubin_resources(binary.bytes, "spilling")->static_shared_bytes, 33 * 4);
  EXPECT_EQ(cubin_resources(binary.bytes, "other")->local_bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(Archs, CubinResourcesOf,
                         ::testing::Values("sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90",
                                           "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"));

TEST(CubinResources, UnknownKernelAndNoCubin) {
  const Binary binary = compile_with_report("sm_90");
  EXPECT_FALSE(cubin_resources(binary.bytes, "spillin"));
  EXPECT_FALSE(cubin_resources(binary.bytes, ""));
  EXPECT_FALSE(cubin_resources("", "spilling"));
  EXPECT_FALSE(
      cubin_resources("not an ELF file, but longer than its header would be ......... "
                      "............................................................",
                      "spilling"));
}

// Nothing is read beyond the end (AddressSanitizer watches).
TEST(CubinResources, TruncatedCubins) {
  const std::string whole = compile_with_report("sm_90").bytes;
  for (std::size_t size = 0; size < whole.size(); size += size < 200 ? 1 : 97) {
    const std::string part(whole.data(), size);
    (void)cubin_resources(part, "spilling");
  }
  EXPECT_FALSE(cubin_resources(std::string_view(whole).substr(0, 100), "spilling"));
}

}  // namespace
}  // namespace sonoma::testing
