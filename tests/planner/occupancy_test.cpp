// Occupancy beside NVIDIA's own calculator.
#include "sonoma/occupancy.hpp"

#include <cuda_occupancy.h>
#include <gtest/gtest.h>

namespace sonoma {
namespace {

LaunchShape launch(unsigned threads, unsigned shared_bytes) {
  LaunchShape shape;
  shape.threads = threads, shape.shared_bytes = shared_bytes;
  return shape;
}

TEST(Occupancy, NamesWhatLimitsIt) {
  const Target h100 = target_for("sm_90");
  using enum SmResource;
  // 2048 threads; 65536 registers; 228 KB; 32 blocks.
  const Occupancy by_threads = occupancy_of(launch(1024, 0), 32, 0, h100);
  EXPECT_EQ(by_threads.blocks, 2u);
  EXPECT_EQ(by_threads.limiters, (std::vector{threads, SmResource::registers}));
  const Occupancy by_registers = occupancy_of(launch(128, 1024), 128, 0, h100);
  EXPECT_EQ(by_registers.blocks, 4u);
  EXPECT_EQ(by_registers.limiters, std::vector{SmResource::registers});
  EXPECT_EQ(by_registers.warps, 16u);
  EXPECT_EQ(by_registers.share(), 0.25);
  const Occupancy by_shared = occupancy_of(launch(64, 100 * 1024), 32, 0, h100);
  EXPECT_EQ(by_shared.blocks, 2u);
  EXPECT_EQ(by_shared.limiters, std::vector{shared_memory});
  const Occupancy by_blocks = occupancy_of(launch(32, 0), 16, 0, h100);
  EXPECT_EQ(by_blocks.blocks, 32u);
  EXPECT_EQ(by_blocks.limiters, std::vector{blocks});
  EXPECT_EQ(occupancy_of(launch(64, 227 * 1024), 32, 1024, h100).blocks, 0u);
}

unsigned blocks_by_nvidia(const Target& target, unsigned threads, unsigned registers,
                          unsigned shared_bytes) {
  cudaOccDeviceProp device;
  device.computeMajor = target.arch / 10, device.computeMinor = target.arch % 10;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = target.threads_of_sm();
  device.regsPerBlock = device.regsPerMultiprocessor = target.registers;
  device.warpSize = 32, device.numSms = target.sms;
  device.reservedSharedMemPerBlock = target.arch < 80 ? 0 : 1024;
  device.sharedMemPerBlock = 48 * 1024;
  device.sharedMemPerBlockOptin = static_cast<std::size_t>(target.shared_bytes);
  device.sharedMemPerMultiprocessor =
      device.sharedMemPerBlockOptin + device.reservedSharedMemPerBlock;
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = 1024, function.numRegs = static_cast<int>(registers);
  function.sharedSizeBytes = 0, function.partitionedGCConfig = PARTITIONED_GC_OFF;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = device.sharedMemPerBlockOptin;
  const cudaOccDeviceState state;
  cudaOccResult result{};
  const auto error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &function, &state, static_cast<int>(threads), shared_bytes);
  EXPECT_EQ(error, CUDA_OCC_SUCCESS) << arch_name(target);
  return static_cast<unsigned>(result.activeBlocksPerMultiprocessor);
}

TEST(Occupancy, IsWhatNvidiasCalculatorSays) {
  for (const int arch : known_archs()) {
    const Target target = target_for(std::to_string(arch));
    const auto most = static_cast<unsigned>(target.shared_bytes);
    for (unsigned threads = 32; threads <= 1024; threads += 32) {
      for (const unsigned registers : {16u, 24u, 32u, 40u, 56u, 64u, 80u, 96u, 128u, 168u, 255u}) {
        for (const unsigned shared : {0u, 1u, 1000u, 8192u, 13352u, 33792u, most}) {
          const unsigned own = occupancy_of(launch(threads, shared), registers, 0, target).blocks;
          ASSERT_EQ(own, blocks_by_nvidia(target, threads, registers, shared))
              << arch << ' ' << threads << ' ' << registers << ' ' << shared;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sonoma
