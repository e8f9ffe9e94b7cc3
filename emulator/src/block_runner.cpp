// Scheduling: blocks, threads and collectives; barriers are in barriers.cpp.
#include "block_runner.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

namespace sonoma::emulator {
namespace {

thread_local BlockRunner* runner = nullptr;

const char* name(Collective collective) {
  switch (collective) {
    case Collective::none:
      break;
    case Collective::warp_barrier:
      return "warp_barrier";
    case Collective::shuffle:
      return "shuffle";
    case Collective::warp_max:
      return "warp_max";
    case Collective::mma:
      return "mma_m16n8k16";
  }
  return "nothing";
}

constexpr std::size_t shared_alignment = 128;

}  // namespace

// Not inlined: a fiber may go on in another host thread, where `runner` has another address.
[[gnu::noinline]] BlockRunner* current_runner() { return runner; }

BlockRunner::BlockRunner(const LaunchArguments& launch)
    : launch_(launch),
      fibers_(take_fibers(all_threads(), fiber_body)),
      warps_((all_threads() + 31) / 32),
      kernel_callers_(all_threads()),
      copies_(all_threads()),
      order_(warps_.size()),
      random_(launch.options.order_seed),
      blocks_(launch.shape.cluster) {
  shared_size_ =
      (launch.shape.shared_bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
  std::size_t space = shared_size_ * (2 * blocks_.size() - 1) + shared_alignment;
  shared_storage_.reset(new std::byte[space]);
  void* storage = shared_storage_.get();
  shared_ = static_cast<std::byte*>(std::align(shared_alignment, 1, storage, space));
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    const std::size_t lanes = std::min<std::size_t>(32, all_threads() - 32 * w);
    warps_[w].lanes = lanes == 32 ? ~0u : (1u << lanes) - 1;
  }
  std::iota(order_.begin(), order_.end(), 0u);
  if (launch.options.check_races) {
    races_.emplace("shared", shared_size_ * blocks_.size(), 2, false);
    out_races_.emplace("out", launch.out.size(), 4, true);
    out_races_->set_order(block_order_);
    workspace_races_.emplace("workspace", launch.workspace.size(), 4, false);
    workspace_races_->set_order(block_order_);
  }
  adopt_host_thread(host_);
}

BlockRunner::~BlockRunner() {
  if (error_.empty()) give_back_fibers(std::move(fibers_));
}

void BlockRunner::start_block(unsigned block) {
  block_ = block;
  finished_ = 0;
  polled_ = nullptr;
  // What nobody wrote reads as NaN, in FP32 and in FP16.
  std::memset(shared_, 0xff, shared_size_ * (2 * blocks_.size() - 1));
  if (races_) races_->reset();
  for (Warp& each : warps_) each.finished = 0;
  current_ = all_threads() - 1;  // the threads of a warp take turns: 0 is next
  for (unsigned b = 0; b < blocks_.size(); ++b) release_block(b);
  for (Block& each : blocks_) each.reached_at = 0, each.ended = false;
  began_at_ = cluster_epoch_;
  begin_round();
}

// From here until the next barriers every warp has one turn.
void BlockRunner::begin_round() {
  position_ = 0;
  std::shuffle(order_.begin(), order_.end(), random_);
}

void BlockRunner::run(unsigned block) {
  start_block(block);
  runner = this;
  switch_context(host_, next_context());
  runner = nullptr;
  if (!error_.empty()) throw EmulationError(error_);
  for (Warp& each : warps_) each.log.flush(report_);
  report_.blocks += blocks_.size();
}

void BlockRunner::fiber_body() { current_runner()->run_thread(); }

void BlockRunner::call_kernel() {
  kernel_callers_[current_] = __builtin_frame_address(0);
  const LaunchArguments& l = launch_;
  // A kernel with fewer parameters leaves the last ones alone, as the driver does.
  const auto kernel = reinterpret_cast<LongKernelFunction>(reinterpret_cast<void (*)()>(l.kernel));
  kernel(l.in.data(), l.out.data(), l.tables.data(), l.batch, l.workspace.data(),
         l.caller.first_transform, l.caller.user, l.caller.spectrum.data());
}

// After yield() the fiber belongs to a later block, perhaps of another runner: nothing follows it.
void BlockRunner::run_thread() {
  const unsigned self = current_;
  try {
    call_kernel();
    finish_thread();
    return yield();
  } catch (const std::exception& error) {
    error_ = error.what();
  } catch (...) {  // code of the caller's may throw anything
    error_ = "kernel " + launch_.name + ": an exception that is no std::exception was thrown in it";
  }
  switch_context((*fibers_)[self], host_);
}

void BlockRunner::finish_thread() {
  if (!copies_[current_].empty()) {
    fail("returns with " + std::to_string(copies_[current_].size()) +
         " asynchronous copies that it never waited for");
  }
  Block& own = blocks_[block_in_cluster()];
  own.ended = true;
  if (own.reached_at == cluster_epoch_) {
    fail(
        "returns while another block of the cluster may reach its memory: no cluster_barrier "
        "since that did");
  }
  const std::uint32_t lane = 1u << current_ % 32;
  warp().runnable &= ~lane;
  warp().finished |= lane;
  ++finished_;
}

void BlockRunner::yield() {
  Context& self = (*fibers_)[current_];
  Context& next = next_context();
  if (&next != &self) switch_context(self, next);
}

// Chooses who runs next and makes it current.
Context& BlockRunner::next_context() {
  if (finished_ == all_threads()) return host_;
  while (warps_[order_[position_]].runnable == 0) advance_warp();
  const unsigned index = order_[position_];
  const std::uint32_t runnable = warps_[index].runnable;
  const unsigned after = current_ / 32 == index ? (current_ + 1) % 32 : 0;
  const std::uint32_t rotated = std::rotr(runnable, static_cast<int>(after));
  const unsigned lane = (after + static_cast<unsigned>(std::countr_zero(rotated))) % 32;
  current_ = index * 32 + lane;
  return (*fibers_)[current_];
}

// The current warp cannot go on before the others: each warp runs from one barrier of its block to
// the next.
void BlockRunner::advance_warp() {
  const Warp& stuck = warps_[order_[position_]];
  if (stuck.gathered != 0) fail_divergence(stuck);
  if (++position_ < order_.size()) return;
  if (!release_barriers()) fail_block_barrier();
  begin_round();
}

std::string BlockRunner::describe_lanes(std::uint32_t lanes, unsigned index) const {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const int count = std::popcount(lanes);
  std::string text = "thread " + std::to_string(index * 32 + first);
  if (count > 1) text += " (and " + std::to_string(count - 1) + " more of its warp)";
  return text;
}

void BlockRunner::fail_divergence(const Warp& stuck) const {
  const auto index = static_cast<unsigned>(&stuck - warps_.data());
  const unsigned waiting = index * 32 + static_cast<unsigned>(std::countr_zero(stuck.gathered));
  const std::uint32_t missing = stuck.lanes & ~stuck.gathered;
  const std::string what = "waits at " + std::string(name(stuck.collective)) + ", to which ";
  if ((missing & stuck.finished) != 0) {
    fail(waiting,
         what + describe_lanes(missing & stuck.finished, index) + " does not come: it returned");
  }
  if (missing != 0) {
    fail(waiting,
         what + describe_lanes(missing, index) + " does not come: it waits at block_barrier");
  }
  fail(waiting, what + "all 32 lanes must come, but the block has only " +
                    std::to_string(launch_.shape.threads) + " threads");
}

void BlockRunner::fail(unsigned thread, const std::string& what) const {
  const unsigned threads = launch_.shape.threads;
  throw EmulationError("kernel " + launch_.name + ", block " +
                       std::to_string(block_ * launch_.shape.cluster + thread / threads) +
                       ", thread " + std::to_string(thread % threads) + ": " + what);
}

bool BlockRunner::gather(Collective collective) {
  Warp& mine = warp();
  const std::uint32_t lane = 1u << current_ % 32;
  if (mine.gathered != 0 && mine.collective != collective) {
    fail("comes to " + std::string(name(collective)) + " while " +
         describe_lanes(mine.gathered, current_ / 32) + " of its warp waits at " +
         name(mine.collective));
  }
  mine.collective = collective;
  mine.gathered |= lane;
  if (mine.gathered == ~0u) return true;
  mine.runnable &= ~lane;
  yield();
  return false;
}

void BlockRunner::release(Warp& all) {
  all.gathered = 0;
  ++all.collectives;
  all.runnable = ~0u;
}

void BlockRunner::warp_barrier() {
  if (!gather(Collective::warp_barrier)) return;
  ++warp().epoch;
  ++report_.warp_barriers;
  release(warp());
}

unsigned BlockRunner::shuffle(unsigned value, unsigned source_lane) {
  Warp& mine = warp();
  const unsigned lane = current_ % 32;
  mine.values[lane] = value;
  mine.sources[lane] = source_lane % 32;
  if (gather(Collective::shuffle)) {
    const auto values = mine.values;
    for (unsigned to = 0; to < 32; ++to) mine.values[to] = values[mine.sources[to]];
    release(mine);
  }
  return mine.values[lane];
}

unsigned BlockRunner::warp_max(unsigned value) {
  Warp& mine = warp();
  const unsigned lane = current_ % 32;
  mine.values[lane] = value;
  if (gather(Collective::warp_max)) {
    mine.values.fill(*std::max_element(mine.values.begin(), mine.values.end()));
    release(mine);
  }
  return mine.values[lane];
}

void BlockRunner::mma(const MmaOperands& operands) {
  Warp& mine = warp();
  mine.operands[current_ % 32] = operands;
  if (!gather(Collective::mma)) return;
  mma_m16n8k16(mine.operands);
  ++report_.mmas;
  release(mine);
}

}  // namespace sonoma::emulator
