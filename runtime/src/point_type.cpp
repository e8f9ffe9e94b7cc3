#include "sonoma/point_type.hpp"

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// The C++ types that are this.
const char* names_of(const PointType& type) {
  const bool real = type.values == Values::real;
  switch (type.storage) {
    case Storage::f32:
      return real ? "float" : "std::complex<float>, float2";
    case Storage::f16:
      return real ? "__half" : "__half2";
    case Storage::bf16:
      return real ? "__nv_bfloat16" : "__nv_bfloat162";
    case Storage::i16:
      return real ? "std::int16_t" : "short2";
    case Storage::c12e8:
      break;
  }
  throw InternalError("point_type: no type is stored as " + to_string(type.storage));
}

}  // namespace

PointType point_type_of(const FftProblem& problem, bool input) {
  const bool real = is_real(problem.values(input));
  return {input ? problem.storage : problem.result_storage(),
          real ? Values::real : Values::complex};
}

std::string to_string(const PointType& type) {
  return std::string(type.values == Values::real ? "real numbers" : "complex points") + " of " +
         to_string(type.storage) + " (" + names_of(type) + ")";
}

}  // namespace sonoma
