// Real input and real output on the emulated device, against FFTW; memory between, before and
// behind the points must stay as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "laid_out.hpp"
#include "real_cases.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

class RealSides : public testing::TestWithParam<RealCase> {};

TEST_P(RealSides, AreTransformedAndNothingElse) { expect_served(GetParam()); }

std::vector<RealCase> lengths() {
  RealCases cases;
  bool in_place = false;
  for (const std::int64_t n : {1,  2,  3,  4,  5,  6,  7,   8,   9,   12,  15,   16,   17,
                               30, 31, 32, 37, 60, 64, 100, 101, 107, 128, 1000, 1009, 4096}) {
    for (const Domain domain : real_domains) {
      FftProblem& problem = cases.problem(domain, {n}, n < 64 ? 5 : 2);
      if (in_place) problem.placement = Placement::in_place;
      if (in_place) problem.scale = 0.125;
    }
    in_place = !in_place;
  }
  // Those of a few points, both in place and not.
  for (const std::int64_t n : {1, 2, 3, 4, 5}) {
    for (const Domain domain : real_domains) {
      FftProblem& problem = cases.problem(domain, {n}, 7);
      if (n % 2 == 0) problem.placement = Placement::in_place;
    }
  }
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Lengths, RealSides, testing::ValuesIn(lengths()));

std::vector<RealCase> shapes() {
  RealCases cases;
  for (const Domain domain : real_domains) {
    for (const Shape& shape : {Shape{16, 64},
                               {2, 3, 4, 5},
                               {2, 3, 4, 6},
                               {7, 1},
                               {1, 12},
                               {1, 1},
                               {1, 7, 1, 2},
                               {30, 7},
                               {8, 37},
                               {107, 6},
                               {5, 3, 2}}) {
      for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
        cases.problem(domain, shape, 2).placement = placement;
      }
    }
    cases.problem(domain, {3, 20000});  // an axis of several passes: a workspace
    cases.problem(domain, {20000, 3}).placement = Placement::in_place;
    cases.problem(domain, {2, 12101});
  }
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Shapes, RealSides, testing::ValuesIn(shapes()));

std::vector<RealCase> storages() {
  RealCases cases;
  using Pair = std::pair<Storage, Storage>;
  for (const Domain domain : real_domains) {
    for (const auto& [in, out] : {Pair{Storage::f16, Storage::f16},
                                  {Storage::bf16, Storage::bf16},
                                  {Storage::i16, Storage::i16},
                                  {Storage::f32, Storage::f16},
                                  {Storage::f16, Storage::f32},
                                  {Storage::i16, Storage::f32},
                                  {Storage::f32, Storage::i16},
                                  {Storage::bf16, Storage::f16}}) {
      const std::vector<Shape> some =
          in == out ? std::vector<Shape>{{256}, {15}, {6, 5, 8}} : std::vector<Shape>{{16}, {4, 9}};
      for (const Shape& shape : some) {
        FftProblem& problem = cases.problem(domain, shape, 3);
        problem.storage = in;
        if (in != out) problem.out_storage = out;
        const bool odd = shape.back() % 2 != 0;
        if (in == out && odd) problem.placement = Placement::in_place;
        if (in == Storage::i16) problem.scale = 0.03125;
        if (in != out && out == Storage::i16) problem.scale = 100;
      }
    }
    FftProblem& passes = cases.problem(domain, {20000}, 2);
    passes.storage = Storage::bf16, passes.placement = Placement::in_place;
  }
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Storages, RealSides, testing::ValuesIn(storages()));

// Of all ways to make a transform, also where it is padded, cropped and in place.
std::vector<RealCase> ways() {
  RealCases cases;
  for (const Domain domain : real_domains) {
    for (const Way& way : all_ways()) {
      RealCase c = real_case(domain, {way.n}, 2);
      c.options.tuning = way.tuning;
      cases.all.push_back(c);
      c.problem.placement = Placement::in_place;
      c.problem.storage = Storage::f16;
      cases.all.push_back(c);
      c.problem.placement = Placement::out_of_place;
      c.problem.storage = Storage::f32;
      const std::int64_t half = way.n / 2 + 1;
      c.problem.ends.in_length = domain == Domain::r2c ? way.n * 3 / 4 : half * 3 / 4;
      c.problem.ends.out_length = domain == Domain::r2c ? half * 2 / 3 : way.n * 2 / 3;
      cases.all.push_back(c);
    }
  }
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Ways, RealSides, testing::ValuesIn(ways()));

std::vector<RealCase> ends() {
  RealCases cases;
  const auto add = [&](Domain domain, std::int64_t n, std::int64_t in, std::int64_t out) -> auto& {
    FftProblem& problem = cases.problem(domain, {n}, 3);
    problem.ends.in_length = in, problem.ends.out_length = out;
    return problem;
  };
  for (const std::int64_t n : {16, 15, 101}) {
    const std::int64_t half = n / 2 + 1;
    add(Domain::r2c, n, n - 1, half - 1);
    add(Domain::r2c, n, n + 9, half);  // more points than are transformed
    add(Domain::r2c, n, 1, half / 2 + 1);
    add(Domain::c2r, n, half - 1, n - 1);
    add(Domain::c2r, n, half + 5, n);
    add(Domain::c2r, n, n, n / 2);  // as many as of a complex transform: half of them is read
    add(Domain::c2r, n, 1, n / 2 + 1);
    add(Domain::c2r, n, half / 2 + 1, 0).scale = 0.25;
  }
  for (const Domain domain : real_domains) {
    add(domain, 2, 1, 1), add(domain, 3, 1, 1), add(domain, 1, 1, 1);
    FftProblem& placed = add(domain, 64, 20, 30);
    placed.placement = Placement::in_place;
    const bool forward = domain == Domain::r2c;
    placed.layout.in_dist = forward ? 70 : 35, placed.layout.out_dist = forward ? 35 : 70;
    FftProblem& columns = add(domain, 64, 25, 30);
    columns.layout = {5, 7, 5 * 25, 7 * 30, {{5, 1, 1}}};
    columns.storage = Storage::bf16;
  }
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Ends, RealSides, testing::ValuesIn(ends()));

// Frames that overlap, at even places and at odd ones. (FFTW's c2r destroys what it reads.)
std::vector<RealCase> frames() {
  std::vector<RealCase> all;
  for (const std::int64_t n : {16, 64, 100, 45, 2048}) {
    for (const std::int64_t hop : {6, 7}) {
      all.push_back(real_case(Domain::r2c, {n}, 9));
      all.back().problem.layout.in_dist = hop;
    }
  }
  all.push_back(real_case(Domain::r2c, {8, 12}, 3));
  all.back().problem.layout.in_dist = 10;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Frames, RealSides, testing::ValuesIn(frames()));

}  // namespace
}  // namespace sonoma::test
