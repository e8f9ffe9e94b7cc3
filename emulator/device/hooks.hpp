// What a compiled kernel asks of the emulator. Included by both sides: by the emulator, and as text
// at the top of every kernel it compiles; the kernel needs no symbol of the program that loads it.
#ifndef SONOMA_EMULATOR_HOOKS
#define SONOMA_EMULATOR_HOOKS

namespace sonoma_emulator {

enum class MemoryAccess : unsigned { load, store, load_cluster, store_cluster };

struct Hooks {
  unsigned (*thread_index)();
  unsigned (*block_index)();
  void (*block_barrier)();
  void (*warp_barrier)();
  unsigned (*block_in_cluster)();
  void (*cluster_barrier)();
  unsigned (*shuffle)(unsigned value, unsigned source_lane);
  unsigned (*warp_max)(unsigned value);
  void (*mma_m16n8k16)(float* d, const unsigned* a, const unsigned* b);
  unsigned char* (*dynamic_shared)();
  unsigned char* (*cluster_address)(const void* shared, unsigned block);
  // Told before the access happens; do not return if it is not allowed.
  void (*access_shared)(const void* address, unsigned bytes, MemoryAccess access);
  void (*access_global)(const void* address, unsigned bytes, MemoryAccess access);
  void (*prefetch)(const void* address, unsigned bytes);
  void (*load_table)(const void* address);
  void (*copy_async)(void* shared, const void* global, unsigned bytes, bool valid);
  void (*wait_for_copies)();
  // Counters that order blocks.
  unsigned (*take_number)(unsigned* next);
  void (*add_release)(unsigned* counter);
  unsigned (*load_acquire)(const unsigned* counter);
  void (*pause)();
};

// Changes with Hooks and with what the kernel's side expects of it.
inline constexpr unsigned hooks_version = 6;

}  // namespace sonoma_emulator

#endif  // SONOMA_EMULATOR_HOOKS
