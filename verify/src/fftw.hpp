// FFTW 3 in double precision and in long double, opened at run time: it is under the GPL, and
// nothing that is shipped links it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

struct fftw_plan_s;   // what FFTW's fftw_plan points to
struct fftwl_plan_s;  // and its fftwl_plan

namespace sonoma::verification {

/// The functions that are called, as fftw3.h declares them (FFTW's manual, "FFTW Reference"), for
/// double or long double. A complex is Real[2].
template <class Real>
struct Fftw {
  using Plan = std::conditional_t<std::is_same_v<Real, double>, fftw_plan_s, fftwl_plan_s>;

  Plan* (*plan_many_dft)(int rank, const int* n, int howmany, Real (*in)[2], const int* inembed,
                         int istride, int idist, Real (*out)[2], const int* onembed, int ostride,
                         int odist, int sign, unsigned flags) = nullptr;
  Plan* (*plan_many_r2r)(int rank, const int* n, int howmany, Real* in, const int* inembed,
                         int istride, int idist, Real* out, const int* onembed, int ostride,
                         int odist, const int* kind, unsigned flags) = nullptr;
  void (*execute)(Plan* plan) = nullptr;
  void (*destroy_plan)(Plan* plan) = nullptr;

  static constexpr int forward = -1, backward = 1;  // FFTW_FORWARD, FFTW_BACKWARD
  static constexpr unsigned estimate = 1u << 6;     // FFTW_ESTIMATE
};

/// Of the first of these libraries that can be opened; see open_library().
template <class Real>
[[nodiscard]] Fftw<Real> open_fftw(const std::vector<std::string>& names);

/// That of this process, opened at the first use.
template <class Real>
[[nodiscard]] const Fftw<Real>& fftw();

/// FFTW's planner is not thread safe; executing is.
[[nodiscard]] std::mutex& planner_mutex();

template <class Real>
struct DestroyPlan {
  void operator()(typename Fftw<Real>::Plan* plan) const;
};
template <class Real>
using FftwPlan = std::unique_ptr<typename Fftw<Real>::Plan, DestroyPlan<Real>>;

}  // namespace sonoma::verification
