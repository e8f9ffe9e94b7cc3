// FFTW 3 in double precision, opened at run time: it is under the GPL, and nothing that is shipped
// links it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

struct fftw_plan_s;  // what FFTW's fftw_plan points to

namespace sonoma::verification {

/// The functions that are called, as fftw3.h declares them (FFTW's manual, "FFTW Reference"). A
/// complex is double[2].
struct Fftw {
  fftw_plan_s* (*plan_many_dft)(int rank, const int* n, int howmany, double (*in)[2],
                                const int* inembed, int istride, int idist, double (*out)[2],
                                const int* onembed, int ostride, int odist, int sign,
                                unsigned flags) = nullptr;
  fftw_plan_s* (*plan_many_r2r)(int rank, const int* n, int howmany, double* in, const int* inembed,
                                int istride, int idist, double* out, const int* onembed,
                                int ostride, int odist, const int* kind, unsigned flags) = nullptr;
  void (*execute)(fftw_plan_s* plan) = nullptr;
  void (*destroy_plan)(fftw_plan_s* plan) = nullptr;

  static constexpr int forward = -1, backward = 1;  // FFTW_FORWARD, FFTW_BACKWARD
  static constexpr unsigned estimate = 1u << 6;     // FFTW_ESTIMATE
};

/// The first of these libraries that can be opened; it stays open. Throws std::runtime_error, which
/// says what to install.
[[nodiscard]] Fftw open_fftw(const std::vector<std::string>& names);

/// That of this process, opened at the first use.
[[nodiscard]] const Fftw& fftw();

/// FFTW's planner is not thread safe; executing is.
[[nodiscard]] std::mutex& planner_mutex();

struct DestroyPlan {
  void operator()(fftw_plan_s* plan) const;
};
using FftwPlan = std::unique_ptr<fftw_plan_s, DestroyPlan>;

}  // namespace sonoma::verification
