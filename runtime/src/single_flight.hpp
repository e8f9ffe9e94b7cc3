// A cache in memory in which a value is made once, however many threads ask for it at once. It
// keeps a bounded number of values: those asked for most recently.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sonoma {

template <class Key, class Value>
class SingleFlight {
 public:
  using Pointer = std::shared_ptr<const Value>;

  /// `capacity`: values kept, beside those that are being made.
  explicit SingleFlight(std::size_t capacity) : capacity_(capacity) {}

  /// The value for `key`. The first to ask calls make(); the others wait for it. If make() throws,
  /// all who wait get that exception and the next to ask tries again. A value that is dropped lives
  /// on with those who hold it; the last holder destroys it.
  template <class Make>
  Pointer get(const Key& key, Make&& make) {
    std::promise<Pointer> promise;
    Future future;
    std::vector<Future> dropped;  // destroyed without the lock: a destructor may take its time
    {
      const std::lock_guard lock(mutex_);
      const auto [entry, is_new] = entries_.try_emplace(key);
      entry->second.last_use = ++uses_;
      if (is_new) {
        entry->second.future = promise.get_future().share();
        drop_oldest(dropped);
      } else {
        future = entry->second.future;
      }
    }
    return future.valid() ? future.get() : fulfil(promise, key, make);
  }

  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  using Future = std::shared_future<Pointer>;

  struct Entry {
    Future future;
    std::uint64_t last_use = 0;
  };

  // What is being made stays: dropping it would let it be made twice.
  void drop_oldest(std::vector<Future>& dropped) {
    while (entries_.size() > capacity_) {
      auto oldest = entries_.end();
      for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        const bool made =
            at->second.future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        if (made && (oldest == entries_.end() || at->second.last_use < oldest->second.last_use)) {
          oldest = at;
        }
      }
      if (oldest == entries_.end()) return;
      dropped.push_back(std::move(oldest->second.future));
      entries_.erase(oldest);
    }
  }

  template <class Make>
  Pointer fulfil(std::promise<Pointer>& promise, const Key& key, Make& make) {
    try {
      Pointer value = make();
      promise.set_value(value);
      return value;
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        entries_.erase(key);
      }
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace sonoma
