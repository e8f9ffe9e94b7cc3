// Fibers with pooled stacks, on Boost.Context's two assembly routines.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace sonoma::emulator {

/// Something that can be switched to: a fiber, or the host thread that started the first one.
struct Context {
  boost::context::detail::fcontext_t state = nullptr;
  void (*body)() = nullptr;  ///< null for a host thread
  // What the sanitizers must know of a stack to follow a switch.
  void* fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
  void* tsan_fiber = nullptr;
};

/// Suspends `from`, which must be what runs now, and resumes `to`. Returns when something switches
/// back to `from`.
void switch_context(Context& from, Context& to);

/// Makes `host` stand for the calling host thread.
void adopt_host_thread(Context& host);

/// Fibers that all run `body`, each on its own guarded stack, in a loop: when body returns it is
/// called again, so that body ends each round with a switch.
class FiberSet {
 public:
  FiberSet(unsigned count, void (*body)());
  ~FiberSet();
  FiberSet(const FiberSet&) = delete;
  FiberSet& operator=(const FiberSet&) = delete;

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(fibers_.size()); }
  [[nodiscard]] Context& operator[](unsigned index) { return fibers_[index]; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<Context> fibers_;
};

/// A set of at least `count` fibers from the process's pool. Give it back only if every fiber is
/// at the end of a round; drop it otherwise.
[[nodiscard]] std::unique_ptr<FiberSet> take_fibers(unsigned count, void (*body)());
void give_back_fibers(std::unique_ptr<FiberSet> fibers);

}  // namespace sonoma::emulator
