#include "fftw.hpp"

#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <stdexcept>
#include <system_error>

namespace sonoma::verification {
namespace {

using boost::dll::shared_library;

template <class Function>
void find(const shared_library& library, const char* name, Function*& function) {
  if (!library.has(name)) throw std::runtime_error(std::string("FFTW: the library has no ") + name);
  function = &library.get<Function>(name);
}

Fftw functions_of(const shared_library& library) {
  Fftw result;
  find(library, "fftw_plan_many_dft", result.plan_many_dft);
  find(library, "fftw_plan_many_r2r", result.plan_many_r2r);
  find(library, "fftw_execute", result.execute);
  find(library, "fftw_destroy_plan", result.destroy_plan);
  return result;
}

}  // namespace

Fftw open_fftw(const std::vector<std::string>& names) {
  namespace load_mode = boost::dll::load_mode;
  const auto mode = load_mode::rtld_now | load_mode::search_system_folders |
                    static_cast<load_mode::type>(RTLD_NODELETE);
  std::string tried;
  for (const std::string& name : names) {
    shared_library library;
    std::error_code error;
    library.load(name, mode, error);
    if (!error) return functions_of(library);
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
