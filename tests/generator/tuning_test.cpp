// What resolve() fills in, and what it refuses.
#include "sonoma/tuning.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/tuning_fields.hpp"

namespace sonoma {
namespace {

FftProblem problem(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

Tuning resolved(std::int64_t n, const Tuning& tuning = {}, const char* arch = "sm_90") {
  return tuning_of(resolve(tuning, problem(n), target_for(arch)));
}

std::string refused_field(std::int64_t n, const Tuning& tuning, const char* arch = "sm_90") {
  try {
    (void)resolved(n, tuning, arch);
  } catch (const UnsupportedProblem& error) {
    return error.field();
  }
  return "none";
}

TEST(Resolve, LeavesNothingOpen) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    for (const int arch : known_archs()) {
      const Tuning tuning = resolved(n, {}, std::to_string(arch).c_str());
      ASSERT_TRUE(tuning.engine && tuning.decomposition) << n;
      EXPECT_EQ(*tuning.decomposition, decompose(n));
      EXPECT_EQ(tuning.products.has_value(), *tuning.engine == Engine::mma);
      EXPECT_FALSE(tuning.radix);
      EXPECT_EQ(resolved(n, tuning, std::to_string(arch).c_str()), tuning) << "not idempotent";
    }
  }
}

TEST(Resolve, KeepsWhatWasAskedFor) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.radix = 4;
  EXPECT_EQ(resolved(64, tuning).engine, Engine::simt);
  EXPECT_EQ(resolved(64, tuning).decomposition->radices, (std::vector<unsigned>{4, 4, 4}));
  Tuning products;
  products.products = 4;
  for (const std::int64_t n : {2, 4096}) {
    EXPECT_EQ(resolved(n, products).engine, Engine::mma);
    EXPECT_EQ(resolved(n, products).products, 4u);
  }
}

TEST(Resolve, RefusesWhatDoesNotFitTogether) {
  Tuning both;
  both.radix = 16;
  both.decomposition = decompose(256);
  EXPECT_EQ(refused_field(256, both), "radix");
  Tuning other_length;
  other_length.decomposition = decompose(512);
  EXPECT_EQ(refused_field(256, other_length), "decomposition");
  Tuning simt_steps;
  simt_steps.engine = Engine::simt;
  simt_steps.tensor_steps = 1;
  EXPECT_EQ(refused_field(256, simt_steps), "tensor_steps");
  EXPECT_EQ(refused_field(12099, {}), "n");
  Tuning radix;
  radix.radix = 64;
  EXPECT_EQ(refused_field(1024, radix), "radix");
  radix.radix = 32, radix.engine = Engine::mma;
  EXPECT_EQ(refused_field(1024, radix), "tensor_steps");  // there are no products of it
  radix.radix.reset(), radix.decomposition = {{16, 32, 2}};
  EXPECT_EQ(refused_field(1024, radix), "none");
}

TEST(Resolve, TakesRadix32InRegisters) {
  Tuning tuning;
  tuning.radix = 32;
  const FftProblem problem{.lengths = {1024}};
  const Tuning resolved = tuning_of(resolve(tuning, problem, target_for("sm_90")));
  EXPECT_EQ(resolved.engine, Engine::simt);
  EXPECT_EQ(resolved.points_per_thread, 32u);
  EXPECT_EQ(resolved.decomposition, (Decomposition{{32, 32}}));
}

// Beside products too: threads of 16 points hold no butterfly of radix 32.
TEST(Resolve, TakesThreadsThatHoldAWholeButterfly) {
  Tuning mma;
  mma.engine = Engine::mma;
  mma.decomposition = Decomposition{{32, 16, 16}};
  EXPECT_EQ(resolved(8192, mma).points_per_thread, 32u);
  const Target target = target_for("sm_90");
  EXPECT_NO_THROW((void)schedule(problem(8192), target, resolve(mma, problem(8192), target)));
  mma.points_per_thread = 16;
  EXPECT_EQ(refused_field(8192, mma), "points_per_thread");
}

TEST(Resolve, RefusesRadicesThatAreNone) {
  for (const unsigned radix : {0u, 1u, 51u, 64u}) {
    Tuning tuning;
    tuning.decomposition = Decomposition{{radix}};
    EXPECT_NE(refused_field(radix, tuning), "none") << radix;
  }
  Tuning product;  // multiplies to n all the same
  product.decomposition = Decomposition{{64, 4}};
  EXPECT_EQ(refused_field(256, product), "decomposition");
  product.decomposition = Decomposition{{1, 16, 16}};
  EXPECT_EQ(refused_field(256, product), "decomposition");
}

Tuning shape(Engine engine, std::optional<unsigned> thread, std::optional<unsigned> block,
             std::optional<unsigned> registers) {
  Tuning tuning;
  tuning.engine = engine;
  tuning.points_per_thread = thread;
  tuning.block_points = block;
  tuning.registers = registers;
  return tuning;
}

TEST(Resolve, ChecksTheShapeOfABlock) {
  EXPECT_EQ(refused_field(256, shape(Engine::simt, 8, {}, {})), "points_per_thread");  // radix 16
  EXPECT_EQ(refused_field(256, shape(Engine::simt, 24, {}, {})), "points_per_thread");
  EXPECT_EQ(refused_field(256, shape(Engine::mma, 8, {}, {})), "points_per_thread");
  EXPECT_EQ(refused_field(256, shape(Engine::mma, 64, {}, {})), "points_per_thread");
  EXPECT_EQ(refused_field(4096, shape(Engine::mma, 16, 2048, {})), "block_points");
  EXPECT_EQ(refused_field(256, shape(Engine::mma, 32, 512, {})), "block_points");  // half a warp
  EXPECT_EQ(refused_field(256, shape(Engine::simt, 16, 32768, {})), "block_points");
  EXPECT_EQ(refused_field(256, shape(Engine::mma, 16, {}, 31)), "registers");
  EXPECT_EQ(refused_field(256, shape(Engine::mma, 16, {}, 256)), "registers");
  EXPECT_EQ(refused_field(256, shape(Engine::mma, 32, 4096, 128)), "none");
}

TEST(Resolve, FollowsTheAccuracy) {
  FftProblem exact = problem(1024);
  exact.accuracy.arithmetic = Arithmetic::simt;
  EXPECT_EQ(resolve({}, exact, Target{}).arithmetic, Arithmetic::simt);
  Tuning mma;
  mma.engine = Engine::mma;
  EXPECT_THROW((void)resolve(mma, exact, Target{}), UnsupportedProblem);
  for (const auto& [arithmetic, products] :
       {std::pair{Arithmetic::half, 1u}, {Arithmetic::split3, 3u}, {Arithmetic::split4, 4u}}) {
    exact.accuracy.arithmetic = arithmetic;
    EXPECT_EQ(products_of(resolve(mma, exact, Target{}).arithmetic), products);
    EXPECT_EQ(resolve({}, exact, Target{}).arithmetic, arithmetic);
  }
  exact.accuracy.arithmetic = Arithmetic::simt64;
  EXPECT_THROW((void)resolve(mma, exact, Target{}), UnsupportedProblem);
  EXPECT_EQ(resolve({}, exact, Target{}).arithmetic, Arithmetic::simt64);
  Tuning fp64, fp32;
  fp64.sums = Sums::fp64, fp32.sums = Sums::fp32;
  EXPECT_EQ(resolve(fp64, problem(1024), Target{}).arithmetic, Arithmetic::simt64);
  EXPECT_EQ(resolve(fp32, problem(1024), Target{}).arithmetic, Arithmetic::simt);
  EXPECT_THROW((void)resolve(fp32, exact, Target{}), UnsupportedProblem);
  mma.sums = Sums::fp64;
  EXPECT_THROW((void)resolve(mma, problem(1024), Target{}), UnsupportedProblem);
  mma.sums.reset();
  FftProblem bounded = problem(1024);
  bounded.accuracy.max_rel_l2 = 1e-6;
  EXPECT_EQ(resolve({}, bounded, Target{}).arithmetic, Arithmetic::split3);
  mma.products = 1;
  EXPECT_THROW((void)resolve(mma, bounded, Target{}), UnsupportedProblem);
  bounded.accuracy.max_rel_l2 = 1e-9;
  try {
    (void)resolve({}, bounded, Target{});
    ADD_FAILURE() << "1e-9 in FP32";
  } catch (const UnsupportedProblem& error) {
    EXPECT_NE(std::string(error.what()).find("max_rel_l2=2.8"), std::string::npos) << error.what();
  }
}

Sums sums_of(const FftProblem& problem, const char* arch = "sm_90", const Tuning& wish = {}) {
  return make_program(problem, target_for(arch), wish).launches.front().shape.sums;
}

TEST(Resolve, SumsTheLastStepInFp64WhereCufftErrsLess) {
  for (const std::int64_t n : {83, 134, 335, 2047, 2626}) {
    EXPECT_EQ(sums_of(problem(n)), Sums::fp64_last) << n;
    EXPECT_EQ(sums_of(problem(n), "sm_80"), Sums::fp64_last) << n;
    EXPECT_EQ(sums_of(problem(n), "sm_86"), Sums::fp32) << n << ", FP64 is slow there";
  }
  for (const std::int64_t n : {61, 67, 127, 131, 1024, 3721}) {  // steps, rader, a prime above
    EXPECT_EQ(sums_of(problem(n)), Sums::fp32) << n;
  }
  Tuning fp32, fp64;
  fp32.sums = Sums::fp32, fp64.sums = Sums::fp64;
  EXPECT_EQ(sums_of(problem(83), "sm_90", fp32), Sums::fp32);
  EXPECT_EQ(sums_of(problem(83), "sm_90", fp64), Sums::fp64);
  FftProblem other = problem(83);
  other.accuracy.arithmetic = Arithmetic::simt;
  EXPECT_EQ(sums_of(other), Sums::fp32);
  other = problem(83), other.out_storage = Storage::f16;
  EXPECT_EQ(sums_of(other), Sums::fp32);
}

// One butterfly of half of the length.
TEST(Resolve, SumsShortRealNumbersInFp64) {
  FftProblem real = problem(12);
  real.domain = Domain::c2r, real.direction = Direction::inverse;
  EXPECT_EQ(sums_of(real), Sums::fp64_last);
  EXPECT_EQ(sums_of(real, "sm_89"), Sums::fp32);
  Tuning fp32;
  fp32.sums = Sums::fp32;
  EXPECT_EQ(sums_of(real, "sm_90", fp32), Sums::fp32);
  real.lengths = {26};
  EXPECT_EQ(sums_of(real), Sums::fp32);
}

TEST(Resolve, RefusesProductsThatAreNone) {
  Tuning tuning;
  tuning.products = 2;
  EXPECT_EQ(refused_field(256, tuning), "products");
  tuning.engine = Engine::simt;
  tuning.products = 3;
  EXPECT_EQ(refused_field(256, tuning), "products");
}

TEST(Tuning, PrintsWhatItFixes) {
  EXPECT_EQ(to_string(Tuning{}), "engine=default");
  EXPECT_EQ(to_string(resolved(256)),
            "engine=mma method=radix decomposition=(gs 16 (dft 16)) tensor_steps=1,2 "
            "products=3 "
            "points_per_thread=16 "
            "block_points=1024 registers=96");
}

// Texts of each field, by its name.
std::vector<std::string> texts_of(const TuningField& field) {
  const std::string name = field.name;
  if (name == "method") return {"radix", "bluestein", "rader"};
  if (name == "engine") return {"mma", "simt"};
  if (name == "prefetch") return {"none", "early", "late", "persistent"};
  if (name == "twiddles") return {"table", "products", "powers", "constants"};
  if (name == "sums") return {"fp32", "fp64-last", "fp64"};
  if (name == "decomposition") return {"(gs 16 (dft 16))", "(dft 7)"};
  if (name == "tensor_steps") return {"1", "1,2", "2,16"};
  if (name == "rows") return {"1", "1,3"};
  if (name == "pass_lengths") return {"1024,1024", "2", "1099511627776,3"};
  if (name == "workspace_points") return {"1", "1099511627776"};
  if (std::holds_alternative<std::optional<bool> Tuning::*>(field.member)) return {"0", "1"};
  return {"1", "16", "1048576"};
}

TEST(TuningFields, EveryTextComesBackAndSetsNothingElse) {
  for (const TuningField& field : tuning_fields()) {
    EXPECT_EQ(&tuning_field(field.name), &field) << "a second " << field.name;
    for (const std::string& text : texts_of(field)) {
      Tuning tuning;
      ASSERT_EQ(set_from_text(field, tuning, text), std::nullopt) << field.name << " " << text;
      EXPECT_NE(tuning, Tuning{});
      for (const TuningField& other : tuning_fields()) {
        const bool set = &other == &field;
        EXPECT_EQ(text_of(other, tuning), set ? std::optional(text) : std::nullopt) << other.name;
      }
    }
  }
}

TEST(TuningFields, WhatIsWrongIsNamedAndSetsNothing) {
  const std::vector<std::tuple<const char*, const char*, const char*>> wrong = {
      {"method", "fast", "fast"},
      {"engine", "", ""},
      {"radix", "0", "0"},
      {"registers", "1048577", "1048577"},
      {"columns", "4x", "4x"},
      {"tensor_steps", "1,17", "17"},
      {"tensor_steps", "", ""},
      {"pass_lengths", "1024,1", "1"},
      {"pass_lengths", "2,,3", ""},
      {"stage_load", "true", "true"},
      {"workspace_points", "-1", "-1"},
      {"fused", "2", "2"}};
  for (const auto& [name, text, part] : wrong) {
    Tuning tuning;
    EXPECT_EQ(set_from_text(tuning_field(name), tuning, text), part) << name;
    EXPECT_EQ(tuning, Tuning{}) << name;
  }
  Tuning tuning;
  EXPECT_THROW((void)set_from_text(tuning_field("decomposition"), tuning, "(gs"),
               UnsupportedProblem);
  EXPECT_THROW((void)tuning_field("speed"), std::out_of_range);
}

TEST(TuningFields, PrintAllWithTheEngineFirst) {
  Tuning tuning;
  for (const TuningField& field : tuning_fields()) {
    ASSERT_EQ(set_from_text(field, tuning, texts_of(field).back()), std::nullopt);
  }
  EXPECT_EQ(
      to_string(tuning),
      "engine=simt method=rader radix=1048576 decomposition=(dft 7) "
      "tensor_steps=2,16 products=1048576 sums=fp64 points_per_thread=1048576 block_points=1048576 "
      "registers=1048576 threads=1048576 opposite=true stage_load=true stage_store=true "
      "pass_lengths=1099511627776,3 "
      "columns=1048576 workspace_points=1099511627776 cluster=1048576 rounds=1048576 "
      "twiddles=constants prefetch=persistent rows=1,3 fused=true");
}

}  // namespace
}  // namespace sonoma
