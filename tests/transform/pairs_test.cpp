// Every pair of features: it is right on the emulated device, or refused for a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "plan_transform.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/verify/convolution.hpp"

namespace sonoma::test {
namespace {

enum class Kind { bits, mixed, prime };

struct Request {
  FftProblem problem;
  Tuning tuning;
  Kind kind = Kind::bits;
  bool passes = false, sections = false, pads = false, crops = false, spread = false;
  int kinds = 0, domains = 0;  // of either one can be asked for
};

struct Feature {
  const char* name;
  std::function<void(Request&)> ask;
};

void of_kind(Request& r, Kind kind) { r.kind = kind, ++r.kinds; }
void of_domain(Request& r, Domain domain) {
  r.problem.domain = domain, ++r.domains;
  if (domain == Domain::c2r) r.problem.direction = Direction::inverse;
}
void by_method(Request& r, Method method) { of_kind(r, Kind::prime), r.tuning.method = method; }

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = {
      {"mma", [](Request& r) { r.tuning.engine = Engine::mma; }},
      {"half", [](Request& r) { r.problem.accuracy.arithmetic = Arithmetic::half; }},
      {"fp64", [](Request& r) { r.tuning.sums = Sums::fp64; }},
      {"mixed", [](Request& r) { of_kind(r, Kind::mixed); }},
      {"rader", [](Request& r) { by_method(r, Method::rader); }},
      {"bluestein", [](Request& r) { by_method(r, Method::bluestein); }},
      {"passes", [](Request& r) { r.passes = true; }},
      {"sections", [](Request& r) { r.passes = r.sections = true; }},
      {"fused", [](Request& r) { r.passes = true, r.tuning.fused = true; }},
      {"transposed", [](Request& r) { r.passes = true, r.problem.order = Order::transposed; }},
      {"cluster", [](Request& r) { r.spread = true, r.tuning.cluster = 2; }},
      {"rounds", [](Request& r) { r.spread = true, r.tuning.rounds = 2; }},
      {"products", [](Request& r) { r.tuning.twiddles = Twiddles::products; }},
      {"powers", [](Request& r) { r.tuning.twiddles = Twiddles::powers; }},
      {"constants", [](Request& r) { r.tuning.twiddles = Twiddles::constants; }},
      {"cosines", [](Request& r) { r.tuning.twiddles = Twiddles::cosines; }},
      {"rows", [](Request& r) { r.tuning.rows = 0b11; }},
      {"strides",
       [](Request& r) { r.problem.layout.in_stride = 3, r.problem.layout.out_stride = 5; }},
      {"padding", [](Request& r) { r.pads = true; }},
      {"cropping", [](Request& r) { r.crops = true; }},
      {"code", [](Request& r) { r.problem.ends.load_code = "make_float2(-value.x, -value.y)"; }},
      {"r2c", [](Request& r) { of_domain(r, Domain::r2c); }},
      {"c2r", [](Request& r) { of_domain(r, Domain::c2r); }},
      {"dct2", [](Request& r) { of_domain(r, Domain::dct2); }},
      {"filter", [](Request& r) { r.problem.convolution.emplace(), ++r.domains; }},
      {"real_filter", [](Request& r) { r.problem.convolution.emplace().real = true, ++r.domains; }},
      {"i16", [](Request& r) { r.problem.storage = Storage::i16; }},
      {"bf16",
       [](Request& r) { r.problem.storage = Storage::bf16, r.problem.out_storage = Storage::f16; }},
  };
  return all;
}

// The length, passes and steps that both want.
void settle(Request& r) {
  struct Sizes {
    std::int64_t one, several;
    std::vector<std::int64_t> lengths;
    Decomposition steps;
  };
  const Sizes of_bits{4096, 4096, {64, 64}, {{8, 8, 8, 8}}},
      spread{8192, 16384, {128, 128}, {{16, 8, 16, 8}}},
      of_mixed{3600, 3600, {60, 60}, {{10, 6, 10, 6}}},
      of_primes{1009, 1009, {64, 32}, {{8, 8, 8, 4}}};
  const Sizes& sizes = r.kind == Kind::mixed   ? of_mixed
                       : r.kind == Kind::prime ? of_primes
                       : r.spread              ? spread
                                               : of_bits;
  const std::int64_t n = r.passes ? sizes.several : sizes.one;
  r.problem.lengths = {n};
  if (r.passes) r.tuning.pass_lengths = sizes.lengths;
  if (r.sections) r.tuning.decomposition = sizes.steps;
  const auto there = [&](bool input) { return length_in_memory(n, r.problem.values(input)); };
  if (r.pads) r.problem.ends.in_length = there(true) * 3 / 4;
  if (r.crops) r.problem.ends.out_length = there(false) * 2 / 3;
  // The caller's code changes the sign, and so does this.
  if (r.problem.ends.has_code()) r.problem.scale = -1;
}

struct Pair {
  std::string name;
  Request request;
};

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < features().size(); ++a) {
    for (std::size_t b = a + 1; b < features().size(); ++b) {
      Request r;
      features()[a].ask(r), features()[b].ask(r);
      if (r.kinds > 1 || r.domains > 1) continue;
      const bool both =
          r.problem.storage == Storage::bf16 && std::string("i16") == features()[a].name;
      if (both) continue;
      settle(r);
      pairs.push_back({std::string(features()[a].name) + "_" + features()[b].name, r});
    }
  }
  return pairs;
}

// All that may be refused.
const std::set<std::string>& refused() {
  static const std::set<std::string> names = {
      // Tensor cores multiply 16 x 16 points at a time, and have no FP64 here.
      "mma_mixed", "half_mixed", "mma_fp64", "half_fp64",
      // Points in the order of powers come one by one.
      "mma_rader", "half_rader",
      // A fragment holds several columns, whose factors differ.
      "mma_sections", "half_sections",
      // Factors lie in the tables of their fragments.
      "mma_products", "half_products", "mma_powers", "half_powers", "mma_constants",
      "half_constants", "mma_cosines", "half_cosines",
      // A convolution of n - 1 points whose points come in the order of powers: in one block.
      "rader_passes", "rader_sections", "rader_fused", "rader_transposed", "rader_cluster",
      "rader_rounds", "rader_padding", "rader_cropping", "rader_code", "rader_r2c", "rader_c2r",
      "rader_dct2",
      // There and back: half of the tile would wait for the other.
      "bluestein_rounds", "bluestein_fused", "bluestein_sections",
      // Sections have the factors of one kernel, in tables by the bits of their columns.
      "mixed_sections",
      // Blocks take tickets one by one.
      "fused_cluster", "fused_rounds",
      // The places of frequencies depend on the passes.
      "sections_transposed", "transposed_cropping", "transposed_r2c", "transposed_c2r",
      "transposed_dct2",
      // Half of the rows go on: passes of different numbers of tiles.
      "fused_r2c", "fused_c2r", "sections_r2c", "sections_c2r",
      // Several numbers may be made of a point.
      "code_dct2",
      // A convolution within a convolution.
      "rader_filter", "rader_real_filter", "bluestein_filter", "bluestein_real_filter",
      // Its way goes there and back.
      "sections_filter", "sections_real_filter", "fused_filter", "fused_real_filter",
      "transposed_filter", "transposed_real_filter", "rounds_filter", "rounds_real_filter"};
  return names;
}

verification::Report report_of(const Request& r) {
  const auto plan_of = [&](std::int64_t batch) {
    FftProblem problem = r.problem;
    problem.batch = batch;
    PlanOptions options;
    options.device = Device::cpu;
    options.tuning = r.tuning;
    return make_plan(problem, options);
  };
  const Plan plan = plan_of(1);
  FftProblem checked = plan.problem();
  if (checked.ends.has_code()) checked.ends.load_code.clear(), checked.scale = 1;
  verification::CheckOptions options;
  options.random_transforms = 2;
  if (checked.convolution) options.spectrum = verification::random_spectrum(checked, 3);
  return verification::check_executions(cli::executions_of(plan_of, options.spectrum), checked,
                                        roundings_of(plan.program()), options);
}

class Pairs : public testing::TestWithParam<Pair> {};

TEST_P(Pairs, AreRightOrRefused) {
  try {
    const verification::Report report = report_of(GetParam().request);
    EXPECT_FALSE(refused().contains(GetParam().name)) << "it is no longer refused";
    EXPECT_TRUE(report.pass()) << summary(report);
  } catch (const UnsupportedProblem& error) {
    EXPECT_TRUE(refused().contains(GetParam().name)) << error.what();
    EXPECT_FALSE(error.allowed().empty());
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Pairs, testing::ValuesIn(all_pairs()),
                         [](const auto& tested) { return tested.param.name; });

// All launches of a transform round to FP16, and that of a spectrum there and back.
TEST(TriplesOfFeatures, HalfPassesMeetTheLimitOfTheirRoundings) {
  for (const Storage storage : {Storage::f32, Storage::bf16}) {
    for (const Method method : {Method::radix, Method::bluestein}) {
      Request r;
      r.problem.accuracy.arithmetic = Arithmetic::half;
      r.problem.storage = storage;
      r.passes = true;
      if (method == Method::bluestein) by_method(r, method);
      settle(r);
      const verification::Report report = report_of(r);
      EXPECT_TRUE(report.pass()) << summary(report);
    }
  }
}

TEST(PairsOfFeatures, AtMostAQuarterIsRefused) {
  const auto pairs = all_pairs();
  for (const std::string& name : refused()) {
    EXPECT_TRUE(std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      return pair.name == name;
    })) << name;
  }
  EXPECT_LE(4 * refused().size(), pairs.size());
}

}  // namespace
}  // namespace sonoma::test
