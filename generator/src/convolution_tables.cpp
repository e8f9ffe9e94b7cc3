#include "convolution_tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>

#include "chirp.hpp"
#include "rader.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

constexpr unsigned unit_words = 4;

// The row of the pass that turns which begins at frequency k: rows are numbered by k1, k2, ... of
// k = k1 + n1 (k2 + n2 (...)), the last of them fastest.
std::size_t row_of(const Pass& pass, std::size_t k) {
  std::size_t row = 0;
  for (std::size_t p = 0; pass.part && p + 1 < pass.part->lengths.size(); ++p) {
    const auto length = static_cast<std::size_t>(pass.part->lengths[p]);
    row = row * length + k % length;
    k /= length;
  }
  return row;
}

// The spectrum in the order of the rows' points, each row at every rows-th frequency. Neighbours
// are taken together: in the other order every access would miss the caches.
std::vector<std::complex<float>> spectrum_by_rows(const Schedule& schedule, int sign) {
  const Pass& pass = schedule.pass;
  const std::int64_t rows = pass.convolution ? pass.loops.front().count : 1;
  const std::int64_t n = pass.convolution ? pass.convolution->n : pass.n();
  const auto spectrum = schedule.rader()
                            ? rader_spectrum(n, sign)
                            : chirp_spectrum(n, schedule.decomposition.n() * rows, sign);
  const double factor = std::ldexp(1, spectrum_exponent(schedule));
  std::vector<std::complex<float>> result(spectrum.size());
  const auto count = static_cast<std::size_t>(rows), length = spectrum.size() / count;
  constexpr std::size_t together = 16;
  for (std::size_t first = 0; first < count; first += together) {
    const std::size_t last = std::min(first + together, count);
    for (std::size_t at = 0; at < length; ++at) {
      for (std::size_t k = first; k < last; ++k) {
        const auto& b = spectrum[k + count * at];
        result[row_of(pass, k) * length + at] = {static_cast<float>(b.real() * factor),
                                                 static_cast<float>(b.imag() * factor)};
      }
    }
  }
  return result;
}

// `points`: of a block, or, where its transforms are whole convolutions, of each of them.
void fill_spectrum_tile(std::uint32_t* words, const KernelIr& ir, const op::Spectrum& op,
                        const std::complex<float>* points) {
  const auto count =
      static_cast<std::uint32_t>(ir.schedule.whole_convolution() ? ir.schedule.decomposition.n()
                                                                 : ir.schedule.points_per_block());
  const std::vector<Digit>& digits = ir.schedule.digits;
  const LinearMap map{op.thread_bits, {}, counts_of(digits, op.layout.threads)};
  const LinearMap frequency = index_map(digits, op.layout, Side::frequency);
  const std::vector<int> entries = spectrum_entries(digits, op);
  for (std::uint32_t thread = 0; thread < frequency.threads(); ++thread) {
    const std::size_t unit = map.of_thread(thread);
    for (std::uint32_t reg = 0; reg < frequency.registers(); ++reg) {
      const auto entry = static_cast<std::uint32_t>(entries[reg]);
      const std::complex<float> b = points[frequency.of(thread, reg) % count];
      const std::size_t word = (unit + entry / 2 * op.stride) * unit_words + entry % 2 * 2;
      words[word] = std::bit_cast<std::uint32_t>(b.real());
      words[word + 1] = std::bit_cast<std::uint32_t>(b.imag());
    }
  }
}

}  // namespace

op::Spectrum spectrum_of(const Schedule& schedule, const Layout& layout) {
  op::Spectrum op;
  op.layout = layout;
  // Of one transform, or, where that is a part of a longer one, of each its own part.
  const auto matters = [&](DigitId id) {
    return !schedule.whole_convolution() || schedule.digits[id].step >= 0;
  };
  for (const DigitId id : layout.threads) {
    op.thread_bits.push_back(matters(id) ? op.stride : 0);
    if (matters(id)) op.stride *= schedule.digits[id].count;
  }
  for (unsigned bit = 0; bit < layout.registers.size(); ++bit) {
    if (matters(layout.registers[bit])) op.register_mask |= 1u << bit;
  }
  op.tiles = spectrum_tiles(schedule);
  op.exponent = spectrum_exponent(schedule);
  return op;
}

void fill_chirp(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Chirp& op) {
  const std::int64_t n = ir.schedule.pass.n();
  for (std::int64_t t = 0; t < n; ++t) {
    const auto w = chirp(n, t, static_cast<int>(ir.direction));
    const std::size_t word =
        std::size_t{op.table.offset} * unit_words + 2 * static_cast<std::size_t>(t);
    words[word] = std::bit_cast<std::uint32_t>(w.real());
    words[word + 1] = std::bit_cast<std::uint32_t>(w.imag());
  }
}

void fill_spectrum(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Spectrum& op) {
  const auto points = spectrum_by_rows(ir.schedule, static_cast<int>(ir.direction));
  for (std::size_t tile = 0; tile < op.tiles; ++tile) {
    const std::size_t unit = op.table.offset + tile * (op.table.size / op.tiles);
    fill_spectrum_tile(words.data() + unit * unit_words, ir, op,
                       points.data() + tile * ir.schedule.points_per_block());
  }
}

std::uint32_t chirp_units(const Schedule& schedule) {
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const auto m = static_cast<std::uint32_t>(schedule.decomposition.n());
  std::uint32_t entries = n;
  for (const Layout* layout : {&schedule.load.layout, &schedule.store.layout}) {
    const LinearMap time = index_map(schedule.digits, *layout, Side::time);
    const std::uint32_t last = time.of_thread(time.threads() - 1) % m;
    for (std::uint32_t reg = 0; reg < time.registers(); ++reg) {
      const std::uint32_t own = time.of_register(reg) % m;
      if (own < n) entries = std::max(entries, last + own + 1);
    }
  }
  return (entries + 1) / 2;
}

std::uint32_t spectrum_tiles(const Schedule& schedule) {
  if (schedule.whole_convolution()) return 1;
  const auto rows = static_cast<std::uint32_t>(schedule.pass.loops.front().count);
  return rows / schedule.launch.transforms_per_block;
}

std::vector<int> spectrum_entries(const std::vector<Digit>& digits, const op::Spectrum& op) {
  return factor_entries(digits, op.layout.registers, op.register_mask, {});
}

std::uint32_t spectrum_units(const std::vector<Digit>& digits, const op::Spectrum& op) {
  const std::vector<int> entries = spectrum_entries(digits, op);
  const int last = *std::max_element(entries.begin(), entries.end());
  return static_cast<std::uint32_t>(last + 2) / 2 * op.stride;
}

int spectrum_exponent(const Schedule& schedule) {
  const auto& part = schedule.pass.part;
  const std::int64_t m = schedule.pass.convolution
                             ? std::accumulate(part->lengths.begin(), part->lengths.end(),
                                               std::int64_t{1}, std::multiplies<>())
                             : schedule.decomposition.n();
  const bool convolves = schedule.whole_convolution() || schedule.pass.convolution;
  if (!convolves || std::has_single_bit(static_cast<std::uint64_t>(m))) return 0;
  constexpr int quarter = -2, eighth = -3;  // sqrt(13) < 4, sqrt(31) < 8
  return is_smooth(m, 13) ? quarter : eighth;
}

double spectrum_undo(const Schedule& schedule) {
  const bool last = schedule.whole_convolution() || schedule.pass.is_chirped(false);
  return last ? std::ldexp(1, -spectrum_exponent(schedule)) : 1;
}

}  // namespace sonoma
