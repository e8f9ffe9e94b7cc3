#include "made_ahead.hpp"

#include <algorithm>
#include <utility>

namespace sonoma::bench {
namespace {

constexpr std::size_t most_of_one = 64;  // more are for those with time

}  // namespace

MadeAhead::MadeAhead(std::vector<SearchWork> work) {
  for (SearchWork& one : work) items_.push_back({std::move(one)});
  const std::size_t cores = std::max(2u, std::thread::hardware_concurrency());
  while (threads_.size() + 1 < cores) threads_.emplace_back([this] { take(); });
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
    const auto at = std::ranges::find_if(items_, [](const Item& item) {
      return !item.begun || (item.found && item.next < item.first);
    });
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
  std::vector<Candidate> found;
  std::exception_ptr failure;
  try {
    found = item.work.find();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  item.first = std::min(found.size(), most_of_one);
  item.candidates = std::move(found), item.failure = failure, item.found = true;
  changed_.notify_all();
}

void MadeAhead::make(Item& item, std::unique_lock<std::mutex>& lock) {
  const Tuning tuning = item.candidates[item.next++].tuning;
  lock.unlock();
  item.work.make(tuning);
  lock.lock();
  if (++item.made == item.first) changed_.notify_all();
}

std::vector<Candidate> MadeAhead::get(std::size_t i) {
  std::unique_lock lock(mutex_);
  Item& item = items_.at(i);
  changed_.wait(lock, [&] { return item.found && item.made == item.first; });
  if (item.failure) std::rethrow_exception(item.failure);
  return item.candidates;
}

}  // namespace sonoma::bench
