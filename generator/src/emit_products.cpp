#include "emit_products.hpp"

namespace sonoma {
namespace {

const char* side(StepForm form) { return form == StepForm::left ? "left" : "right"; }
std::string from(StepForm form) { return std::string("From::") + side(form); }
const char* flag(bool set) { return set ? "true" : "false"; }
std::string tile_text(unsigned tile) { return "x[" + std::to_string(tile) + "]"; }

// Names carry the step and, where a warp has several tiles, the tile: scales1b is step 1, tile b.
std::string name(unsigned step, unsigned tile) {
  return std::to_string(step + 1) + static_cast<char>('a' + tile);
}

std::string matrix_name(unsigned radix, StepForm form) {
  return "f" + std::to_string(radix) + "_" + side(form);
}

}  // namespace

std::string emit(const Schedule&, const op::LoadMatrix& op) {
  return std::string("\n  const ") + (op.words ? "WordMatrix " : "Matrix ") +
         matrix_name(op.radix, op.form) +
         (op.words ? " = load_word_matrix(tables + " : " = load_matrix(tables + ") +
         std::to_string(op.table.offset) + ");\n";
}

std::string emit(const Schedule&, unsigned, const op::Fold& op) {
  return std::string("  ") + (op.scaled ? "scaled_fold<" : "fold<") + from(op.form) + ">(" +
         tile_text(op.tile) +
         (op.scaled ? ", scale);\n" : ");\n");
}

std::string emit(const Schedule&, unsigned step, const op::Scale& op) {
  return "  const Scales scales" + name(step, op.tile) + " = group_scales<" +
         std::to_string(op.register_mask) + ", " + std::to_string(op.lane_mask) + ", " +
         flag(op.contained) + ">(" + tile_text(op.tile) + ");\n";
}

std::string emit(const Schedule&, unsigned step, const op::Split& op) {
  static constexpr const char* types[] = {"HighTile", "SplitTile", "SplitTile3"};
  const std::string type = types[op.parts - 1];
  const bool group = op.scale == op::SplitScale::group;
  return "  const " + type + " halves" + name(step, op.tile) +
         (group ? std::string(" = split<") + flag(op.contained) + ", " : " = split_transform<") +
         type + ">(" + tile_text(op.tile) + (group ? ", scales" + name(step, op.tile) : "") +
         (op.scale == op::SplitScale::transform ? ", scale" : "") + ");\n";
}

std::string emit(const Schedule& schedule, unsigned step, const op::Mma& op) {
  const std::string products = std::to_string(schedule.products) + ">(";
  std::string lines = "16<";
  if (!takes_sixteen(op.radix)) {
    lines = "8<" + std::to_string(is_exact_matrix(op.radix) ? op.radix : 8) + ", ";
  }
  return "  const Product product" + name(step, op.tile) + " = " + side(op.form) + lines +
         products + matrix_name(op.radix, op.form) + ", halves" + name(step, op.tile) + ");\n";
}

std::string emit(const Schedule& schedule, unsigned step, const op::Join& op) {
  return "  join<" + std::to_string(schedule.products) + ">(" + tile_text(op.tile) + ", product" +
         name(step, op.tile) + ");\n";
}

std::string emit(const Schedule& schedule, unsigned step, const op::Combine& op) {
  return "  combine<" + from(op.form) + ", " + std::to_string(schedule.products) + ", " +
         flag(op.contained) + ", " + flag(op.uniform) + ">(" + tile_text(op.tile) + ", product" +
         name(step, op.tile) + ", scales" + name(step, op.tile) + ");\n";
}

std::string emit(const Schedule& schedule, unsigned step, const op::WordProduct& op) {
  return "  " + tile_text(op.tile) + " = " + side(op.form) + "_words(" +
         matrix_name(step_of(schedule, step).radix, op.form) + ", w[" + std::to_string(op.tile) +
         "]);\n";
}

}  // namespace sonoma
