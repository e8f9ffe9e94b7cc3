// Wisdom as text: what is written comes back, and nothing else is taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support.hpp"

namespace sonoma::testing {
namespace {

Wisdom some_wisdom() {
  Wisdom wisdom;
  wisdom.add(entry_of(Arithmetic::simt, 0.1 + 0.2));  // not a short decimal
  wisdom.add(entry_of(Arithmetic::split3, 1e-3));
  wisdom.add(entry_of(Arithmetic::half, 1.0 / 3));
  return wisdom;
}

std::string one_entry() {
  Wisdom wisdom;
  wisdom.add(entry_of(Arithmetic::split3, 0.5));
  return to_json_text(wisdom);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    (void)parse_wisdom(text);
  } catch (const BadWisdom& error) {
    return error.what();
  }
  return "taken";
}

TEST(WisdomJson, RoundTripIsExact) {
  const Wisdom wisdom = some_wisdom();
  const std::string text = to_json_text(wisdom);
  EXPECT_EQ(parse_wisdom(text), wisdom);
  EXPECT_EQ(to_json_text(parse_wisdom(text)), text);
  EXPECT_EQ(parse_wisdom(to_json_text({})), Wisdom());
}

TEST(WisdomJson, OneLineForEachEntry) {
  const std::string text = to_json_text(some_wisdom());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 + 6);
}

TEST(WisdomJson, ErrorsOfTheTextSayWhere) {
  EXPECT_NE(refusal("").find("column 1"), std::string::npos);
  EXPECT_NE(refusal("{\n  \"format\": nonsense }").find("line 2, column"), std::string::npos);
  const std::string text = one_entry();
  EXPECT_NE(refusal(text.substr(0, text.size() / 2)).find("line 5"), std::string::npos);
  EXPECT_NE(refusal(text + "x").find("line"), std::string::npos);
}

TEST(WisdomJson, OfSeveralPassesWhatTheyShare) {
  Wisdom wisdom;
  wisdom.add(entry_in_passes());
  const std::string text = to_json_text(wisdom);
  EXPECT_NE(text.find("{\"pass_lengths\":[128,512],\"columns\":8,\"registers\":64,\"fused\":true}"),
            std::string::npos)
      << text;
  EXPECT_EQ(parse_wisdom(text), wisdom);
  WisdomEntry full = entry_in_passes();
  full.tuning.points_per_thread = 32;
  full.tuning.workspace_points = std::int64_t{1} << 33;
  full.tuning.decomposition = Decomposition{{16, 8, 16, 32}};
  Wisdom other;
  other.add(full);
  EXPECT_EQ(parse_wisdom(to_json_text(other)), other);
  const auto what = [&](const char* from, const char* to) {
    return refusal(replaced(text, from, to));
  };
  EXPECT_NE(what("[128,512]", "[128,1]").find("tuning.pass_lengths:"), std::string::npos);
  EXPECT_NE(what(",\"fused\":true", "").find("tuning.fused:"), std::string::npos);
  EXPECT_NE(what("\"columns\":8", "\"columns\":0").find("tuning.columns:"), std::string::npos);
  EXPECT_NE(what("\"columns\":8", "\"column\":8").find("tuning.column:"), std::string::npos);
}

TEST(WisdomJson, ErrorsOfAFieldNameIt) {
  struct Case {
    const char *from, *to, *field;
  };
  const Case cases[] = {
      {"sonoma-wisdom", "other", "format"},
      {"\"version\": 2", "\"version\": 1", "version"},
      {"\"version\": 2", "\"version\": 3", "version"},
      {"\"kernels\":\"unknown\"", "\"kernels\":\"v1\"", "entries[0].kernels"},
      {"\"kernels\":\"unknown\"", "\"generator\":\"0123456789abcdef\"", "entries[0].kernels"},
      {"\"entries\"", "\"entrance\"", "entries"},
      {"\"eff\":0.5", "\"eff\":0", "entries[0].eff"},
      {"\"eff\":0.5", "\"eff\":\"0.5\"", "entries[0].eff"},
      {"\"eff\":0.5", "\"eff\":0.5,\"eff\":0.6", "eff"},
      {"\"eff\":0.5", "\"eff\":0.5,\"efficiency\":0.6", "entries[0].efficiency"},
      {"\"eff\":0.5,", "", "entries[0].eff"},
      {"\"ms\":0.25", "\"ms\":-0.25", "entries[0].ms"},
      {"\"points\":67108864", "\"points\":0.5", "entries[0].points"},
      {"\"points\":67108864", "\"points\":18446744073709551615", "entries[0].points"},
      {"\"rel_l2\":1.25e-07", "\"rel_l2\":null", "entries[0].rel_l2"},
      {"2026-11-21", "yesterday", "entries[0].date"},
      {"sm_90", "90", "entries[0].arch"},
      {"sm_90", "sm_91", "entries[0].arch"},
      {"sm_90", "sm_70", "entries[0].arch"},
      {"NVIDIA H200", "", "entries[0].device"},
      {"[4096]", "4096", "entries[0].lengths"},
      {"[4096]", "[0]", "entries[0].lengths"},
      {"\"f32\"", "\"f31\"", "entries[0].storage"},
      {"\"split3\"", "\"split5\"", "entries[0].arithmetic"},
      {"\"split3\"", "\"simt\"", "entries[0].tuning.tensor_steps"},
      {"(dft 16)", "(dft 51)", "entries[0].tuning.decomposition"},
      {"\"registers\":96", "\"registers\":256", "entries[0].tuning.registers"},
      {"\"registers\":96", "\"registers\":96,\"stages\":2", "entries[0].tuning.stages"},
      {"\"stage_load\":", "\"stage_load\":1,\"other\":", "entries[0].tuning.stage_load"},
      {"\"tensor_steps\":", "\"mma_form\":\"asm\",\"tensor_steps\":", "entries[0].tuning.mma_form"},
      {"\"tensor_steps\":", "\"tensor_steps\":0,\"other\":", "entries[0].tuning.tensor_steps"},
      {"\"block_points\":4096", "\"block_points\":-1", "entries[0].tuning.block_points"},
  };
  for (const auto& [from, to, field] : cases) {
    const std::string what = refusal(replaced(one_entry(), from, to));
    EXPECT_NE(what.find(std::string(field) + ":"), std::string::npos) << from << ": " << what;
  }
}

// What goes without saying of complex rows.
TEST(WisdomJson, ColumnsShapesAndConvolutionsComeBack) {
  Wisdom wisdom;
  const auto add = [&](auto&& change) {
    WisdomEntry entry = entry_of(Arithmetic::simt, 0.5);
    change(entry.subject);
    wisdom.add(entry);
  };
  add([](Subject&) {});
  add([](Subject& s) { s.side_by_side = 257; });
  add([](Subject& s) { s.lengths = {64, 64}; });
  add([](Subject& s) { s.convolution = Convolved::complex; });
  add([](Subject& s) { s.convolution = Convolved::real; });
  add([](Subject& s) { s.domain = Domain::dst4; });
  ASSERT_EQ(wisdom.entries().size(), 6u);
  const std::string text = to_json_text(wisdom);
  EXPECT_EQ(parse_wisdom(text), wisdom);
  EXPECT_EQ(to_json_text(parse_wisdom(text)), text);
  EXPECT_NE(text.find("\"arithmetic\":\"simt\",\"side_by_side\":257,\"tuning\""),
            std::string::npos);
  EXPECT_NE(text.find("\"arithmetic\":\"simt\",\"convolution\":\"real\",\"tuning\""),
            std::string::npos);
  const auto what = [&](const char* from, const char* to) {
    return refusal(replaced(text, from, to));
  };
  EXPECT_NE(what("side_by_side\":257", "side_by_side\":0").find("side_by_side: must be"),
            std::string::npos);
  EXPECT_NE(what("side_by_side\":257", "side_by_side\":-1").find("side_by_side: must be"),
            std::string::npos);
  EXPECT_NE(what("side_by_side\":257", "columns\":257").find("columns: is no field"),
            std::string::npos);
  EXPECT_NE(what("convolution\":\"real", "convolution\":\"no").find("convolution: must be complex"),
            std::string::npos);
  EXPECT_NE(what("domain\":\"dst4", "domain\":\"dst5").find("domain: must be r2c, c2r"),
            std::string::npos);
}

// Files of before name the form of the products.
TEST(WisdomJson, FormsOfProductsAreReadAndForgotten) {
  for (const std::string form : {"ptx", "wmma"}) {
    const std::string before = "\"mma_form\":\"" + form + "\",\"tensor_steps\":";
    const Wisdom wisdom = parse_wisdom(replaced(one_entry(), "\"tensor_steps\":", before));
    EXPECT_EQ(to_json_text(wisdom), one_entry());
  }
}

TEST(WisdomJson, AnotherVersionIsToldTheWayOut) {
  for (const char* version : {"1", "3"}) {
    const std::string what =
        refusal(replaced(one_entry(), "\"version\": 2", std::string("\"version\": ") + version));
    EXPECT_NE(what.find("version: must be 2, "), std::string::npos) << what;
    EXPECT_NE(what.find("the format that this library reads"), std::string::npos) << what;
    EXPECT_NE(what.find("measure again, `sonoma tune`"), std::string::npos) << what;
    EXPECT_TRUE(what.ends_with(std::string(", is ") + version)) << what;
  }
}

// Fields of the wrong kind, that a lenient reader would take for what they nearly are.
TEST(WisdomJson, NearMissesAreNotTaken) {
  const std::pair<const char*, const char*> cases[] = {
      {"\"registers\":96", "\"registers\":96.5"},
      {"\"registers\":96", "\"registers\":\"96\""},
      {"\"registers\":96", "\"registers\":4294967392"},
      {"\"points\":67108864", "\"points\":67108864.5"},
      {"\"lengths\":[4096]", "\"lengths\":[4096.5]"},
      {"\"lengths\":[4096]", "\"lengths\":[]"},
      {"\"lengths\":[4096]", "\"lengths\":[\"4096\"]"},
      {"\"date\":\"2026-11-21\"", "\"date\":20261121"},
      {"\"arch\":\"sm_90\"", "\"arch\":\"compute_90\""}};
  for (const auto& [from, to] : cases) {
    EXPECT_NE(refusal(replaced(one_entry(), from, to)).find("must be"), std::string::npos) << to;
  }
}

TEST(WisdomJson, KernelsComeBack) {
  WisdomEntry entry = entry_of(Arithmetic::split3, 0.5);
  entry.kernels = kernels_of(entry);
  Wisdom wisdom;
  wisdom.add(entry);
  const std::string text = to_json_text(wisdom);
  EXPECT_NE(text.find("\"kernels\":\"" + entry.kernels + "\""), std::string::npos) << text;
  EXPECT_EQ(parse_wisdom(text), wisdom);
}

}  // namespace
}  // namespace sonoma::testing
