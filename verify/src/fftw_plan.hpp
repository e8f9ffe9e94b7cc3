// FFTW's plans, made and destroyed one at a time.
#pragma once

#include <fftw3.h>

#include <memory>
#include <mutex>
#include <type_traits>

namespace sonoma::verification {

/// FFTW's planner is not thread safe; executing is.
[[nodiscard]] inline std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

struct DestroyPlan {
  void operator()(fftw_plan plan) const {
    const std::lock_guard lock(planner_mutex());
    fftw_destroy_plan(plan);
  }
};
using FftwPlan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, DestroyPlan>;

}  // namespace sonoma::verification
