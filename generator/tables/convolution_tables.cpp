#include "convolution_tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>

#include "chirp.hpp"
#include "rader_tables.hpp"
#include "table_sizes.hpp"
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
std::vector<std::complex<float>> spectrum_by_rows(const Schedule& schedule, int sign, double more) {
  const Pass& pass = schedule.pass;
  const std::int64_t rows = pass.part ? pass.part->points() / pass.n() : 1,
                     n = pass.convolved_points();
  const auto spectrum =
      pass.by_powers ? rader_spectrum(n, sign) : chirp_spectrum(n, pass.between->length, sign);
  const double one = std::ldexp(1, spectrum_exponent(schedule)), factor = one * (1 + more);
  const double first_factor = pass.by_powers ? one : factor;  // see ZeroFrequency
  std::vector<std::complex<float>> result(spectrum.size());
  const auto count = static_cast<std::size_t>(rows), length = spectrum.size() / count;
  constexpr std::size_t together = 16;
  for (std::size_t first = 0; first < count; first += together) {
    const std::size_t last = std::min(first + together, count);
    for (std::size_t at = 0; at < length; ++at) {
      for (std::size_t k = first; k < last; ++k) {
        const auto b = spectrum[k + count * at] * (k + at == 0 ? first_factor : factor);
        result[row_of(pass, k) * length + at] = {static_cast<float>(b.real()),
                                                 static_cast<float>(b.imag())};
      }
    }
  }
  return result;
}

// `points`: of a block, or, where its transforms are whole convolutions, of each of them.
void fill_spectrum_tile(std::uint32_t* words, const KernelIr& ir, const op::Spectrum& op,
                        const std::complex<float>* points) {
  const auto count = static_cast<std::uint32_t>(ir.schedule.whole_convolution()
                                                    ? ir.schedule.shape.tree.decomposition.n()
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

void fill_chirp(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Chirp& op) {
  std::size_t word = std::size_t{op.table.offset} * unit_words;
  const float power = std::ldexp(1.0f, chirp_exponent(ir.schedule, op.last));
  for (const auto& w : chirp(ir.schedule.pass.n(), static_cast<int>(ir.direction))) {
    words[word++] = std::bit_cast<std::uint32_t>(w.real() * power);
    words[word++] = std::bit_cast<std::uint32_t>(w.imag() * power);
  }
}

void fill_spectrum(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Spectrum& op,
                   double more) {
  const auto points = spectrum_by_rows(ir.schedule, static_cast<int>(ir.direction), more);
  for (std::size_t tile = 0; tile < op.tiles; ++tile) {
    const std::size_t unit = op.table.offset + tile * (op.table.size / op.tiles);
    fill_spectrum_tile(words.data() + unit * unit_words, ir, op,
                       points.data() + tile * ir.schedule.points_per_block());
  }
}

}  // namespace sonoma
