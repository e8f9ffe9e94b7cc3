// FFTW is opened at run time, without its header: here that header is at hand.
#include "fftw.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

namespace sonoma::verification {
namespace {

static_assert(std::is_same_v<fftw_plan, fftw_plan_s*>);
static_assert(std::is_same_v<fftw_complex, double[2]>);
static_assert(std::is_same_v<decltype(&fftw_plan_many_dft), decltype(Fftw::plan_many_dft)>);
static_assert(std::is_same_v<decltype(&fftw_destroy_plan), decltype(Fftw::destroy_plan)>);
static_assert(sizeof(fftw_r2r_kind) == sizeof(int));
static_assert(FFTW_FORWARD == Fftw::forward && FFTW_BACKWARD == Fftw::backward);
static_assert(FFTW_ESTIMATE == Fftw::estimate);
// As trigonometric_reference.cpp numbers them.
static_assert(FFTW_REDFT00 == 3 && FFTW_REDFT10 == 5 && FFTW_REDFT01 == 4 && FFTW_REDFT11 == 6);
static_assert(FFTW_RODFT00 == 7 && FFTW_RODFT10 == 9 && FFTW_RODFT01 == 8 && FFTW_RODFT11 == 10);

std::string message_of(const std::vector<std::string>& names) {
  try {
    (void)open_fftw(names);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Fftw, AMissingLibraryIsNamedWithTheWayOut) {
  const std::string message = message_of({"libnot-there.so.3", "libnot-there.so"});
  EXPECT_NE(message.find("libnot-there.so.3, libnot-there.so"), std::string::npos) << message;
  EXPECT_NE(message.find("libfftw3-double3"), std::string::npos) << message;
}

TEST(Fftw, AnotherLibraryIsNoFftw) {
  EXPECT_NE(message_of({"libc.so.6"}).find("has no fftw_plan_many_dft"), std::string::npos);
}

TEST(Fftw, TheSecondNameIsTried) {
  EXPECT_NE(open_fftw({"libnot-there.so.3", "libfftw3.so.3"}).execute, nullptr);
}

}  // namespace
}  // namespace sonoma::verification
