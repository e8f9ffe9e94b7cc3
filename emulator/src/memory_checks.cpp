// What BlockRunner does with accesses to memory.
#include <cstring>

#include "block_runner.hpp"

namespace sonoma::emulator {
namespace {

bool contains(const void* begin, std::size_t size, const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  return wanted >= first && bytes <= size && wanted - first <= size - bytes;
}

std::string offset_in(const char* buffer, const void* begin, const void* address) {
  const auto distance =
      reinterpret_cast<std::intptr_t>(address) - reinterpret_cast<std::intptr_t>(begin);
  return std::string(buffer) + (distance < 0 ? " - " : " + ") +
         std::to_string(distance < 0 ? -distance : distance);
}

std::string bytes_text(unsigned bytes) { return std::to_string(bytes) + " bytes at "; }

}  // namespace

Accessor BlockRunner::accessor() const {
  const Warp& mine = warps_[current_ / 32];
  return {.warp = current_ / 32,
          .lane = current_ % 32,
          .block_epoch = blocks_[block_in_cluster()].epoch,
          .warp_epoch = mine.epoch,
          .collectives = mine.collectives,
          .block = block_,
          .in_cluster = block_in_cluster(),
          .cluster_epoch = cluster_epoch_};
}

bool BlockRunner::in_shared(const void* address, std::size_t bytes) const {
  return contains(shared_memory(), launch_.shape.shared_bytes, address, bytes);
}

bool BlockRunner::in_tables(const void* address, unsigned bytes) const {
  return contains(launch_.tables.data(), launch_.tables.size_bytes(), address, bytes);
}

// Without the gaps between blocks.
std::size_t BlockRunner::shared_offset(const void* address) const {
  const auto distance = static_cast<std::size_t>(static_cast<const std::byte*>(address) - shared_);
  const std::size_t block = shared_size_ == 0 ? 0 : distance / (2 * shared_size_);
  return distance - block * shared_size_;
}

std::byte* BlockRunner::cluster_address(const void* shared, unsigned block) const {
  if (block >= launch_.shape.cluster) {
    fail("asks for block " + std::to_string(block) + " of a cluster of " +
         std::to_string(launch_.shape.cluster));
  }
  return shared_of(block) + (static_cast<const std::byte*>(shared) - shared_memory());
}

bool BlockRunner::in_cluster_shared(const void* address, std::size_t bytes) const {
  for (unsigned b = 0; b < launch_.shape.cluster; ++b) {
    if (contains(shared_of(b), launch_.shape.shared_bytes, address, bytes)) return true;
  }
  return false;
}

void BlockRunner::check_aligned(const void* address, unsigned bytes, const char* what) const {
  if (reinterpret_cast<std::uintptr_t>(address) % bytes == 0) return;
  fail(std::string(what) + " " + bytes_text(bytes) + "an address that is not a multiple of " +
       std::to_string(bytes));
}

// What x86-64 and AArch64 keep at the frame pointer of a function that has one. The host compiler
// may or may not have put a function of the kernel into another: the path of a call tells apart
// what the text does, so that counts do not depend on that.
std::uint64_t BlockRunner::path_of(const void* hook_frame) const {
  struct FrameRecord {
    const FrameRecord* caller;
    const void* return_address;
  };
  if (!launch_.options.count_wavefronts) return 0;
  std::uint64_t path = 0;
  for (auto frame = static_cast<const FrameRecord*>(hook_frame); frame != kernel_callers_[current_];
       frame = frame->caller) {
    path = (path ^ reinterpret_cast<std::uintptr_t>(frame->return_address)) * 0x9e3779b97f4a7c15u;
  }
  return path;
}

// A block's memory is there from when it begins until it ends.
void BlockRunner::check_other_block(const void* address, const std::string& what) {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - shared_);
  Block& other = blocks_[offset / (2 * shared_size_)];
  if (cluster_epoch_ == began_at_) {
    fail(what +
         "another block of the cluster, which may not have begun: no cluster_barrier so far");
  }
  if (other.ended) {
    fail(what + "another block of the cluster, which has ended: no cluster_barrier before that");
  }
  other.reached_at = cluster_epoch_;
}

void BlockRunner::access_shared(const void* address, unsigned bytes, SharedOperation operation,
                                std::uint64_t path) {
  const EmulationOptions& options = launch_.options;
  const bool of_cluster =
      operation == SharedOperation::load_cluster || operation == SharedOperation::store_cluster;
  if (options.check_bounds) {
    const char* what = is_load(operation) ? "reads" : "writes";
    const bool inside = of_cluster ? in_cluster_shared(address, bytes) : in_shared(address, bytes);
    if (!inside) {
      fail(std::string(what) + " " + bytes_text(bytes) +
           offset_in("shared memory", shared_memory(), address) + ", outside its " +
           std::to_string(launch_.shape.shared_bytes) + " bytes");
    }
    check_aligned(address, bytes, what);
    if (!in_shared(address, bytes)) check_other_block(address, what + (" " + bytes_text(bytes)));
  }
  const std::size_t offset = shared_offset(address);
  if (options.count_wavefronts) {
    warp().log.record(current_ % 32, path, operation, static_cast<std::uint32_t>(offset), bytes);
  }
  if (!races_) return;
  fail_if(is_load(operation)                   ? races_->load(offset, bytes, accessor())
          : operation == SharedOperation::copy ? races_->begin_copy(offset, bytes, accessor())
                                               : races_->store(offset, bytes, accessor()));
}

void BlockRunner::fail_if(const std::optional<std::string>& wrong) const {
  if (wrong) fail(*wrong);
}

bool BlockRunner::access_workspace(const void* address, unsigned bytes, bool store,
                                   const Accessor& by) {
  const std::span<std::byte> workspace = launch_.workspace;
  if (workspace.empty() || !contains(workspace.data(), workspace.size(), address, bytes)) {
    return false;
  }
  check_aligned(address, bytes, store ? "writes" : "reads");
  if (!workspace_races_) return true;
  const auto offset =
      static_cast<std::size_t>(static_cast<const std::byte*>(address) - workspace.data());
  fail_if(store ? workspace_races_->store(offset, bytes, by)
                : workspace_races_->load(offset, bytes, by));
  return true;
}

void BlockRunner::load_global(const void* address, unsigned bytes) {
  if (!launch_.options.check_bounds || access_workspace(address, bytes, false, accessor())) return;
  const std::span<const std::byte> spectrum = launch_.caller.spectrum;
  if (!contains(launch_.in.data(), launch_.in.size(), address, bytes) &&
      !in_tables(address, bytes) && !contains(spectrum.data(), spectrum.size(), address, bytes)) {
    fail("reads " + bytes_text(bytes) + offset_in("in", launch_.in.data(), address) +
         ", outside its " + std::to_string(launch_.in.size()) + " bytes");
  }
  check_aligned(address, bytes, "reads");
  load_from_out(address, bytes, accessor());
}

// What is asked for is not read: a store may come before or after it.
void BlockRunner::prefetch(const void* address, unsigned bytes) const {
  if (!launch_.options.check_bounds) return;
  if (!contains(launch_.in.data(), launch_.in.size(), address, bytes)) {
    fail("prefetches " + bytes_text(bytes) + offset_in("in", launch_.in.data(), address) +
         ", outside its " + std::to_string(launch_.in.size()) + " bytes");
  }
}

void BlockRunner::store_global(const void* address, unsigned bytes) {
  if (!launch_.options.check_bounds || access_workspace(address, bytes, true, accessor())) return;
  if (!contains(launch_.out.data(), launch_.out.size(), address, bytes)) {
    fail("writes " + bytes_text(bytes) + offset_in("out", launch_.out.data(), address) +
         ", outside its " + std::to_string(launch_.out.size()) + " bytes");
  }
  check_aligned(address, bytes, "writes");
  store_to_out(address, bytes, accessor());
}

// Only where in and out overlap.
void BlockRunner::load_from_out(const void* address, unsigned bytes, const Accessor& by) {
  if (!out_races_ || !contains(launch_.out.data(), launch_.out.size(), address, bytes)) return;
  const auto offset = static_cast<const std::byte*>(address) - launch_.out.data();
  fail_if(out_races_->load(static_cast<std::size_t>(offset), bytes, by));
}

void BlockRunner::store_to_out(const void* address, unsigned bytes, const Accessor& by) {
  if (!out_races_) return;
  const auto offset = static_cast<const std::byte*>(address) - launch_.out.data();
  fail_if(out_races_->store(static_cast<std::size_t>(offset), bytes, by));
}

void BlockRunner::check_counter(const unsigned* counter) const {
  const std::size_t bytes = launch_.shape.counter_bytes;
  if (bytes > launch_.workspace.size() ||
      !contains(launch_.workspace.data(), bytes, counter, sizeof *counter)) {
    fail("counts outside the " + std::to_string(bytes) + " bytes of counters of the workspace");
  }
}

unsigned BlockRunner::take_number(unsigned* next) {
  check_counter(next);
  return (*next)++;
}

void BlockRunner::add_release(unsigned* counter) {
  check_counter(counter);
  ++*counter;
  if (workspace_races_) block_order_.release(counter, accessor());
}

// Where races are looked for, as late as a GPU may be: a sum without what others have added, until
// the thread asks again and one of their releases comes in after the other. So the block has seen
// no more than what it waited for.
unsigned BlockRunner::load_acquire(const unsigned* counter) {
  check_counter(counter);
  if (counter != polled_) polled_ = counter, seen_releases_ = 0;
  return workspace_races_ ? seen_releases_ : *counter;
}

// Blocks run one after the other: what the others have not done by now they never will.
void BlockRunner::pause() {
  if (!workspace_races_ || polled_ == nullptr || seen_releases_ == *polled_) {
    fail("waits for what no block that started before it does");
  }
  block_order_.acquire(polled_, seen_releases_++, accessor());
}

void BlockRunner::load_table(const void* address) {
  if (!launch_.options.check_bounds) return;
  if (!in_tables(address, 16)) {
    fail("reads " + bytes_text(16) + offset_in("tables", launch_.tables.data(), address) +
         ", outside its " + std::to_string(launch_.tables.size_bytes()) + " bytes");
  }
  check_aligned(address, 16, "reads");
}

// The copy happens at the thread's own wait, as late as a GPU may do it, so that a missing wait
// shows.
void BlockRunner::copy_async(void* shared, const void* global, unsigned bytes, bool valid,
                             std::uint64_t path) {
  access_shared(shared, bytes, SharedOperation::copy, path);
  if (valid) load_global(global, bytes);
  const auto* const from = valid ? static_cast<const std::byte*>(global) : nullptr;
  copies_[current_].push_back({static_cast<std::byte*>(shared), from, bytes});
}

void BlockRunner::wait_for_copies() {
  for (const auto& [shared, global, bytes] : copies_[current_]) {
    if (races_) fail_if(races_->finish_copy(shared_offset(shared), bytes, accessor()));
    if (global != nullptr) {
      load_from_out(global, bytes, accessor());
      std::memcpy(shared, global, bytes);
    } else {
      std::memset(shared, 0, bytes);
    }
  }
  copies_[current_].clear();
}

}  // namespace sonoma::emulator
