// Which of two measurements is kept.
#include "sonoma/wisdom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sonoma/error_limit.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

TEST(Wisdom, KeepsTheBetterOfEqualKeysWhateverTheOrder) {
  const WisdomEntry slow = entry_of(Arithmetic::simt, 0.8, 96);
  const WisdomEntry fast = entry_of(Arithmetic::simt, 0.9, 80);
  WisdomEntry later = fast;
  later.date = "2027-01-01";
  std::vector<WisdomEntry> entries = {slow, fast, later};
  std::sort(entries.begin(), entries.end());
  do {
    Wisdom wisdom;
    for (const auto& entry : entries) wisdom.add(entry);
    EXPECT_EQ(wisdom.entries(), std::vector{later});
  } while (std::next_permutation(entries.begin(), entries.end()));
}

TEST(Wisdom, EveryPartOfTheKeyCounts) {
  const WisdomEntry entry = entry_of(Arithmetic::simt, 0.8);
  std::vector<WisdomEntry> others(9, entry);
  others[0].platform.device = "NVIDIA H100";
  others[1].platform.arch = 100;
  others[2].platform.driver = "12.8";
  others[3].subject.lengths = {2048};
  others[4].subject.storage = Storage::f16;
  others[5].subject.arithmetic = Arithmetic::half;
  others[6].subject.side_by_side = 4096;
  others[7].subject.convolution = Convolved::complex;
  others[8].subject.domain = Domain::dct2;
  Wisdom wisdom;
  wisdom.add(entry);
  for (const auto& other : others) wisdom.add(other);
  EXPECT_EQ(wisdom.entries().size(), 10u);
  EXPECT_TRUE(std::is_sorted(wisdom.entries().begin(), wisdom.entries().end()));
}

TEST(Wisdom, MergingIsSymmetricAndIdempotent) {
  Wisdom a, b;
  a.add(entry_of(Arithmetic::simt, 0.8));
  a.add(entry_of(Arithmetic::split3, 0.7));
  b.add(entry_of(Arithmetic::simt, 0.9));
  b.add(entry_of(Arithmetic::half, 0.95));
  Wisdom ab = a, ba = b;
  ab.merge(b);
  ba.merge(a);
  EXPECT_EQ(ab, ba);
  EXPECT_EQ(ab.entries().size(), 3u);
  ab.merge(ab);
  EXPECT_EQ(ab, ba);
}

// A slower one that is later is of other kernels, or of another driver.
TEST(Wisdom, ALaterDateComesBeforeSpeed) {
  WisdomEntry fast = entry_of(Arithmetic::simt, 0.9), later = entry_of(Arithmetic::simt, 0.8);
  later.date = "2027-01-01";
  for (const auto& [first, second] : {std::pair(fast, later), std::pair(later, fast)}) {
    Wisdom wisdom;
    wisdom.add(first);
    wisdom.add(second);
    EXPECT_EQ(wisdom.entries(), std::vector{later});
  }
}

TEST(Wisdom, WhatIsReplacedIsOfTheSameDeviceAndSubject) {
  const WisdomEntry fast = entry_of(Arithmetic::simt, 0.9), slow = entry_of(Arithmetic::simt, 0.8);
  WisdomEntry other_driver = fast, other_device = fast;
  other_driver.platform.driver = "12.8";
  other_device.platform.device = "NVIDIA H100";
  const WisdomEntry other_subject = entry_of(Arithmetic::half, 0.9);
  Wisdom wisdom;
  for (const auto& entry : {fast, other_driver, other_device, other_subject}) wisdom.add(entry);
  wisdom.replace(slow);
  EXPECT_EQ(wisdom.entries().size(), 3u);
  for (const auto& entry : {slow, other_device, other_subject}) {
    EXPECT_EQ(std::count(wisdom.entries().begin(), wisdom.entries().end(), entry), 1);
  }
}

TEST(Wisdom, TheKernelsOfAnEntryAreAHash) {
  const WisdomEntry entry = entry_of(Arithmetic::simt, 0.9, 96);
  const std::string hash = kernels_of(entry);
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_TRUE(std::all_of(hash.begin(), hash.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f');
  }));
  EXPECT_EQ(kernels_of(entry), hash);
  EXPECT_NE(kernels_of(entry_of(Arithmetic::simt, 0.9, 64)), hash);
  EXPECT_EQ(kernels_of(entry_in_passes()).size(), 16u);
  WisdomEntry refused = entry;
  refused.tuning.points_per_thread = 4;  // less than its radix
  EXPECT_EQ(kernels_of(refused), "");
  EXPECT_EQ(since_measured(refused), ", of kernels that were not recorded");
  refused.kernels = hash;
  EXPECT_EQ(since_measured(refused), ", of kernels that have changed since");
}

// One by one, by their lengths, what is shipped reads as all at once.
TEST(Wisdom, WhatIsShippedCanBeReadByLengths) {
  Wisdom all;
  for (const auto& entry : shipped_wisdom().entries()) {
    const Wisdom some = shipped_wisdom_of(entry.subject.lengths, {entry.subject.storage});
    EXPECT_TRUE(std::ranges::binary_search(some.entries(), entry)) << entry.subject.lengths.at(0);
    for (const auto& other : some.entries()) {
      EXPECT_EQ(other.subject.lengths, entry.subject.lengths);
    }
    all.merge(some);
    EXPECT_TRUE(is_shipped(entry)) << entry.subject.lengths.at(0);
    WisdomEntry other = entry;
    other.ms *= 2;
    EXPECT_FALSE(is_shipped(other));
  }
  EXPECT_EQ(all, shipped_wisdom());
  EXPECT_EQ(shipped_wisdom_of({15013}, {Storage::f32}), Wisdom());
  EXPECT_EQ(shipped_wisdom_of({64}, {}), Wisdom());
}

// Of a problem all that a plan may ask for.
TEST(Wisdom, WhatIsShippedForAProblem) {
  FftProblem problem = problem_of(64);
  problem.lengths = {64, 128}, problem.domain = Domain::r2c;
  const Wisdom found = shipped_wisdom_for(problem);
  std::set<std::vector<std::int64_t>> shapes;
  for (const auto& entry : found.entries()) {
    shapes.insert(entry.subject.lengths);
    EXPECT_EQ(entry.subject.storage, Storage::f32);
  }
  for (const std::int64_t n : {64, 128, 8192}) EXPECT_TRUE(shapes.contains({n})) << n;
  EXPECT_EQ(shipped_wisdom_for(problem, 90), found);
  EXPECT_EQ(shipped_wisdom_for(problem, 80), Wisdom());
  problem.storage = Storage::f16;
  EXPECT_GT(shipped_wisdom_for(problem).entries().size(), found.entries().size());
}

[[nodiscard]] bool is_product_of_2_to_13(std::int64_t n) {
  for (const std::int64_t prime : {2, 3, 5, 7, 11, 13}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

// Rows of every product of 2 to 13 that one launch transforms were measured, so that none is left
// to the cost model: an import that drops some is seen here.
TEST(Wisdom, RowsOfEveryProductOf2To13AreShipped) {
  using Rows = std::tuple<std::int64_t, Storage, Domain>;
  std::set<Rows> shipped;
  for (const auto& entry : shipped_wisdom().entries()) {
    const Subject& subject = entry.subject;
    if (subject.lengths.size() > 1 || subject.side_by_side > 0) continue;
    if (subject.convolution != Convolved::no) continue;
    shipped.emplace(subject.lengths.front(), subject.storage, subject.domain);
  }
  for (std::int64_t n = 2; n <= 16384; ++n) {
    if (!is_product_of_2_to_13(n)) continue;
    for (const Domain domain : {Domain::c2c, Domain::r2c, Domain::c2r}) {
      EXPECT_TRUE(shipped.contains({n, Storage::f32, domain})) << to_string(domain) << ' ' << n;
    }
    for (const Storage storage : {Storage::f16, Storage::bf16}) {
      EXPECT_TRUE(shipped.contains({n, storage, Domain::c2c})) << to_string(storage) << ' ' << n;
    }
  }
}

using Speeds = std::vector<std::pair<std::int64_t, double>>;  // of lengths, ascending

// Of the middle one of a row and up to five on either side.
double usual_speed(const Speeds& all, Speeds::const_iterator row) {
  constexpr std::ptrdiff_t each_side = 5;
  std::vector<double> near;
  std::transform(row - std::min(each_side, row - all.begin()),
                 row + std::min(each_side + 1, all.end() - row), std::back_inserter(near),
                 [](const auto& one) { return one.second; });
  const auto middle = near.begin() + std::ssize(near) / 2;
  std::ranges::nth_element(near, middle);
  return *middle;
}

// What was measured before better kernels were made stands out beside its neighbours: 6591 c2r had
// less than half of their speed. Odd ones are compared among themselves, for they have no pairs.
TEST(Wisdom, NoRowIsFarBehindItsNeighbours) {
  std::map<std::tuple<Storage, Domain, bool>, Speeds> kinds;
  for (const auto& entry : shipped_wisdom().entries()) {
    const Subject& subject = entry.subject;
    const std::int64_t n = subject.lengths.front();
    const bool row = subject.lengths.size() == 1 && subject.side_by_side == 0 &&
                     subject.convolution == Convolved::no;
    if (entry.platform != h200() || !row || subject.arithmetic != Arithmetic::simt) continue;
    if (n > 16 && is_product_of_2_to_13(n)) {
      kinds[{subject.storage, subject.domain, n % 2 == 1}].emplace_back(n, entry.eff);
    }
  }
  EXPECT_EQ(kinds.size(), 10u);
  constexpr double far_behind = 0.55;
  for (auto& [kind, speeds] : kinds) {
    std::ranges::sort(speeds);
    for (auto row = speeds.begin(); row != speeds.end(); ++row) {
      EXPECT_GE(row->second, far_behind * usual_speed(speeds, row))
          << row->first << ' ' << to_string(std::get<Domain>(kind));
    }
  }
}

// Where two GPUs of one architecture were measured, each would take its own: other bits.
TEST(Wisdom, WhatIsShippedOfAnArchitectureIsOfOneGpuForEachSubject) {
  std::map<std::pair<int, Subject>, std::string> devices;
  for (const auto& entry : shipped_wisdom().entries()) {
    const Platform& platform = entry.platform;
    const auto [at, is_new] =
        devices.emplace(std::pair(platform.arch, entry.subject), platform.device);
    EXPECT_TRUE(is_new || at->second == platform.device) << entry.subject.lengths.front();
  }
}

// Every entry that is shipped can be taken by this generator.
TEST(Wisdom, WhatIsShippedCanBeGenerated) {
  for (const auto& entry : shipped_wisdom().entries()) {
    FftProblem problem = measured_problem(entry);
    problem.batch = 1;
    const Target target = target_for(std::to_string(entry.platform.arch));
    const Program program = make_program(problem, target, entry.tuning);
    if (!entry.tuning.pass_lengths) {
      const Tuning made = tuning_of(program.launches.front().shape);
      EXPECT_EQ(made, entry.tuning) << to_string(made) << " for " << to_string(entry.tuning);
      EXPECT_EQ(program.launches.size(), 1u) << to_string(entry.tuning);
    }
    for (const Launch& launch : program.launches) {
      EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << to_string(entry.tuning);
    }
    EXPECT_LE(entry.rel_l2, error_limit(program)) << to_string(entry.tuning);
  }
}

// Real transforms may take what complex ones of their length were measured with, but no passes:
// they go over half of the rows. So each of them can be made, whatever is shipped.
TEST(Wisdom, OfComplexTransformsServesRealOnes) {
  const Target target = target_for("sm_90");
  std::size_t seen = 0;
  for (const auto& entry : shipped_wisdom().entries()) {
    const Subject& subject = entry.subject;
    const bool plain = subject == Subject{subject.lengths, Storage::f32, Arithmetic::simt};
    if (!plain || subject.lengths.size() > 1 || ++seen % 16 != 0) continue;
    for (const Domain domain : {Domain::r2c, Domain::c2r}) {
      FftProblem problem = problem_of(subject.lengths[0]);
      problem.domain = domain;
      if (domain == Domain::c2r) problem.direction = Direction::inverse;
      const Planned planned = plan(problem, target, {}, shipped_wisdom_for(problem, 90));
      const auto& measured = planned.choice.measured;
      EXPECT_FALSE(measured && measured->subject.domain == Domain::c2c &&
                   measured->tuning.pass_lengths)
          << problem.n();
      for (const Launch& launch : planned.program.launches) {
        EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape))
            << to_string(domain) << " " << problem.n();
      }
    }
  }
  EXPECT_GT(seen, 5000u);
}

// A change of texts leaves measurements of other kernels behind. It is to be seen: then they are
// measured again (`sonoma tune --again`), or the number says that they were left.
TEST(ShippedWisdom, IsOfKernelsThatWereMeasured) {
  constexpr std::size_t stride = 4, left = 11;
  std::size_t changed = 0, seen = 0;
  for (const WisdomEntry& entry : shipped_wisdom().entries()) {
    if (entry.platform.arch != 90 || ++seen % stride != 0) continue;
    if (!since_measured(entry).empty()) ++changed;
  }
  EXPECT_LE(changed, left);
  EXPECT_GT(seen, 10000u);
}

}  // namespace
}  // namespace sonoma::testing
