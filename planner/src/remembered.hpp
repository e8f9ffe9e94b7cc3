// What a pure function once gave, for who asks again. A plan of several axes or passes asks for the
// same steps many times.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>

namespace sonoma {

/// By arguments, for all threads; of too many the oldest is forgotten.
template <class Arguments, class Value>
class Remembered {
 public:
  template <class Function>
  Value of(const Arguments& arguments, Function function) {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto found = values_.find(arguments); found != values_.end()) return found->second;
    }
    Value value = function();
    const std::scoped_lock lock(mutex_);
    const auto [at, is_new] = values_.emplace(arguments, value);
    if (is_new) {
      ages_.push_back(at);
      if (ages_.size() > most) values_.erase(ages_.front()), ages_.pop_front();
    }
    return value;
  }

 private:
  static constexpr std::size_t most = 1024;
  using Values = std::map<Arguments, Value>;
  std::mutex mutex_;
  Values values_;
  std::deque<typename Values::const_iterator> ages_;  // oldest first
};

}  // namespace sonoma
