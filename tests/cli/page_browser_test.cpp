// A page in a headless browser: its script runs, and marks what belongs together.
#include <gtest/gtest.h>
#include <png.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

// Run behind the page's own script; what it finds is the text of an element of its own.
constexpr const char* probe = R"(
<script>
//<![CDATA[
const found = {errors: window.errors, grids: [], marked: [], folded: 0};
const marked = () => Array.from(document.querySelectorAll(".listing i.on"));
found.titles = Array.from(document.querySelectorAll("h3")).map((h) => h.textContent);
for (const grid of document.querySelectorAll(".grid")) {
  found.grids.push(Array.from(grid.querySelectorAll("td")).slice(0, 34).map((td) => td.dataset.p));
}
const chip = document.querySelector(".listing .chip[data-g='1']");
chip.click();
found.stage = chip.textContent;
found.marked = marked().map((line) => line.dataset.g);
found.markedText = marked().map((line) => line.textContent);
const place = document.querySelector("td[data-p='9']");
place.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
found.places = document.querySelectorAll("td.on").length;
const digit = document.querySelector(".cell.d2");
digit.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
found.digits = document.querySelectorAll(".cell.d2.on").length;
found.rows = document.querySelectorAll(".row").length;
document.querySelector(".row[data-stop='0']").dispatchEvent(new MouseEvent("click", {bubbles: true}));
found.opened = document.querySelector(".stop[data-stop='0']").open;
const code = Array.from(document.querySelectorAll(".sass i"));
found.code = code.length;
const known = code.find((one) => one.dataset.l.split(" ").length === 3);
if (known) {
  known.click();
  found.lines = known.dataset.l.split(" ");
  found.linesMarked = marked().filter((one) => one.id !== "").map((one) => one.id);
}
const pre = document.createElement("pre");
pre.id = "probe";
pre.textContent = JSON.stringify(found);
document.body.append(pre);
//]]>
</script>
)";
constexpr const char* errors =
    "<script>window.errors = []; window.onerror = function (e) { window.errors.push(String(e)); };"
    "</script>\n";

std::string browser() {
  const char* names =
      "for b in chromium chromium-browser google-chrome; do command -v $b && exit; done";
  std::string path = run_command({"/bin/sh", "-c", names}).out;
  if (path.ends_with('\n')) path.pop_back();
  return path;
}

void insert_before(std::string& text, const std::string& what, const std::string& before) {
  const std::size_t at = text.rfind(before);
  ASSERT_NE(at, std::string::npos);
  text.insert(at, what);
}

class Browser : public ::testing::Test {
 protected:
  void SetUp() override {
    if (browser_.empty()) GTEST_SKIP() << "no headless browser (Debian: chromium)";
    const CommandResult made = run_command(
        {SONOMA_COMMAND, "explain", "--n", "64", "--decomposition", "(gs 8 (dft 8))", "--engine",
         "simt", "--points-per-thread", "8", "--html", folder_.file("page.html")});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  CommandResult browse(std::vector<std::string> options, const std::string& page) const {
    std::vector<std::string> arguments = {
        browser_,        "--headless",        "--no-sandbox",
        "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + folder_.file("profile")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back("file://" + folder_.file(page));
    return run_command(arguments);
  }
  nlohmann::json probed() const {
    std::string page = read_text(folder_.file("page.html"));
    insert_before(page, errors, "<style>");
    insert_before(page, probe, "</body>");
    write_text(folder_.file("probed.html"), page);
    const std::string dom = browse({"--dump-dom"}, "probed.html").out;
    const std::string start = "<pre id=\"probe\">";
    const std::size_t at = dom.find(start);
    if (at == std::string::npos) return {};
    const std::size_t end = dom.find("</pre>", at);
    return nlohmann::json::parse(dom.substr(at + start.size(), end - at - start.size()), nullptr,
                                 false);
  }

  std::string browser_ = browser();
  TemporaryFolder folder_;
};

TEST_F(Browser, TheScriptMarksWhatBelongsTogether) {
  const nlohmann::json found = probed();
  ASSERT_TRUE(found.is_object()) << found;
  EXPECT_EQ(found["errors"], nlohmann::json::array());
  EXPECT_EQ(found["titles"], (std::vector<std::string>{"The tree", "The way of the digits", "Costs",
                                                       "Text and machine code"}));
  // The first table: register x[0] of lanes 0 to 31 is t1 = 0; x[1] is 8 places on.
  ASSERT_GE(found["grids"].size(), 3u);
  const auto places = found["grids"][0].get<std::vector<std::string>>();
  EXPECT_EQ(places[1], "1");
  EXPECT_EQ(places[8], "64");
  EXPECT_EQ(places[32], "8");
  EXPECT_EQ(found["stage"], "Step 1");
  ASSERT_FALSE(found["marked"].empty());
  for (const auto& stage : found["marked"]) EXPECT_EQ(stage, "1");
  EXPECT_NE(found["markedText"].dump().find("step_1(x);"), std::string::npos);
  EXPECT_EQ(found["places"], found["grids"].size());  // once in each table
  EXPECT_EQ(found["digits"], found["rows"]);
  EXPECT_EQ(found["opened"], true);
  if (found["code"] == 0) GTEST_SKIP() << "the rest needs NVRTC and nvdisasm";
  EXPECT_GT(found["code"], 100);
  std::set<std::string> lines, marked;
  for (const auto& line : found["lines"]) lines.insert("k1-" + line.get<std::string>());
  for (const auto& line : found["linesMarked"]) marked.insert(line.get<std::string>());
  EXPECT_EQ(lines, marked);
}

TEST_F(Browser, APictureOfItIsNotEmpty) {
  for (const char* size : {"--window-size=1400,2000", "--window-size=800,2000"}) {
    const std::string file = folder_.file("page.png");
    (void)browse({size, "--screenshot=" + file}, "page.html");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, file.c_str()), 0) << size;
    image.format = PNG_FORMAT_RGB;
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
    std::set<unsigned> colours;
    for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) {
      colours.insert(pixels[i] << 16u | pixels[i + 1] << 8u | pixels[i + 2]);
    }
    EXPECT_GT(colours.size(), 200u) << size;  // text, and the colours of eight values
  }
}

}  // namespace
}  // namespace sonoma::tests
