#include "rader_tables.hpp"

#include "host_transform.hpp"
#include "rader.hpp"

namespace sonoma {

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
