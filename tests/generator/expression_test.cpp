// C expressions of the thread index, evaluated.
#include "expression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <random>
#include <stdexcept>

#include "places.hpp"

namespace sonoma {
namespace {

// Sums of products of `thread` and numbers with * / % ( - ), left to right as in C.
class Evaluator {
 public:
  Evaluator(const std::string& text, std::uint32_t thread) : text_(text), thread_(thread) {}

  std::uint32_t run() {
    const std::uint32_t value = sum();
    if (at_ != text_.size()) throw std::runtime_error("text after the expression: " + text_);
    return value;
  }

 private:
  char skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::uint32_t sum() {
    std::uint32_t value = term();
    for (char op = skip(); op == '+' || op == '-'; op = skip()) {
      ++at_;
      const std::uint32_t right = term();
      value = op == '+' ? value + right : value - right;
    }
    return value;
  }
  std::uint32_t term() {
    std::uint32_t value = factor();
    for (char op = skip(); op == '*' || op == '/' || op == '%'; op = skip()) {
      ++at_;
      const std::uint32_t right = factor();
      value = op == '*' ? value * right : op == '/' ? value / right : value % right;
    }
    return value;
  }
  std::uint32_t factor() {
    if (skip() == '(') {
      ++at_;
      const std::uint32_t value = sum();
      if (skip() != ')') throw std::runtime_error("no ): " + text_);
      ++at_;
      return value;
    }
    if (text_.compare(at_, 6, "thread") == 0) {
      at_ += 6;
      return thread_;
    }
    std::size_t used = 0;
    const auto value = static_cast<std::uint32_t>(std::stoul(text_.substr(at_), &used));
    at_ += used;
    return value;
  }

  const std::string& text_;
  std::uint32_t thread_;
  std::size_t at_ = 0;
};

std::uint32_t value_of(const std::string& text, std::uint32_t thread) {
  return Evaluator(text, thread).run();
}

TEST(Expression, KnownCases) {
  EXPECT_EQ(sum_text({}), "0");
  EXPECT_EQ(sum_text({{2, 0}, {2, 0}}), "0");
  EXPECT_EQ(sum_text({{2, 1}, {2, 2}, {2, 4}}), "thread");
  EXPECT_EQ(sum_text({{2, 4}, {2, 8}}), "thread * 4");
  EXPECT_EQ(sum_text({{2, 4}, {2, 8}, {2, 1}}), "thread % 4 * 4 + thread / 4");
  EXPECT_EQ(sum_text({{10, 1}, {10, 10}}), "thread");
  EXPECT_EQ(sum_text({{10, 1}, {7, 100}}), "thread % 10 + thread / 10 * 100");
  EXPECT_EQ(sum_text({{5, 3}, {2, 15}, {7, 0}, {3, 1}}), "thread % 10 * 3 + thread / 70");
  EXPECT_EQ(sum_text({{2, 1, true}, {2, 2, true}, {8, 4}}), "(3 - thread % 4) + thread / 4 * 4");
}

TEST(Expression, IsTheSumOfItsDigits) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ThreadDigit> digits;
    std::uint32_t threads = 1, stride = 1;
    for (unsigned i = 0; i < 1 + trial % 7u; ++i) {
      const auto count = static_cast<unsigned>(2 + random() % 4);
      digits.push_back({count, random() % 4 == 0 ? 0 : stride, random() % 3 == 0});
      threads *= count, stride *= count + (random() % 2 == 0 ? 1 : 0);
    }
    if (trial % 3 == 0) std::shuffle(digits.begin(), digits.end(), random);
    const std::string text = sum_text(digits);
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      std::uint32_t rest = thread, expected = 0;
      for (const ThreadDigit& digit : digits) {
        const std::uint32_t value = rest % digit.count;
        rest /= digit.count;
        expected += (digit.backwards ? digit.count - 1 - value : value) * digit.stride;
      }
      ASSERT_EQ(value_of(text, thread), expected) << text << " at " << thread;
    }
  }
}

// --- places of registers ------------------------------------------------------------------------

// Random layouts of trees, one or several transforms, some digits of radix 16 folded.
struct Sample {
  std::vector<Digit> digits;
  Layout layout;
};
std::vector<Sample> samples(bool binary) {
  std::mt19937 random(5);
  const std::vector<Decomposition> trees =
      binary ? std::vector{decompose(2048, 2), decompose(2048), Decomposition{{16, 8, 16}}}
             : std::vector{Decomposition{{10, 10, 10}}, Decomposition{{7, 11, 13}},
                           Decomposition{{12, 16, 9}}};
  std::vector<Sample> all;
  for (const Decomposition& tree : trees) {
    for (int trial = 0; trial < 10; ++trial) {
      Sample one{make_digits(tree, binary ? 1 : 6), {}};
      std::vector<DigitId> ids(one.digits.size());
      std::iota(ids.begin(), ids.end(), 0u);
      std::shuffle(ids.begin(), ids.end(), random);
      const auto middle = ids.begin() + (binary ? 5 : 2);
      one.layout = {{ids.begin(), middle}, {middle, ids.end()}, {}};
      all.push_back(one);
    }
  }
  return all;
}

TEST(SumPlaces, AreTheIndicesOfEveryPoint) {
  for (const bool binary : {true, false}) {
    for (const Sample& sample : samples(binary)) {
      std::vector<std::uint32_t> strides;
      for (const Digit& digit : sample.digits) strides.push_back(digit.time_stride);
      const SumPlaces places = sum_places(sample.digits, sample.layout, strides);
      const LinearMap map = index_map(sample.digits, sample.layout, Side::time);
      for (std::uint32_t thread = 0; thread < map.threads(); ++thread) {
        for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
          const std::uint32_t base = value_of(places.bases[places.base[reg]], thread);
          ASSERT_EQ(base + places.offset[reg], map.of(thread, reg)) << thread << " " << reg;
          ASSERT_LE(base + places.offset[reg], places.last_of(reg));
        }
      }
    }
  }
}

// The upper half of a folded digit counts backwards: XOR in the map, other bases in the text.
TEST(SumPlaces, OfFoldedDigitsHaveABaseForEachHalf) {
  const auto digits = make_digits(decompose(256), 1);
  // Step 1 is digits 4 to 7, step 2 digits 0 to 3: the highest bit of each in a register.
  const Layout folded{{3, 7, 0}, {1, 2, 4, 5, 6}, {0, 1}};
  ASSERT_EQ(check_layout(folded, digits), "");
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : digits) strides.push_back(digit.time_stride);
  const SumPlaces places = sum_places(digits, folded, strides);
  EXPECT_EQ(places.bases.size(), 4u);
  const LinearMap map = index_map(digits, folded, Side::time);
  for (std::uint32_t thread = 0; thread < 32; ++thread) {
    for (std::uint32_t reg = 0; reg < 8; ++reg) {
      ASSERT_EQ(value_of(places.bases[places.base[reg]], thread) + places.offset[reg],
                map.of(thread, reg));
    }
  }
}

// The last digits of the threads number blocks, then rounds: 3 blocks and 2 rounds of 5 threads.
TEST(SumText, TakesBlocksFromTheirRankAndKnowsTheRound) {
  const std::vector<ThreadDigit> digits = {{5, 1}, {3, 40}, {2, 7}};
  EXPECT_EQ(sum_text(digits, Numbering{}), "thread % 5 + thread / 5 % 3 * 40 + thread / 15 * 7");
  EXPECT_EQ(sum_text(digits, Numbering{1, 1, 0}), "thread + rank * 40");
  EXPECT_EQ(sum_text(digits, Numbering{1, 1, 1}), "thread + rank * 40 + 7");
  EXPECT_EQ(sum_text(digits, Numbering{0, 2, 4}), "thread + 47");  // 4 = 1 + 3 * 1
  EXPECT_EQ(sum_text({{5, 0}, {2, 7}}, Numbering{0, 1, 1}), "7");
  EXPECT_EQ(sum_text({{5, 0}, {2, 7}}, Numbering{0, 1, 0}), "0");
}

TEST(XorPlaces, AreThoseOfTheSwizzle) {
  for (const Swizzle& swizzle : {Swizzle{}, Swizzle{14, {4}}, Swizzle{12, {4, 7}}}) {
    for (const Sample& sample : samples(true)) {
      const LinearMap map = index_map(sample.digits, sample.layout, Side::time);
      const SharedPlaces places = xor_places(map, swizzle, 4);
      for (std::uint32_t thread = 0; thread < map.threads(); ++thread) {
        const std::uint32_t own = swizzle(value_of(places.thread, thread));
        for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
          ASSERT_EQ((own ^ places.flip[reg]) + places.add[reg], swizzle(map.of(thread, reg)));
        }
      }
    }
  }
}

TEST(Neighbours, FollowEachOtherInMemory) {
  const auto digits = make_digits(decompose(64), 1);
  const Layout layout{{0, 3, 1}, {2, 4, 5}, {}};
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : digits) strides.push_back(digit.time_stride);
  const SumPlaces places = sum_places(digits, layout, strides);
  const auto pairs = neighbours(places, 2);
  ASSERT_EQ(pairs.size(), 4u);
  for (const auto& pair : pairs) {
    ASSERT_EQ(pair.size(), 2u);
    EXPECT_EQ(places.offset[pair[1]], places.offset[pair[0]] + 1);
    EXPECT_EQ(places.offset[pair[0]] % 2, 0u);
  }
  EXPECT_EQ(neighbours(places, 4).front().size(), 4u);
}

}  // namespace
}  // namespace sonoma
