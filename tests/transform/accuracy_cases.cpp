#include "accuracy_cases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sonoma/launch_kernel.hpp"
#include "worst_input.hpp"

namespace sonoma::test {
namespace {

ErrorEstimate estimate_of(const Program& program, const Target& target) {
  std::vector<LaunchKernel> kernels;
  for (const Launch& launch : program.launches) kernels.push_back(generate(launch, target));
  return error_of(kernels);
}

struct Statistics {
  double relative = 0, bias = 0;  // the root of the mean square, and the mean
  double spread = 0;              // the standard error of the bias
  double largest = 0;
};
Statistics statistics(const Measured& measured) {
  double square = 0, bias = 0, bias2 = 0, largest = 0;
  const auto errors = measured.errors(measured.random_rows());
  for (const TransformError& error : errors) {
    square += error.relative * error.relative;
    bias += error.bias, bias2 += error.bias * error.bias;
    largest = std::max(largest, error.relative);
  }
  const auto count = static_cast<double>(errors.size());
  const double mean = bias / count, variance = std::max(0.0, bias2 / count - mean * mean);
  return {std::sqrt(square / count), mean, std::sqrt(variance / (count - 1)), largest};
}

}  // namespace

Accuracy accuracy_of(const Request& request, Device device, int generations) {
  // Where a search goes on for long, it has as many rows to choose from as it has time for.
  const std::int64_t points = std::clamp<std::int64_t>(
      32 * request.problem.n(), 4096, std::int64_t{1024} * std::max(4, generations));
  const Measured many(plan_of(request, device, 16384)), few(plan_of(request, device, points));
  const Statistics random = statistics(many);
  const Worst worst = worst_input(few, generations);
  Accuracy accuracy;
  accuracy.bound = many.plan().error_bound(), accuracy.expected = many.plan().expected_error();
  accuracy.expected_bias = estimate_of(many.plan().program(), many.plan().generated().target).bias;
  accuracy.random = random.relative, accuracy.bias = random.bias, accuracy.spread = random.spread;
  accuracy.found = std::max(worst.relative, random.largest), accuracy.input = worst.input;
  return accuracy;
}

Plan plan_of(const Request& request, Device device, std::int64_t points, const EditKernel& edit) {
  PlanOptions options;
  options.device = device, options.tuning = request.tuning, options.edit_kernel = edit;
  FftProblem problem = request.problem;
  problem.batch = std::max<std::int64_t>(2, points / problem.n());
  return make_plan(problem, options);
}

std::string to_string(const Accuracy& a) {
  constexpr double u = 0x1p-24;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "bound %.2f, found %.2f (1/%.1f), expected %.3f, random %.3f (%+.0f %%), bias expected "
      "%+.2f, measured %+.2f, %s",
      a.bound / u, a.found / u, a.bound / a.found, a.expected / u, a.random / u,
      100 * (a.random / a.expected - 1), a.expected_bias / u, a.bias / u, a.input.c_str());
  return text;
}

namespace {

Request request(const std::string& name, const FftProblem& problem, const Tuning& tuning = {}) {
  return {name, problem, tuning};
}

FftProblem problem_of(std::vector<std::int64_t> lengths, Domain domain = Domain::c2c) {
  FftProblem problem;
  problem.lengths = std::move(lengths), problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

std::vector<Request> steps() {
  std::vector<Request> all;
  for (const unsigned radix : {2u, 4u, 8u, 16u}) {
    for (const Engine engine : {Engine::mma, Engine::simt}) {
      Tuning tuning;
      tuning.engine = engine, tuning.radix = radix;
      all.push_back(request(to_string(engine) + "_radix_" + std::to_string(radix),
                            problem_of({radix == 16 ? 256 : 64}), tuning));
    }
  }
  for (const std::int64_t n : {3, 5, 7, 9, 13, 14, 31, 37, 61, 83, 105, 817, 1000, 2047, 3721}) {
    all.push_back(request("n" + std::to_string(n), problem_of({n})));
  }
  return all;
}

// Factors that a kernel makes of others: of a thread with two butterflies of the first step, and
// all later digits of the second; of a convolution.
std::vector<Request> by_made_factors() {
  std::vector<Request> all;
  for (const Twiddles twiddles :
       {Twiddles::products, Twiddles::powers, Twiddles::constants, Twiddles::cosines}) {
    Tuning tuning;
    tuning.twiddles = twiddles;
    tuning.method = Method::bluestein;
    all.push_back(request("bluestein_" + to_string(twiddles), problem_of({1009}), tuning));
    tuning.method.reset();
    tuning.decomposition = parse_decomposition("(gs 7 (gs 5 (gs 2 (dft 7))))");
    tuning.points_per_thread = 14, tuning.block_points = 490;
    all.push_back(request("radix_" + to_string(twiddles), problem_of({490}), tuning));
  }
  return all;
}

// Butterflies in FP64.
std::vector<Request> in_fp64() {
  std::vector<Request> all;
  const auto add = [&](const std::string& name, const FftProblem& problem) {
    all.push_back(request("simt64_" + name, problem));
    all.back().problem.accuracy.arithmetic = Arithmetic::simt64;
  };
  for (const std::int64_t n : {31, 67, 256, 1000, 1009, 4096, 16384}) {
    add(std::to_string(n), problem_of({n}));
  }
  for (const Domain domain : {Domain::r2c, Domain::c2r, Domain::dct2}) {
    add(to_string(domain), problem_of({240}, domain));
  }
  add("plane", problem_of({48, 64}));
  return all;
}

// FP16 throughout, two points at once.
std::vector<Request> in_packed() {
  std::vector<Request> all;
  for (const std::int64_t n : {16, 256, 1000, 2048, 4096}) {
    all.push_back(request("packed_" + std::to_string(n), problem_of({n})));
  }
  all.push_back(request("packed_passes", problem_of({2048})));
  all.back().tuning.pass_lengths = {32, 32};
  for (Request& one : all) {
    one.problem.storage = Storage::f16;
    one.problem.accuracy.arithmetic = Arithmetic::packed;
  }
  return all;
}

std::vector<Request> ways(Domain domain) {
  std::vector<Request> all;
  for (Way way : all_ways()) {
    // A convolution in three passes for as many points as they are for.
    if (way.name == std::string("Bluestein in three passes")) way.n = 15013;
    std::string name = to_string(domain) + "_" + way.name;
    std::ranges::replace(name, ' ', '_');
    all.push_back(request(name, problem_of({way.n}, domain), way.tuning));
  }
  if (domain != Domain::c2c) return all;
  Tuning rader;
  rader.method = Method::rader;
  for (const std::int64_t n : {37, 257}) {
    all.push_back(
        request(to_string(domain) + "_rader_" + std::to_string(n), problem_of({n}, domain), rader));
  }
  return all;
}

std::vector<Request> others() {
  std::vector<Request> all;
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    FftProblem problem = problem_of({256});
    problem.storage = storage;
    all.push_back(request(to_string(storage), problem));
    problem.accuracy.arithmetic = Arithmetic::half;
    all.push_back(request(to_string(storage) + "_half", problem));
    problem.accuracy.arithmetic.reset(), problem.out_storage = Storage::f32;
    all.push_back(request(to_string(storage) + "_to_f32", problem));
  }
  FftProblem scaled = problem_of({64});
  scaled.scale = 0.3;
  all.push_back(request("scaled", scaled));
  all.push_back(request("plane", problem_of({48, 64})));
  all.push_back(request("axes", problem_of({512, 320})));
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    all.push_back(request(to_string(domain) + "_plane", problem_of({48, 64}, domain)));
    all.push_back(request(to_string(domain) + "_opposite", problem_of({3000}, domain)));
  }
  for (const Domain domain : {Domain::dct1, Domain::dct2, Domain::dct3, Domain::dct4, Domain::dst1,
                              Domain::dst2, Domain::dst3, Domain::dst4}) {
    all.push_back(request(to_string(domain), problem_of({96}, domain)));
  }
  return all;
}

void append(std::vector<Request>& all, const std::vector<Request>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

Request in_passes(const std::string& name, const std::vector<std::int64_t>& lengths, std::int64_t n,
                  Domain domain = Domain::c2c) {
  Tuning tuning;
  tuning.pass_lengths = lengths;
  return request(name, problem_of({n}, domain), tuning);
}

}  // namespace

std::vector<Request> accuracy_requests() {
  std::vector<Request> all = steps();
  for (const Domain domain : {Domain::c2c, Domain::r2c, Domain::c2r}) append(all, ways(domain));
  append(all, others());
  append(all, in_fp64());
  append(all, in_packed());
  append(all, by_made_factors());
  return all;
}

std::vector<Request> short_requests() {
  std::vector<Request> all;
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    for (const std::int64_t n : {2, 4, 8, 16}) {
      Tuning tuning;
      tuning.engine = engine;
      all.push_back(request(to_string(engine) + "_" + std::to_string(n), problem_of({n}), tuning));
    }
  }
  for (const std::int64_t n : {2, 16}) {
    all.push_back(request("simt64_" + std::to_string(n), problem_of({n})));
    all.back().problem.accuracy.arithmetic = Arithmetic::simt64;
  }
  for (const std::int64_t n : {3, 5, 7, 11, 13, 17, 23, 31}) {
    all.push_back(request("n" + std::to_string(n), problem_of({n})));
  }
  for (const Domain domain :
       {Domain::r2c, Domain::c2r, Domain::dct1, Domain::dct2, Domain::dct3, Domain::dct4,
        Domain::dst1, Domain::dst2, Domain::dst3, Domain::dst4}) {
    all.push_back(request(to_string(domain) + "_16", problem_of({16}, domain)));
    all.push_back(request(to_string(domain) + "_15", problem_of({15}, domain)));
  }
  Tuning bluestein, rader;
  bluestein.method = Method::bluestein, rader.method = Method::rader;
  all.push_back(request("bluestein_5", problem_of({5}), bluestein));
  all.push_back(request("bluestein_16", problem_of({16}), bluestein));
  all.push_back(request("bluestein_17", problem_of({17}), bluestein));
  bluestein.pass_lengths = {6, 6};
  all.push_back(request("bluestein_passes", problem_of({17}), bluestein));
  all.push_back(request("rader_17", problem_of({17}), rader));
  all.push_back(request("rader_19", problem_of({19}), rader));
  all.push_back(in_passes("two_passes", {32, 32}, 1024));
  all.push_back(in_passes("mixed_passes", {6, 10}, 60));
  all.push_back(in_passes("three_passes", {6, 10, 6}, 360));
  all.push_back(in_passes("r2c_passes", {6, 10}, 60, Domain::r2c));
  all.push_back(in_passes("c2r_passes", {6, 10}, 60, Domain::c2r));
  all.push_back(request("small_plane", problem_of({4, 4})));
  return all;
}

}  // namespace sonoma::test
