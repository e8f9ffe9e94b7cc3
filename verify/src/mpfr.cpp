#include "mpfr.hpp"

#include "opened.hpp"

namespace sonoma::verification {

Mpfr open_mpfr(const std::vector<std::string>& names) {
  const auto library = open_library("MPFR", "libmpfr6", names);
  Mpfr result;
  take(library, "MPFR", "mpfr_init2", result.init2);
  take(library, "MPFR", "mpfr_clear", result.clear);
  take(library, "MPFR", "mpfr_swap", result.swap);
  take(library, "MPFR", "mpfr_set_ld", result.set_ld);
  take(library, "MPFR", "mpfr_get_ld", result.get_ld);
  take(library, "MPFR", "mpfr_add", result.add);
  take(library, "MPFR", "mpfr_sub", result.sub);
  take(library, "MPFR", "mpfr_mul", result.mul);
  take(library, "MPFR", "mpfr_cosu", result.cosu);
  take(library, "MPFR", "mpfr_sinu", result.sinu);
  return result;
}

const Mpfr& mpfr() {
  static const Mpfr opened = open_mpfr({"libmpfr.so.6", "libmpfr.so"});
  return opened;
}

}  // namespace sonoma::verification
