// Entries found in a text by their lengths are those that reading all of it finds.
#include "wisdom_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sonoma/wisdom.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

using Lengths = std::vector<std::int64_t>;

const std::vector<Platform> platforms = {{"NVIDIA A100", 80, "12.8"},
                                         {"NVIDIA H200", 90, "13.0"},
                                         {"NVIDIA H200", 90, "13.1"},
                                         {"NVIDIA H200", 100, "13.1"}};

// Lengths that differ in few ways: 9 before 12, but not as text; some begin as others do.
const std::vector<Lengths> shapes = {{1},     {9},  {9, 9},     {9, 12}, {12},
                                     {12, 9}, {90}, {90, 9, 9}, {120},   {1LL << 31}};

Wisdom some_of(std::mt19937& random, double share) {
  const WisdomEntry like = entry_of(Arithmetic::simt, 0.8);
  Wisdom wisdom;
  for (const Platform& platform : platforms) {
    for (const Lengths& lengths : shapes) {
      for (const Storage storage : {Storage::f32, Storage::f16}) {
        WisdomEntry entry = like;
        entry.platform = platform, entry.subject.lengths = lengths;
        entry.subject.storage = storage;
        if (std::bernoulli_distribution(share)(random)) wisdom.add(entry);
      }
    }
  }
  return wisdom;
}

Wisdom read_all(const Wisdom& wisdom, const Lengths& lengths,
                const std::vector<Storage>& storages) {
  Wisdom found;
  for (const WisdomEntry& entry : wisdom.entries()) {
    const bool stored = std::ranges::find(storages, entry.subject.storage) != storages.end();
    if (stored && entry.subject.lengths == lengths) found.add(entry);
  }
  return found;
}

WantedLine of(const std::vector<Storage>& storages) {
  std::vector<std::string> names;
  for (const Storage storage : storages) names.push_back(to_string(storage));
  return [=](std::string_view line) { return says(line, "storage", names); };
}

Wisdom read(const std::vector<std::string_view>& lines) {
  Wisdom wisdom;
  for (const std::string_view line : lines) wisdom.add(parse_own_entry(line));
  return wisdom;
}

TEST(WisdomLines, AreThoseOfTheLengths) {
  const std::vector<Storage> f32 = {Storage::f32}, both = {Storage::f32, Storage::f16};
  std::mt19937 random(7);
  for (const double share : {0.0, 0.05, 0.3, 0.8, 1.0}) {
    for (int repetition = 0; repetition < 4; ++repetition) {
      const Wisdom wisdom = some_of(random, share);
      const std::string text = to_json_text(wisdom);
      for (const Lengths& lengths : shapes) {
        for (const auto& storages : {f32, both, std::vector<Storage>()}) {
          EXPECT_EQ(read(WisdomText(text).lines_of(lengths, of(storages))),
                    read_all(wisdom, lengths, storages))
              << to_list(lengths) << " in\n"
              << text;
        }
      }
      EXPECT_TRUE(WisdomText(text).lines_of({10}, of(both)).empty());
      EXPECT_TRUE(WisdomText(text).lines_of({9, 9, 9}, of(both)).empty());
    }
  }
}

TEST(WisdomLines, SayWhatTheirFieldsAre) {
  const std::string_view line = R"({"storage":"f16","domain":"r2c","tuning":{"sums":"fp32"}})";
  EXPECT_TRUE(says(line, "storage", {"f32", "f16"}));
  EXPECT_TRUE(says(line, "domain", {"r2c"}));
  EXPECT_FALSE(says(line, "storage", {"f32", "f1", "f16x", ""}));
  EXPECT_FALSE(says(line, "storage", {}));
  EXPECT_FALSE(says(line, "arithmetic", {"f16"}));
}

}  // namespace
}  // namespace sonoma::testing
