#include "by_chance.hpp"

#include <algorithm>
#include <chrono>

#include "laid_out.hpp"
#include "random_problem.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/tuning_fields.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {

Chance::Chance(std::int64_t seed, std::int64_t number) {
  std::seed_seq words{seed, number};
  random_.seed(words);
}

FftProblem Chance::problem() {
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

Tuning Chance::tuning(const FftProblem& problem) {
  Tuning tuning;
  for (unsigned count = below(4); count > 0; --count) {
    const auto fields = tuning_fields();
    const TuningField& field = fields[below(static_cast<unsigned>(fields.size()))];
    (void)set_from_text(field, tuning, text(field.name, problem.n()));
  }
  return tuning;
}

std::string Chance::arch() { return one_of({"sm_75", "sm_80", "sm_90", "sm_120"}); }

unsigned Chance::below(unsigned count) { return static_cast<unsigned>(random_() % count); }

bool Chance::one_in(unsigned count) { return below(count) == 0; }

std::string Chance::one_of(const std::vector<std::string>& texts) {
  return texts[below(static_cast<unsigned>(texts.size()))];
}

FftProblem Chance::kind() {
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

std::string Chance::text(const std::string& field, std::int64_t n) {
  if (field == "engine") return one_of({"mma", "simt"});
  if (field == "method") return one_of({"radix", "bluestein", "rader"});
  if (field == "prefetch") return one_of({"none", "early", "late", "persistent"});
  if (field == "twiddles") return one_of({"table", "products", "powers", "constants", "cosines"});
  if (field == "block_points") return std::to_string(n << below(6));
  if (field == "threads") return std::to_string(32u << below(4));
  if (field == "workspace_points") return std::to_string(n << below(4));
  if (field == "tensor_steps") return one_of({"1", "2", "1,2"});
  if (field == "rows") return one_of({"1", "2", "1,3"});
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

std::int64_t seed_of_today() {
  return std::chrono::duration_cast<std::chrono::hours>(
             std::chrono::system_clock::now().time_since_epoch())
             .count() /
         24;
}

void expect_as_fftw(const Plan& plan) {
  const FftProblem& problem = plan.problem();
  const Memory in = random_input(problem, problem.storage == Storage::i16 ? 1000.0f : 1.0f);
  std::vector<std::complex<float>> spectra;
  if (problem.convolution) spectra = verification::random_spectrum(problem, 3);
  Memory out = output_before(problem, in);
  if (plan.device() == Device::gpu) {
    execute_on_gpu(plan, in, out, spectra);
  } else {
    execute_on(plan, in, out, nullptr, nullptr, spectra.empty() ? nullptr : spectra.data());
  }
  expect_transforms(problem, expected_by_rows(problem, in, spectra), out,
                    output_before(problem, in), error_limit(plan.program()),
                    norms_of_rows(problem, in, spectra));
}

}  // namespace sonoma::test
