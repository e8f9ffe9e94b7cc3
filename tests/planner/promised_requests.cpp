#include "promised_requests.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "sonoma/convolution.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma::testing {
namespace {

using Random = std::mt19937;

template <class Value>
Value one_of(Random& random, std::initializer_list<Value> values) {
  return *(values.begin() + random() % values.size());
}

bool in(Random& random, unsigned percent) { return random() % 100 < percent; }

std::int64_t from_to(Random& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

// On both sides of where another kernel, more blocks, passes, or another method begin.
std::int64_t limit(Random& random) {
  return one_of<std::int64_t>(
      random,
      {1,      2,       3,       7,       12,      31,     32,     97,     100,    127,    128,
       360,    817,     961,     1000,    1009,    1024,   2039,   2048,   2049,   4093,   4095,
       4096,   4097,    6000,    7168,    7203,    7847,   8191,   8192,   8193,   10000,  11264,
       11319,  12096,   12097,   12288,   14336,   15625,  16381,  16384,  16385,  20000,  24576,
       24577,  24640,   32768,   44100,   46080,   65521,  65535,  65536,  65537,  98304,  99991,
       100000, 131072,  131073,  196608,  262144,  262145, 266240, 360360, 524288, 524289, 786432,
       999983, 1000000, 1048576, 1048573, 4194304, 4782969});
}

std::int64_t length(Random& random) {
  if (in(random, 70)) return limit(random);
  if (in(random, 60)) return std::int64_t{1} << from_to(random, 1, 22);
  return from_to(random, 1, in(random, 50) ? 4096 : 1 << 20);
}

void choose_domain(FftProblem& p, Random& random) {
  const auto draw = random() % 100;
  if (draw < 15) p.direction = Direction::inverse;
  if (draw >= 45 && draw < 58) p.domain = Domain::r2c;
  if (draw >= 58 && draw < 71) p.domain = Domain::c2r, p.direction = Direction::inverse;
  if (draw >= 71 && draw < 83) p.domain = static_cast<Domain>(from_to(random, 3, 10));
  if (draw < 83) return;
  while (p.lengths[0] < 2 || !is_smooth(p.lengths[0])) ++p.lengths[0];
  Convolution& asked = p.convolution.emplace();
  asked.real = in(random, 50), asked.correlate = in(random, 50);
}

void choose_storage(FftProblem& p, Random& random) {
  using enum Storage;
  p.storage = one_of(random, {f32, f32, f32, f16, bf16, i16});
  if (in(random, 15)) p.out_storage = one_of(random, {f32, f16, bf16, i16});
}

// With one more axis, or two, on either side.
void choose_axes(FftProblem& p, Random& random) {
  if (!in(random, 30)) return;
  const auto other = [&] {
    return one_of<std::int64_t>(random, {1, 2, 5, 12, 30, 48, 64, p.convolution ? 62 : 101});
  };
  if (in(random, 60)) p.lengths.insert(p.lengths.begin(), other());
  if (p.lengths.size() == 1 || in(random, 30)) p.lengths.push_back(other());
}

void choose_batch(FftProblem& p, Random& random) {
  const std::int64_t most = std::max<std::int64_t>(1, (std::int64_t{1} << 24) / p.points());
  p.batch = one_of<std::int64_t>(random, {1, 1, 2, 3, 48, 1000, most});
}

// Before the layout, which is as long as memory.
void choose_ends(FftProblem& p, Random& random) {
  if (in(random, 45)) return;
  Ends& ends = p.ends;
  const auto cut = [&](std::int64_t all) {
    return std::max<std::int64_t>(1, one_of<std::int64_t>(random, {all * 3 / 4, all / 3 + 1, 1}));
  };
  for (const bool input : {true, false}) {
    const std::int64_t all = length_in_memory(p.lengths.back(), p.values(input));
    std::int64_t& own = input ? ends.in_length : ends.out_length;
    if (in(random, 40)) own = cut(all);
    if (input && in(random, 10)) own = all + 5;
    if (p.lengths.size() == 1 || !in(random, 25)) continue;
    std::vector<std::int64_t> before;
    for (std::size_t a = 0; a + 1 < p.lengths.size(); ++a) before.push_back(cut(p.lengths[a]));
    (input ? ends.in_lengths : ends.out_lengths) = before;
  }
  if (is_trigonometric(p.domain)) return;
  if (in(random, 40) && !p.convolution) ends.load_code = "value";
  if (in(random, 40)) ends.store_code = "value";
}

void choose_columns(FftProblem& p, std::int64_t count) {
  p.layout.in_stride = p.layout.out_stride = count;
  const std::int64_t long_enough = std::max(p.in_length(), p.out_length());
  p.layout.in_dist = p.layout.out_dist = count * long_enough;
}

// In larger arrays, by so many points an axis, or in ones as large that say so.
void embed(FftProblem& p, std::int64_t more) {
  const bool in_place = p.placement == Placement::in_place;
  const std::vector<Axis> axes = p.axes();
  DataLayout& layout = p.layout;
  for (const bool input : {true, false}) {
    std::int64_t reach = 1;
    std::vector<std::int64_t> strides(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
      strides[a] = reach;
      reach *= more +
               (in_place ? std::max(axes[a].in_length, axes[a].out_length) : axes[a].length(input));
    }
    strides.pop_back();
    (input ? layout.in_strides : layout.out_strides) = strides;
    (input ? layout.in_dist : layout.out_dist) = reach;
  }
}

// A dimension of transforms within one of the batch, of which code is told too.
void add_loop(FftProblem& p, const Loop& loop, std::int64_t index) {
  p.layout.loops = {loop};
  if (p.ends.has_code()) p.layout.loops[0].in_index = p.layout.loops[0].out_index = index;
  if (p.convolution) p.convolution->spectrum_strides = {0};
}

// Real numbers that are transformed in place have strides of their own, which are the default's.
void choose_layout(FftProblem& p, Random& random) {
  DataLayout& layout = p.layout;
  const bool in_place = p.placement == Placement::in_place;
  const bool half = p.values(true) != p.values(false);
  if (in(random, 40) || (in_place && half)) return;
  switch (random() % 7) {
    case 0:  // strides
      layout.in_stride = 3, layout.out_stride = in_place ? 3 : 2;
      if (in_place) choose_columns(p, 3);
      return;
    case 1: {  // the columns of arrays: loops
      const auto count = one_of<std::int64_t>(random, {2, 3, 12, 48, 64, 101, 2049});
      choose_columns(p, count);
      return add_loop(p, {count, 1, 1}, 1);
    }
    case 2:  // the columns of one array: the batch
      p.batch = one_of<std::int64_t>(random, {2, 3, 16, 48, 2049});
      choose_columns(p, p.batch);
      layout.in_dist = layout.out_dist = 1;
      return;
    case 3:
      return embed(p, in(random, 50) ? 7 : 0);
    case 6:  // so far apart that no block takes two
      p.batch = 2, layout.in_dist = std::int64_t{1} << 33, layout.out_dist = 0;
      if (in_place) layout.out_dist = layout.in_dist;
      return;
    case 4:  // frames that overlap
      if (in_place) return;
      layout.in_dist = std::max<std::int64_t>(1, p.in_length() / 4);
      return;
    default: {  // rows of several arrays
      const std::int64_t row = std::max(p.in_length(), p.out_length());
      layout.in_dist = layout.out_dist = 6 * row;
      add_loop(p, {6, row, row}, row);
    }
  }
}

void choose_accuracy(FftProblem& p, Random& random) {
  if (in(random, 85)) return;
  if (in(random, 50)) {
    p.accuracy.max_rel_l2 = is_half(p.result_storage()) ? 1e-2 : 1e-5;
  } else {
    p.accuracy.arithmetic = in(random, 50) ? Arithmetic::simt : Arithmetic::simt64;
  }
}

}  // namespace

std::string to_string(const PromisedRequest& request) {
  return to_string(request.problem) + ", " + arch_name(request.target) +
         (request.policy == WorkspacePolicy::minimal ? ", minimal workspace" : "");
}

PromisedRequest promised_request(Random& random) {
  PromisedRequest request;
  FftProblem& p = request.problem;
  p.lengths = {length(random)};
  choose_domain(p, random);
  if (p.domain == Domain::dct1) p.lengths[0] = std::max<std::int64_t>(2, p.lengths[0]);
  choose_storage(p, random);
  choose_axes(p, random);
  if (in(random, 25)) p.placement = Placement::in_place, p.out_storage.reset();
  // Two, as what real numbers are multiplied by besides makes 1 of it.
  if (in(random, 30)) p.scale = one_of(random, {0.25, 2.0, -1.0, 1.0 / 1024});
  if (in(random, 10)) p.alignment = 8;
  choose_batch(p, random);
  choose_ends(p, random);
  choose_layout(p, random);
  const bool frequencies = p.domain == Domain::c2c && !p.convolution && p.lengths.size() == 1;
  if (frequencies && in(random, 25)) p.order = Order::transposed;
  choose_accuracy(p, random);
  const std::vector<int>& archs = known_archs();
  request.target = target_for(std::to_string(archs[random() % archs.size()]));
  if (in(random, 10)) request.policy = WorkspacePolicy::minimal;
  return request;
}

}  // namespace sonoma::testing
