// FFTW is opened at run time, without its header: here that header is at hand. MPFR is, too.
#include <fftw3.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

#include "fftw.hpp"
#include "mpfr.hpp"

namespace sonoma::verification {
namespace {

static_assert(std::is_same_v<fftw_plan, fftw_plan_s*>);
static_assert(std::is_same_v<fftwl_plan, fftwl_plan_s*>);
static_assert(std::is_same_v<fftw_complex, double[2]>);
static_assert(std::is_same_v<fftwl_complex, long double[2]>);
using Double = Fftw<double>;
using Long = Fftw<long double>;
static_assert(std::is_same_v<decltype(&fftw_plan_many_dft), decltype(Double::plan_many_dft)>);
static_assert(std::is_same_v<decltype(&fftwl_plan_many_dft), decltype(Long::plan_many_dft)>);
static_assert(std::is_same_v<decltype(&fftw_destroy_plan), decltype(Double::destroy_plan)>);
static_assert(std::is_same_v<decltype(&fftwl_destroy_plan), decltype(Long::destroy_plan)>);
static_assert(sizeof(fftw_r2r_kind) == sizeof(int));
static_assert(FFTW_FORWARD == Double::forward && FFTW_BACKWARD == Double::backward);
static_assert(FFTW_ESTIMATE == Double::estimate);
// As transform_rows.cpp numbers them.
static_assert(FFTW_REDFT00 == 3 && FFTW_REDFT10 == 5 && FFTW_REDFT01 == 4 && FFTW_REDFT11 == 6);
static_assert(FFTW_RODFT00 == 7 && FFTW_RODFT10 == 9 && FFTW_RODFT01 == 8 && FFTW_RODFT11 == 10);

template <class Open>
std::string message_of(const Open& open, const std::vector<std::string>& names) {
  try {
    (void)open(names);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Opened, AMissingLibraryIsNamedWithTheWayOut) {
  const std::vector<std::string> names = {"libnot-there.so.3", "libnot-there.so"};
  const auto expect_said = [](const std::string& message, const std::string& package) {
    EXPECT_NE(message.find("libnot-there.so.3, libnot-there.so"), std::string::npos) << message;
    EXPECT_NE(message.find(package), std::string::npos) << message;
  };
  expect_said(message_of(open_fftw<double>, names), "libfftw3-double3");
  expect_said(message_of(open_fftw<long double>, names), "libfftw3-long3");
  expect_said(message_of(open_mpfr, names), "libmpfr6");
}

TEST(Opened, AnotherLibraryIsNotTaken) {
  const std::vector<std::string> names = {"libc.so.6"};
  EXPECT_NE(message_of(open_fftw<double>, names).find("has no fftw_plan_many_dft"),
            std::string::npos);
  EXPECT_NE(message_of(open_fftw<long double>, names).find("has no fftwl_plan_many_dft"),
            std::string::npos);
  EXPECT_NE(message_of(open_mpfr, names).find("has no mpfr_init2"), std::string::npos);
}

TEST(Opened, TheSecondNameIsTried) {
  EXPECT_NE(open_fftw<double>({"libnot-there.so.3", "libfftw3.so.3"}).execute, nullptr);
}

}  // namespace
}  // namespace sonoma::verification
