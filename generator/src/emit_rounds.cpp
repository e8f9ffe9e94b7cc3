#include "emit_rounds.hpp"

#include <numeric>

#include "index_text.hpp"
#include "rounds.hpp"

namespace sonoma {
namespace {

std::string list(const std::vector<std::uint32_t>& offsets) {
  std::string text;
  for (const std::uint32_t offset : offsets) {
    text += (text.empty() ? "" : ", ") + std::to_string(offset);
  }
  return text;
}

std::uint32_t bits_of(const std::vector<std::uint32_t>& thread_bits) {
  return std::accumulate(thread_bits.begin(), thread_bits.end(), 0u, std::bit_or<>());
}

// "1023, 0, 1024, ...>(x, anew(thread % 32))"
std::string move(const TurnAccess& moved, const std::string& points) {
  return std::to_string(bits_of(moved.thread_bits)) + ", " + list(moved.offsets) + ">(" + points +
         ", anew(" + index_text(moved.thread_bits) + "));\n";
}

// "HalfOf<4, 1, 32> later{x};": those points of which a digit has a value.
std::string half_of(const KernelIr& ir, const TurnAccess& moved, op::Half half,
                    const std::string& name, const std::string& of) {
  return "  HalfOf<" + std::to_string(moved.bit) + ", " + (half == op::Half::one ? "1, " : "0, ") +
         std::to_string(ir.schedule.points_per_thread()) + "> " + name + "{" + of + "};\n";
}

std::string parts(const KernelIr& ir, const char* primitive, const Layout& layout,
                  const std::vector<DigitId>& blocks, op::Component component, unsigned quarter) {
  const LinearMap map = parts_access(ir.schedule, layout, blocks).positions;
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    offsets.push_back(map.of_register(reg) + quarter * parts_of_quarter(ir.schedule));
  }
  return std::string("  ") + primitive + (component == op::Component::real ? "<0, " : "<1, ") +
         std::to_string(bits_of(map.thread_bits)) + ", " + list(offsets) + ">(x, anew(" +
         index_text(map.thread_bits) + "));\n";
}

}  // namespace

std::string emit(const KernelIr& ir, const op::Round& op) {
  const Schedule& schedule = ir.schedule;
  const Turn turn = turn_of(schedule);
  const unsigned cluster = schedule.launch.cluster, threads = schedule.launch.threads;
  const DigitId digit = op.turned ? turn.after : turn.before;
  std::string text = "\n  // ---- Round " + std::to_string(op.number + 1) +
                     (op.turned ? " of 2 after the turn: " : " of 2: ") +
                     digit_name(schedule.digits[digit]) + " = " + std::to_string(op.number) +
                     " ----\n  thread = anew(thread_index())";
  if (cluster > 1) text += " + " + std::to_string(threads) + " * block_in_cluster()";
  if (op.number > 0) text += " + " + std::to_string(threads * cluster);
  return text + ";\n";
}

std::string emit(const KernelIr& ir, const op::WriteTurn& op) {
  const TurnAccess moved = turn_access(ir.schedule, op.layout, true, op.round, op.half);
  const std::string digit = digit_name(ir.schedule.digits[turn_of(ir.schedule).after]);
  std::string text, points = "x";
  if (op.half == op::Half::both) {
    text = "\n  // The turn: to the first quarter of shared memory those with " + digit +
           " = 0, to the second one the others\n";
  } else if (op.half == op::Half::one) {
    text = "\n  // The turn: to the third quarter those with " + digit + " = 1; the others wait\n";
    points = "later";
  } else {
    text = "  // What has waited\n";
    points = "waiting";
  }
  if (points != "x") text += half_of(ir, moved, op.half, points, "x");
  const unsigned cluster = ir.schedule.launch.cluster;
  const unsigned block_points = ir.schedule.points_per_block() / cluster;
  return text +
         (cluster == 1 ? "  write_shared<-1, "
                       : "  write_cluster<" + std::to_string(block_points) + ", -1, ") +
         move(moved, points);
}

std::string emit(const KernelIr& ir, const op::ReadTurn& op) {
  const TurnAccess moved = turn_access(ir.schedule, op.layout, false, op.round, op.half);
  const std::string digit = digit_name(ir.schedule.digits[turn_of(ir.schedule).before]);
  const std::string to = "to " + to_string(op.layout, ir.schedule.digits) + "\n";
  if (op.half == op::Half::both)
    return "  // From the second and the third quarter " + to + "  read_shared<-1, " +
           move(moved, "x");
  if (op.half == op::Half::zero) {
    return "  // From the first quarter those with " + digit + " = 0, " + to + "  float2 y[" +
           std::to_string(ir.schedule.points_per_thread()) + "];\n" +
           half_of(ir, moved, op.half, "first_half", "y") + "  read_shared<-1, " +
           move(moved, "first_half");
  }
  return "  // From there the others\n" + half_of(ir, moved, op.half, "second_half", "y") +
         "  read_shared<-1, " + move(moved, "second_half") + "  take(x, y);\n";
}

std::string emit(const KernelIr& ir, const op::WriteParts& op) {
  const std::string from =
      "\n  // Exchange by parts: from " + to_string(op.layout, ir.schedule.digits) + "\n";
  return (op.component == op::Component::real ? from : "") +
         parts(ir, "write_parts", op.layout, op.blocks, op.component, op.quarter);
}

std::string emit(const KernelIr& ir, const op::ReadParts& op) {
  const std::string to = "  // To " + to_string(op.layout, ir.schedule.digits) + "\n";
  return (op.component == op::Component::real ? to : "") +
         parts(ir, "read_parts", op.layout, op.blocks, op.component, op.quarter);
}

std::string part_swizzle_text(const Schedule& schedule) {
  return "// Where the real (imaginary) part of point p of a round lies.\n"
         "DEVICE constexpr unsigned part_swizzle(unsigned p) { return " +
         to_string(schedule.part_swizzle) + "; }\n";
}

}  // namespace sonoma
