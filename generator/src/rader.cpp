#include "rader.hpp"

#include "host_transform.hpp"
#include "sonoma/decomposition.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

}  // namespace

bool is_rader_prime(std::int64_t n) { return n > 2 && is_smooth(n - 1) && is_prime(n); }

std::int64_t power_modulo(std::int64_t g, std::int64_t q, std::int64_t n) {
  if (q == 0) return 1;
  return power_modulo(g * g % n, q / 2, n) * (q % 2 == 1 ? g : 1) % n;
}

bool is_primitive_root(std::int64_t g, std::int64_t n) {
  if (g < 1 || g >= n) return false;
  std::int64_t rest = n - 1;
  for (std::int64_t d = 2; rest > 1; ++d) {
    if (rest % d != 0) continue;
    if (power_modulo(g, (n - 1) / d, n) == 1) return false;
    while (rest % d == 0) rest /= d;
  }
  return true;
}

unsigned primitive_root(std::int64_t n) {
  std::int64_t g = 2;
  while (!is_primitive_root(g, n)) ++g;
  return static_cast<unsigned>(g);
}

std::vector<std::complex<double>> rader_spectrum(std::int64_t n, int sign) {
  const std::int64_t m = n - 1, inverse = power_modulo(primitive_root(n), m - 1, n);
  std::vector<std::complex<double>> b;
  const Roots root(n);
  std::int64_t power = 1;
  for (std::int64_t q = 0; q < m; ++q, power = power * inverse % n) b.push_back(root(sign * power));
  transform_on_host(b, sign);
  for (std::complex<double>& value : b) value /= static_cast<double>(m);
  b[0] = 1;
  return b;
}

RowsInMemory rows_in_memory(const Pass& pass, bool input) {
  RowsInMemory rows{input ? pass.in_stride : pass.out_stride, input ? pass.in_dist : pass.out_dist};
  if (pass.loops.empty()) return rows;
  rows.apart = input ? pass.loops.front().in_stride : pass.loops.front().out_stride;
  return rows;
}

std::uint32_t powers_units(const Schedule& schedule, const Layout& layout) {
  return (index_map(schedule.digits, layout, Side::time).threads() + 1) / 2;
}

void fill_powers(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::ReadPowers& op) {
  const LinearMap map = index_map(ir.schedule.digits, op.layout, Side::time);
  const auto n = static_cast<std::uint64_t>(ir.schedule.pass.n()), m = n - 1;
  std::size_t word = std::size_t{4} * op.table.offset;
  for (std::uint32_t thread = 0; thread < map.threads(); ++thread) {
    const std::uint64_t p = map.of_thread(thread);
    const auto power = static_cast<std::uint64_t>(
        power_modulo(op.root, static_cast<std::int64_t>(p % m), static_cast<std::int64_t>(n)));
    words[word++] = static_cast<std::uint32_t>((power << 32) / n + 1);
    words[word++] = static_cast<std::uint32_t>(p / m * n);
  }
}

}  // namespace sonoma
