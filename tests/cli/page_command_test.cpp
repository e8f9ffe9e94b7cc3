// sonoma explain --html, as text: no browser is needed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using Arguments = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Page : public ::testing::Test {
 protected:
  std::string page_of(Arguments request, const std::string& name = "page.html") {
    Arguments arguments = {SONOMA_COMMAND, "explain"};
    arguments.insert(arguments.end(), request.begin(), request.end());
    arguments.insert(arguments.end(), {"--html", folder_.file(name)});
    const CommandResult result = run_command(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out + result.err, "");
    return read_text(folder_.file(name));
  }
  TemporaryFolder folder_;
};

const std::vector<Arguments> requests = {
    {"--n", "64"},
    {"--n", "1"},
    {"--n", "256", "--engine", "mma"},
    {"--n", "1000"},
    {"--n", "1009"},
    {"--n", "32768"},
    {"--n", "262144", "--fused", "1"},
    {"--n", "262144", "--batch", "1024"},
    {"--n", "3000", "--domain", "r2c"},
    {"--n", "4096", "--arch", "sm_75", "--engine", "mma"},
    {"--shape", "108x192"},
    {"--n", "96", "--load-code", "index < 3 && value.x > 0 ? value : make_float2(0, 0)"},
};

TEST_F(Page, IsWellFormed) {
  if (run_command({"/bin/sh", "-c", "command -v python3"}).exit_code != 0) {
    GTEST_SKIP() << "no python3 to parse it with";
  }
  for (Arguments request : requests) {
    request.emplace_back("--text-only");
    (void)page_of(request);
    const CommandResult parsed =
        run_command({"/usr/bin/env", "python3", "-c",
                     "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])",
                     folder_.file("page.html")});
    EXPECT_EQ(parsed.exit_code, 0) << request[1] << "\n" << parsed.err;
  }
}

TEST_F(Page, IsAloneAndSaysNoPath) {
  for (Arguments request : requests) {
    request.emplace_back("--text-only");
    const std::string page = page_of(request);
    for (const char* outside : {"src=", "href=\"http", "@import", "url(", folder_.path().c_str()}) {
      EXPECT_FALSE(contains(page, outside)) << request[1] << ": " << outside;
    }
  }
}

TEST_F(Page, EqualRequestsGiveEqualBytes) {
  for (const Arguments& request : {Arguments{"--n", "4096"}, Arguments{"--n", "262144"}}) {
    EXPECT_EQ(page_of(request, "a.html"), page_of(request, "b.html"));
  }
}

TEST_F(Page, ItsCommandMakesItAgain) {
  const std::string page =
      page_of({"--n", "96", "--inverse", "--load-code", "value", "--text-only"});
  EXPECT_TRUE(contains(
      page, "sonoma explain --n 96 --inverse --load-code value --text-only --html page.html"));
}

TEST_F(Page, HasItsSections) {
  const std::string one = page_of({"--n", "64", "--text-only"});
  for (const char* part : {"The tree", "The way of the digits", "Costs", "Roofline, H200",
                           "By the cost model", "Text and machine code", "(gs 8 (dft 8))",
                           "id=\"k1-1\"", "they depend on the CUDA compiler"}) {
    EXPECT_TRUE(contains(one, part)) << part;
  }
  EXPECT_FALSE(contains(one, "id=\"launches\""));
  const std::string two = page_of({"--n", "262144", "--text-only"});
  for (const char* part :
       {"id=\"launches\"", "id=\"launch-1\"", "id=\"launch-2\"", "id=\"k2-1\"", "A workspace of"}) {
    EXPECT_TRUE(contains(two, part)) << part;
  }
  EXPECT_TRUE(contains(page_of({"--n", "64", "--arch", "sm_80", "--text-only"}),
                       "No GPU of this architecture was measured"));
}

TEST_F(Page, BadRequestsAreRefused) {
  const CommandResult lonely = run_command({SONOMA_COMMAND, "explain", "--n", "64", "--text-only"});
  EXPECT_NE(lonely.exit_code, 0);
  EXPECT_TRUE(contains(lonely.err, "--html")) << lonely.err;
  const CommandResult both = run_command(
      {SONOMA_COMMAND, "explain", "--n", "64", "--json", "--html", folder_.file("page.html")});
  EXPECT_NE(both.exit_code, 0);
  EXPECT_TRUE(contains(both.err, "--json")) << both.err;
  const CommandResult nowhere =
      run_command({SONOMA_COMMAND, "explain", "--n", "64", "--html", folder_.file("no/page.html")});
  EXPECT_EQ(nowhere.exit_code, 3);
  EXPECT_TRUE(contains(nowhere.err, "no/page.html")) << nowhere.err;
}

// That of the documentation. After a change of kernels or of the page, the command in its head
// makes it again.
TEST_F(Page, TheOneInDocsIsWhatTheCommandWrites) {
  const std::string page = page_of({"--n", "64", "--arch", "sm_90", "--text-only"});
  EXPECT_TRUE(page == read_text(SONOMA_DOCS "/plan-64.html"))
      << "sonoma explain --n 64 --arch sm_90 --text-only --html docs/plan-64.html";
}

}  // namespace
}  // namespace sonoma::tests
