// What the documentation promises is not refused by the library's own defaults, nor by the wisdom
// that it ships: every kind of length, storage, layout, end and order, on every architecture.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>

#include "promised_requests.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/tuning_fields.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

struct Variant {
  const char* name;
  std::function<void(FftProblem&)> ask;
};

std::vector<Variant> variants_of_rows() {
  return {
      {"plain", [](FftProblem&) {}},
      {"f16", [](FftProblem& p) { p.storage = Storage::f16; }},
      {"bf16", [](FftProblem& p) { p.storage = Storage::bf16; }},
      {"i16", [](FftProblem& p) { p.storage = Storage::i16; }},
      {"f16 to f32", [](FftProblem& p) { p.storage = Storage::f16, p.out_storage = Storage::f32; }},
      {"inverse, in place",
       [](FftProblem& p) {
         p.direction = Direction::inverse, p.placement = Placement::in_place;
         p.scale = 1.0 / static_cast<double>(p.n());
       }},
      {"transposed", [](FftProblem& p) { p.order = Order::transposed; }},
      {"transposed back",
       [](FftProblem& p) { p.order = Order::transposed, p.direction = Direction::inverse; }},
      {"transposed, many", [](FftProblem& p) { p.order = Order::transposed, p.batch = 64; }},
      {"padded", [](FftProblem& p) { p.ends.in_length = p.n() * 3 / 4; }},
      {"cropped", [](FftProblem& p) { p.ends.out_length = p.n() * 2 / 3; }},
      {"code", [](FftProblem& p) { p.ends.load_code = p.ends.store_code = "value"; }},
      {"f16, padded, code",
       [](FftProblem& p) {
         p.storage = Storage::f16, p.ends.in_length = p.n() * 3 / 4, p.ends.store_code = "value";
       }},
  };
}

std::vector<Variant> variants_of_columns_and_axes() {
  return {
      {"strides", [](FftProblem& p) { p.layout.in_stride = 3, p.layout.out_stride = 2; }},
      {"columns",
       [](FftProblem& p) {
         p.batch = 48, p.layout.in_stride = p.layout.out_stride = 48;
         p.layout.in_dist = p.layout.out_dist = 1;
       }},
      {"few columns",
       [](FftProblem& p) {
         p.batch = 3, p.layout = {3, 3, 1, 1, {}};
       }},
      {"first axis", [](FftProblem& p) { p.lengths.push_back(48); }},
      {"last axis", [](FftProblem& p) { p.lengths.insert(p.lengths.begin(), 5), p.batch = 3; }},
      {"middle axis, f16, in place",
       [](FftProblem& p) {
         p.lengths = {6, p.n(), 10}, p.placement = Placement::in_place;
         p.storage = Storage::f16, p.scale = 0.25;
       }},
      {"last axis, padded, cropped, code",
       [](FftProblem& p) {
         p.ends = {p.n() * 3 / 4, p.n() * 2 / 3, "value", "value", {3}, {4}};
         p.lengths.insert(p.lengths.begin(), 5), p.batch = 3;
       }},
      {"first axis, f16, padded, code",
       [](FftProblem& p) {
         p.ends = {11, 0, "value", "", {p.n() / 2 + 1}, {}};
         p.lengths.push_back(12), p.storage = Storage::f16;
       }},
      {"split3", [](FftProblem& p) { p.accuracy.max_rel_l2 = 1e-5; }},
  };
}

const std::vector<Variant>& complex_variants() {
  static const std::vector<Variant> all = [] {
    std::vector<Variant> variants = variants_of_rows();
    std::ranges::move(variants_of_columns_and_axes(), std::back_inserter(variants));
    return variants;
  }();
  return all;
}

// Whose DFTs have that length, or about it.
const std::vector<Variant>& trigonometric_variants() {
  static const std::vector<Variant> all = {
      {"dct2", [](FftProblem& p) { p.domain = Domain::dct2; }},
      {"dct1, strides, in place",
       [](FftProblem& p) {
         p.lengths = {std::max<std::int64_t>(2, p.n() / 2 + 1)}, p.domain = Domain::dct1;
         p.layout.in_stride = p.layout.out_stride = 3, p.placement = Placement::in_place;
       }},
      {"dst3, first axis", [](FftProblem& p) { p.lengths.push_back(30), p.domain = Domain::dst3; }},
  };
  return all;
}

const std::vector<Variant>& real_variants() {
  static const std::vector<Variant> all = {
      {"r2c", [](FftProblem& p) { p.domain = Domain::r2c; }},
      {"c2r, f16, in place",
       [](FftProblem& p) {
         p.domain = Domain::c2r, p.direction = Direction::inverse;
         p.storage = Storage::f16, p.placement = Placement::in_place;
       }},
      {"c2r, padded, cropped, strides",
       [](FftProblem& p) {
         p.domain = Domain::c2r, p.direction = Direction::inverse;
         p.ends.in_length = p.n() / 3 + 1, p.ends.out_length = p.n() * 2 / 3;
         p.layout.in_stride = 3, p.layout.out_stride = 2;
       }},
      {"r2c, last axis, in place",
       [](FftProblem& p) {
         p.lengths.insert(p.lengths.begin(), 6), p.domain = Domain::r2c;
         p.placement = Placement::in_place, p.batch = 3;
       }},
      {"c2r, last axis, padded, code",
       [](FftProblem& p) {
         p.ends = {p.n() / 3 + 1, 0, "value", "value", {3}, {}};
         p.lengths.insert(p.lengths.begin(), 6);
         p.domain = Domain::c2r, p.direction = Direction::inverse;
       }},
      {"r2c, last axis, code",
       [](FftProblem& p) {
         p.ends = {0, 0, "value", "value", {}, {}};
         p.lengths.insert(p.lengths.begin(), 6), p.domain = Domain::r2c;
       }},
      {"c2r, first axis",
       [](FftProblem& p) {
         p.lengths.push_back(30), p.domain = Domain::c2r, p.direction = Direction::inverse;
       }},
  };
  return all;
}

// Of products of primes up to 61.
const std::vector<Variant>& filter_variants() {
  static const std::vector<Variant> all = {
      {"convolution", [](FftProblem& p) { p.convolution.emplace(); }},
      {"f16 correlation, padded, in place",
       [](FftProblem& p) {
         p.convolution.emplace().correlate = true, p.storage = Storage::f16;
         p.ends.in_length = p.ends.out_length = p.n() * 3 / 4 + 1;
         p.placement = Placement::in_place;
       }},
      {"real convolution", [](FftProblem& p) { p.convolution.emplace().real = true; }},
      {"real convolution of frames, many filters",
       [](FftProblem& p) {
         p.convolution.emplace().real = true;
         p.ends.out_length = (p.n() + 3) / 4, p.batch = 9;
         p.layout.in_dist = p.ends.out_length, p.layout.out_dist = 5 * p.ends.out_length;
         p.layout.loops = {{5, 0, p.ends.out_length}};
         p.convolution->spectrum_strides = {spectrum_length(p)};
       }},
      {"convolution of strides",
       [](FftProblem& p) {
         p.convolution.emplace().spectrum_dist = p.n(), p.batch = 3;
         p.layout.in_stride = 3, p.layout.out_stride = 2;
       }},
  };
  return all;
}

std::vector<Variant> variants() {
  std::vector<Variant> all = complex_variants();
  all.insert(all.end(), real_variants().begin(), real_variants().end());
  all.insert(all.end(), trigonometric_variants().begin(), trigonometric_variants().end());
  all.insert(all.end(), filter_variants().begin(), filter_variants().end());
  return all;
}

std::vector<std::int64_t> lengths() {
  std::vector<std::int64_t> all = {
      1,     3,     7,      12,     31,     61,      97,      100,     127,
      360,   961,   817,    1000,   1009,   2039,    4093,    6000,    7847,
      8191,  10000, 44032,  12289,  15625,  16381,   20000,   44100,   65521,
      65535, 99991, 100000, 360360, 999983, 1000000, 1048573, 4782969, 24137569};
  for (int bit = 1; bit <= 26; ++bit) all.push_back(std::int64_t{1} << bit);
  return all;
}

// Of what goes through a plan but the compiler. `text`: that of the kernels too.
void make_kernels(const Program& program, const Target& target, bool text) {
  for (const Launch& launch : program.launches) {
    if (text) {
      (void)generate(launch, target, TableWords::left_out);
      continue;
    }
    validate(launch.pass);
    (void)schedule(launch.pass, target, launch.shape);
    if (launch.fusion) (void)schedule(launch.fusion->pass, target, launch.fusion->shape);
  }
}

// A line that says what is refused and why, or nothing.
std::string refusal(const PromisedRequest& request, bool text = false) {
  const auto& [problem, target, policy] = request;
  Platform here = h200();
  here.arch = target.arch;
  try {
    const Planned planned =
        plan(problem, target, here, shipped_wisdom_for(problem, target.arch), {}, policy);
    make_kernels(planned.program, target, text);
    if (planned.few) make_kernels(*planned.few, target, text);
  } catch (const std::exception& error) {
    return to_string(request) + ": " + std::string(error.what()).substr(0, 200) + "\n";
  }
  return {};
}

bool all_of_them() { return std::getenv("SONOMA_EVERY_REQUEST") != nullptr; }

// What `refusal_of` says of 0 to `count`, on two threads.
std::string refusals(std::size_t count, const std::function<std::string(std::size_t)>& refusal_of) {
  std::mutex mutex;
  std::string refused;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      const std::string why = refusal_of(i);
      const std::lock_guard lock(mutex);
      refused += why;
    }
  };
  std::thread second(work);
  work();
  second.join();
  return refused;
}

// Each on one of the architectures, or on all.
TEST(Documented, NothingIsRefused) {
  const std::vector<std::int64_t> all = lengths();
  const std::vector<Variant> asked = variants();
  const std::vector<int>& archs = known_archs();
  const auto refused = refusals(all.size() * asked.size(), [&](std::size_t i) {
    const std::int64_t n = all[i / asked.size()];
    PromisedRequest request{problem_of(n), {}};
    asked[i % asked.size()].ask(request.problem);
    std::string why;
    if (request.problem.convolution && (n < 2 || !is_smooth(n))) return why;
    for (std::size_t a = 0; a < (all_of_them() ? archs.size() : 1); ++a) {
      request.target = target_for(std::to_string(archs[(i + a) % archs.size()]));
      why += refusal(request);
    }
    return why;
  });
  EXPECT_EQ(refused, "");
}

// Those that validate() refuses do not count: it knows problems alone, and what it refuses is said
// where they are declared.
TEST(Documented, NorIsWhatChancePutsTogether) {
  const std::size_t count = all_of_them() ? 200000 : 1000;
  const char* wanted = std::getenv("SONOMA_SEED");
  const auto seed = wanted != nullptr ? std::stoul(wanted)
                    : all_of_them()   ? std::random_device{}()
                                      : 1;
  SCOPED_TRACE("SONOMA_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<PromisedRequest> requests;
  std::size_t ruled_out = 0;
  while (requests.size() < count) {
    PromisedRequest request = promised_request(random);
    try {
      validate(request.problem);
      requests.push_back(std::move(request));
    } catch (const UnsupportedProblem&) {
      ++ruled_out;
    }
  }
  EXPECT_LT(ruled_out, count / 4) << "requests that say something";
  const auto refused = refusals(count, [&](std::size_t i) {
    return refusal(requests[i], i % 8 == 0 && requests[i].problem.n() <= 16384);
  });
  EXPECT_EQ(refused, "");
}

// Two of 200,000 by chance that were, each for a default that did not look at what a block holds.
TEST(Documented, NorIsWhatChanceOnceFound) {
  FftProblem apart = problem_of(512);  // each transform far from the next: a block takes one
  apart.batch = 2, apart.layout.in_dist = std::int64_t{1} << 33;
  apart.convolution.emplace();
  FftProblem numbers = problem_of(524288);  // columns of 32 bytes of numbers are 16
  numbers.domain = Domain::dst3, numbers.storage = Storage::f16;
  for (const PromisedRequest& request :
       {PromisedRequest{apart, target_for("sm_86"), WorkspacePolicy::fast},
        PromisedRequest{numbers, target_for("sm_89"), WorkspacePolicy::fast}}) {
    EXPECT_EQ(refusal(request), "");
  }
}

// Of every 100th entry of wisdom with one number of its tuning changed, as a file that is old, or
// was made by hand, may have it: the request is served, and what is not taken is said.
TEST(Documented, NorByWisdomThatDoesNotFit) {
  std::mt19937 random(1);
  const auto other = [&](unsigned value) {
    const unsigned values[] = {0, 1, value / 2, value * 2, value + 1, 7, 24, 1u << 20};
    return values[random() % std::size(values)];
  };
  std::string refused;
  std::size_t told = 0;
  const std::vector<WisdomEntry>& shipped = shipped_wisdom().entries();
  for (std::size_t i = random() % 100; i < shipped.size(); i += all_of_them() ? 5 : 100) {
    WisdomEntry entry = shipped[i];
    Tuning& tuning = entry.tuning;
    for (const TuningField& field : tuning_fields()) {
      const auto change = [&](auto member) {
        using Value = typename std::remove_cvref_t<decltype(tuning.*member)>::value_type;
        if constexpr (std::is_same_v<Value, unsigned>) {
          if (tuning.*member && random() % 3 == 0) tuning.*member = other(*(tuning.*member));
        }
      };
      std::visit(change, field.member);
    }
    Wisdom wisdom;
    wisdom.add(entry);
    const FftProblem problem = measured_problem(entry);
    const Target target = target_for(std::to_string(entry.platform.arch));
    try {
      const Planned planned = plan(problem, target, entry.platform, wisdom);
      make_kernels(planned.program, target, false);
      if (planned.few) make_kernels(*planned.few, target, false);
      told += planned.choice.refused.size();
    } catch (const std::exception& error) {
      refused += to_string(problem) + " by " + to_string(tuning) + ": " + error.what() + "\n";
    }
  }
  EXPECT_EQ(refused, "");
  EXPECT_GT(told, 10u);
}

}  // namespace
}  // namespace sonoma::testing
