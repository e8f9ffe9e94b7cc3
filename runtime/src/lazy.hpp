// A value made when it is first asked for. If making it throws, the next to ask tries again.
#pragma once

#include <memory>
#include <mutex>

namespace sonoma {

template <class T>
class Lazy {
 public:
  template <class Make>
  std::shared_ptr<const T> get(Make&& make) {
    const std::lock_guard lock(mutex_);
    if (!value_) value_ = make();
    return value_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace sonoma
