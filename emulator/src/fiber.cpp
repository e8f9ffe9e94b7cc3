#include "fiber.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define SONOMA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SONOMA_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SONOMA_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SONOMA_TSAN 1
#endif
#endif
#ifdef SONOMA_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef SONOMA_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace sonoma::emulator {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr std::size_t page = 4096;
// Touched pages only are paid for. Instrumented frames are several times larger.
#if defined(SONOMA_ASAN) || defined(SONOMA_TSAN)
constexpr std::size_t stack_bytes = 256 * 1024;
#else
constexpr std::size_t stack_bytes = 64 * 1024;
#endif
constexpr std::size_t stride = stack_bytes + page;  // the guard page is at the low end

void before_switch([[maybe_unused]] Context& from, [[maybe_unused]] Context& to) {
#ifdef SONOMA_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_size);
#endif
#ifdef SONOMA_TSAN
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
}

// `came` is what was running before; `self`'s fake stack is null on its first entry.
void after_switch(transfer_t transfer, [[maybe_unused]] Context& self) {
  Context& came = *static_cast<Context*>(transfer.data);
  came.state = transfer.fctx;
#ifdef SONOMA_ASAN
  __sanitizer_finish_switch_fiber(self.fake_stack, &came.stack_bottom, &came.stack_size);
#endif
}

// The first switch to a fiber cannot pass both who came and who is meant.
thread_local Context* entered = nullptr;

void fiber_entry(transfer_t transfer) {
  Context& self = *entered;
  after_switch(transfer, self);
  for (;;) self.body();
}

}  // namespace

void switch_context(Context& from, Context& to) {
  entered = &to;
  before_switch(from, to);
  after_switch(jump_fcontext(to.state, &from), from);
}

void adopt_host_thread([[maybe_unused]] Context& host) {
#ifdef SONOMA_TSAN
  host.tsan_fiber = __tsan_get_current_fiber();
#endif
}

FiberSet::FiberSet(unsigned count, void (*body)()) : bytes_(count * stride), fibers_(count) {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  for (unsigned i = 0; i < count; ++i) {
    std::byte* guard = memory_ + i * stride;
    mprotect(guard, page, PROT_NONE);
    // Tops at different offsets in their pages, or all stacks would share a few sets of the cache.
    const std::size_t color = i * 7 % 32 * 128;
    Context& context = fibers_[i];
    context.stack_bottom = guard + page;
    context.stack_size = stack_bytes - color;
    context.state = make_fcontext(guard + stride - color, context.stack_size, fiber_entry);
    context.body = body;
#ifdef SONOMA_TSAN
    context.tsan_fiber = __tsan_create_fiber(0);
#endif
  }
}

FiberSet::~FiberSet() {
#ifdef SONOMA_TSAN
  for (Context& fiber : fibers_) __tsan_destroy_fiber(fiber.tsan_fiber);
#endif
#ifdef SONOMA_ASAN
  __asan_unpoison_memory_region(memory_, bytes_);
#endif
  munmap(memory_, bytes_);
}

namespace {

struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<FiberSet>> sets;
};

// Never destroyed: a launch may still run while the program's static objects go.
Pool& pool() {
  static Pool& instance = *new Pool;
  return instance;
}

constexpr std::size_t pooled_sets = 16;

}  // namespace

std::unique_ptr<FiberSet> take_fibers(unsigned count, void (*body)()) {
  Pool& from = pool();
  {
    const std::lock_guard lock(from.mutex);
    const auto fits = [&](const auto& set) { return set->size() >= count; };
    const auto found = std::find_if(from.sets.begin(), from.sets.end(), fits);
    if (found != from.sets.end()) {
      std::unique_ptr<FiberSet> set = std::move(*found);
      from.sets.erase(found);
      return set;
    }
  }
  return std::make_unique<FiberSet>(count, body);
}

void give_back_fibers(std::unique_ptr<FiberSet> fibers) {
  Pool& to = pool();
  const std::lock_guard lock(to.mutex);
  if (to.sets.size() < pooled_sets) to.sets.push_back(std::move(fibers));
}

}  // namespace sonoma::emulator
