// Registers of threads of a tile that is no power of two.
#include "mixed_registers.hpp"

#include <algorithm>
#include <array>

#include "mixed_shape.hpp"

namespace sonoma {
namespace {

struct RegistersOfPrime {
  unsigned prime, registers;
};
// What threads took that have one butterfly at a time, without spills (NVRTC 13.0, sm_90; 5,500
// kernels of bench/results/2026-11-28-h200-tune-factors-61.csv.gz). Of 29 and 31 points most took
// no more than 80 and 96, but 29 points alone, and 1023, spill with these.
constexpr std::array<RegistersOfPrime, 9> registers_of_primes = {{{29, 88},
                                                                  {31, 104},
                                                                  {37, 112},
                                                                  {41, 128},
                                                                  {43, 128},
                                                                  {47, 152},
                                                                  {53, 160},
                                                                  {59, 176},
                                                                  {61, 168}}};

unsigned registers_of_prime(unsigned radix) {
  const auto prime = std::ranges::find(registers_of_primes, radix, &RegistersOfPrime::prime);
  return prime == registers_of_primes.end() ? 0 : prime->registers;
}

// `of_radix`, where that is known; else the points are, and `others`.
unsigned registers_of_whole(unsigned points, unsigned radix, unsigned of_radix, unsigned others) {
  const unsigned of_points = 2 * points + 28;
  if (of_radix == 0) return of_points + others;
  return points == radix ? of_radix : std::max(of_radix, of_points);
}

}  // namespace

NeededRegisters::NeededRegisters(const Decomposition& tree, Sums sums, unsigned others,
                                 bool of_pass)
    : radix_(std::ranges::max(tree.radices)),
      of_radix_(registers_of_prime(radix_)),
      of_large_(registers_of_large_primes(tree)),
      others_(others + registers_of_sums(sums, tree)),
      of_pass_(of_pass),
      plain_(sums == Sums::fp32) {}

// One of a pass has factors between passes, and rows of its own: those are what took no spills of
// many points (NVRTC 13.0, sm_90).
unsigned NeededRegisters::operator()(unsigned points) const {
  const unsigned few = points < 16 ? 4 : 0;  // a thread of few points has as many addresses
  const unsigned own = of_pass_ ? points * 5 / 2 + 22 + few + of_large_
                                : registers_of_whole(points, radix_, of_radix_, of_large_);
  // Results of a prime above 31 are stored one pair after the other, as soon as they are there.
  const bool one = of_pass_ && points > largest_usual_radix && points == radix_;
  const unsigned most = one && plain_ ? (points > 47 ? 168 : 128) : 248;
  return std::clamp((own + others_ + 7) / 8 * 8, 40u, most);
}

unsigned registers_of_large_primes(const Decomposition& decomposition) {
  unsigned most = 0;
  for (const unsigned radix : decomposition.radices) {
    if (radix < 17) continue;  // most are
    const auto prime = static_cast<unsigned>(largest_prime_factor(radix));
    if (prime > 13 && prime <= largest_usual_radix) most = std::max(most, prime / 2);
  }
  return most;
}

unsigned registers_of_sums(Sums sums, const Decomposition& decomposition) {
  unsigned largest = 0;
  for (std::size_t step = 0; step < decomposition.radices.size(); ++step) {
    if (is_in_fp64(sums, step, decomposition))
      largest = std::max(largest, decomposition.radices[step]);
  }
  return 2 * largest;
}

unsigned registers_of_mixed(unsigned points, const Decomposition& tree) {
  const unsigned radix = std::ranges::max(tree.radices);
  return registers_of_whole(points, radix, registers_of_prime(radix),
                            registers_of_large_primes(tree));
}

unsigned registers_of(const Decomposition& tree, const MixedShape& shape, Sums sums) {
  constexpr bool of_pass = false;
  return NeededRegisters(tree, sums, 0, of_pass)(filling_of(tree, shape).points);
}

}  // namespace sonoma
