#include "fftw.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace sonoma::verification {
namespace {

template <class Function>
void find(void* library, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name.c_str()));
  if (function == nullptr) throw std::runtime_error("FFTW: the library has no " + name);
}

Fftw functions_of(void* library) {
  Fftw result;
  find(library, "fftw_plan_many_dft", result.plan_many_dft);
  find(library, "fftw_plan_many_r2r", result.plan_many_r2r);
  find(library, "fftw_execute", result.execute);
  find(library, "fftw_destroy_plan", result.destroy_plan);
  return result;
}

}  // namespace

Fftw open_fftw(const std::vector<std::string>& names) {
  std::string tried;
  for (const std::string& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return functions_of(library);
    tried += (tried.empty() ? "" : ", ") + name;
  }
  throw std::runtime_error("FFTW, against which results are verified, cannot be opened (" + tried +
                           "): install it (Debian: libfftw3-double3), or name its folder in "
                           "LD_LIBRARY_PATH");
}

const Fftw& fftw() {
  static const Fftw opened = open_fftw({"libfftw3.so.3", "libfftw3.so"});
  return opened;
}

std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

void DestroyPlan::operator()(fftw_plan_s* plan) const {
  const std::lock_guard lock(planner_mutex());
  fftw().destroy_plan(plan);
}

}  // namespace sonoma::verification
