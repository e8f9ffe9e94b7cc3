#include "stages.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct Comment {
  unsigned line = 0;  ///< from 1 on
  std::string text;
};

// Of each line, from 1 on, the comment that it stands below, within the functions of the plan.
std::vector<std::optional<Comment>> comments_of(std::string_view text) {
  std::vector<std::optional<Comment>> comments(1);
  bool plan = false, was_comment = false;
  std::optional<Comment> current;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    plan = plan || line.starts_with("// ===== this plan");
    if (line.starts_with('}')) current.reset();
    const bool is_comment = plan && begin > 0 && line.substr(begin).starts_with("// ");
    const std::string words(is_comment ? line.substr(begin + 3) : "");
    if (is_comment && was_comment && current) current->text += " " + words;
    if (is_comment && !was_comment) current = Comment{number, words};
    was_comment = is_comment;
    comments.push_back(current);
  }
  return comments;
}

// From the kernel's own line inwards.
using Path = std::vector<unsigned>;

struct Kind {
  const char* name;
  std::vector<std::string_view> mnemonics;  ///< what they begin with
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"tensor", {"HMMA", "IMMA", "HGMMA", "DMMA", "LDSM", "MOVM"}},
      {"fp16", {"HADD2", "HMUL2", "HFMA2", "HMNMX2", "HSET", "F2FP", "HABS"}},
      {"fp32",
       {"FADD", "FMUL", "FFMA", "FMNMX", "FSET", "FSEL", "MUFU", "FCHK", "F2F", "F2I", "I2F",
        "FRND", "I2FP", "DADD", "DMUL", "DFMA"}},
      {"shared", {"LDS", "STS", "ATOMS"}},
      {"global", {"LDG", "STG", "LD.", "ST.", "RED", "ATOM", "CCTL", "LDGDEPBAR", "DEPBAR"}},
      {"local", {"LDL", "STL"}},
      {"barrier", {"BAR", "WARPSYNC", "MEMBAR", "UCGABAR", "ERRBAR", "SYNCS", "B2R"}},
      {"control",
       {"BRA", "BSSY", "BSYNC", "BREAK", "EXIT", "RET", "CALL", "NOP", "BMOV", "YIELD", "NANOSLEEP",
        "ACQBULK", "PREEXIT"}},
      {"integer",
       {"IADD",  "IMAD",  "LEA",  "LOP3",  "SHF",  "ISETP",  "SEL",   "IMNMX",  "VIADD",
        "PRMT",  "MOV",   "CS2R", "S2R",   "S2UR", "ULDC",   "LDC",   "R2UR",   "UMOV",
        "UIADD", "UIMAD", "ULEA", "ULOP3", "USHF", "UISETP", "USEL",  "PLOP3",  "P2R",
        "R2P",   "IABS",  "SHFL", "VOTE",  "POPC", "FLO",    "UPRMT", "VIMNMX", "UFLO"}}};
  return all;
}

// By what stands in it: an asm statement is several instructions. Its first word is lower-case.
std::string kind_of_ptx(std::string_view text) {
  using Words = std::vector<std::string_view>;
  static const std::vector<std::pair<const char*, Words>> all = {
      {"tensor", {"mma.", "ldmatrix", "movmatrix"}},
      {"global", {".global"}},
      {"shared", {".shared"}},
      {"local", {".local"}},
      {"barrier", {"bar.", "barrier", "fence", "membar"}},
      {"control", {"bra", "ret", "exit", "call", "griddepcontrol", "nanosleep"}},
      {"fp32", {".f32", ".f64"}},
      {"fp16", {".f16", ".bf16"}}};
  for (const auto& [name, words] : all) {
    const bool first = std::string_view(name) == "control";
    for (const std::string_view word : words) {
      if (first ? text.starts_with(word) : text.find(word) != text.npos) return name;
    }
  }
  return "integer";
}

}  // namespace

std::string kind_of(const std::string& instruction) {
  std::string_view text = instruction;
  if (text.starts_with('@'))
    text.remove_prefix(std::min(text.find_first_of(" \t") + 1, text.size()));
  if (!text.empty() && (text[0] == '{' || std::islower(static_cast<unsigned char>(text[0])))) {
    return kind_of_ptx(text);
  }
  // HFMA2.MMA with zeros is how constants are made: by its name all the same.
  for (const Kind& kind : kinds()) {
    for (const std::string_view mnemonic : kind.mnemonics) {
      const std::string_view rest = text.substr(std::min(mnemonic.size(), text.size()));
      const bool ends = rest.empty() || std::string_view(". 23").find(rest[0]) != std::string::npos;
      if (text.starts_with(mnemonic) && (ends || mnemonic.ends_with('.'))) return kind.name;
    }
  }
  return "other";
}

std::map<std::string, int> Stage::counts() const {
  std::map<std::string, int> counts;
  for (const Instruction& instruction : code) ++counts[kind_of(instruction.text)];
  return counts;
}

std::vector<Stage> stages_of(std::string_view text, const std::vector<Instruction>& code) {
  const auto comments = comments_of(text);
  std::map<Path, Stage> stages;
  for (const Instruction& instruction : code) {
    Path path;
    std::string name;
    const std::vector<unsigned> outermost_first(instruction.lines.rbegin(),
                                                instruction.lines.rend());
    for (const unsigned line : outermost_first) {
      if (line >= comments.size() || !comments[line]) continue;
      path.push_back(comments[line]->line);
      name += (name.empty() ? "" : " / ") + comments[line]->text;
    }
    Stage& stage = stages[path];
    stage.name = name.empty() ? "Start" : name;
    stage.code.push_back(instruction);
  }
  std::vector<Stage> all;
  for (auto& [path, stage] : stages) all.push_back(std::move(stage));
  return all;
}

namespace {

std::string counts_text(const Stage& stage) {
  std::string text;
  for (const auto& [kind, count] : stage.counts()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  return text;
}

}  // namespace

std::string listing_of(const std::vector<Stage>& stages) {
  std::string text;
  for (const Stage& stage : stages) {
    text += fmt::format("{}\n  {} instructions: {}\n", stage.name, stage.code.size(),
                        counts_text(stage));
    for (const Instruction& one : stage.code) {
      text += fmt::format("    {:04x}  {}\n", one.address, one.text);
    }
  }
  return text;
}

json json_of(const std::vector<Stage>& stages) {
  json all = json::array();
  for (const Stage& stage : stages) {
    json code = json::array();
    for (const Instruction& one : stage.code) {
      code.push_back({{"address", one.address}, {"text", one.text}, {"lines", one.lines}});
    }
    all.push_back({{"stage", stage.name},
                   {"instructions", stage.code.size()},
                   {"counts", stage.counts()},
                   {"code", code}});
  }
  return all;
}

}  // namespace sonoma::cli
