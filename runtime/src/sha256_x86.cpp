#include "sha256_x86.hpp"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define SONOMA_SHA_TARGET __attribute__((target("sha,sse4.1")))

namespace sonoma {
namespace {

SONOMA_SHA_TARGET __m128i load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

SONOMA_SHA_TARGET void store(std::uint32_t* to, __m128i words) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), words);
}

// The instructions take the state as the words a, b, e, f and c, d, g, h, the first one uppermost.
struct Halves {
  __m128i abef, cdgh;
};

SONOMA_SHA_TARGET Halves halves_of(const std::uint32_t* state) {
  const __m128i cdab = _mm_shuffle_epi32(load(state), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
  return {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

SONOMA_SHA_TARGET void put(std::uint32_t* state, const Halves& halves) {
  const __m128i feba = _mm_shuffle_epi32(halves.abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(halves.cdgh, 0xb1);
  store(state, _mm_blend_epi16(feba, dchg, 0xf0));
  store(state + 4, _mm_alignr_epi8(dchg, feba, 8));
}

// w: the last 16 words of the message schedule, the oldest four in w[i % 4].
SONOMA_SHA_TARGET __m128i next_words(const __m128i* w, int i) {
  const __m128i seven_back = _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4);
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), seven_back);
  return _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
}

SONOMA_SHA_TARGET Halves with_block(const Halves& before, const char* block,
                                    const std::uint32_t* constants) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i w[4];
  for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(block + 16 * i), big_endian);
  auto [abef, cdgh] = before;
  for (int i = 0; i < 16; ++i) {
    const __m128i four = _mm_add_epi32(w[i % 4], load(constants + 4 * i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, four);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(four, 0x0e));
    if (i < 12) w[i % 4] = next_words(w, i);
  }
  return {_mm_add_epi32(before.abef, abef), _mm_add_epi32(before.cdgh, cdgh)};
}

}  // namespace

bool has_sha256_instructions() {
  constexpr unsigned ssse3 = 1u << 9, sse41 = 1u << 19, sha = 1u << 29;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & ssse3) == 0 || (c & sse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

SONOMA_SHA_TARGET void add_blocks_x86(std::uint32_t* state, const char* bytes, std::size_t blocks,
                                      const std::uint32_t* constants) {
  Halves halves = halves_of(state);
  for (; blocks > 0; --blocks, bytes += 64) halves = with_block(halves, bytes, constants);
  put(state, halves);
}

}  // namespace sonoma

#else

namespace sonoma {

bool has_sha256_instructions() { return false; }

void add_blocks_x86(std::uint32_t*, const char*, std::size_t, const std::uint32_t*) {}

}  // namespace sonoma

#endif
