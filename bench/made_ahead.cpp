#include "made_ahead.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sonoma::bench {

MadeAhead::MadeAhead(std::vector<SearchWork> work, std::size_t threads) {
  for (SearchWork& one : work) items_.push_back({std::move(one)});
  while (threads_.size() < std::max<std::size_t>(1, threads)) {
    threads_.emplace_back([this] { take(); });
  }
}

MadeAhead::~MadeAhead() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Kernels of an earlier search come before the candidates of a later one.
void MadeAhead::take() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    const auto at = std::ranges::find_if(
        items_, [](const Item& item) { return !item.begun || item.next < item.end; });
    if (at != items_.end()) {
      at->begun ? make(*at, lock) : find(*at, lock);
    } else if (std::ranges::all_of(items_, &Item::found)) {
      return;
    } else {
      changed_.wait(lock);
    }
  }
}

void MadeAhead::find(Item& item, std::unique_lock<std::mutex>& lock) {
  item.begun = true;
  lock.unlock();
  std::vector<Tuning> found;
  std::exception_ptr failure;
  try {
    found = item.work.find();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  item.end = found.size(), item.kernels.resize(found.size());
  item.candidates = std::move(found), item.failure = failure, item.found = true;
  changed_.notify_all();
}

void MadeAhead::make(Item& item, std::unique_lock<std::mutex>& lock) {
  const std::size_t at = item.next++;
  const Tuning tuning = item.candidates[at];
  lock.unlock();
  CompiledKernels kernels;
  std::exception_ptr failure;
  try {
    kernels = item.work.make(tuning);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  item.kernels[at] = std::move(kernels);
  ++item.made;
  if (failure) item.failure = failure, item.end = item.next;
  changed_.notify_all();
}

std::vector<CompiledKernels> MadeAhead::get(std::size_t i, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  Item& item = items_.at(i);
  const auto over = [&] { return item.over(); };
  changed_.wait(lock, [&] { return over() || item.made > 0; });
  constexpr double longest = 1e8;
  const auto limit = std::chrono::duration<double>(std::clamp(seconds, 0.0, longest));
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  if (!changed_.wait_until(lock, end, over)) {
    item.end = item.next;
    changed_.wait(lock, over);
  }
  if (item.failure) std::rethrow_exception(item.failure);
  item.kernels.resize(item.made);
  return std::move(item.kernels);
}

MadeAhead::Count MadeAhead::count() const {
  const std::lock_guard lock(mutex_);
  Count count;
  std::size_t found = 0;
  for (const Item& item : items_) {
    count.made += item.made, count.all += item.end;
    if (item.found) ++found;
  }
  if (found > 0) count.all += count.all / found * (items_.size() - found);
  return count;
}

}  // namespace sonoma::bench
