// What a pure function once gave, for who asks again. A plan of several axes or passes asks for the
// same steps many times.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace sonoma {

/// By arguments, for all threads; forgotten where there are too many.
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
    if (values_.size() >= most) values_.clear();
    values_.emplace(arguments, value);
    return value;
  }

 private:
  static constexpr std::size_t most = 1024;
  std::mutex mutex_;
  std::map<Arguments, Value> values_;
};

}  // namespace sonoma
