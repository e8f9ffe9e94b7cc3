#include "every_kind.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

#include "sonoma/trigonometric.hpp"

namespace sonoma::test {
namespace {

using Shape = std::vector<std::int64_t>;
using enum Domain;

constexpr Domain trigonometric_domains[] = {dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4};

Way way(const char* name, std::int64_t n, const std::function<void(Tuning&)>& wish) {
  Way result{name, n, {}};
  wish(result.tuning);
  return result;
}

std::string test_name(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text;
}

FftProblem problem_of(const Shape& lengths, std::int64_t batch, Domain domain = c2c) {
  FftProblem problem;
  problem.lengths = lengths, problem.batch = batch, problem.domain = domain;
  if (domain == c2r) problem.direction = Direction::inverse;
  return problem;
}

/// Collects requests.
struct Requests {
  std::vector<Request> all;

  Request& add(const std::string& name, const FftProblem& problem) {
    return all.emplace_back(Request{name, problem, {}});
  }
  FftProblem& problem(const std::string& name, const Shape& lengths, std::int64_t batch,
                      Domain domain = c2c) {
    return add(name, problem_of(lengths, batch, domain)).problem;
  }
};

}  // namespace

std::vector<Way> all_ways() {
  const auto by = [](Method method) { return [=](Tuning& t) { t.method = method; }; };
  const auto in_passes = [](const Shape& lengths) {
    return [=](Tuning& t) { t.pass_lengths = lengths; };
  };
  return {
      way("mma", 256, [](Tuning& t) { t.engine = Engine::mma; }),
      way("simt", 256, [](Tuning& t) { t.engine = Engine::simt; }),
      way("mma of few points", 16, [](Tuning& t) { t.engine = Engine::mma; }),
      way("four products", 1024, [](Tuning& t) { t.engine = Engine::mma, t.products = 4; }),
      way("two passes", 4096, in_passes({64, 64})),
      way("mixed passes", 3600, in_passes({60, 60})),
      way("odd passes", 2025, in_passes({45, 45})),
      way("three passes", 32768, in_passes({32, 32, 32})),
      way("tensor core passes", 4096,
          [](Tuning& t) {
            t.pass_lengths = Shape{64, 64}, t.engine = Engine::mma;
          }),
      way("passes of odd columns", 1980, in_passes({44, 45})),
      way("passes of odd rows", 1980, in_passes({45, 44})),
      way("cluster", 8192, [](Tuning& t) { t.cluster = 2; }),
      way("rounds", 8192, [](Tuning& t) { t.rounds = 2; }),
      way("Bluestein", 107, by(Method::bluestein)),
      way("Bluestein of an even number", 514, by(Method::bluestein)),
      way("Bluestein in passes", 499,
          [](Tuning& t) {
            t.method = Method::bluestein, t.pass_lengths = Shape{32, 64};
          }),
      way("Bluestein in three passes", 499,
          [](Tuning& t) {
            t.method = Method::bluestein, t.pass_lengths = Shape{32, 32, 32};
          }),
  };
}

FftProblem trigonometric_problem(const Way& way, Domain domain) {
  std::int64_t n = way.n;
  if (type_of(domain) == 4) n *= 2;
  if (type_of(domain) == 1 && n % 2 != 0) {
    domain = dct4;
  } else if (type_of(domain) == 1) {
    n = is_sine(domain) ? n / 2 - 1 : n / 2 + 1;
  }
  return problem_of({n}, 2, domain);
}

// Every other one in place.
std::vector<Request> real_requests() {
  Requests requests;
  for (const Domain domain : {r2c, c2r}) {
    for (const Way& way : all_ways()) {
      const bool placed = requests.all.size() % 2 == 1;
      Request& request = requests.add(test_name(to_string(domain) + " " + way.name),
                                      problem_of({way.n}, way.n < 1000 ? 19 : 3, domain));
      request.tuning = way.tuning;
      if (placed) request.problem.placement = Placement::in_place;
    }
    const std::string name = to_string(domain);
    requests.problem(name + "_odd", {105}, 19, domain).scale = 2;
    requests.problem(name + "_few_numbers", {6}, 301, domain).placement = Placement::in_place;
    requests.problem(name + "_long", {1 << 18}, 1, domain);
    requests.problem(name + "_f16", {2048}, 5, domain).storage = Storage::f16;
    requests.problem(name + "_opposite", {3000}, 7, domain).scale = 2;
    requests.problem(name + "_opposite_of_odd_half", {4374}, 5, domain).placement =
        Placement::in_place;
    requests.problem(name + "_opposite_of_a_large_block", {48000}, 2, domain);
    requests.problem(name + "_opposite_of_a_cluster", {60000}, 2, domain).placement =
        Placement::in_place;
    requests.problem(name + "_laps_at_need", {8584}, 3, domain);
    Request& words = requests.add(name + "_opposite_f16", problem_of({1024}, 9, domain));
    words.problem.storage = Storage::f16, words.tuning.opposite = true;
    requests.add(name + "_opposite_of_bits", problem_of({8192}, 3, domain)).tuning.opposite = true;
    FftProblem& padded = requests.problem(name + "_padded", {4096}, 3, domain);
    padded.ends.in_length = 1500, padded.ends.out_length = 1700;
  }
  return requests.all;
}

std::vector<Request> trigonometric_requests() {
  Requests requests;
  const Way block = all_ways().at(1), passes = all_ways().at(4);
  for (const Domain domain : trigonometric_domains) {
    for (const Way& way : {block, passes}) {
      Request& request = requests.add(test_name(to_string(domain) + " " + way.name),
                                      trigonometric_problem(way, domain));
      request.tuning = way.tuning, request.problem.batch = 3;
      if (way.n == block.n) request.problem.placement = Placement::in_place;
    }
  }
  for (std::size_t turn = 0; const Way& way : all_ways()) {
    const Domain domain = trigonometric_domains[turn++ % std::size(trigonometric_domains)];
    requests.add(test_name("all_ways " + std::string(way.name)), trigonometric_problem(way, domain))
        .tuning = way.tuning;
  }
  requests.problem("dct2_pairs", {2048}, 5, dct2);
  requests.problem("dst3_few_pairs", {12}, 133, dst3);
  requests.problem("dct2_orthogonal", {100}, 9, dct2).orthogonal = true;
  requests.problem("dst4_f16", {64}, 9, dst4).storage = Storage::f16;
  requests.problem("dct2_plane", {48, 64}, 3, dct2);
  requests.problem("dst1_volume", {7, 15, 30}, 2, dst1).placement = Placement::in_place;
  return requests.all;
}

namespace {

void add_complex_convolutions(Requests& requests) {
  const auto add = [&](const std::string& name, std::int64_t n, std::int64_t batch) -> Request& {
    Request& request = requests.add("complex_" + name, problem_of({n}, batch));
    request.problem.convolution.emplace();
    return request;
  };
  add("64", 64, 37), add("4096", 4096, 3), add("long", 1 << 17, 1);
  add("correlation", 360, 9).problem.convolution->correlate = true;
  add("mma", 256, 19).tuning.engine = Engine::mma;
  add("f16_in_place", 240, 9).problem.storage = Storage::f16;
  requests.all.back().problem.placement = Placement::in_place;
  add("padded", 256, 9).problem.ends = {200, 229, "", ""};
  add("strided", 96, 9).problem.layout = {2, 3, 0, 0, {}};
  add("cluster", 1024, 3).tuning.cluster = 2u;
  requests.all.back().tuning.decomposition = Decomposition{{16, 4, 16}};
  requests.all.back().tuning.block_points = 1024u;
  add("passes", 1024, 3).tuning.pass_lengths = {32, 32};
  add("three_passes", 960, 3).tuning.pass_lengths = {8, 10, 12};
  add("own_spectra", 48, 9).problem.convolution->spectrum_dist = 51;
  Request& own = add("own_spectra_in_passes", 1024, 5);
  own.problem.convolution->spectrum_dist = 1027;
  own.tuning.pass_lengths = {32, 32}, own.tuning.workspace_points = 2048;
  FftProblem& filters = add("every_filter", 64, 5).problem;
  filters.layout.in_dist = 64, filters.layout.out_dist = 3 * 64,
  filters.layout.loops = {{3, 0, 64}};
  filters.convolution->spectrum_strides = {64};
}

void add_real_convolutions(Requests& requests) {
  const auto add = [&](const std::string& name, std::int64_t n, std::int64_t batch) -> Request& {
    Request& request = requests.add("real_" + name, problem_of({n}, batch));
    request.problem.convolution.emplace().real = true;
    return request;
  };
  add("96", 96, 37), add("4096", 4096, 3), add("few_points", 6, 101);
  add("odd_correlation", 105, 9).problem.convolution->correlate = true;
  add("f16_in_place", 256, 9).problem.storage = Storage::f16;
  requests.all.back().problem.placement = Placement::in_place;
  add("padded", 512, 9).problem.ends = {400, 500, "", ""};
  add("mma", 256, 19).tuning.engine = Engine::mma;
  add("passes", 1024, 3).tuning.pass_lengths = {32, 32};
  add("three_passes", 945, 3).tuning.pass_lengths = {9, 15, 7};
  add("own_spectra", 96, 9).problem.convolution->spectrum_dist = 50;
  add("opposite", 4374, 5).problem.convolution->correlate = true;
  add("opposite_of_bits", 4096, 3).tuning.opposite = true;
  add("opposite_of_a_large_block", 48000, 2);
  Request& own = add("opposite_own_spectra", 60, 9);
  own.tuning.opposite = true, own.problem.convolution->spectrum_dist = 31;
  add("opposite_f16", 1024, 9).tuning.opposite = true;
  requests.all.back().problem.storage = Storage::f16;
}

// In one launch, and in three: rows, columns there and back, rows.
void add_convolutions_of_axes(Requests& requests) {
  const auto add = [&](const std::string& name, const Shape& lengths, bool real) -> FftProblem& {
    FftProblem& problem = requests.problem(name, lengths, 3);
    problem.convolution.emplace().real = real;
    return problem;
  };
  add("complex_plane", {64, 64}, false);
  add("complex_volume", {16, 12, 10}, false).convolution->correlate = true;
  add("complex_larger_plane", {256, 192}, false).placement = Placement::in_place;
  add("complex_padded_plane", {40, 48}, false).ends = {41, 40, "", "", {30}, {40}};
  add("complex_planes_own_spectra", {32, 48}, false).convolution->spectrum_dist = 32 * 48;
  add("real_plane", {64, 64}, true);
  add("real_larger_plane", {128, 256}, true).convolution->correlate = true;
  add("real_odd_plane", {15, 21}, true);
}

}  // namespace

std::vector<Request> convolution_requests() {
  Requests requests;
  add_complex_convolutions(requests);
  add_real_convolutions(requests);
  add_convolutions_of_axes(requests);
  return requests.all;
}

namespace {

void add_complex_axes(Requests& requests) {
  requests.problem("plane_in_one_launch", {64, 64}, 9);
  requests.problem("small_planes", {16, 16}, 70).storage = Storage::f16;
  requests.problem("volume_in_one_launch", {16, 16, 16}, 5);
  requests.problem("mixed_plane", {100, 60}, 3).placement = Placement::in_place;
  requests.problem("four_axes", {3, 4, 5, 6}, 9);
  requests.problem("plane_in_rounds", {128, 128}, 3);
  requests.all.back().tuning.rounds = 2u, requests.all.back().tuning.cluster = 1u;
  requests.problem("plane_by_cluster", {256, 256}, 2).placement = Placement::in_place;
  requests.all.back().tuning.rounds = 2u, requests.all.back().tuning.cluster = 8u;
  requests.problem("few_planes_by_axes", {125, 125}, 2).placement = Placement::in_place;
  requests.problem("few_volumes_by_axes", {9, 252, 56}, 1).direction = Direction::inverse;
  requests.problem("bf16_plane_by_cluster", {512, 256}, 1).storage = Storage::bf16;
  requests.problem("plane_in_passes", {512, 512}, 1).placement = Placement::in_place;
  requests.problem("f16_axis_by_axis", {512, 320}, 2).storage = Storage::f16;
  requests.problem("volume_in_passes", {64, 64, 64}, 1).direction = Direction::inverse;
  requests.problem("plane_in_fused_passes", {512, 512}, 2);
  requests.all.back().tuning.fused = true;
  requests.problem("volume_in_fused_passes", {64, 64, 64}, 2);
  requests.all.back().tuning.fused = true;
  requests.problem("columns_by_cluster", {8192, 12}, 1);
  requests.problem("primes", {37, 107}, 3);
  Request& powers = requests.add("powers_in_laps", problem_of({1009}, 9));
  powers.problem.placement = Placement::in_place, powers.tuning.method = Method::rader;
  powers.tuning.decomposition = Decomposition{{14, 8, 9}};
  powers.tuning.points_per_thread = 14, powers.tuning.block_points = 1008;
  powers.tuning.threads = 64;
  requests.problem("axis_of_passes", {20000, 3}, 2);
  requests.problem("tensor_cores", {64, 256}, 3);
  requests.all.back().tuning.engine = Engine::mma;
  requests.problem("gaps", {8, 16}, 9).layout = advanced_layout({9, 20}, 1, 200, {10, 16}, 2, 400);
  FftProblem& transposed = requests.problem("transposed_plane", {32, 48}, 3);
  transposed.layout.out_strides = {1}, transposed.layout.out_stride = 32;
  transposed.layout.out_dist = 32 * 48;
}

// Along one axis or both, in one launch and axis by axis.
void add_ends(Requests& requests) {
  for (const auto& [name, shape] : {std::pair{"plane", Shape{64, 48}}, {"axes", {400, 512}}}) {
    const std::int64_t rows = shape[0], columns = shape[1];
    Ends& padded = requests.problem(std::string("padded_") + name, shape, 2).ends;
    padded.in_lengths = {rows / 2}, padded.in_length = columns / 2 + 1;
    Ends& cropped = requests.problem(std::string("cropped_") + name, shape, 2).ends;
    cropped.out_lengths = {rows / 2 + 3}, cropped.out_length = columns - 5;
    cropped.in_length = columns + 3;
    Ends& code = requests.problem(std::string("code_") + name, shape, 2).ends;
    code.load_code = "make_float2(value.x * (i0 % 3u == 1u ? 0.5f : 2.0f), value.y * (i1 & 3u))";
    code.store_code = "make_float2(value.y * (transform + 1u), index % 7u == 5u ? value.x : 0.0f)";
  }
  Ends& volume = requests.problem("padded_volume", {12, 10, 16}, 3).ends;
  volume.in_lengths = {7, 9}, volume.in_length = 11;
  volume.out_lengths = {12, 3}, volume.out_length = 16;
}

void add_real_axes(Requests& requests) {
  for (const Domain domain : {r2c, c2r}) {
    const std::string name = to_string(domain);
    requests.problem(name + "_plane_in_one_launch", {64, 64}, 5, domain);
    requests.problem(name + "_larger_plane_in_one_launch", {128, 128}, 2, domain);
    requests.problem(name + "_few_planes_by_clusters", {210, 120}, 2, domain);
    requests.problem(name + "_few_volumes_by_clusters", {8, 10, 216}, 1, domain).storage =
        domain == r2c ? Storage::f32 : Storage::f16;
    requests.problem(name + "_volume", {16, 16, 16}, 3, domain).placement = Placement::in_place;
    requests.problem(name + "_plane", {256, 512}, 1, domain).placement = Placement::in_place;
    requests.problem(name + "_odd_plane", {60, 45}, 3, domain);
    requests.problem(name + "_f16_plane", {300, 200}, 1, domain).storage = Storage::f16;
    requests.problem(name + "_rows_of_passes", {3, 20000}, 1, domain);
    Ends& padded = requests.problem(name + "_padded_plane", {40, 64}, 3, domain).ends;
    padded.in_lengths = {33}, padded.in_length = 20, padded.out_lengths = {17};
  }
}

}  // namespace

std::vector<Request> axes_requests() {
  Requests requests;
  add_complex_axes(requests);
  add_ends(requests);
  add_real_axes(requests);
  return requests.all;
}

std::vector<std::vector<Request>> requests_by_kind() {
  return {real_requests(), trigonometric_requests(), convolution_requests(), axes_requests()};
}

// Of every two bytes the second is the sign, and an exponent that is that of 2^-15 to 2 (f16: 1/2
// to 2). (Generator: Vigna, "An experimental exploration of Marsaglia's xorshift generators",
// 2016.)
std::vector<std::byte> noise(std::size_t bytes, std::uint64_t seed) {
  std::vector<std::byte> result(bytes);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (std::size_t i = 0; i < bytes; i += sizeof state) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    std::uint64_t word = state * 0x2545f4914f6cdd1du;
    word = (word & 0x87ff87ff87ff87ffu) | 0x3800380038003800u;
    std::memcpy(result.data() + i, &word, std::min(sizeof word, bytes - i));
  }
  return result;
}

std::vector<std::complex<float>> noise_spectrum(const FftProblem& problem) {
  if (!problem.convolution) return {};
  std::vector<std::complex<float>> spectrum(static_cast<std::size_t>(spectrum_points(problem)));
  const std::vector<std::byte> bytes = noise(spectrum.size() * sizeof spectrum[0], 3);
  std::memcpy(spectrum.data(), bytes.data(), bytes.size());
  return spectrum;
}

std::size_t bytes_of(const FftProblem& problem, bool input) {
  const auto of_side = [&](bool side) {
    const std::int64_t points = side ? problem.in_points() : problem.out_points();
    return static_cast<std::size_t>(points * problem.bytes_of_point(side));
  };
  if (problem.placement == Placement::out_of_place) return of_side(input);
  return std::max(of_side(true), of_side(false));
}

}  // namespace sonoma::test
