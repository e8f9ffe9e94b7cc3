// MPFR, opened at run time as FFTW is: only who asks for it needs it. Its header says the types.
#pragma once

#include <mpfr.h>

#include <string>
#include <vector>

namespace sonoma::verification {

/// The functions that are called: MPFR's manual, "MPFR Interface". Version 4.2 or later.
struct Mpfr {
  decltype(&mpfr_init2) init2 = nullptr;
  decltype(&mpfr_clear) clear = nullptr;
  decltype(&mpfr_swap) swap = nullptr;
  decltype(&mpfr_set_ld) set_ld = nullptr;
  decltype(&mpfr_get_ld) get_ld = nullptr;
  decltype(&mpfr_add) add = nullptr;
  decltype(&mpfr_sub) sub = nullptr;
  decltype(&mpfr_mul) mul = nullptr;
  decltype(&mpfr_cosu) cosu = nullptr;  // cos(2 pi x / u)
  decltype(&mpfr_sinu) sinu = nullptr;
};

[[nodiscard]] Mpfr open_mpfr(const std::vector<std::string>& names);

/// That of this process, opened at the first use.
[[nodiscard]] const Mpfr& mpfr();

/// A number of 256 bits.
class Number {
 public:
  Number() { mpfr().init2(value_, 256), mpfr().set_ld(value_, 0, MPFR_RNDN); }
  explicit Number(long double value) : Number() { mpfr().set_ld(value_, value, MPFR_RNDN); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  Number(Number&& other) noexcept : Number() { mpfr().swap(value_, other.value_); }
  Number& operator=(Number&& other) noexcept {
    mpfr().swap(value_, other.value_);
    return *this;
  }
  ~Number() { mpfr().clear(value_); }

  [[nodiscard]] mpfr_ptr get() { return value_; }
  [[nodiscard]] mpfr_srcptr get() const { return value_; }
  [[nodiscard]] long double rounded() const { return mpfr().get_ld(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

}  // namespace sonoma::verification
