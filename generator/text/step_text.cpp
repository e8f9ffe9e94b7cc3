// Steps: products on tensor cores, and butterflies in registers.
#include "pass_text.hpp"

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

void PassWriter::operator()(const op::Butterfly& op) {
  begin_step(op.step);
  layout_ = op.layout;
  const Step& step = step_of(schedule_, op.step);
  const std::string name =
      butterfly(functions_, op.radix, sign(), op.fp64 ? Sums::fp64 : Sums::fp32);
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
  for (const auto& group : groups) {
    std::vector<std::string> arguments;
    for (const unsigned reg : group) arguments.push_back(at(reg));
    body.statements.push_back(call_text(name, arguments));
  }
  call("step_" + std::to_string(op.step + 1), body, {"x"});
}

}  // namespace sonoma
