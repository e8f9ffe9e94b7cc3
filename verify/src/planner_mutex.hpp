#pragma once

#include <mutex>

namespace sonoma::verification {

/// FFTW's planner is not thread safe; executing is.
[[nodiscard]] inline std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace sonoma::verification
