// The emitted text: self-contained, deterministic, and it says how to make it again.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>

#include "kernels.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/tuning_fields.hpp"
#include "table_sizes.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

std::string text_of(const FftProblem& problem, const Request& request, const char* arch = "sm_90") {
  return generate(problem, target_for(arch), request.tuning()).source.text;
}

TEST(Emit, EqualRequestsGiveEqualBytes) {
  for (const Request& request : sample_requests()) {
    EXPECT_EQ(request.generated().source, request.generated().source) << name(request);
  }
}

TEST(Emit, BatchAndPlacementDoNotMatter) {
  for (const Request& request : sample_requests()) {
    FftProblem other = request.problem();
    other.batch = 1000;
    other.placement = Placement::in_place;
    EXPECT_EQ(text_of(other, request), request.generated().source.text) << name(request);
  }
}

TEST(Emit, DirectionScaleAndTargetDo) {
  const Request request{256, Engine::mma, {}};
  const std::string text = request.generated().source.text;
  FftProblem inverse = request.problem(), scaled = request.problem();
  inverse.direction = Direction::inverse;
  scaled.scale = 0.5;
  EXPECT_NE(text_of(inverse, request), text);
  EXPECT_NE(text_of(scaled, request), text);
  EXPECT_NE(text_of(request.problem(), request, "sm_75"), text);
  EXPECT_EQ(text.find(" multiply("), std::string::npos);
  EXPECT_NE(text_of(scaled, request).find("multiply(x, 0x1p-1f);"), std::string::npos);
}

// Of pairs the last axis has half as many points: of two one, and no step.
TEST(Emit, TheHeadSaysWhichStepsAreOfWhichAxis) {
  FftProblem plane, pairs;
  plane.lengths = {16, 64};
  pairs.lengths = {5, 3, 2}, pairs.domain = Domain::r2c;
  for (const auto& [problem, axes] :
       {std::pair{plane, " step 1 along axis 0, step 2 to 3 along axis 1\n"},
        {pairs, " step 1 along axis 0, step 2 along axis 1\n"}}) {
    const Program program = make_program(problem, target_for("sm_90"), {});
    ASSERT_EQ(program.launches.size(), 1u);
    const std::string text = generate(program.launches[0], target_for("sm_90")).source.text;
    EXPECT_NE(text.find(std::string("// All axes at once:") + axes), std::string::npos) << text;
  }
}

// The command in the first lines, up to an empty comment.
std::string command_of(const std::string& text) {
  std::istringstream lines(text);
  std::string command;
  for (std::string line; std::getline(lines, line) && line != "//";) {
    command += line.substr(line.find_first_not_of("/ ")) + " ";
  }
  return command;
}

// As a shell would split them.
std::vector<std::string> words_of(const std::string& command) {
  std::istringstream line(command);
  std::vector<std::string> words;
  for (std::string word; line >> word;) {
    if (word.starts_with('"')) {
      std::string rest;
      std::getline(line, rest, '"');
      word.erase(0, 1);
      word += rest;
    }
    words.push_back(word);
  }
  return words;
}

// True if the option is one of a tuning's.
bool set_tuning(Tuning& tuning, const std::string& option, const std::string& value) {
  const auto field = std::ranges::find(tuning_fields(), option, option_of);
  if (field == tuning_fields().end()) return false;
  EXPECT_EQ(set_from_text(*field, tuning, value), std::nullopt) << option << ' ' << value;
  return true;
}

std::string repeated(const std::vector<std::string>& words) {
  FftProblem problem;
  Tuning tuning;
  Target target;
  EXPECT_EQ(words.at(0) + " " + words.at(1), "sonoma emit");
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--inverse") {
      problem.direction = Direction::inverse;
      continue;
    }
    const std::string& value = words.at(++i);
    if (word == "--n")
      problem.lengths = {std::stoll(value)};
    else if (word == "--scale")
      problem.scale = std::stod(value);
    else if (word == "--arch")
      target = target_for(value);
    else if (word == "--precision")
      problem.storage = value == "f16" ? Storage::f16 : Storage::bf16;
    else if (!set_tuning(tuning, word, value))
      ADD_FAILURE() << "unknown option " << word;
  }
  return generate(problem, target, tuning).source.text;
}

TEST(Emit, TheFirstLinesMakeTheSameText) {
  for (const Request& request : sample_requests()) {
    const std::string text = request.generated().source.text;
    EXPECT_EQ(repeated(words_of(command_of(text))), text) << command_of(text);
  }
}

TEST(Emit, LinesHave100ColumnsAtMost) {
  for (const Request& request : sample_requests()) {
    std::istringstream lines(request.generated().source.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

// A kernel reads top to bottom: what an operation does to the registers stands in a function.
TEST(Emit, TheKernelNamesNoRegister) {
  for (const Request& request : sample_requests()) {
    const std::string text = request.generated().source.text;
    const std::string kernel = text.substr(text.find("// ===== the kernel ====="));
    EXPECT_EQ(kernel.find(".at["), std::string::npos) << name(request);
    EXPECT_EQ(kernel.find("for ("), std::string::npos) << name(request);
  }
}

TEST(Emit, TheHeadSaysWhatALaunchNeeds) {
  const std::string text = Request{32, Engine::simt, {}}.generated().source.text;
  const std::string head = text.substr(0, text.find("// ===== "));
  for (const char* line :
       {"\n//   grid     ceil(batch / ", "\n//   block    ", "\n//   shared   ", "\n//   tables   ",
        "\n// nvcc -cubin -arch=sm_90 -std=c++17 --fmad=false"}) {
    EXPECT_NE(head.find(line), std::string::npos) << line << " in\n" << head;
  }
  const std::string large = Request{8192, Engine::simt, {}}.generated().source.text;
  EXPECT_NE(large.find("CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"), std::string::npos);
}

TEST(Emit, NothingIsIncluded) {
  for (const Request& request : all_requests()) {
    const Generated g = request.generated();
    EXPECT_EQ(g.source.text.find("#include"), std::string::npos) << name(request);
    EXPECT_NE(g.source.text.find("extern \"C\" __global__"), std::string::npos);
    EXPECT_NE(g.source.text.find("\n" + g.source.name + "(\n    const float2* in"),
              std::string::npos);
  }
}

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string code;
  for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find("//")) + "\n";
  return code;
}

// Words in front of "(" or "<...>(" in the kernel itself.
std::set<std::string> called(const std::string& code) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < code.size();) {
    std::size_t end = i;
    while (end < code.size() &&
           (std::isalnum(static_cast<unsigned char>(code[end])) || code[end] == '_')) {
      ++end;
    }
    if (end == i) {
      ++i;
      continue;
    }
    const std::string word = code.substr(i, end - i);
    i = end;
    if (end < code.size() && code[end] == '<') end = code.find('>', end) + 1;
    if (end < code.size() && code[end] == '(' &&
        !std::isdigit(static_cast<unsigned char>(word[0]))) {
      names.insert(word);
    }
  }
  return names;
}

TEST(Emit, WhatTheKernelCallsIsInTheText) {
  for (const Request& request : sample_requests()) {
    const std::string code = without_comments(request.generated().source.text);
    const std::size_t kernel = code.find("extern \"C\" __global__"),
                      body = code.find("{\n", kernel);
    const std::set<std::string> names = called(code.substr(body));
    EXPECT_GE(names.size(), 4u);
    for (const std::string& name : names) {
      EXPECT_NE(code.substr(0, kernel).find(" " + name + "("), std::string::npos) << name;
    }
  }
}

TEST(Emit, PrimitivesThatAreNotCalledAreLeftOut) {
  const std::string simt = Request{16, Engine::simt, 16u}.generated().source.text;
  for (const char* absent : {"mma_m16n8k16", "split", "dft8", "shuffle", "StreamedWhen"}) {
    EXPECT_EQ(simt.find(absent), std::string::npos) << absent;
  }
  const std::string mma = Request{256, Engine::mma, 16u}.generated().source.text;
  for (const char* absent : {"left8", "SplitTile3", "dft2", "m16n8k8", " multiply("}) {
    EXPECT_EQ(mma.find(absent), std::string::npos) << absent;
  }
}

// --- tables ------------------------------------------------------------------------------------

double half_of(std::uint32_t word, unsigned column) {
  return from_half(static_cast<std::uint16_t>(column % 2 ? word >> 16 : word));
}

// Element (row, column) of a 16 x 16 matrix, 128 words, by the fragment A of PTX ISA's
// mma.m16n8k16: a0 rows 0-7, a1 rows 8-15, a2 and a3 the same of columns 8-15; two halves a word.
// For products from the right: fragment B (b0, b1) of the transpose, output columns 0-7, then 8-15.
double element(const std::uint32_t* words, StepForm side, unsigned row, unsigned column) {
  const unsigned lane = row % 8 * 4 + column % 8 / 2;
  const unsigned word =
      side == StepForm::left ? row / 8 + 2 * (column / 8) : 2 * (row / 8) + column / 8;
  return half_of(words[4 * lane + word], column);
}

std::complex<double> exact_root(int numerator, int denominator) {
  return std::polar(1.0, 2 * std::numbers::pi * (numerator % denominator) / denominator);
}

void expect_matrix(const std::uint32_t* hi, const std::uint32_t* lo, StepForm side,
                   const std::function<double(unsigned, unsigned)>& exact) {
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 16; ++column) {
      const double value = 1024 * exact(row, column), high = element(hi, side, row, column);
      const double found = high + element(lo, side, row, column);
      EXPECT_NEAR(found, value, 0x1p-22 * 1024) << row << ", " << column;
      EXPECT_NEAR(high, value, 0x1p-11 * 1024) << row << ", " << column;
    }
  }
}

std::vector<op::LoadMatrix> matrix_ops(const KernelIr& ir) {
  std::vector<op::LoadMatrix> found;
  for (const Op& any : ir.ops) {
    if (const auto* op = std::get_if<op::LoadMatrix>(&any)) found.push_back(*op);
  }
  return found;
}

// [cos | -sign sin] of 2 pi k (v - 15/2) / 16, v = 0 ... 7: see fold.cuh.
TEST(Matrices, OfRadix16AreFolded) {
  for (const int sign : {-1, 1}) {
    const Direction direction = sign < 0 ? Direction::forward : Direction::inverse;
    const Generated g = Request{256, Engine::mma, 16u, direction}.generated();
    const auto ops = matrix_ops(g.ir);
    EXPECT_EQ(ops.size(), 2u) << "one for each side";
    for (const op::LoadMatrix& op : ops) {
      const std::uint32_t* words = g.source.tables.data() + 4 * op.table.offset;
      expect_matrix(words, words + 128, op.form, [&](unsigned k, unsigned column) {
        const auto w = exact_root(int(k) * (2 * int(column % 8) - 15), 32);
        return column < 8 ? w.real() : -sign * w.imag();
      });
    }
  }
}

TEST(Matrices, BelowRadix16AreRealAndBlockwise) {
  for (const unsigned radix : {2u, 4u, 8u}) {
    const Generated g = Request{radix * radix, Engine::mma, radix}.generated();
    const auto ops = matrix_ops(g.ir);
    EXPECT_FALSE(ops.empty());
    for (const op::LoadMatrix& op : ops) {
      const std::uint32_t* words = g.source.tables.data() + 4 * op.table.offset;
      expect_matrix(words, words + 128, op.form, [&](unsigned row, unsigned column) {
        const unsigned k = row % 8, t = column % 8;
        if (k / radix != t / radix) return 0.0;
        const auto w = exact_root(-int(k % radix * (t % radix)), int(radix));
        if (row / 8 == column / 8) return w.real();
        return row < 8 ? -w.imag() : w.imag();
      });
      for (unsigned i = 128; radix <= 4 && i < 256; ++i) {
        EXPECT_EQ(words[i] & 0x7fff7fffu, 0u) << "radix 2 and 4 are exact in FP16";
      }
    }
  }
}

// The matrices are the same, a fragment of m16n8k16 is two of m16n8k8.
TEST(Emit, BeforeSm80ProductsAreOfM16n8k8) {
  for (const unsigned products : {1u, 3u, 4u}) {
    Request request{256, Engine::mma, {}};
    request.products = products, request.storage = Storage::f16;
    const Generated g = generate(request.problem(), target_for("sm_75"), request.tuning());
    const std::string code = without_comments(g.source.text);
    EXPECT_EQ(code.find("m16n8k16"), std::string::npos);
    EXPECT_NE(code.find(" mma_m16n8k8(d, a2, a3, b1)"), std::string::npos);
    EXPECT_NE(code.find(" two_mma_m16n8k8(d, f.x, "), std::string::npos);
    EXPECT_FALSE(g.schedule.words());
  }
}

// Every thread finds w^(k t') of each of its points where the function twiddle_... looks for it,
// times w_16^(15 k / 2) after a folded step.
void expect_twiddles(const Generated& g, const op::Twiddle& op) {
  const LinearMap table{op.thread_bits, {}};
  const LinearMap time = index_map(g.schedule.digits, op.layout, Side::time);
  const auto& radices = g.schedule.shape.tree.decomposition.radices;
  const std::int64_t radix = radices[op.step];
  std::int64_t m = 1;  // points of what is left
  for (std::size_t s = op.step + 1; s < radices.size(); ++s) m *= radices[s];
  const std::int64_t half_turns = step_of(g.schedule, op.step).folds ? 15 * m : 0;
  const std::vector<int> entries = twiddle_entries(g.schedule.digits, op);
  for (unsigned thread = 0; thread < g.schedule.launch.threads; ++thread) {
    for (unsigned reg = 0; reg < g.schedule.points_per_thread(); ++reg) {
      const std::int64_t p = time.of_thread(thread) ^ time.of_register(reg);
      const std::int64_t k = p / m % radix, rest = p % m;
      const auto w = root_of_unity(static_cast<int>(g.ir.direction) * k * (2 * rest + half_turns),
                                   2 * m * radix);
      const float power = std::ldexp(1.0f, op.exponent);
      if (entries[reg] < 0) {
        ASSERT_EQ(power * w, std::complex<float>(1.0f)) << "left out, but no factor of 1";
        continue;
      }
      const auto entry = static_cast<unsigned>(entries[reg]);
      const std::size_t word =
          4 * (op.table.offset + std::size_t{entry / 2} * op.stride + table.of_thread(thread)) +
          2 * (entry % 2);
      ASSERT_EQ(std::bit_cast<float>(g.source.tables.at(word)), power * w.real())
          << thread << " " << reg;
      ASSERT_EQ(std::bit_cast<float>(g.source.tables.at(word + 1)), power * w.imag());
    }
  }
}

TEST(Twiddles, AreWhereTheKernelLooksForThem) {
  for (const Request& request : sample_requests()) {
    const Generated g = request.generated();
    EXPECT_EQ(g.source.tables.size(), std::size_t{4} * g.ir.table_units);
    for (const Op& any : g.ir.ops) {
      if (const auto* op = std::get_if<op::Twiddle>(&any)) expect_twiddles(g, *op);
    }
  }
}

}  // namespace
}  // namespace sonoma::test
