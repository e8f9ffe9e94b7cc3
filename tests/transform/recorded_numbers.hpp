// Numbers for the text of an emulated kernel that record what is done with them, in place of float
// and double: see recorded_kernels.hpp. Comes before the text, by its path.
//
// A number has as many bytes as the one that it stands for. It is a constant, with the bits of its
// value; or a NaN whose payload is the number of a value in the record. So recorded values go
// through shared and global memory as others do.
#pragma once

namespace sonoma_recorded {

// Of the program that runs the kernel.
extern "C" {
/// The number of a value: a times fa plus b times fb. 0 is no value.
unsigned sonoma_record(unsigned a, double fa, unsigned b, double fb, bool rounded);
/// What is recorded is no linear program.
void sonoma_record_fault(const char* why);
}

constexpr unsigned exponent32 = 0x7f800000u;
constexpr unsigned long long exponent64 = 0x7ff0000000000000ull;

class Real64;

class Real {
 public:
  Real() = default;
  constexpr Real(float constant) : bits_(__builtin_bit_cast(unsigned, constant)) {}  // NOLINT
  explicit Real(int constant) : Real(static_cast<float>(constant)) {}
  explicit Real(unsigned constant) : Real(static_cast<float>(constant)) {}
  explicit inline Real(Real64 rounded);

  static Real of_bits(unsigned bits) {
    Real a;
    a.bits_ = bits;
    return a;
  }
  // The sign bit is the payload's highest.
  static Real of_value(unsigned value) {
    return of_bits(exponent32 + (value & 0x7fffffu) + ((value & 0x800000u) << 8));
  }
  unsigned bits() const { return bits_; }
  bool is_constant() const { return (bits_ & 0x7fffffffu) <= exponent32; }
  float constant() const { return __builtin_bit_cast(float, bits_); }
  unsigned value() const {
    return is_constant() ? 0 : (bits_ & 0x7fffffu) | (bits_ >> 8 & 0x800000u);
  }
  bool is_zero() const { return (bits_ & 0x7fffffffu) == 0; }

  Real operator-() const {
    if (is_constant()) return of_bits(bits_ ^ 0x80000000u);
    return of_value(sonoma_record(value(), -1, 0, 0, false));
  }

 private:
  unsigned bits_;
};

class Real64 {
 public:
  Real64() = default;
  constexpr Real64(double constant)  // NOLINT
      : bits_(__builtin_bit_cast(unsigned long long, constant)) {}
  Real64(Real a)  // NOLINT
      : bits_(a.is_constant() ? Real64(static_cast<double>(a.constant())).bits_
                              : exponent64 + a.value()) {}

  static Real64 of_value(unsigned value) {
    Real64 a;
    a.bits_ = exponent64 + value;
    return a;
  }
  bool is_constant() const { return (bits_ & ~(1ull << 63)) <= exponent64; }
  double constant() const { return __builtin_bit_cast(double, bits_); }
  unsigned value() const { return is_constant() ? 0 : static_cast<unsigned>(bits_); }
  bool is_zero() const { return (bits_ & ~(1ull << 63)) == 0; }

  Real64 operator-() const {
    if (is_constant()) return Real64(-constant());
    return of_value(sonoma_record(value(), -1, 0, 0, false));
  }

 private:
  unsigned long long bits_;
};

inline Real::Real(Real64 a)
    : Real(a.is_constant() ? Real(static_cast<float>(a.constant()))
                           : of_value(sonoma_record(a.value(), 1, 0, 0, true))) {}

inline bool is_power_of_two(double a) {
  return (__builtin_bit_cast(unsigned long long, a) & 0xfffffffffffffull) == 0;
}

/// a b + c, where a and b, or only c, are constants, or one of a and b is.
template <class Number, bool rounds>
Number multiply_add(Number a, Number b, Number c, Number of_constants) {
  if (a.is_constant() && b.is_constant() && c.is_constant()) return of_constants;
  if (!a.is_constant() && !b.is_constant()) {
    sonoma_record_fault("a product of two values");
    return c;
  }
  const Number x = a.is_constant() ? b : a;
  const double factor = a.is_constant() ? a.constant() : b.constant();
  if (x.is_constant() || factor == 0) {
    if (factor == 0 || x.is_zero()) return c;
    sonoma_record_fault("the sum of a constant and a value");
    return c;
  }
  if (c.is_constant()) {
    if (!c.is_zero()) sonoma_record_fault("the sum of a constant and a value");
    if (factor == 1) return x;
    return Number::of_value(
        sonoma_record(x.value(), factor, 0, 0, rounds && !is_power_of_two(factor)));
  }
  return Number::of_value(sonoma_record(x.value(), factor, c.value(), 1, rounds));
}

inline Real fused_multiply_add(Real a, Real b, Real c) {
  const Real of_constants = __builtin_fmaf(a.constant(), b.constant(), c.constant());
  return multiply_add<Real, true>(a, b, c, of_constants);
}
inline Real operator*(Real a, Real b) {
  return multiply_add<Real, true>(a, b, 0.0f, a.constant() * b.constant());
}
inline Real operator+(Real a, Real b) {
  if (a.is_constant() && !b.is_constant()) return b + a;
  return multiply_add<Real, true>(a, 1.0f, b, a.constant() + b.constant());
}
inline Real operator-(Real a, Real b) {
  if (b.is_constant()) return a + -b;
  if (a.is_constant()) return -b + a;
  return Real::of_value(sonoma_record(a.value(), 1, b.value(), -1, true));
}

// What FP64 rounds is nothing beside u.
inline Real64 fused_multiply_add_fp64(Real64 a, Real64 b, Real64 c) {
  const Real64 of_constants = __builtin_fma(a.constant(), b.constant(), c.constant());
  return multiply_add<Real64, false>(a, b, c, of_constants);
}
inline Real64 operator*(Real64 a, Real64 b) {
  return multiply_add<Real64, false>(a, b, 0.0, a.constant() * b.constant());
}
inline Real64 operator+(Real64 a, Real64 b) {
  if (a.is_constant() && !b.is_constant()) return b + a;
  return multiply_add<Real64, false>(a, 1.0, b, a.constant() + b.constant());
}
inline Real64 operator-(Real64 a, Real64 b) { return a + -b; }

struct alignas(8) Real2 {
  Real x, y;
};
struct alignas(16) Real4 {
  Real x, y, z, w;
};
struct alignas(16) Real64Pair {
  Real64 x, y;
};
inline Real2 make_real2(Real x, Real y) { return {x, y}; }
inline Real4 make_real4(Real x, Real y, Real z, Real w) { return {x, y, z, w}; }
inline Real64Pair make_real64_pair(Real64 x, Real64 y) { return {x, y}; }
inline unsigned bits_of(Real a) { return a.bits(); }
inline Real real_of(unsigned bits) { return Real::of_bits(bits); }
inline void copy_async(Real4* shared, const Real4* global, bool valid = true) {
  ::copy_async(reinterpret_cast<float4*>(shared), reinterpret_cast<const float4*>(global), valid);
}

}  // namespace sonoma_recorded

#define float sonoma_recorded::Real
#define float2 sonoma_recorded::Real2
#define float4 sonoma_recorded::Real4
#define double sonoma_recorded::Real64
#define double2 sonoma_recorded::Real64Pair
#define make_float2 sonoma_recorded::make_real2
#define make_float4 sonoma_recorded::make_real4
#define make_double2 sonoma_recorded::make_real64_pair
#define float_of sonoma_recorded::real_of
