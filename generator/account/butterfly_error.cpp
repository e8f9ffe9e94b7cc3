#include "butterfly_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "butterfly_plan.hpp"
#include "norm_bound.hpp"
#include "rounded_program.hpp"
#include "sonoma/errors.hpp"
#include "symmetric_butterfly.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

// The butterflies of templates/butterflies.cuh, compiled for numbers that record what is done with
// them. complex_product() and scaled() are those of points.cuh.
namespace traced {

struct float2 {
  Rounded x = 0.0f, y = 0.0f;
};
float2 make_float2(Rounded x, Rounded y) { return {x, y}; }
float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}
float2 scaled(float2 a, float factor) { return make_float2(a.x * factor, a.y * factor); }

#define DEVICE inline
#include "butterflies.cuh"
#include "fused_butterflies.cuh"
#undef DEVICE

}  // namespace traced

using Points = std::vector<traced::float2>;

void trace(unsigned radix, ButterflyForm form, Points& x);

template <std::size_t... i>
void trace_bits(bool fused, Points& x, std::index_sequence<i...>) {
  constexpr std::size_t radix = sizeof...(i);
  if constexpr (radix == 2) traced::dft2(x[i]...);
  if constexpr (radix == 4) traced::dft4<-1>(x[i]...);
  if constexpr (radix == 8) fused ? traced::fused_dft8<-1>(x[i]...) : traced::dft8<-1>(x[i]...);
  if constexpr (radix == 16) fused ? traced::fused_dft16<-1>(x[i]...) : traced::dft16<-1>(x[i]...);
  if constexpr (radix == 32) fused ? traced::fused_dft32<-1>(x[i]...) : traced::dft32<-1>(x[i]...);
}

float rounded(long double factor) { return static_cast<float>(factor); }

// A sum as its text, see symmetric_text.cpp: of points by the `j` of terms.
traced::float2 sum_of(const std::vector<SymmetricTerm>& terms, const Points& points,
                      const std::vector<long double>& factors, traced::float2 start = {}) {
  for (const auto& [j, root, minus] : terms) {
    const float factor = rounded(factors[root]);
    start = traced::multiply_add(points[j], minus ? -factor : factor, start);
  }
  return start;
}

// a, b and c of SplitHalf, each from 1 on, c behind b.
struct SplitPoints {
  Points a{1}, b{1};
};
SplitPoints split_points(const SplitHalf& half, unsigned radix, const Points& x) {
  const auto of = [&](unsigned number) { return x[std::min(number, radix - number)]; };
  const bool halves = half.split == Split::by_halves;
  SplitPoints points;
  for (const auto& input : half.inputs) {
    points.a.push_back(of(input[0]));
    for (std::size_t i = 1; i < input.size(); ++i) points.a.back() = points.a.back() + of(input[i]);
    points.b.push_back(halves ? of(input.back()) : of(input[0]) - of(input.back()));
  }
  if (half.split == Split::by_two) return points;
  for (const auto& input : half.inputs) {
    points.b.push_back(halves ? of(input[0]) : of(input[1]) - of(input[2]));
  }
  return points;
}

// By frequency, from 1 to half of the radix.
Points split_results(const SplitHalf& half, unsigned radix, const SplitPoints& points,
                     traced::float2 start) {
  Points sums(radix / 2 + 1);
  for (std::size_t group = 0; group < half.results.size(); ++group) {
    const auto result = [&](std::size_t i) -> traced::float2& {
      const unsigned k = half.results[group][i];
      return sums[std::min(k, radix - k)];
    };
    const auto a = sum_of(half.first[group], points.a, half.shared, start);
    if (half.split == Split::by_halves) {
      result(0) = sum_of(half.second[group], points.b, half.own, a);
      if (half.results[group].size() > 1)
        result(1) = sum_of(half.third[group], points.b, half.own, a);
      continue;
    }
    const auto b = sum_of(half.second[group], points.b, half.own);
    if (half.split == Split::by_two) {
      result(0) = a + b, result(1) = a - b;
      continue;
    }
    const auto c = sum_of(half.third[group], points.b, half.own);
    result(0) = traced::multiply_add(b, 2, a), result(1) = traced::multiply_add(c, 2, a);
    result(2) = traced::multiply_add(b + c, -2, a);
  }
  return sums;
}

// As its text, see symmetric_text.cpp.
void trace_symmetric(unsigned radix, ButterflyForm form, Points& x) {
  using traced::float2;
  const SymmetricButterfly plan = symmetric_butterfly(radix, form);
  Points s(1), d(1), even, odd;
  for (unsigned j = 1; j <= radix / 2; ++j) {
    const bool other = has_number(plan.odd.inputs, radix - j);
    s.push_back(x[j] + x[radix - j]);
    d.push_back(x[other ? radix - j : j] - x[other ? j : radix - j]);
  }
  const float2 first = x[0];
  SplitPoints of_even{s, {}};
  if (plan.even.split != Split::none) {
    of_even = split_points(plan.even, radix, s);
    even = split_results(plan.even, radix, of_even, first);
  }
  if (plan.odd.split != Split::none) {
    odd = split_results(plan.odd, radix, split_points(plan.odd, radix, d), {});
  }
  const auto last = static_cast<unsigned>(of_even.a.size()) - 1;
  const auto leaf = [&](unsigned i) { return i == 0 ? first : of_even.a[last + 1 - i]; };
  x[0] = pairwise(0, last + 1, leaf, [](float2 a, float2 b) { return a + b; });
  for (unsigned k = 1; k <= radix / 2; ++k) {
    const SymmetricResult& result = plan.results[k];
    const float2 e =
        plan.even.split != Split::none ? even[k] : sum_of(result.even, s, plan.cosines, first);
    float2 o = plan.odd.split != Split::none ? odd[k]
                                             : sum_of(result.odd, d, plan.sines,
                                                      traced::scaled(d[result.divided], plan.part));
    o = traced::turned<-1>(o);
    const float by = result.divided == 0 ? 1.0f : rounded(plan.sines[plan.divisor]);
    const bool minus = result.minus || has_number(plan.odd.results, radix - k);
    x[k] = traced::multiply_add(o, minus ? -by : by, e);
    x[radix - k] = traced::multiply_add(o, minus ? by : -by, e);
  }
}

void trace_sheared(const CompositeButterfly::Part& part, unsigned of, Points& x) {
  for (const auto& turn : part.turns) {
    const Shear shear = shear_of(turn, of);
    traced::float2& point = x[turn.point];
    point = traced::sheared<-1>(point, rounded(shear.tangent));
    for (unsigned i = 0; i < shear.quarters; ++i) point = traced::turned<-1>(point);
  }
  const SharedCosines shared = shared_cosines(part, of);
  traced::dft3_of_sheared<-1>(x[part.points[0]], x[part.points[1]], x[part.points[2]],
                              rounded(shared.factor), rounded(shared.ratio), rounded(shared.sine));
}

void trace_part(const CompositeButterfly::Part& part, unsigned radix, unsigned of,
                ButterflyForm form, Points& x) {
  if (shares_cosines(part, form)) return trace_sheared(part, of, x);
  for (const auto& [point, numerator] : part.turns) {
    const auto root = root_of_unity(numerator, of);
    x[point] = traced::rotated<-1>(x[point], root.real(), root.imag());
  }
  Points points;
  for (const unsigned i : part.points) points.push_back(x[i]);
  trace(radix, form, points);
  for (std::size_t i = 0; i < points.size(); ++i) x[part.points[i]] = points[i];
}

void trace(unsigned radix, ButterflyForm form, Points& x) {
  const bool fused = form == ButterflyForm::fused;
  switch (radix) {
    case 2:
      return trace_bits(fused, x, std::make_index_sequence<2>());
    case 4:
      return trace_bits(fused, x, std::make_index_sequence<4>());
    case 8:
      return trace_bits(fused, x, std::make_index_sequence<8>());
    case 16:
      return trace_bits(fused, x, std::make_index_sequence<16>());
    case 32:
      return trace_bits(fused, x, std::make_index_sequence<32>());
    default:
      break;
  }
  if (is_symmetric(radix, form)) return trace_symmetric(radix, form, x);
  const CompositeButterfly plan = composite_butterfly(radix, form);
  for (const auto& part : plan.first) trace_part(part, plan.first_radix, radix, form, x);
  for (const auto& part : plan.second) trace_part(part, plan.second_radix, radix, form, x);
  Points ordered;
  for (const unsigned i : plan.order) ordered.push_back(x[i]);
  x = ordered;
}

struct Trace {
  Trace(unsigned radix, Precision precision, ButterflyForm form)
      : program(2 * std::size_t{radix}, precision) {
    Points x;
    for (std::size_t i = 0; i < radix; ++i) {
      x.push_back({program.input(2 * i), program.input(2 * i + 1)});
    }
    trace(radix, form, x);
    for (const traced::float2& point : x) outputs.push_back(point.x), outputs.push_back(point.y);
  }

  RoundedProgram program;
  std::vector<Rounded> outputs;
};

// What the rounded factors make of the matrix: the same for every input.
ErrorShare of_factors(const Trace& trace, unsigned radix) {
  auto rows = trace.program.matrix(trace.outputs);
  double sum = 0, along = 0;
  for (unsigned k = 0; k < radix; ++k) {
    for (unsigned t = 0; t < radix; ++t) {
      const auto w = exact_root(-static_cast<std::int64_t>(k) * t, radix);
      const auto c = static_cast<double>(w.real()), s = static_cast<double>(w.imag());
      rows[2 * k][2 * t] -= c, rows[2 * k + 1][2 * t + 1] -= c;
      rows[2 * k][2 * t + 1] += s, rows[2 * k + 1][2 * t] -= s;
      along += (rows[2 * k][2 * t] + rows[2 * k + 1][2 * t + 1]) * c +
               (rows[2 * k + 1][2 * t] - rows[2 * k][2 * t + 1]) * s;
    }
  }
  for (const auto& row : rows) {
    for (const double value : row) sum += value * value;
  }
  const double norm = std::sqrt(radix) * u, square = 2.0 * radix * radix;
  const double bias = along / square / u;
  return {norm_bound(rows) / norm, sum / square / (u * u) - bias * bias, bias};
}

ErrorShare share_of(unsigned radix, Precision precision, ButterflyForm form) {
  const Trace trace(radix, precision, form);
  ErrorShare share = trace.program.share(trace.outputs, std::sqrt(radix));
  if (precision == Precision::fp16) share = in_fp16(share);
  share += of_factors(trace, radix);
  return share;
}

}  // namespace

ErrorShare butterfly_share(unsigned radix, Precision precision, ButterflyForm form) {
  static std::mutex mutex;
  static std::map<std::tuple<unsigned, Precision, ButterflyForm>, ErrorShare> known;
  const std::lock_guard lock(mutex);
  const auto [at, added] = known.try_emplace(std::tuple(radix, precision, form));
  if (added) at->second = share_of(radix, precision, form);
  return at->second;
}

std::vector<std::vector<std::complex<double>>> butterfly_matrix(unsigned radix,
                                                                ButterflyForm form) {
  const Trace trace(radix, Precision::fp32, form);
  const auto rows = trace.program.matrix(trace.outputs);
  std::vector<std::vector<std::complex<double>>> matrix(radix);
  for (unsigned k = 0; k < radix; ++k) {
    for (unsigned t = 0; t < radix; ++t) {
      matrix[k].emplace_back(rows[2 * k][2 * t], rows[2 * k + 1][2 * t]);
    }
  }
  return matrix;
}

}  // namespace sonoma
