// C expressions of the thread index, evaluated.
#include "index_text.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <numeric>
#include <random>
#include <stdexcept>

namespace sonoma {
namespace {

// Sums of products of `thread` and numbers with * / %, left to right as in C.
class Evaluator {
 public:
  Evaluator(const std::string& text, std::uint32_t thread) : text_(text), thread_(thread) {}

  std::uint32_t run() {
    std::uint32_t sum = term();
    while (skip() == '+') ++at_, sum += term();
    if (at_ != text_.size()) throw std::runtime_error("text after the expression: " + text_);
    return sum;
  }

 private:
  char skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
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
    skip();
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

void expect_equal(const LinearMap& map) {
  const std::string text = index_text(map.thread_bits, map.thread_counts);
  for (std::uint32_t thread = 0; thread < map.threads(); ++thread) {
    ASSERT_EQ(Evaluator(text, thread).run(), map.of_thread(thread)) << text << " at " << thread;
  }
}

TEST(IndexText, KnownCases) {
  EXPECT_EQ(index_text({}), "0");
  EXPECT_EQ(index_text({0, 0}), "0");
  EXPECT_EQ(index_text({1, 2, 4}), "thread");
  EXPECT_EQ(index_text({4, 8}), "thread * 4");
  EXPECT_EQ(index_text({4, 8, 1}), "thread % 4 * 4 + thread / 4");
}

TEST(IndexText, MixedDigitsAreQuotientsAndRemainders) {
  EXPECT_EQ(index_text({1, 10}, {10, 10}), "thread");
  EXPECT_EQ(index_text({1, 100}, {10, 7}), "thread % 10 + thread / 10 * 100");
  EXPECT_EQ(index_text({3, 15, 0, 1}, {5, 2, 7, 3}), "thread % 10 * 3 + thread / 70");
}

TEST(IndexText, EqualsTheMapForEveryThread) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::uint32_t> strides;
    for (std::uint32_t bit = 0; bit < 13; ++bit) strides.push_back(1u << bit);
    if (trial % 4 != 0) std::shuffle(strides.begin(), strides.end(), random);
    strides.resize(trial % 10u);
    for (std::uint32_t& stride : strides) stride = random() % 4 == 0 ? 0 : stride;
    expect_equal({strides, {}});
  }
}

TEST(IndexText, EqualsTheMapForEveryLayoutOfDigits) {
  std::mt19937 random(5);
  for (const Decomposition& tree :
       {decompose(2048, 2), decompose(2048), Decomposition{{10, 10, 10}},
        Decomposition{{7, 11, 13}}, Decomposition{{12, 16, 9}}}) {
    const auto digits = make_digits(tree, tree.n() == 2048 ? 1 : 6);
    std::vector<DigitId> ids(digits.size());
    std::iota(ids.begin(), ids.end(), 0u);
    Layout layout{{ids.begin(), ids.begin() + 2}, {ids.begin() + 2, ids.end()}};
    for (int trial = 0; trial < 10; ++trial) {
      std::shuffle(layout.threads.begin(), layout.threads.end(), random);
      expect_equal(index_map(digits, layout, Side::time));
      expect_equal(index_map(digits, layout, Side::frequency));
    }
  }
}

}  // namespace
}  // namespace sonoma
