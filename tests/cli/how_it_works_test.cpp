// docs/how-it-works.md quotes what commands print: each of its boxes is compared.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

// A box: its first line is "$ command", "..." stands for lines that are left out.
struct Box {
  std::string command;
  std::vector<std::string> parts;  ///< lines that follow each other
};

std::vector<Box> boxes_of(const std::string& document) {
  std::vector<Box> boxes;
  bool within = false;
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      within = line == "```console";
      if (within) boxes.push_back({"", {""}});
    } else if (within && line.starts_with("$ ")) {
      boxes.back().command = line.substr(2);
    } else if (within && line == "...") {
      boxes.back().parts.emplace_back();
    } else if (within) {
      boxes.back().parts.back() += line + "\n";
    }
  }
  return boxes;
}

// Where `part`, whole lines, ends in `text`, from `from` on.
std::size_t end_of(const std::string& part, const std::string& text, std::size_t from) {
  const std::size_t at = ("\n" + text).find("\n" + part, from);
  return at == std::string::npos ? at : at + part.size();
}

std::string printed(const std::string& command) {
  const std::string program = "sonoma ";
  EXPECT_TRUE(command.starts_with(program)) << command;
  const CommandResult result =
      run_command({"/bin/sh", "-c", SONOMA_COMMAND " " + command.substr(program.size())});
  EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.err;
  return result.out;
}

TEST(HowItWorks, QuotesWhatCommandsPrint) {
  const std::vector<Box> boxes = boxes_of(read_text(SONOMA_DOCS "/how-it-works.md"));
  ASSERT_GE(boxes.size(), 9u);
  std::map<std::string, std::string> outputs;
  for (const Box& box : boxes) {
    ASSERT_FALSE(box.command.empty());
    if (!outputs.contains(box.command)) outputs[box.command] = printed(box.command);
    std::size_t from = 0;
    for (const std::string& part : box.parts) {
      ASSERT_FALSE(part.empty());
      from = end_of(part, outputs[box.command], from);
      ASSERT_NE(from, std::string::npos) << "'" << box.command << "' does not print\n" << part;
    }
  }
}

// A box with one digit changed is found out.
TEST(HowItWorks, AnotherTextIsFound) {
  const std::vector<Box> boxes = boxes_of("```console\n$ sonoma x\nab 1\n...\ncd 2\n```\n");
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].parts, (std::vector<std::string>{"ab 1\n", "cd 2\n"}));
  EXPECT_EQ(end_of("ab 1\n", "ab 1\nx\ncd 2\n", 0), 5u);
  EXPECT_EQ(end_of("cd 2\n", "ab 1\nx\ncd 2\n", 5), 12u);
  EXPECT_EQ(end_of("cd 3\n", "ab 1\nx\ncd 2\n", 0), std::string::npos);
  EXPECT_EQ(end_of("b 1\n", "ab 1\n", 0), std::string::npos);         // no whole line
  EXPECT_EQ(end_of("ab 1\n", "ab 1\ncd 2\n", 5), std::string::npos);  // in order
}

}  // namespace
}  // namespace sonoma::tests
