// Pointers that are multiples of no more than the problem's alignment, on the emulated device,
// which refuses an access that is not aligned to its own size.
#include <gtest/gtest.h>

#include <cmath>

#include "every_kind.hpp"
#include "host_execution.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::test {
namespace {

Plan plan_of(const Request& request) {
  PlanOptions options;
  options.device = Device::cpu, options.tuning = request.tuning;
  return make_plan(request.problem, options);
}

// The output of noise, as numbers; both sides begin at a multiple of the alignment and of no more.
std::vector<float> transformed(const Request& request) {
  const FftProblem& problem = request.problem;
  const std::size_t first = problem.alignment % 16;
  const auto at = [&](std::vector<std::byte> bytes) {
    bytes.insert(bytes.begin(), first, std::byte{});
    return bytes;
  };
  const bool in_place = problem.placement == Placement::in_place;
  std::vector<std::byte> in = at(noise(bytes_of(problem, true), 1));
  std::vector<std::byte> out = in_place ? in : at(std::vector<std::byte>(bytes_of(problem, false)));
  const auto spectrum = noise_spectrum(problem);
  ExecuteOptions options;
  options.spectrum = spectrum.empty() ? nullptr : spectrum.data();
  plan_of(request).execute((in_place ? out : in).data() + first, out.data() + first, options);
  const std::size_t bytes =
      static_cast<std::size_t>(problem.out_points()) * problem.bytes_of_point(false);
  std::vector<std::byte> result(out.data() + first, out.data() + first + bytes);
  result.resize((bytes + 7) / 8 * 8);  // real numbers in pairs
  std::vector<float> numbers;
  for (const auto& point : unpack(problem.result_storage(), result)) {
    numbers.insert(numbers.end(), {point.real(), point.imag()});
  }
  return numbers;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double{a[i]} - b[i], 2), norm += std::pow(double{b[i]}, 2);
  }
  return std::sqrt(difference / norm);
}

std::vector<Request> sampled(const std::vector<Request>& all) {
  std::vector<Request> some;
  for (std::size_t i = 0; i < all.size(); i += 3) {
    if (all[i].problem.points() * all[i].problem.batch < 30000) some.push_back(all[i]);
  }
  return some;
}

std::vector<Request> requests() {
  std::vector<Request> all;
  for (const Way& way : all_ways()) {
    Request request{way.name, {}, way.tuning};
    request.problem.lengths = {way.n}, request.problem.batch = 3;
    all.push_back(request);
  }
  // Columns, of which neighbours would travel in pairs.
  Request columns{"columns", {}, {}};
  columns.problem.lengths = {256}, columns.problem.batch = 2;
  columns.problem.layout = {64, 64, 16384, 16384, {{64, 1, 1}}};
  columns.tuning.engine = Engine::mma;
  all.push_back(columns);
  for (const Storage storage : {Storage::f16, Storage::bf16, Storage::i16}) {
    Request request{to_string(storage), {}, {}};
    request.problem.lengths = {256}, request.problem.batch = 5, request.problem.storage = storage;
    all.push_back(request);
  }
  for (const auto& kind : requests_by_kind()) {
    const std::vector<Request> some = sampled(kind);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(Alignment, PointersNeedBeMultiplesOfAPointOnly) {
  for (Request request : requests()) {
    SCOPED_TRACE(request.name + ": " + to_string(request.problem));
    const std::vector<float> expected = transformed(request);
    request.problem.alignment = 8;
    const Storage storage = request.problem.result_storage();
    const double limit = storage == Storage::f32 ? 2e-6 : 0.02;
    EXPECT_LT(distance(transformed(request), expected), limit);
  }
}

std::string refusal(const FftProblem& problem, std::size_t offset) {
  try {
    const Plan plan = plan_of({"", problem, {}});
    std::vector<std::byte> in(4096), out(4096);
    plan.execute(in.data() + offset, out.data());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Alignment, LessThanWasSaidIsRefused) {
  FftProblem problem;
  problem.lengths = {64};
  EXPECT_EQ(refusal(problem, 0), "");
  EXPECT_NE(refusal(problem, 8).find("is not 16-byte aligned"), std::string::npos);
  EXPECT_NE(refusal(problem, 8).find("FftProblem::alignment"), std::string::npos);
  problem.alignment = 8;
  EXPECT_EQ(refusal(problem, 8), "");
  EXPECT_NE(refusal(problem, 4).find("is not 8-byte aligned"), std::string::npos);
  for (const unsigned alignment : {0u, 4u, 12u, 32u}) {
    problem.alignment = alignment;
    EXPECT_EQ(refusal(problem, 0),
              "alignment = " + std::to_string(alignment) +
                  " is not supported: 16, or 8 for memory that begins at no multiple of 16 bytes");
  }
}

}  // namespace
}  // namespace sonoma::test
