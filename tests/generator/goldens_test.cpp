// The kernels in generated/ are what the generator makes now, to the byte.
#include "goldens.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace sonoma::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string first_difference(const std::string& a, const std::string& b) {
  std::size_t at = 0, line = 1;
  for (; at < a.size() && at < b.size() && a[at] == b[at]; ++at) line += a[at] == '\n' ? 1 : 0;
  return at == a.size() && at == b.size() ? "" : "line " + std::to_string(line);
}

class Goldens : public testing::TestWithParam<Golden> {};

TEST_P(Goldens, AreReproducedToTheByte) {
  const std::string kept = contents(fs::path(GOLDENS) / GetParam().file());
  EXPECT_EQ(first_difference(kept, GetParam().text()), "")
      << "generated/" << GetParam().file() << " is not what the generator makes. If it is meant to "
      << "change: cmake --build build --target update_goldens, and read the difference.";
}

TEST_P(Goldens, BeginWithTheirCommand) {
  const std::string kept = contents(fs::path(GOLDENS) / GetParam().file());
  const std::string command = kept.substr(0, kept.find("\n//\n"));
  const auto& lengths = GetParam().problem.lengths;
  const std::string option = lengths.size() == 1 ? "--n " : "--shape ";
  EXPECT_TRUE(command.starts_with("// sonoma emit " + option + to_shape(lengths))) << command;
  EXPECT_TRUE(command.ends_with(" --arch " + GetParam().arch)) << command;
}

INSTANTIATE_TEST_SUITE_P(All, Goldens, testing::ValuesIn(goldens()),
                         [](const auto& tested) { return tested.param.name; });

TEST(GoldenFolder, HoldsNothingElse) {
  std::set<std::string> expected = {"README.md", "spec.json"}, found;
  for (const Golden& golden : goldens()) expected.insert(golden.file());
  for (const auto& entry : fs::directory_iterator(GOLDENS)) {
    found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace sonoma::test
