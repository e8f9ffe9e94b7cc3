#include "hook_table.hpp"

#include "block_runner.hpp"

namespace sonoma::emulator {
namespace {

using sonoma_emulator::MemoryAccess;

BlockRunner& runner() { return *current_runner(); }

void mma(float* d, const unsigned* a, const unsigned* b) {
  runner().mma({d, {a[0], a[1], a[2], a[3]}, {b[0], b[1]}});
}

void access_shared(const void* address, unsigned bytes, MemoryAccess access) {
  static constexpr SharedOperation operations[] = {SharedOperation::load, SharedOperation::store,
                                                   SharedOperation::load_cluster,
                                                   SharedOperation::store_cluster};
  const SharedOperation operation = operations[static_cast<unsigned>(access)];
  const std::uint64_t path = runner().path_of(__builtin_frame_address(0));
  runner().access_shared(address, bytes, operation, path);
}

void access_global(const void* address, unsigned bytes, MemoryAccess access) {
  if (access == MemoryAccess::load) {
    runner().load_global(address, bytes);
  } else {
    runner().store_global(address, bytes);
  }
}

void copy_async(void* shared, const void* global, unsigned bytes, bool valid) {
  const std::uint64_t path = runner().path_of(__builtin_frame_address(0));
  runner().copy_async(shared, global, bytes, valid, path);
}

unsigned char* cluster_address(const void* shared, unsigned block) {
  return reinterpret_cast<unsigned char*>(runner().cluster_address(shared, block));
}

unsigned char* dynamic_shared() {
  return reinterpret_cast<unsigned char*>(runner().shared_memory());
}

constexpr sonoma_emulator::Hooks table = {
    .thread_index = [] { return runner().thread(); },
    .block_index = [] { return runner().block(); },
    .block_barrier = [] { runner().block_barrier(); },
    .warp_barrier = [] { runner().warp_barrier(); },
    .block_in_cluster = [] { return runner().block_in_cluster(); },
    .cluster_barrier = [] { runner().cluster_barrier(); },
    .shuffle = [](unsigned value, unsigned lane) { return runner().shuffle(value, lane); },
    .warp_max = [](unsigned value) { return runner().warp_max(value); },
    .mma_m16n8k16 = mma,
    .dynamic_shared = dynamic_shared,
    .cluster_address = cluster_address,
    .access_shared = access_shared,
    .access_global = access_global,
    .prefetch = [](const void* address, unsigned bytes) { runner().prefetch(address, bytes); },
    .load_table = [](const void* address) { runner().load_table(address); },
    .copy_async = copy_async,
    .wait_for_copies = [] { runner().wait_for_copies(); },
    .take_number = [](unsigned* next) { return runner().take_number(next); },
    .add_release = [](unsigned* counter) { runner().add_release(counter); },
    .load_acquire = [](const unsigned* counter) { return runner().load_acquire(counter); },
    .pause = [] { runner().pause(); },
};

}  // namespace

const sonoma_emulator::Hooks& hook_table() { return table; }

}  // namespace sonoma::emulator
