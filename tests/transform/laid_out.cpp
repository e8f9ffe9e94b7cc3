#include "laid_out.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "sonoma/device_buffer.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/trigonometric.hpp"
#include "sonoma/verify/convolution.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

constexpr Complex poison{12345.0f, -5432.0f};

bool is_real(const FftProblem& problem, bool input) { return is_real(problem.values(input)); }

// Of the memory of a side. In place both sides have the same bytes; real numbers come in pairs.
std::size_t size_of(const FftProblem& problem, bool input) {
  const auto bytes = [&](bool side) {
    const std::int64_t points = side ? problem.in_points() : problem.out_points();
    return points * problem.bytes_of_point(side);
  };
  const bool in_place = problem.placement == Placement::in_place;
  const std::int64_t own = in_place ? std::max(bytes(true), bytes(false)) : bytes(input);
  const std::int64_t pair = point_bytes(input ? problem.storage : problem.result_storage());
  const std::int64_t pairs = (own + pair - 1) / pair + 2 * guard;
  return static_cast<std::size_t>(is_real(problem, input) ? 2 * pairs : pairs);
}

std::vector<std::byte> packed(const FftProblem& problem, bool input, const Memory& memory) {
  const Storage storage = input ? problem.storage : problem.result_storage();
  if (!is_real(problem, input)) return pack(storage, memory);
  Memory pairs;
  for (std::size_t i = 0; i + 1 < memory.size(); i += 2) {
    pairs.emplace_back(memory[i].real(), memory[i + 1].real());
  }
  return pack(storage, pairs);
}

Memory unpacked(const FftProblem& problem, bool input, const std::vector<std::byte>& bytes) {
  const Memory pairs = unpack(input ? problem.storage : problem.result_storage(), bytes);
  if (!is_real(problem, input)) return pairs;
  Memory memory;
  for (const Complex& pair : pairs) memory.insert(memory.end(), {pair.real(), pair.imag()});
  return memory;
}

int sign_of(const FftProblem& problem) {
  return problem.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
}

fftw_complex* complex(double* p) { return reinterpret_cast<fftw_complex*>(p); }

void execute(fftw_plan plan) {
  ASSERT_NE(plan, nullptr);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

using Transform = std::function<void(double* in, double* out)>;

// `transform` of doubles: one for each point of a real side, else two. It may change its input.
MemoryD executed(const FftProblem& problem, const Memory& in, const Transform& transform) {
  const bool from_real = is_real(problem, true), to_real = is_real(problem, false);
  std::vector<double> from;
  for (const Complex& x : in) {
    from.push_back(x.real());
    if (!from_real) from.push_back(x.imag());
  }
  MemoryD result(size_of(problem, false));
  std::vector<double> to(result.size() * (to_real ? 1 : 2));
  transform(from.data() + 2 * guard, to.data() + 2 * guard);
  const auto scale = static_cast<double>(static_cast<float>(problem.scale));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = to_real ? ComplexD(to[i]) : ComplexD(to[2 * i], to[2 * i + 1]);
    result[i] *= scale;
  }
  return result;
}

/// As the guru interface has them.
struct Dimensions {
  std::vector<fftw_iodim64> axes = {}, loops = {};

  explicit Dimensions(const FftProblem& problem) {
    for (const Axis& axis : problem.axes()) {
      axes.push_back({axis.n, axis.in_stride, axis.out_stride});
    }
    loops.push_back({problem.batch, problem.in_dist(), problem.out_dist()});
    for (const Loop& loop : problem.layout.loops) {
      loops.push_back({loop.count, loop.in_stride, loop.out_stride});
    }
  }
  [[nodiscard]] int rank() const { return static_cast<int>(axes.size()); }
  [[nodiscard]] int loop_rank() const { return static_cast<int>(loops.size()); }
};

void c2r(const Dimensions& all, double* from, double* to) {
  execute(fftw_plan_guru64_dft_c2r(all.rank(), all.axes.data(), all.loop_rank(), all.loops.data(),
                                   complex(from), to, FFTW_ESTIMATE));
}

// Complex along all axes but the last one, in place; then real along that.
void last_axis_alone(const Dimensions& all, double* from, double* to) {
  Dimensions others = all, last = all;
  for (auto* dimensions : {&others.axes, &others.loops}) {
    for (fftw_iodim64& one : *dimensions) one.os = one.is;
  }
  others.loops.push_back(others.axes.back());
  others.loops.back().n = others.loops.back().n / 2 + 1;
  others.axes.pop_back();
  last.axes.erase(last.axes.begin(), last.axes.end() - 1);
  last.loops.insert(last.loops.end(), all.axes.begin(), all.axes.end() - 1);
  if (others.rank() > 0) {
    execute(fftw_plan_guru64_dft(others.rank(), others.axes.data(), others.loop_rank(),
                                 others.loops.data(), complex(from), complex(from), FFTW_BACKWARD,
                                 FFTW_ESTIMATE));
  }
  c2r(last, from, to);
}

// Cosine and sine transforms, the same along all axes.
void r2r(const Dimensions& all, Domain domain, double* from, double* to) {
  static constexpr fftw_r2r_kind kinds[] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                                            FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  const auto kind = static_cast<std::size_t>(domain) - static_cast<std::size_t>(Domain::dct1);
  const std::vector<fftw_r2r_kind> each(all.axes.size(), kinds[kind]);
  execute(fftw_plan_guru64_r2r(all.rank(), all.axes.data(), all.loop_rank(), all.loops.data(), from,
                               to, each.data(), FFTW_ESTIMATE));
}

}  // namespace

std::ptrdiff_t guard_of(const FftProblem& problem, bool input) {
  return is_real(problem, input) ? 2 * guard : guard;
}

namespace {

Memory gaps_poisoned(const FftProblem& problem, Memory memory) {
  const bool shared = problem.placement == Placement::in_place;
  if (shared || problem.storage == Storage::i16) return memory;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Memory poisoned(memory.size(), {nan, is_real(problem, true) ? 0 : nan});
  const std::vector<std::int64_t> points = places(problem, true);
  for (const std::int64_t start : starts_of_signals(problem)) {
    for (const std::int64_t place : points) {
      const auto at = static_cast<std::size_t>(guard_of(problem, true) + start + place);
      poisoned[at] = memory[at];
    }
  }
  return poisoned;
}

}  // namespace

Memory random_input(const FftProblem& problem, float unit) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Memory memory(size_of(problem, true));
  for (auto& x : memory) {
    x = rounded_to(problem.storage, Complex{unit * normal(random), unit * normal(random)});
    if (is_real(problem, true)) x = x.real();
  }
  return gaps_poisoned(problem, std::move(memory));
}

Memory output_before(const FftProblem& problem, const Memory& in) {
  if (problem.placement == Placement::in_place) {
    return unpacked(problem, false, packed(problem, true, in));
  }
  const Complex value = is_real(problem, false) ? poison.real() : poison;
  return Memory(size_of(problem, false), rounded_to(problem.result_storage(), value));
}

std::vector<std::int64_t> places(const FftProblem& problem, bool input) {
  std::vector<std::int64_t> all = {0};
  for (const Axis& axis : problem.axes()) {
    const std::vector<std::int64_t> before = std::move(all);
    all.clear();
    for (const std::int64_t place : before) {
      for (std::int64_t t = 0; t < axis.length(input); ++t)
        all.push_back(place + t * axis.stride(input));
    }
  }
  return all;
}

MemoryD expected_by_advanced(const FftProblem& problem, const Memory& in) {
  const DataLayout& layout = problem.layout;
  const int n = static_cast<int>(problem.n()), batch = static_cast<int>(problem.batch);
  const auto i = [](std::int64_t value) { return static_cast<int>(value); };
  return executed(problem, in, [&](double* from, double* to) {
    execute(fftw_plan_many_dft(1, &n, batch, complex(from), nullptr, i(layout.in_stride),
                               i(problem.in_dist()), complex(to), nullptr, i(layout.out_stride),
                               i(problem.out_dist()), sign_of(problem), FFTW_ESTIMATE));
  });
}

MemoryD expected_by_guru(const FftProblem& problem, const Memory& in) {
  const Dimensions all(problem);
  return executed(problem, in, [&](double* from, double* to) {
    if (problem.domain == Domain::c2r) return last_axis_alone(all, from, to);
    if (is_trigonometric(problem.domain)) return r2r(all, problem.domain, from, to);
    execute(problem.domain == Domain::r2c
                ? fftw_plan_guru64_dft_r2c(all.rank(), all.axes.data(), all.loop_rank(),
                                           all.loops.data(), from, complex(to), FFTW_ESTIMATE)
                : fftw_plan_guru64_dft(all.rank(), all.axes.data(), all.loop_rank(),
                                       all.loops.data(), complex(from), complex(to),
                                       sign_of(problem), FFTW_ESTIMATE));
  });
}

MemoryD expected_by_c2r(const FftProblem& problem, const Memory& in) {
  return executed(problem, in,
                  [&](double* from, double* to) { c2r(Dimensions(problem), from, to); });
}

namespace {

// Where each point of a transform that is neither padded nor cropped is in memory, or -1.
std::vector<std::int64_t> places_of_all(const FftProblem& problem, bool input) {
  FftProblem whole = problem;
  whole.ends = {};
  const std::vector<Axis> axes = problem.axes(), all = whole.axes();
  std::vector<std::int64_t> result = {0};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::vector<std::int64_t> before = std::move(result);
    result.clear();
    for (const std::int64_t place : before) {
      for (std::int64_t t = 0; t < all[a].length(input); ++t) {
        const bool there = place >= 0 && t < axes[a].length(input);
        result.push_back(there ? place + t * axes[a].stride(input) : -1);
      }
    }
  }
  return result;
}

// Of rows that follow each other, the points of a side from its guard on.
MemoryD of_filters(const FftProblem& problem, const FftProblem& rows, const Memory& x,
                   const std::vector<Complex>& spectra) {
  FftProblem one = rows;
  one.batch = 1, one.convolution->spectrum_dist = 0;
  const auto n = static_cast<std::size_t>(rows.n());
  const auto length = static_cast<std::size_t>(spectrum_points(one));
  MemoryD result(static_cast<std::size_t>(guard_of(rows, false)));
  auto at = x.begin() + guard_of(rows, true);
  for (const std::int64_t start : starts_of_spectra(problem)) {
    MemoryD sum(n);
    for (std::int64_t c = 0; c < problem.channels(); ++c) {
      const auto first = spectra.begin() + start + c * problem.convolution->channels.spectrum_dist;
      const auto y =
          verification::reference_convolution({at, at + static_cast<std::ptrdiff_t>(n)}, one,
                                              {first, first + static_cast<std::ptrdiff_t>(length)});
      for (std::size_t t = 0; t < n; ++t) {
        sum[t] += is_real(rows, false) ? ComplexD(y[t].real()) : y[t];
      }
      at += static_cast<std::ptrdiff_t>(n);
    }
    result.insert(result.end(), sum.begin(), sum.end());
  }
  return result;
}

// What becomes of all points, neither padded nor cropped, transform after transform behind a guard.
MemoryD whole_rows(const FftProblem& problem, const Memory& in,
                   const std::vector<Complex>& spectra) {
  const std::vector<std::int64_t> from = starts_of_signals(problem);
  const std::vector<std::int64_t> read = places_of_all(problem, true);
  FftProblem rows = problem;
  rows.layout = {}, rows.ends = {}, rows.placement = Placement::out_of_place;
  rows.batch = static_cast<std::int64_t>(from.size());
  if (rows.convolution) {
    rows.convolution->spectrum_strides.clear();
    rows.convolution->channels = {};
  }
  Memory x(size_of(rows, true));
  auto at = x.begin() + guard_of(rows, true);
  for (const std::int64_t start : from) {
    for (const std::int64_t place : read) {
      const auto where = static_cast<std::size_t>(guard_of(problem, true) + start + place);
      *at++ = place < 0 ? Complex{} : in[where];
    }
  }
  return rows.convolution ? of_filters(problem, rows, x, spectra) : expected_by_guru(rows, x);
}

}  // namespace

MemoryD expected_by_rows(const FftProblem& problem, const Memory& in,
                         const std::vector<Complex>& spectra) {
  const std::vector<std::int64_t> to = starts(problem, false),
                                  stored = places_of_all(problem, false);
  const MemoryD X = whole_rows(problem, in, spectra);
  MemoryD result(size_of(problem, false));
  auto row = X.begin() + guard_of(problem, false);
  for (const std::int64_t start : to) {
    for (const std::int64_t place : stored) {
      const auto where = static_cast<std::size_t>(guard_of(problem, false) + start + place);
      if (place >= 0) result[where] = *row;
      ++row;
    }
  }
  return result;
}

std::vector<double> norms_of_rows(const FftProblem& problem, const Memory& in,
                                  const std::vector<Complex>& spectra) {
  const MemoryD X = whole_rows(problem, in, spectra);
  const std::size_t length = places_of_all(problem, false).size();
  std::vector<double> norms(starts(problem, false).size());
  const auto first = static_cast<std::size_t>(guard_of(problem, false));
  for (std::size_t i = 0; i < norms.size() * length; ++i) {
    norms[i / length] += std::norm(X[first + i]);
  }
  return norms;
}

namespace {

// So that pointers are multiples of the problem's alignment, and of no more.
std::vector<std::byte> moved_by(std::ptrdiff_t skip, std::vector<std::byte> bytes) {
  bytes.insert(bytes.begin(), static_cast<std::size_t>(skip), std::byte{});
  return bytes;
}

// Both sides as bytes, and the places of their first points in them.
struct Sides {
  std::vector<std::byte> from, to;
  std::ptrdiff_t first, result;

  Sides(const FftProblem& problem, const Memory& in, const Memory& out) {
    const auto skip = static_cast<std::ptrdiff_t>(problem.alignment % 16);
    from = moved_by(skip, packed(problem, true, in));
    to = moved_by(skip, packed(problem, false, out));
    first = skip + guard * static_cast<std::ptrdiff_t>(point_bytes(problem.storage));
    result = skip + guard * static_cast<std::ptrdiff_t>(point_bytes(problem.result_storage()));
  }
  [[nodiscard]] Memory output(const FftProblem& problem) const {
    return unpacked(problem, false, {to.begin() + problem.alignment % 16, to.end()});
  }
};

DeviceBuffer on_gpu(const void* data, std::size_t bytes) {
  DeviceBuffer buffer(Device::gpu, bytes);
  buffer.upload(data, bytes);
  return buffer;
}

}  // namespace

void execute_on(const Plan& plan, const Memory& in, Memory& out, void* workspace, const void* user,
                const void* spectrum) {
  const FftProblem& problem = plan.problem();
  Sides sides(problem, in, out);
  const std::vector<std::byte> given = sides.from;
  std::byte* const result = sides.to.data() + sides.result;
  ExecuteOptions options;
  options.workspace = workspace, options.user = user, options.spectrum = spectrum;
  const bool in_place = problem.placement == Placement::in_place;
  plan.execute(in_place ? result : sides.from.data() + sides.first, result, options);
  EXPECT_TRUE(sides.from == given) << "the input has changed";
  out = sides.output(problem);
}

void execute_on_gpu(const Plan& plan, const Memory& in, Memory& out,
                    const std::vector<Complex>& spectra) {
  const FftProblem& problem = plan.problem();
  Sides sides(problem, in, out);
  const std::vector<std::byte> given = sides.from;
  const DeviceBuffer from = on_gpu(sides.from.data(), sides.from.size());
  const DeviceBuffer to = on_gpu(sides.to.data(), sides.to.size());
  std::optional<DeviceBuffer> spectrum;
  if (!spectra.empty()) spectrum = on_gpu(spectra.data(), spectra.size() * sizeof(Complex));
  ExecuteOptions options;
  if (spectrum) options.spectrum = spectrum->data();
  std::byte* const result = static_cast<std::byte*>(to.data()) + sides.result;
  const std::byte* const first = static_cast<const std::byte*>(from.data()) + sides.first;
  plan.execute(problem.placement == Placement::in_place ? result : first, result, options);
  to.download(sides.to.data(), sides.to.size());
  from.download(sides.from.data(), sides.from.size());
  EXPECT_TRUE(sides.from == given) << "the input has changed";
  out = sides.output(problem);
}

void expect_transforms(const FftProblem& problem, const MemoryD& exact, const Memory& out,
                       Memory untouched, double limit, const std::vector<double>& norms) {
  const std::vector<std::int64_t> points = places(problem, false);
  double worst = 0;
  for (std::size_t i = 0; const std::int64_t start : starts(problem, false)) {
    double error = 0, norm = 0;
    for (const std::int64_t place : points) {
      const auto at = static_cast<std::size_t>(guard_of(problem, false) + start + place);
      const ComplexD difference = ComplexD(out[at]) - exact[at];
      error += std::norm(difference), norm += std::norm(exact[at]);
      worst = std::max({worst, std::abs(difference.real()), std::abs(difference.imag())});
      untouched[at] = out[at];
    }
    if (!norms.empty()) norm = norms[i++];
    if (problem.result_storage() != Storage::i16) {
      EXPECT_LT(std::sqrt(error / norm), limit) << "from " << start;
    }
  }
  if (problem.result_storage() == Storage::i16) {
    EXPECT_LT(worst, 0.51);
  }
  EXPECT_TRUE(out == untouched) << "points that are of no transform";
}

std::vector<std::int64_t> random_strides(std::mt19937& random,
                                         const std::vector<std::int64_t>& counts) {
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::int64_t> strides(counts.size());
  std::int64_t end = 1;
  for (const std::size_t i : order) {
    strides[i] = end + static_cast<std::int64_t>(random() % 4);
    end += (counts[i] - 1) * strides[i];
  }
  return strides;
}

}  // namespace sonoma::test
