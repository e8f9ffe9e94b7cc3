// The emulated device: the text of a kernel compiled by the host compiler and run by fibers, one
// for each CUDA thread, with mma.sync exact to the bit. No GPU, CUDA driver or toolkit is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sonoma/cuda_source.hpp"

namespace sonoma {

/// The host compiler failed, or the kernel did something a GPU would not forgive. what() names the
/// kernel, the thread and what it did; log() is the compiler's output, if there is any.
class EmulationError : public std::runtime_error {
 public:
  explicit EmulationError(const std::string& message, std::string log = {});

  [[nodiscard]] const std::string& log() const noexcept { return log_; }

 private:
  std::string log_;
};

/// Compiles kernels for the host: any GCC or Clang that knows C++20.
class HostCompiler {
 public:
  /// `command`: one program, found through PATH or by its path, without arguments.
  /// `temporary_folder`: where a private folder is made for each compilation, and removed after it.
  /// Throws EmulationError if the program cannot be run.
  explicit HostCompiler(std::string command = "c++",
                        std::filesystem::path temporary_folder = "/tmp");

  /// The bytes of a shared object for EmulatedKernel. Throws EmulationError with the compiler's
  /// log. Safe to call from many threads.
  [[nodiscard]] std::vector<std::uint8_t> compile(const CudaSource& source) const;

  /// Everything but the source that determines the object: the compiler's version, the flags and
  /// the emulator's own device text. Use it in the key of a cache of objects.
  [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

 private:
  std::string command_;
  std::filesystem::path temporary_folder_;
  std::string identity_;
};

/// What a launch looks for, and how it runs.
struct EmulationOptions {
  /// Uses of the same bytes by two threads, one of them writing, with no barrier between: in shared
  /// memory, and in `out`, which may be `in` as well. Reads of shared memory that was never
  /// written, and uses of it with an asynchronous copy under way; in the workspace. Only
  /// block_barrier and warp_barrier order a write and what follows; a read and another lane's later
  /// write are also ordered by a shuffle, warp_max or matrix product between. Two blocks are
  /// ordered by add_release in one and load_acquire in the other, with the barriers that belong to
  /// them; two of a cluster by a
  /// cluster_barrier. Implies check_bounds and one host thread.
  bool check_races = false;
  /// Fills in the wavefronts of EmulationReport.
  bool count_wavefronts = false;
  /// Accesses outside shared memory and the buffers, and misaligned ones.
  bool check_bounds = true;
  /// Blocks, and the warps within a block, run in an order drawn from this seed.
  std::uint64_t order_seed = 0x5eed;
  /// Host threads that share the blocks; 0: one for each core, at most 32.
  unsigned host_threads = 0;
};

/// Trips to shared memory. One access of a warp takes at least one wavefront for each 128 bytes it
/// can ask for: 2- and 4-byte accesses by warp, 8-byte by half warp, 16-byte by quarter warp; more
/// where lanes want different words of one of the 32 banks.
struct WavefrontCount {
  std::uint64_t total = 0;
  std::uint64_t minimum = 0;  ///< with no bank conflict

  bool operator==(const WavefrontCount&) const = default;
};

/// What a launch did, summed over its blocks.
struct EmulationReport {
  std::uint64_t blocks = 0;
  std::uint64_t mmas = 0;                ///< m16n8k16 and m16n8k8 warp instructions
  std::uint64_t block_barriers = 0;      ///< each counted once for the whole block
  std::uint64_t warp_barriers = 0;       ///< each counted once for the whole warp
  std::uint64_t cluster_barriers = 0;    ///< each counted once for the whole cluster
  WavefrontCount loads, stores, copies;  ///< load_shared, store_shared, copy_async

  bool operator==(const EmulationReport&) const = default;
};

/// What code of the caller's is told, and the spectrum of a filter: see CudaSource.
struct CallerArguments {
  std::uint64_t first_transform = 0;
  const void* user = nullptr;  ///< reads through it are not checked
  std::span<const std::byte> spectrum = {};
};

/// A loaded kernel. Launches from many threads at once are safe.
class EmulatedKernel {
 public:
  /// `object`: what HostCompiler::compile made of `source`. Throws EmulationError if it cannot be
  /// loaded or was made for another version of the emulator.
  EmulatedKernel(const std::vector<std::uint8_t>& object, const CudaSource& source);
  ~EmulatedKernel();
  EmulatedKernel(EmulatedKernel&&) noexcept;
  EmulatedKernel& operator=(EmulatedKernel&&) noexcept;

  /// Runs LaunchShape::blocks(batch) blocks and returns when all are done. in, out and
  /// tables are 16-byte aligned; in and out may be the same. Throws EmulationError for the first
  /// error found; `out` is then unspecified.
  ///
  /// `workspace`: of a kernel that takes one, its counters already zero. The blocks of such a
  /// kernel wait for each other: they run one after the other, in one host thread.
  EmulationReport launch(std::span<const std::byte> in, std::span<std::byte> out,
                         std::span<const std::uint32_t> tables, std::uint64_t batch,
                         const EmulationOptions& options = {}, std::span<std::byte> workspace = {},
                         const CallerArguments& caller = {}) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace sonoma
