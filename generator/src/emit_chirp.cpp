#include "emit_chirp.hpp"

#include "convolution_tables.hpp"
#include "index_text.hpp"

namespace sonoma {

std::string chirp_comment(const KernelIr& ir, const op::Chirp& op) {
  const Pass& pass = ir.schedule.pass;
  const std::int64_t n = pass.convolution ? pass.convolution->n : pass.n();
  return std::string("Times the chirp w(t) = exp(") +
         (ir.direction == Direction::forward ? "-" : "+") + "pi i t^2 / " + std::to_string(n) +
         ")" + (op.last ? ", of the conjugate" : "");
}

std::string spectrum_comment(const KernelIr& ir, const op::Spectrum& op) {
  const std::string of = ir.schedule.rader() ? "w^(g^-q)" : "the conjugate chirp";
  const std::string part = op.exponent == 0    ? ""
                           : op.exponent == -2 ? " a quarter of it,"
                                               : " an eighth of it,";
  return "The convolution: times the spectrum of " + of + "," + part + " and back";
}

std::string factor_comment(const Schedule& schedule) {
  const double undo = spectrum_undo(schedule);
  return std::string("The factor of the request") +
         (undo == 1   ? ""
          : undo == 4 ? ", times 4 for the quarter of the spectrum"
                      : ", times 8 for the eighth of the spectrum");
}

// Point t of the transform lies t strides behind its first point.
std::string exact_chirp(const KernelIr& ir, const op::Chirp& op) {
  const Pass& pass = ir.schedule.pass;
  const Loop& columns = pass.loops.front();
  const auto stride = static_cast<std::uint32_t>(op.last ? columns.out_stride : columns.in_stride);
  LinearMap t = memory_map(ir.schedule.digits, op.layout, op.last ? Side::frequency : Side::time);
  for (std::uint32_t& digit : t.thread_bits) digit /= stride;
  for (std::uint32_t& digit : t.register_bits) digit /= stride;
  std::string text = "times_exact_chirp<" + std::to_string(static_cast<int>(ir.direction)) + ", " +
                     std::to_string(pass.convolution->n) + ", " + (op.last ? "true" : "false");
  for (std::uint32_t reg = 0; reg < t.registers(); ++reg) {
    text += ", " + std::to_string(t.of_register(reg));
  }
  return text + ">(x, column + " + index_text(t.thread_bits, t.thread_counts) + ");";
}

std::string padded_lengths(const Schedule& schedule) {
  return std::to_string(schedule.decomposition.n()) + ", " + std::to_string(schedule.pass.n());
}

std::string padded_shape(const Schedule& schedule, bool input) {
  const Pass& pass = schedule.pass;
  std::int64_t apart = input ? pass.in_dist : pass.out_dist;
  if (!pass.loops.empty()) {
    apart = input ? pass.loops.front().in_stride : pass.loops.front().out_stride;
  }
  return padded_lengths(schedule) + ", " +
         std::to_string(input ? pass.in_stride : pass.out_stride) + ", " + std::to_string(apart);
}

std::string spectrum_tile(const op::Spectrum& op) {
  if (op.tiles == 1) return "";
  return " + block % " + std::to_string(op.tiles) + "u * " +
         std::to_string(op.table.size / op.tiles) + "u";
}

std::string times_spectrum(const KernelIr& ir, const op::Spectrum& op) {
  const bool rader = ir.schedule.rader();
  const std::string where = index_text(op.thread_bits);
  return (rader ? "twiddle<" : "times_spectrum<") +
         std::to_string(ir.schedule.points_per_thread()) + ", " + std::to_string(op.register_mask) +
         (rader ? ", 0, " : ", ") + std::to_string(op.stride) + (rader ? ", load_factors" : "") +
         ">(x, tables + " + std::to_string(op.table.offset) + spectrum_tile(op) +
         (where == "0" ? "" : " + (" + where + ")") + ");";
}

std::string existing_declaration(const Pass& pass) {
  if (!pass.is_chirped(true) && !pass.is_chirped(false)) return "const AllPoints existing;";
  const Loop& columns = pass.loops.front();
  const std::int64_t stride = pass.is_chirped(true) ? columns.in_stride : columns.out_stride;
  const std::string n = std::to_string(pass.convolution->n) + "u";
  return "const FirstPoints existing{column < " + n + " ? (" + n + " - column)" +
         (stride > 1 ? " * " + std::to_string(stride) + "u" : "") + " : 0};";
}

std::string existing_text(const Pass& pass, bool input) {
  const bool other_side = pass.is_chirped(!input);
  return other_side ? "AllPoints()" : "existing";
}

}  // namespace sonoma
