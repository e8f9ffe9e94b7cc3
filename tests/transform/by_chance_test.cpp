// Other requests in every run: any kind, laid out at random, with fields of a tuning at random, on
// the emulated device beside FFTW in double precision, between guards, on poisoned memory. What is
// refused is refused by name; what is accepted is right. What was tried is printed with the words
// that repeat it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "laid_out.hpp"
#include "random_problem.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/tuning_fields.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {
namespace {

using Clock = std::chrono::system_clock;

// A number of the environment.
std::int64_t setting(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

// The same all day.
std::int64_t seed_of_today() {
  return std::chrono::duration_cast<std::chrono::hours>(Clock::now().time_since_epoch()).count() /
         24;
}

class Chance {
 public:
  Chance(std::int64_t seed, std::int64_t number) {
    std::seed_seq words{seed, number};
    random_.seed(words);
  }

  FftProblem problem() {
    FftProblem problem = kind();
    const Storage storages[] = {Storage::f32, Storage::f32, Storage::f16, Storage::bf16,
                                Storage::i16};
    problem.storage = storages[below(5)];
    if (problem.storage == Storage::i16) {
      problem.scale = 0.001;
      problem.placement = Placement::out_of_place;
    }
    const bool floats = problem.storage == Storage::i16 || one_in(4);
    if (floats && problem.placement == Placement::out_of_place) problem.out_storage = Storage::f32;
    return problem;
  }

  // One to three fields that are set to something.
  Tuning tuning(const FftProblem& problem) {
    Tuning tuning;
    for (unsigned count = below(4); count > 0; --count) {
      const auto fields = tuning_fields();
      const TuningField& field = fields[below(static_cast<unsigned>(fields.size()))];
      (void)set_from_text(field, tuning, text(field.name, problem.n()));
    }
    return tuning;
  }

  std::string arch() { return one_of({"sm_75", "sm_80", "sm_90", "sm_120"}); }

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool one_in(unsigned count) { return below(count) == 0; }
  std::string one_of(const std::vector<std::string>& texts) {
    return texts[below(static_cast<unsigned>(texts.size()))];
  }

  FftProblem kind() {
    if (one_in(4)) {
      FftProblem problem = random_convolution(random_);
      if (one_in(2)) lay_out(problem, random_, 3), spread_spectra(problem, random_);
      return problem;
    }
    FftProblem problem = random_problem(random_);
    if (one_in(5)) {
      problem.domain =
          static_cast<Domain>(static_cast<int>(Domain::dct1) + static_cast<int>(below(8)));
      problem.direction = Direction::forward;
      for (std::int64_t& n : problem.lengths) n = std::max<std::int64_t>(n, 2);
    }
    const bool cuts = one_in(3);
    if (cuts) cut(problem, random_);
    if (cuts || !one_in(3)) lay_out(problem, random_, 3);
    return problem;
  }

  // A value that may fit the field.
  std::string text(const std::string& field, std::int64_t n) {
    if (field == "engine") return one_of({"mma", "simt"});
    if (field == "method") return one_of({"radix", "bluestein", "rader"});
    if (field == "twiddles") return one_of({"table", "products"});
    if (field == "block_points") return std::to_string(n << below(6));
    if (field == "threads") return std::to_string(32u << below(4));
    if (field == "workspace_points") return std::to_string(n << below(4));
    if (field == "tensor_steps") return one_of({"1", "2", "1,2"});
    if (field == "registers") return one_of({"64", "128", "255"});
    if (field == "pass_lengths") {
      const std::int64_t first = 2 + below(30);
      return std::to_string(first) + "," + std::to_string(n / first);
    }
    if (field == "radix") return one_of({"2", "3", "4", "5", "8", "16"});
    if (field == "points_per_thread") return std::to_string(2u << below(5));
    if (field == "decomposition") return "(gs 16 (dft " + std::to_string(n / 16) + "))";
    return std::to_string(1u << below(4));  // flags, counts
  }

  std::mt19937 random_;
};

void expect_right(const Plan& plan) {
  const FftProblem& problem = plan.problem();
  const Memory in = random_input(problem, problem.storage == Storage::i16 ? 1000.0f : 1.0f);
  std::vector<std::complex<float>> spectra;
  if (problem.convolution) spectra = verification::random_spectrum(problem, 3);
  Memory out = output_before(problem, in);
  execute_on(plan, in, out, nullptr, nullptr, spectra.empty() ? nullptr : spectra.data());
  expect_transforms(problem, expected_by_rows(problem, in, spectra), out,
                    output_before(problem, in), error_limit(plan.program()),
                    norms_of_rows(problem, in, spectra));
}

// False where it is refused.
bool try_one(std::int64_t seed, std::int64_t number) {
  Chance chance(seed, number);
  const FftProblem problem = chance.problem();
  PlanOptions options;
  options.device = Device::cpu;
  std::string asked;
  try {
    options.tuning = chance.tuning(problem);
    options.target = target_for(chance.arch());
    asked = to_string(problem) + " " + to_string(options.tuning) + " " + arch_name(*options.target);
    const Plan plan = make_plan(problem, options);
    std::cout << "number " << number << ": " << asked << std::endl;  // also where it ends here
    SCOPED_TRACE("SONOMA_RANDOM_SEED=" + std::to_string(seed) +
                 " SONOMA_RANDOM_FIRST=" + std::to_string(number) +
                 " SONOMA_RANDOM_SECONDS=0 build/tests/bin/transform_random_test "
                 "--gtest_filter=ByChance.* repeats it: " +
                 asked);
    expect_right(plan);
    return true;
  } catch (const UnsupportedProblem& refusal) {
    EXPECT_NE(refusal.field(), "") << asked;
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "seed " << seed << ", number " << number << ": " << asked << "\n"
                  << error.what();
    return true;
  }
}

TEST(ByChance, WhatIsAcceptedIsThatOfFftw) {
  const std::int64_t seed = setting("SONOMA_RANDOM_SEED", seed_of_today());
  const std::int64_t seconds = setting("SONOMA_RANDOM_SECONDS", 8);
  std::int64_t number = setting("SONOMA_RANDOM_FIRST", 0), right = 0;
  std::cout << "seed " << seed << ": SONOMA_RANDOM_SEED=" << seed << " repeats it\n";
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  do {
    if (try_one(seed, number++)) ++right;
  } while (Clock::now() < end);
  std::cout << right << " of " << number << " combinations were accepted\n";
  EXPECT_TRUE(right > 0 || seconds == 0);
}

}  // namespace
}  // namespace sonoma::test
