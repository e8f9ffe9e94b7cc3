// Steps: products on tensor cores, and butterflies in registers.
#include "expression.hpp"
#include "padded_text.hpp"
#include "pass_text.hpp"
#include "point_types.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

const char* side(StepForm form) { return form == StepForm::left ? "left" : "right"; }
std::string from(StepForm form) { return std::string("From::") + side(form); }
const char* flag(bool set) { return set ? "true" : "false"; }
std::string tile_text(unsigned tile) { return "x[" + std::to_string(tile) + "]"; }

std::string matrix_name(unsigned radix, StepForm form) {
  return "f" + std::to_string(radix) + "_" + side(form);
}

}  // namespace

// Names carry the step and the tile: scales1b is step 1, tile b. Those of the second round, and of
// the way back, follow.
std::string PassWriter::tile_name(unsigned step, unsigned tile) const {
  const unsigned before = round_ + (backwards_ ? 1 : 0);
  return std::to_string(step + 1) + static_cast<char>('a' + tile + before * tiles());
}

void PassWriter::operator()(const op::LoadMatrix& op) {
  text_ += "\n";
  line(std::string("const ") + (op.words ? "WordMatrix " : "Matrix ") +
       matrix_name(op.radix, op.form) + (op.words ? " = load_word_matrix(" : " = load_matrix(") +
       (op.table.offset == 0 ? "tables" : "tables + " + std::to_string(op.table.offset)) + ");");
}

void PassWriter::operator()(const op::Fold& op) {
  begin_step(op.step);
  line(std::string(op.scaled ? "scaled_fold<" : "fold<") + from(op.form) + ">(" +
       tile_text(op.tile) + (op.scaled ? ", scale);" : ");"));
}

void PassWriter::operator()(const op::Scale& op) {
  begin_step(op.step);
  line("const Scales scales" + tile_name(op.step, op.tile) + " = group_scales<" +
       std::to_string(op.register_mask) + ", " + std::to_string(op.lane_mask) + ", " +
       flag(op.contained) + ">(" + tile_text(op.tile) + ");");
}

void PassWriter::operator()(const op::Split& op) {
  static constexpr const char* types[] = {"HighTile", "SplitTile", "SplitTile3"};
  begin_step(op.step);
  const std::string type = types[op.parts - 1];
  const bool group = op.scale == op::SplitScale::group;
  line("const " + type + " halves" + tile_name(op.step, op.tile) +
       (group ? std::string(" = split<") + flag(op.contained) + ", " : " = split_transform<") +
       type + ">(" + tile_text(op.tile) + (group ? ", scales" + tile_name(op.step, op.tile) : "") +
       (op.scale == op::SplitScale::transform ? ", scale" : "") + ");");
}

void PassWriter::operator()(const op::Mma& op) {
  std::string lines = "16<";
  if (!takes_sixteen(op.radix)) {
    lines = "8<" + std::to_string(is_exact_matrix(op.radix) ? op.radix : 8) + ", ";
  }
  line("const Product product" + tile_name(op.step, op.tile) + " = " + side(op.form) + lines +
       std::to_string(schedule_.products()) + ">(" + matrix_name(op.radix, op.form) + ", halves" +
       tile_name(op.step, op.tile) + ");");
}

void PassWriter::operator()(const op::Join& op) {
  line("join<" + std::to_string(schedule_.products()) + ">(" + tile_text(op.tile) + ", product" +
       tile_name(op.step, op.tile) + ");");
}

void PassWriter::operator()(const op::Combine& op) {
  line("combine<" + from(op.form) + ", " + std::to_string(schedule_.products()) + ", " +
       flag(op.contained) + ", " + flag(op.uniform) + ">(" + tile_text(op.tile) + ", product" +
       tile_name(op.step, op.tile) + ", scales" + tile_name(op.step, op.tile) + ");");
}

void PassWriter::operator()(const op::WordProduct& op) {
  begin_step(op.step);
  line(tile_text(op.tile) + " = " + side(op.form) + "_words(" +
       matrix_name(step_of(schedule_, op.step).radix, op.form) + ", w[" + std::to_string(op.tile) +
       "]);");
}

namespace {

// "joined_rotated<-1>(x[3], 0x1.d906bcp-1f, 0x1.87de2ap-2f)": by w^k, w = exp(sign 2 pi i / n).
std::string joined(const std::string& point, unsigned k, unsigned n, int sign) {
  if (k == 0) return concat("joined(", point, ")");
  const std::string of = concat("<", std::to_string(sign), ">(", point);
  if (4 * k == n) return concat("joined_turned", of, ")");
  const auto root = root_of_unity(k, n);
  return concat("joined_rotated", of, ", ", hex(root.real()), ", ", hex(root.imag()), ")");
}

}  // namespace

void PassWriter::operator()(const op::JoinHalves& op) {
  layout_ = op.layout;
  const std::int64_t n = schedule_.pass.asked().n();
  comment(concat("Both halves: results k and k + ", std::to_string(n / 2), " of those of even and ",
                 "odd points"));
  const Step& step = schedule_.phases.back().steps.back();
  FunctionBody body{"Points& x", {}};
  const std::vector<unsigned> k = register_values(step.digits);
  for (unsigned reg = 0; reg < k.size(); ++reg) {
    body.statements.push_back(
        concat(at(reg), " = ", joined(at(reg), k[reg], 2 * step.radix, sign()), ";"));
  }
  call("join_halves", body, {"x"});
}

// By register: points that are zero whatever the thread; none: there are no such before this step.
std::vector<bool> PassWriter::padding_before(const op::Butterfly& op) const {
  if (op.form != ButterflyForm::fused || op.step > 0 || backwards_) return {};
  const Side side = side_of(op.layout, true);
  std::vector<bool> zeros;
  for (unsigned reg = 0; reg < side.index.offset.size(); ++reg) {
    zeros.push_back(condition(side, reg) == "false");
  }
  return zeros;
}

void PassWriter::operator()(const op::Butterfly& op) {
  begin_step(op.step);
  layout_ = op.layout;
  const Step& step = step_of(schedule_, op.step);
  Spelling spelling = spelling_of(op.fp64 ? Sums::fp64 : Sums::fp32);
  if (!op.fp64) spelling.point = point_in_registers(schedule_.pass);
  spelling.form = op.form;
  // Of each value of the other digits the registers of the step's, in its order.
  std::vector<std::vector<unsigned>> groups;
  const std::vector<unsigned> value = register_values(step.digits);
  const std::vector<unsigned> rest = register_rest(step.digits);
  for (unsigned reg = 0; reg < value.size(); ++reg) {
    if (rest[reg] >= groups.size()) groups.resize(rest[reg] + 1);
    groups[rest[reg]].resize(op.radix);
    groups[rest[reg]][value[reg]] = reg;
  }
  FunctionBody body{"Points& x", {}};
  spelling.zeros = padding_before(op);
  for (const auto& group : groups) {
    std::vector<std::string> arguments;
    for (const unsigned reg : group) arguments.push_back(at(reg));
    const std::string name = butterfly(functions_, op.radix, sign(), part_of(spelling, group));
    body.statements.push_back(call_text(name, arguments));
  }
  call("step_" + std::to_string(op.step + 1), body, {"x"});
}

}  // namespace sonoma
