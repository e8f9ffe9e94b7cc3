#include "tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

#include "convolution_tables.hpp"
#include "matrices.hpp"
#include "rader_tables.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/mirrored.hpp"
#include "table_sizes.hpp"

namespace sonoma {
namespace {

constexpr unsigned unit_words = 4;

// A map whose values of threads and of registers are known.
class KnownMap {
 public:
  explicit KnownMap(const LinearMap& map)
      : bits_(map.thread_counts.empty() && map.register_counts.empty()),
        threads_(map.of_threads()) {
    for (std::uint32_t r = 0; r < map.registers(); ++r) registers_.push_back(map.of_register(r));
  }

  [[nodiscard]] std::uint32_t of(std::uint32_t thread, std::uint32_t reg) const {
    return bits_ ? threads_[thread] ^ registers_[reg] : threads_[thread] + registers_[reg];
  }

 private:
  bool bits_;
  std::vector<std::uint32_t> threads_, registers_;
};

// The factors w^(k t') of a twiddle, with t' the time index that is left, of length N = r m; the
// centre of a folded step adds half a turn: k (t' + 15 m / 2) / N. In a section of a tree its
// columns belong to t', from the tile's `first` one on. Of packed points w^(k (2 t' + half)).
class Factors {
 public:
  Factors(const KernelIr& ir, const op::Twiddle& op)
      : direction_(static_cast<int>(ir.direction)),
        halves_(ir.schedule.pass.halves()),
        k_(value_map(ir.schedule.digits, op.layout, static_cast<int>(op.step))) {
    const auto& radices = ir.schedule.shape.tree.decomposition.radices;
    const auto value = [&](int s) { return KnownMap(value_map(ir.schedule.digits, op.layout, s)); };
    std::int64_t left = halves_;
    const bool later = op.factors != op::StepFactors::centre;
    const std::int64_t columns = ir.schedule.pass.tree_columns();
    if (columns > 1) later_.push_back({value(-1), left}), left *= columns;
    for (std::size_t s = end_of_axis(ir.schedule.digits, op.step); --s > op.step;
         left *= radices[s]) {
      if (later) later_.push_back({value(static_cast<int>(s)), left});
    }
    centre_ = op.factors != op::StepFactors::twiddles ? twice_centre * left : 0;
    roots_ = RootsOfUnity(2 * left * radices[op.step]);
  }

  [[nodiscard]] std::complex<float> at(std::uint32_t thread, std::uint32_t reg, std::int64_t first,
                                       std::int64_t half = 0) const {
    std::int64_t rest = halves_ * first + half;
    for (const Later& step : later_) rest += step.value.of(thread, reg) * step.stride;
    return roots_(direction_ * k_.of(thread, reg) * (2 * rest + centre_));
  }

 private:
  struct Later {
    KnownMap value;
    std::int64_t stride;
  };
  std::int64_t direction_, halves_, centre_ = 0;
  RootsOfUnity roots_{1};
  KnownMap k_;
  std::vector<Later> later_;
};

}  // namespace

std::vector<std::complex<float>> register_factors(const KernelIr& ir, const op::Twiddle& op) {
  const Factors factors(ir, op);
  std::vector<std::complex<float>> all;
  for (unsigned reg = 0; reg < count_of(ir.schedule.digits, op.layout.registers); ++reg) {
    all.push_back(factors.at(0, reg, 0));
  }
  return all;
}

namespace {

std::uint32_t halves_of(double low, double high) {
  return to_half(low) | static_cast<std::uint32_t>(to_half(high)) << 16;
}

void fill_twiddles(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Twiddle& op) {
  const std::vector<Digit>& digits = ir.schedule.digits;
  const LinearMap map{op.thread_bits, {}, counts_of(digits, op.layout.threads)};
  const Factors factors(ir, op);
  const std::vector<int> entries = twiddle_entries(digits, op);
  const auto fill = [&](std::uint32_t thread, unsigned reg, std::uint32_t first) {
    if (entries[reg] < 0) return;
    const auto entry = static_cast<unsigned>(entries[reg]);
    const auto w = factors.at(thread, reg, first);
    const std::size_t unit =
        op.table.offset + entry / 2 * op.stride + map.of_thread(thread) + first;
    const std::size_t word = unit * unit_words + entry % 2 * 2;
    if (ir.schedule.pass.packed) {
      const auto odd = factors.at(thread, reg, first, ir.schedule.pass.halves() - 1);
      words[word] = halves_of(w.real(), odd.real());
      words[word + 1] = halves_of(w.imag(), odd.imag());
      return;
    }
    words[word] = std::bit_cast<std::uint32_t>(std::ldexp(w.real(), op.exponent));
    words[word + 1] = std::bit_cast<std::uint32_t>(std::ldexp(w.imag(), op.exponent));
  };
  // Threads whose factors are the same read them from the same place.
  std::set<std::uint32_t> places;
  std::vector<std::uint32_t> threads;
  for (std::uint32_t thread = 0; thread < map.threads(); ++thread) {
    if (places.insert(map.of_thread(thread)).second) threads.push_back(thread);
  }
  const auto columns = static_cast<std::uint32_t>(ir.schedule.pass.tree_columns());
  const std::uint32_t tile = columns > 1 ? ir.schedule.launch.transforms_per_block : 1;
  for (std::uint32_t first = 0; first < columns; first += tile) {
    for (const std::uint32_t thread : threads) {
      for (unsigned reg = 0; reg < entries.size(); ++reg) fill(thread, reg, first);
    }
  }
}

// w^k and -+i w^(5 k), w = exp(sign 2 pi i / 4 n), of every point k up to the middle and with it:
// see mirrored_numbers.cuh.
void fill_turned(std::vector<std::uint32_t>& words, const KernelIr& ir, const TableRange& table) {
  const std::int64_t n = ir.schedule.pass.real_length();
  const RootsOfUnity roots(4 * n);
  const int sign = static_cast<int>(ir.direction);
  const std::int64_t quarter = ir.schedule.pass.is_mirrored(true) ? n : sign * n;
  std::size_t word = std::size_t{table.offset} * unit_words;
  for (std::int64_t k = 0; 2 * k <= ir.schedule.pass.n(); ++k) {
    for (const auto factor : {roots(sign * k), roots(sign * 5 * k + quarter)}) {
      words[word++] = std::bit_cast<std::uint32_t>(factor.real());
      words[word++] = std::bit_cast<std::uint32_t>(factor.imag());
    }
  }
}

// +-i w^k of every point k up to the middle, see filter.cuh; or 1 more, see mirrored.cuh.
void fill_mirrored(std::vector<std::uint32_t>& words, const KernelIr& ir, const TableRange& table,
                   bool filter = false) {
  if (turns_numbers(ir.schedule.pass)) return fill_turned(words, ir, table);
  if (table.size == 0) return;
  const std::int64_t n = ir.schedule.pass.real_length();
  const RootsOfUnity roots(4 * n);
  std::size_t word = std::size_t{table.offset} * unit_words;
  for (std::int64_t k = 0; 4 * k < n; ++k) {
    const auto root = roots.exact(static_cast<int>(ir.direction) * (4 * k + n));
    const std::complex<float> factor(static_cast<float>((filter ? 0 : 1) + root.real()),
                                     static_cast<float>(root.imag()));
    words[word++] = std::bit_cast<std::uint32_t>(factor.real());
    words[word++] = std::bit_cast<std::uint32_t>(factor.imag());
  }
}

// +-i w^q of every butterfly q, see opposite.cuh.
void fill_opposite(std::vector<std::uint32_t>& words, const KernelIr& ir, const TableRange& table) {
  const std::int64_t n = ir.schedule.pass.real_length();
  const RootsOfUnity roots(4 * n);
  std::size_t word = std::size_t{table.offset} * unit_words;
  for (std::int64_t q = 0; q < ir.schedule.opposite_butterflies(); ++q) {
    const auto factor = roots(static_cast<int>(ir.direction) * (4 * q + n));
    words[word++] = std::bit_cast<std::uint32_t>(factor.real());
    words[word++] = std::bit_cast<std::uint32_t>(factor.imag());
  }
}

// numerator / denominator turns as quarter turns and a rest within +-1/8 turn.
struct Reduced {
  std::int64_t quarter_turns;
  std::int64_t rest;  // signed, in units of 1 / (4 denominator) turns
};

Reduced reduced(std::int64_t numerator, std::int64_t denominator) {
  std::int64_t j = numerator % denominator;
  if (j < 0) j += denominator;
  const std::int64_t eighths = 8 * j / denominator;  // octant
  const std::int64_t quarter_turns = (eighths + 1) / 2;
  return {quarter_turns, 4 * j - quarter_turns * denominator};
}

std::complex<long double> turned(std::complex<long double> root, std::int64_t quarter_turns) {
  const long double c = root.real(), s = root.imag();
  switch (quarter_turns % 4) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

// Room for a table; false where it is one that was there before.
bool grow(std::vector<std::uint32_t>& words, const TableRange& range) {
  const std::size_t end = (std::size_t{range.offset} + range.size) * unit_words;
  if (end <= words.size()) return false;
  words.resize(end);
  return true;
}

}  // namespace

std::complex<long double> exact_root(std::int64_t numerator, std::int64_t denominator) {
  const Reduced r = reduced(numerator, denominator);
  const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(r.rest) /
                            static_cast<long double>(4 * denominator);
  return turned({std::cos(angle), std::sin(angle)}, r.quarter_turns);
}

RootsOfUnity::RootsOfUnity(std::int64_t denominator) : denominator_(denominator) {
  while (2 * step_ * step_ < denominator) step_ *= 2;  // rest: up to half the denominator
  for (std::int64_t j = 0; j < step_; ++j) fine_.push_back(exact_root(j, 4 * denominator));
  for (std::int64_t j = 0; 2 * j <= denominator; j += step_) {
    coarse_.push_back(exact_root(j, 4 * denominator));
  }
}

std::complex<long double> RootsOfUnity::exact(std::int64_t numerator) const {
  const Reduced r = reduced(numerator, denominator_);
  const std::int64_t rest = std::abs(r.rest);
  const auto a = coarse_[static_cast<std::size_t>(rest / step_)];
  const auto b = fine_[static_cast<std::size_t>(rest % step_)];
  const long double s = a.real() * b.imag() + a.imag() * b.real();
  return turned({a.real() * b.real() - a.imag() * b.imag(), r.rest < 0 ? -s : s}, r.quarter_turns);
}

std::complex<float> RootsOfUnity::operator()(std::int64_t numerator) const {
  const auto root = exact(numerator);
  return {static_cast<float>(root.real()), static_cast<float>(root.imag())};
}

std::complex<float> root_of_unity(std::int64_t numerator, std::int64_t denominator) {
  const auto root = exact_root(numerator, denominator);
  return {static_cast<float>(root.real()), static_cast<float>(root.imag())};
}

std::vector<std::uint32_t> make_tables(const KernelIr& ir, double more) {
  std::vector<std::uint32_t> words;
  const int sign = static_cast<int>(ir.direction);
  for (const Op& any : ir.ops) {
    if (const auto* matrix = std::get_if<op::LoadMatrix>(&any)) {
      append_matrix(words, *matrix, sign);
    } else if (const auto* twiddle = std::get_if<op::Twiddle>(&any)) {
      if (grow(words, twiddle->table)) fill_twiddles(words, ir, *twiddle);
    } else if (const auto* chirp = std::get_if<op::Chirp>(&any)) {
      if (grow(words, chirp->table)) fill_chirp(words, ir, *chirp);
    } else if (const auto* spectrum = std::get_if<op::Spectrum>(&any)) {
      if (grow(words, spectrum->table)) fill_spectrum(words, ir, *spectrum, more);
    } else if (const auto* powers = std::get_if<op::ReadPowers>(&any)) {
      if (grow(words, powers->table)) fill_powers(words, ir, *powers);
    } else if (const auto* load = std::get_if<op::LoadMirrored>(&any)) {
      if (grow(words, load->table)) fill_mirrored(words, ir, load->table);
    } else if (const auto* store = std::get_if<op::StoreMirrored>(&any)) {
      if (grow(words, store->table)) fill_mirrored(words, ir, store->table);
    } else if (const auto* pairs = std::get_if<op::FilterPairs>(&any)) {
      if (grow(words, pairs->table)) fill_mirrored(words, ir, pairs->table, true);
    } else if (const auto* first = std::get_if<op::LoadOpposite>(&any)) {
      if (grow(words, first->table)) fill_opposite(words, ir, first->table);
    } else if (const auto* last = std::get_if<op::StoreOpposite>(&any)) {
      if (grow(words, last->table)) fill_opposite(words, ir, last->table);
    } else if (const auto* opposite = std::get_if<op::FilterOpposite>(&any)) {
      if (grow(words, opposite->table)) fill_opposite(words, ir, opposite->table);
    } else if (const auto* rows = std::get_if<op::MirrorRows>(&any)) {
      if (grow(words, rows->table)) fill_mirrored(words, ir, rows->table);
    }
  }
  return words;
}

std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000u : 0u;
  const double magnitude = std::fabs(value);
  if (!(magnitude < 65520)) throw InternalError("to_half: out of range");
  const int exponent = std::max(magnitude > 0 ? std::ilogb(magnitude) : -14, -14);
  // nearbyint rounds to nearest even in the default mode; 10 fraction bits.
  auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // Subnormals have no implicit bit; a carry into the next exponent comes out right by itself.
  const unsigned base = static_cast<unsigned>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | (base + steps));
}

double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000u ? -magnitude : magnitude;
}

}  // namespace sonoma
