// Complex points in registers, and their way to and from memory.
//
// A thread holds its points in an array; register r of it is the r-th point. Offsets are given per
// register, in points, ascending, without the registers that have `pair_bit` set: those are the
// neighbours (offset + 1) of the ones that have not, and travel with them, 16 bytes at a time.
// pair_bit < 0: no pairs, 8 bytes at a time.
//
// The index of a point is p ^ offset, p the thread's part. Where a digit is folded, offsets have
// bits in common with p; `bits_of_p` says which bits p can have, so that all others are added, and
// become constants in the addresses of instructions.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

template <unsigned count>
DEVICE float2& point(float2 (&x)[count], unsigned r) {
  return x[r];
}
template <unsigned count>
DEVICE float2& point(Tile (&x)[count], unsigned r) {
  return x[r / 8].at[r % 8];
}

// How many points an array of registers holds.
template <class Points>
struct PointCount;
template <unsigned count>
struct PointCount<float2[count]> {
  static constexpr unsigned value = count;
};
template <unsigned count>
struct PointCount<Tile[count]> {
  static constexpr unsigned value = 8 * count;
};
// Offsets that an array of registers takes: one for each access.
template <class Points>
DEVICE constexpr unsigned access_count(int pair_bit) {
  return PointCount<Points>::value / (pair_bit < 0 ? 1 : 2);
}

// The j-th register without `bit`.
DEVICE constexpr unsigned register_without(int bit, unsigned j) {
  return bit < 0 ? j : (j >> bit << (bit + 1)) | (j & ((1u << bit) - 1));
}

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}

// Two neighbouring points and their registers r and r | 1 << pair_bit, the other way round if
// swapped: where a fold makes the offset odd.
template <int pair_bit, class Points>
DEVICE void put_pair(Points& x, unsigned r, bool swapped, float4 pair) {
  const unsigned other = r | 1u << pair_bit;
  point(x, swapped ? other : r) = make_float2(pair.x, pair.y);
  point(x, swapped ? r : other) = make_float2(pair.z, pair.w);
}
template <int pair_bit, class Points>
DEVICE float4 get_pair(Points& x, unsigned r, bool swapped) {
  const unsigned other = r | 1u << pair_bit;
  const float2 a = point(x, swapped ? other : r), b = point(x, swapped ? r : other);
  return make_float4(a.x, a.y, b.x, b.y);
}

// --- shared memory: point p of the tile lies at 8 bytes * swizzle(p) -----------------------------
DEVICE float2* shared_point(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
// The place of point p ^ offset: the part that p cannot reach is added, a constant in the address of
// the instruction. The swizzle reaches the last four bits only.
template <unsigned bits_of_p>
DEVICE float2* shared_point(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 15;
  const unsigned place = swizzle(offset);
  return shared_point(swizzle(p) ^ (place & mixed)) + (place & ~mixed);
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void read_shared(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    if constexpr (pair_bit < 0) {
      point(x, r) = load_shared(shared_point<bits_of_p>(p, offsets[j]));
    } else {
      const float2* place = shared_point<bits_of_p>(p, offsets[j] & ~1u);
      put_pair<pair_bit>(x, r, offsets[j] % 2 == 1,
                         load_shared(reinterpret_cast<const float4*>(place)));
    }
  }
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void write_shared(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    if constexpr (pair_bit < 0) {
      store_shared(shared_point<bits_of_p>(p, offsets[j]), point(x, r));
    } else {
      float2* place = shared_point<bits_of_p>(p, offsets[j] & ~1u);
      store_shared(reinterpret_cast<float4*>(place), get_pair<pair_bit>(x, r, offsets[j] % 2 == 1));
    }
  }
}

// To the shared memory of the blocks of a cluster, `block_points` points in each: the number of the
// block stands above the place within it.
template <unsigned block_points, int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void write_cluster(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...}, mixed = (bits_of_p | 15) % block_points;
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    const unsigned offset_of_r = pair_bit < 0 ? offsets[j] : offsets[j] & ~1u;
    const unsigned place = swizzle(offset_of_r % block_points);
    const unsigned char* own = dynamic_shared() + 8 * (swizzle(p % block_points) ^ (place & mixed));
    const unsigned block = (p ^ offset_of_r) / block_points;
    const ClusterAddress to = cluster_address(own, block) + 8 * (place & ~mixed);
    if constexpr (pair_bit < 0) {
      store_cluster(to, point(x, r));
    } else {
      store_cluster(to, get_pair<pair_bit>(x, r, offsets[j] % 2 == 1));
    }
  }
}

// --- global memory ------------------------------------------------------------------------------
// Point p ^ offset of an array: the sum is a constant in the address of the instruction.
template <unsigned bits_of_p, class Point>
DEVICE Point* global_point(Point* array, unsigned p, unsigned offset) {
  return array + (p ^ (offset & bits_of_p)) + (offset & ~bits_of_p);
}

template <unsigned bits_of_p, unsigned... offset, class Existing>
DEVICE void copy_to_shared(const float2* in, unsigned p, Existing existing) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    float2* place = shared_point<bits_of_p>(p, offsets[j]);
    const bool valid = existing.has(p ^ offsets[j]);
    const float2* from = valid ? global_point<bits_of_p>(in, p, offsets[j]) : in;
    copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), valid);
  }
}

// One access of a thread; load_point, load_pair and their stores are those of the storage type: see
// storage_32.cuh and storage_16.cuh.
template <int pair_bit, unsigned bits_of_p, unsigned offset, class Points, class Point,
          class Existing>
DEVICE void load_access(Points& x, unsigned r, const Point* in, unsigned p, Existing existing) {
  constexpr unsigned even = pair_bit < 0 ? offset : offset & ~1u, further = even & ~bits_of_p;
  const Point* from = in + (p ^ (even & bits_of_p));
  if constexpr (pair_bit < 0) {
    point(x, r) = load_point<further>(from, existing, p ^ offset);
  } else {
    put_pair<pair_bit>(x, r, offset % 2 == 1, load_pair<further>(from, existing, p ^ offset));
  }
}
template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Point,
          class Existing>
DEVICE void load_tile(Points& x, const Point* in, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  unsigned j = 0;
  (load_access<pair_bit, bits_of_p, offset>(x, register_without(pair_bit, j++), in, p, existing),
   ...);
}

template <int pair_bit, unsigned bits_of_p, unsigned offset, class Points, class Point,
          class Existing>
DEVICE void store_access(Points& x, unsigned r, Point* out, unsigned p, Existing existing) {
  constexpr unsigned even = pair_bit < 0 ? offset : offset & ~1u, further = even & ~bits_of_p;
  Point* to = out + (p ^ (even & bits_of_p));
  if constexpr (pair_bit < 0) {
    store_point<further>(to, point(x, r), existing, p ^ offset);
  } else {
    store_pair<further>(to, get_pair<pair_bit>(x, r, offset % 2 == 1), existing, p ^ offset);
  }
}
template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Point,
          class Existing>
DEVICE void store_tile(Points& x, Point* out, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  unsigned j = 0;
  (store_access<pair_bit, bits_of_p, offset>(x, register_without(pair_bit, j++), out, p, existing),
   ...);
}

// --- twiddles -----------------------------------------------------------------------------------
// The bits of `r` that `mask` selects, closed up.
DEVICE constexpr unsigned gather_bits(unsigned r, unsigned mask) {
  unsigned result = 0, place = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    if (mask >> bit & 1u) result |= (r >> bit & 1u) << place++;
  }
  return result;
}

// x *= w. The factor of a register depends on the register bits in `mask`; two factors lie in each
// 16-byte unit of the table, units `stride` apart, which `load` loads. Registers with no bit in
// `unity` have factor 1 (unity = 0: there are none).
template <unsigned registers, unsigned mask, unsigned unity, unsigned stride,
          uint4 (*load)(const uint4*) = load_table, class Points>
DEVICE void twiddle(Points& x, const uint4* table) {
  constexpr unsigned units = (gather_bits(mask, mask) + 2) / 2;
#pragma unroll
  for (unsigned u = 0; u < units; ++u) {
    const uint4 unit = load(table + u * stride);
    const float2 w[2] = {make_float2(float_of(unit.x), float_of(unit.y)),
                         make_float2(float_of(unit.z), float_of(unit.w))};
#pragma unroll
    for (unsigned r = 0; r < registers; ++r) {
      const unsigned entry = gather_bits(r, mask);
      if (entry / 2 != u || (unity != 0 && (r & unity) == 0)) continue;
      point(x, r) = complex_product(point(x, r), w[entry % 2]);
    }
  }
}

template <unsigned registers, class Points>
DEVICE void multiply(Points& x, float factor) {
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) {
    point(x, r) = make_float2(point(x, r).x * factor, point(x, r).y * factor);
  }
}

DEVICE void two_factors(const uint4* at, float2& first, float2& second) {
  const uint4 unit = load_table(at);
  first = make_float2(float_of(unit.x), float_of(unit.y));
  second = make_float2(float_of(unit.z), float_of(unit.w));
}

// The same where registers hold all k of a digit of radix 16 or 32, in the bits of `own`: the table
// has w^k for k = 1, 2, 3 and the multiples of 4, the others are products of two of those.
template <unsigned registers, unsigned mask, unsigned own, unsigned stride, class Points>
DEVICE void twiddle_by_products(Points& x, const uint4* table) {
  constexpr unsigned others = mask & ~own, sets = gather_bits(others, others) + 1;
  constexpr unsigned fours = gather_bits(own, own) / 4, units = (fours + 3) / 2;
#pragma unroll
  for (unsigned set = 0; set < sets; ++set) {
    const uint4* factors = table + units * set * stride;
    float2 near[4], far[fours + 1];  // w^a and w^(4 b)
    two_factors(factors, near[1], near[2]);
    two_factors(factors + stride, near[3], far[1]);
#pragma unroll
    for (unsigned b = 2; b < fours; b += 2) {
      two_factors(factors + (1 + b / 2) * stride, far[b], far[b + 1]);
    }
#pragma unroll
    for (unsigned r = 0; r < registers; ++r) {
      const unsigned k = gather_bits(r, own), a = k % 4, b = k / 4;
      if (k == 0 || gather_bits(r, others) != set) continue;
      const float2 w = b == 0 ? near[a] : a == 0 ? far[b] : complex_product(near[a], far[b]);
      point(x, r) = complex_product(point(x, r), w);
    }
  }
}
