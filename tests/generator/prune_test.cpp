// Only what a kernel calls is emitted.
#include "prune.hpp"

#include <gtest/gtest.h>

namespace sonoma {
namespace {

constexpr const char* part = R"(// The head of the part.

// --- a heading -----
// Says what one does.
DEVICE int one() { return 1; }
DEVICE int two() {
  return one() + one();
}

// --- another heading -----
template <unsigned count>
DEVICE int many(int (&x)[count]) {
  return count;
}
DEVICE int many(Box b) { return b.x; }

struct Box {
  int x;
};
constexpr int limit = 8;
enum class Way { up, down };
DEVICE float2 operator+(float2 a, float2 b) { return a; }

template <class T>
struct Size;
template <unsigned n>
struct Size<int[n]> {
  static constexpr unsigned value = n;
};
)";

std::string pruned(const std::string& kernel, const std::string& text = part) {
  return prune({{"the part", text}}, kernel);
}

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST(Prune, DropsWhatIsNotNamed) {
  const std::string text = pruned("one();");
  EXPECT_TRUE(has(text, "DEVICE int one()"));
  for (const char* other : {"int two()", "many", "struct Box", "limit", "enum class Way", "Size"}) {
    EXPECT_FALSE(has(text, other)) << other;
  }
}

TEST(Prune, KeepsWhatIsNeededByWhatIsKept) {
  EXPECT_TRUE(has(pruned("two();"), "DEVICE int one()"));
  EXPECT_TRUE(has(pruned("Box b; many(b);"), "struct Box"));
}

TEST(Prune, NeededAcrossParts) {
  const std::string text = prune({{"low", "DEVICE int low() { return 1; }\n"},
                                  {"high", "DEVICE int high() { return low(); }\n"}},
                                 "high();");
  EXPECT_TRUE(has(text, "int low()"));
  EXPECT_TRUE(has(text, "// ===== low =====\n"));
  EXPECT_TRUE(has(text, "// ===== high =====\n"));
  EXPECT_LT(text.find("int low()"), text.find("int high()"));
}

TEST(Prune, DropsOverloadsOfTypesThatAreNotUsed) {
  const std::string text = pruned("many(x);");
  EXPECT_TRUE(has(text, "DEVICE int many(int (&x)[count])"));
  EXPECT_FALSE(has(text, "many(Box b)"));
  EXPECT_FALSE(has(text, "struct Box"));
}

TEST(Prune, KeepsOverloadsAndSpecialisations) {
  const std::string text = pruned("Box b; many(x); Size<int[3]>::value;");
  EXPECT_TRUE(has(text, "template <unsigned count>\nDEVICE int many(int (&x)[count])"));
  EXPECT_TRUE(has(text, "DEVICE int many(Box b)"));
  EXPECT_TRUE(has(text, "struct Size;"));
  EXPECT_TRUE(has(text, "struct Size<int[n]> {")) << text;
}

TEST(Prune, KeepsTypesConstantsAndOperators) {
  const std::string text = pruned("Way way; limit;");
  EXPECT_TRUE(has(text, "enum class Way { up, down };"));
  EXPECT_TRUE(has(text, "constexpr int limit = 8;"));
  EXPECT_TRUE(has(text, "operator+"));
  EXPECT_EQ(pruned(""), "") << "a part that nothing is called of";
}

TEST(Prune, AWordInACommentIsNoUse) {
  EXPECT_FALSE(has(pruned("x; // two"), "int two()"));
  EXPECT_FALSE(has(pruned("f();",
                          "// one\nDEVICE int f() { return 1; }  // one\n"
                          "DEVICE int one() { return 1; }\n"),
                   "int one()"));
}

TEST(Prune, PartsOfWordsAreNoUse) {
  EXPECT_FALSE(has(pruned("one_two; atwo; two_;"), "int two()"));
}

TEST(Prune, CommentsAndHeadingsGoWithTheirDeclarations) {
  const std::string with_one = pruned("one();"), with_limit = pruned("limit;");
  EXPECT_TRUE(has(with_one, "// --- a heading -----\n// Says what one does.\nDEVICE int one()"));
  EXPECT_FALSE(has(with_one, "another heading"));
  EXPECT_TRUE(has(with_limit, "// --- another heading"));
  EXPECT_FALSE(has(with_limit, "Says what one does"));
  EXPECT_TRUE(has(with_limit, "// The head of the part."));
}

TEST(Prune, DirectivesStay) {
  const std::string text = pruned("one();", R"(#ifndef SOMETHING
#define LONG 1
DEVICE int one() {
#pragma unroll
#if LONG
  return 1;
#endif
}
DEVICE int other() { return 2; }
#endif  // SOMETHING
)");
  for (const char* line : {"#ifndef SOMETHING\n", "#define LONG 1\n", "#pragma unroll\n",
                           "#if LONG\n", "#endif\n", "#endif  // SOMETHING\n"}) {
    EXPECT_TRUE(has(text, line)) << line;
  }
  EXPECT_FALSE(has(text, "other"));
}

TEST(Prune, LeavesNoRunsOfBlankLines) {
  for (const char* kernel : {"", "one();", "two();", "limit;", "many(x);"}) {
    EXPECT_FALSE(has(pruned(kernel), "\n\n\n")) << pruned(kernel);
  }
}

}  // namespace
}  // namespace sonoma
