// Runs one block, or one cluster of blocks, at a time: which thread runs, and what the threads do
// together.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "block_order.hpp"
#include "fiber.hpp"
#include "mma_model.hpp"
#include "race_checker.hpp"
#include "sonoma/emulator.hpp"
#include "wavefronts.hpp"

namespace sonoma::emulator {

using KernelFunction = void (*)(const void* in, void* out, const void* tables,
                                unsigned long long batch);
// Of two passes, with code of the caller's, or with a filter.
using LongKernelFunction = void (*)(const void* in, void* out, const void* tables,
                                    unsigned long long batch, void* workspace,
                                    unsigned long long first_transform, const void* user,
                                    const void* spectrum);

/// What all blocks of a launch have in common.
struct LaunchArguments {
  KernelFunction kernel = nullptr;
  std::string name;
  LaunchShape shape;
  std::span<const std::byte> in;
  std::span<std::byte> out;
  std::span<const std::uint32_t> tables;
  std::span<std::byte> workspace;
  CallerArguments caller;
  std::uint64_t batch = 0;
  EmulationOptions options;
};

/// What the lanes of a warp can only do together.
enum class Collective { none, warp_barrier, shuffle, warp_max, mma };

class BlockRunner {
 public:
  explicit BlockRunner(const LaunchArguments& launch);
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// `block`: the number of a block or, where the launch has them, of a cluster. Throws
  /// EmulationError; the runner can then only be destroyed.
  void run(unsigned block);
  [[nodiscard]] const EmulationReport& report() const { return report_; }

  // The rest is called by the hooks, on the fiber of the current thread.
  [[nodiscard]] unsigned thread() const { return current_ % launch_.shape.threads; }
  [[nodiscard]] unsigned block_in_cluster() const { return current_ / launch_.shape.threads; }
  [[nodiscard]] unsigned block() const {
    return block_ * launch_.shape.cluster + block_in_cluster();
  }
  [[nodiscard]] std::byte* shared_memory() const { return shared_of(block_in_cluster()); }
  /// What `shared`, in the own block's shared memory, is in that of another one of the cluster.
  [[nodiscard]] std::byte* cluster_address(const void* shared, unsigned block) const;

  void block_barrier();
  void cluster_barrier();
  void warp_barrier();
  unsigned shuffle(unsigned value, unsigned source_lane);
  unsigned warp_max(unsigned value);
  void mma(const MmaOperands& operands);

  /// The call path of a hook, by its frame: where in the kernel, through all functions between, it
  /// is called from. 0 where nobody asks.
  [[nodiscard]] std::uint64_t path_of(const void* hook_frame) const;
  void access_shared(const void* address, unsigned bytes, SharedOperation operation,
                     std::uint64_t path);
  void load_global(const void* address, unsigned bytes);
  void prefetch(const void* address, unsigned bytes) const;
  void store_global(const void* address, unsigned bytes);
  void load_table(const void* address);
  void copy_async(void* shared, const void* global, unsigned bytes, bool valid, std::uint64_t path);
  void wait_for_copies();

  unsigned take_number(unsigned* next);
  void add_release(unsigned* counter);
  unsigned load_acquire(const unsigned* counter);
  void pause();

  /// Throws EmulationError, which ends the launch, with "kernel, block, thread: " and `what`.
  [[noreturn]] void fail(const std::string& what) const { fail(current_, what); }
  [[noreturn]] void fail(unsigned thread, const std::string& what) const;

 private:
  struct Warp {
    std::uint32_t lanes = 0;     ///< that exist
    std::uint32_t runnable = 0;  ///< neither waiting nor finished
    std::uint32_t gathered = 0;  ///< waiting for the others at `collective`
    std::uint32_t finished = 0;
    Collective collective = Collective::none;
    std::uint32_t epoch = 0;        ///< warp barriers passed
    std::uint32_t collectives = 0;  ///< passed, warp barriers among them
    std::array<std::uint32_t, 32> values, sources;
    std::array<MmaOperands, 32> operands;
    WavefrontLog log;
  };
  struct Copy {
    std::byte* shared;
    const std::byte* global;  ///< null: zeros
    unsigned bytes;
  };

  // Of the blocks of a cluster, what their threads wait for.
  struct Block {
    unsigned at_barrier = 0;       ///< threads
    std::uint32_t epoch = 1;       ///< barriers passed
    std::uint32_t reached_at = 0;  ///< cluster_epoch_ when others last reached its memory
    bool ended = false;            ///< a thread of it has
  };

  static void fiber_body();
  void run_thread();
  [[nodiscard]] unsigned all_threads() const {
    return launch_.shape.threads * launch_.shape.cluster;
  }
  [[nodiscard]] std::byte* shared_of(unsigned block) const {
    return shared_ + 2 * std::size_t{block} * shared_size_;
  }
  void finish_thread();
  void start_block(unsigned block);
  void begin_round();
  void release_block(unsigned block);
  bool release_barriers();
  // True for the last lane to come, which does the work; then release(). Others come back from
  // here when it is done.
  bool gather(Collective collective);
  void release(Warp& warp);
  void yield();
  Context& next_context();
  void advance_warp();
  [[noreturn]] void fail_divergence(const Warp& warp) const;
  [[noreturn]] void fail_block_barrier() const;
  [[nodiscard]] std::string describe_lanes(std::uint32_t lanes, unsigned warp) const;

  Warp& warp() { return warps_[current_ / 32]; }
  [[nodiscard]] Accessor accessor() const;
  [[nodiscard]] bool in_shared(const void* address, std::size_t bytes) const;
  [[nodiscard]] bool in_cluster_shared(const void* address, std::size_t bytes) const;
  void check_other_block(const void* address, const std::string& what);
  [[nodiscard]] std::size_t shared_offset(const void* address) const;
  void check_aligned(const void* address, unsigned bytes, const char* what) const;
  void fail_if(const std::optional<std::string>& wrong) const;
  void load_from_out(const void* address, unsigned bytes, const Accessor& by);
  void store_to_out(const void* address, unsigned bytes, const Accessor& by);
  void check_counter(const unsigned* counter) const;
  // True where the address is in the workspace, after the checks of an access there.
  bool access_workspace(const void* address, unsigned bytes, bool store, const Accessor& by);
  void call_kernel();
  [[nodiscard]] bool in_tables(const void* address, unsigned bytes) const;

  const LaunchArguments& launch_;
  std::unique_ptr<FiberSet> fibers_;
  Context host_;
  std::vector<Warp> warps_;
  std::vector<const void*> kernel_callers_;  ///< frames, of each thread
  std::vector<std::vector<Copy>> copies_;    ///< of each thread, not yet waited for
  std::vector<unsigned> order_;              ///< of the warps, until all wait at barriers
  std::size_t position_ = 0;                 ///< in order_
  std::mt19937_64 random_;
  std::unique_ptr<std::byte[]> shared_storage_;
  std::byte* shared_ = nullptr;       ///< of the first block; a gap as large as it, the next ...
  std::size_t shared_size_ = 0;       ///< of a block's, rounded up
  std::optional<RaceChecker> races_;  ///< of shared memory
  std::optional<RaceChecker> out_races_;  ///< of out, which may be in as well
  std::optional<RaceChecker> workspace_races_;
  BlockOrder block_order_;
  const unsigned* polled_ = nullptr;  ///< the counter that the block reads
  unsigned seen_releases_ = 0;        ///< of those that were added to it
  std::vector<Block> blocks_;         ///< of the cluster
  std::uint32_t cluster_epoch_ = 1;   ///< barriers of all of them passed
  std::uint32_t began_at_ = 1;        ///< cluster_epoch_
  unsigned at_cluster_barrier_ = 0;   ///< threads
  unsigned current_ = 0;              ///< thread, counted through the cluster
  unsigned block_ = 0;                ///< or cluster
  unsigned finished_ = 0;
  std::string error_;
  EmulationReport report_;
};

/// The runner of the calling host thread; null outside a launch.
[[nodiscard]] BlockRunner* current_runner();

}  // namespace sonoma::emulator
