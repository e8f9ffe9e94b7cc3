// A cache in memory in which a value is made once, however many threads ask for it at once.
#pragma once

#include <cstddef>
#include <future>
#include <map>
#include <memory>
#include <mutex>

namespace sonoma {

template <class Key, class Value>
class SingleFlight {
 public:
  using Pointer = std::shared_ptr<const Value>;

  /// The value for `key`. The first to ask calls make(); the others wait for it. If make() throws,
  /// all who wait get that exception and the next to ask tries again.
  template <class Make>
  Pointer get(const Key& key, Make&& make) {
    std::promise<Pointer> promise;
    std::shared_future<Pointer> future;
    {
      const std::lock_guard lock(mutex_);
      const auto [entry, is_new] = entries_.try_emplace(key);
      if (!is_new)
        future = entry->second;
      else
        entry->second = promise.get_future().share();
    }
    return future.valid() ? future.get() : fulfil(promise, key, make);
  }

  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
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

  mutable std::mutex mutex_;
  std::map<Key, std::shared_future<Pointer>> entries_;
};

}  // namespace sonoma
