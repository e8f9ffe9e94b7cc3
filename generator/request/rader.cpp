#include "rader.hpp"

#include "sonoma/decomposition.hpp"

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

}  // namespace sonoma
