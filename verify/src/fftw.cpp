#include "fftw.hpp"

#include "opened.hpp"

namespace sonoma::verification {
namespace {

template <class Real>
constexpr bool is_double = std::is_same_v<Real, double>;

}  // namespace

template <class Real>
Fftw<Real> open_fftw(const std::vector<std::string>& names) {
  const std::string package = is_double<Real> ? "libfftw3-double3" : "libfftw3-long3";
  const auto library = open_library("FFTW", package, names);
  const std::string prefix = is_double<Real> ? "fftw_" : "fftwl_";
  Fftw<Real> result;
  take(library, "FFTW", prefix + "plan_many_dft", result.plan_many_dft);
  take(library, "FFTW", prefix + "plan_many_r2r", result.plan_many_r2r);
  take(library, "FFTW", prefix + "execute", result.execute);
  take(library, "FFTW", prefix + "destroy_plan", result.destroy_plan);
  return result;
}

template <class Real>
const Fftw<Real>& fftw() {
  static const Fftw<Real> opened =
      open_fftw<Real>(is_double<Real> ? std::vector<std::string>{"libfftw3.so.3", "libfftw3.so"}
                                      : std::vector<std::string>{"libfftw3l.so.3", "libfftw3l.so"});
  return opened;
}

std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

template <class Real>
void DestroyPlan<Real>::operator()(typename Fftw<Real>::Plan* plan) const {
  const std::lock_guard lock(planner_mutex());
  fftw<Real>().destroy_plan(plan);
}

template Fftw<double> open_fftw(const std::vector<std::string>& names);
template Fftw<long double> open_fftw(const std::vector<std::string>& names);
template const Fftw<double>& fftw();
template const Fftw<long double>& fftw();
template struct DestroyPlan<double>;
template struct DestroyPlan<long double>;

}  // namespace sonoma::verification
