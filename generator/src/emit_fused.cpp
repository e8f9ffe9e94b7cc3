#include "emit_fused.hpp"

#include <algorithm>
#include <sstream>

#include "emit_parts.hpp"

namespace sonoma {
namespace {

constexpr unsigned ticket_words = 32;
constexpr unsigned smallest_shared_bytes = 16;  // the ticket

Provenance provenance_of(const Generated& pass) {
  return {pass.problem, pass.target, pass.tuning, pass.costs, pass.error_bound};
}

std::string command_line(const Generated& first, const Fusion& fusion) {
  const Part& part = *first.schedule.pass.part;
  const Tuning& tuning = first.tuning;
  std::ostringstream text;
  text << "sonoma emit --n " << part.whole.n() << " --pass-lengths " << to_list(part.lengths)
       << " --fused 1 --workspace-points " << fusion.slots * part.whole.n() << " --engine "
       << to_string(*tuning.engine);
  if (tuning.products) text << " --products " << *tuning.products;
  text << " --points-per-thread " << *tuning.points_per_thread << " --block-points "
       << *tuning.block_points << " --registers " << *tuning.registers;
  if (part.whole.storage != Storage::f32) {
    text << " --precision " << to_string(part.whole.storage);
  }
  if (part.whole.result_storage() != part.whole.storage) {
    text << " --out-precision " << to_string(part.whole.result_storage());
  }
  if (part.whole.order == Order::transposed) text << " --order transposed";
  text << accuracy_option(first.schedule.pass);
  if (first.ir.direction == Direction::inverse) text << " --inverse";
  text.precision(9);
  if (static_cast<float>(part.whole.scale) != 1.0f) {
    text << " --scale " << static_cast<float>(part.whole.scale);
  }
  text << " --arch " << arch_name(first.target);
  return text.str();
}

// A tile of one pass as a function.
void emit_pass(std::ostream& text, const Generated& pass, const char* existing) {
  const Schedule& schedule = pass.schedule;
  const unsigned columns = schedule.launch.transforms_per_block;
  text << "// Pass " << schedule.pass.part->number << ": one block transforms "
       << schedule.points_per_block() << " points: " << columns << " columns side by side.\n"
       << "DEVICE void pass_" << schedule.pass.part->number << "(const "
       << point_in_memory(schedule.storage) << "* in, "
       << point_in_memory(schedule.pass.out_storage)
       << "* out, const uint4* tables, unsigned block) {\n"
       << "  const unsigned thread = thread_index();\n";
  emit_loops(text, schedule.pass, columns);
  text << "  const " << existing << " existing;\n";
  emit_statements(text, pass.ir);
  text << "\n";
}

void emit_turns(std::ostream& text, const Generated& first, const Fusion& fusion) {
  const auto n = first.schedule.pass.out_dist;
  const auto tiles = first.schedule.launch.blocks_per_batch;
  const std::string point = point_in_memory(first.schedule.pass.out_storage);
  text << "  // The workspace: a counter of tickets; for each slot, tiles of pass 1 that are "
          "written and\n"
       << "  // tiles of pass 2 that have read theirs; then slots of one transform each.\n"
       << "  unsigned* const written = workspace + " << ticket_words << ";\n"
       << "  unsigned* const left = written + " << fusion.slots << ";\n"
       << "  " << point << "* const slots = reinterpret_cast<" << point << "*>(workspace + "
       << counter_bytes(fusion.slots) / 4 << ");\n\n"
       << "  // Tiles of pass 1 and of pass 2 take turns, the latter " << fusion.lag << " behind.\n"
       << "  const unsigned ticket = take_ticket(workspace);\n"
       << "  const bool first = ticket % 2 == 0;\n"
       << "  const unsigned turn = ticket / 2;\n"
       << "  if (!first && turn < " << fusion.lag << "u) return;\n"
       << "  const unsigned tile = first ? turn : turn - " << fusion.lag << "u;\n"
       << "  if (tile >= " << tiles << "u * batch) return;\n"
       << "  const unsigned transform = tile / " << tiles << "u;\n"
       << "  const unsigned slot = transform % " << fusion.slots << "u, round = transform / "
       << fusion.slots << "u;\n"
       << "  " << point << "* const between = slots + slot * " << n << "ull;\n";
}

void emit_kernel(std::ostream& text, const Generated& first, const Generated& second,
                 const Fusion& fusion, const std::string& name) {
  const Schedule& schedule = first.schedule;
  const auto tiles = schedule.launch.blocks_per_batch;
  text << "// One block makes one tile of either pass. in and out may be the same.\n"
       << "extern \"C\" __global__ void __launch_bounds__(" << schedule.launch.threads << ", "
       << std::min(schedule.min_blocks, second.schedule.min_blocks) << ")\n"
       << name << "(const " << point_in_memory(schedule.storage) << "* in, "
       << point_in_memory(second.schedule.pass.out_storage)
       << "* out, const uint4* tables, unsigned long long batch, unsigned* workspace) {\n";
  emit_turns(text, first, fusion);
  text << "  if (first) {\n"
       << "    // Pass 2 of the transform that was in the slot before\n"
       << "    wait_for(left + slot, round * " << tiles << "u);\n"
       << "    pass_1(in + transform * " << schedule.pass.in_dist << "ull, between, tables, tile % "
       << tiles << "u);\n"
       << "    signal(written + slot);\n"
       << "  } else {\n"
       << "    // Pass 1 of this transform\n"
       << "    wait_for(written + slot, (round + 1) * " << tiles << "u);\n"
       << "    pass_2(between, out + transform * " << second.schedule.pass.out_dist
       << "ull, tables + " << first.ir.table_units << ", tile % " << tiles << "u);\n"
       << "    signal(left + slot);\n"
       << "  }\n}\n";
}

LaunchShape shape_of(const LaunchShape& first, const LaunchShape& second, const Fusion& fusion) {
  LaunchShape shape = first;
  shape.shared_bytes = std::max({first.shared_bytes, second.shared_bytes, smallest_shared_bytes});
  shape.blocks_per_batch = 2 * first.blocks_per_batch;
  shape.more_blocks = 2 * std::uint64_t{fusion.lag};
  shape.counter_bytes = counter_bytes(fusion.slots);
  return shape;
}

}  // namespace

CudaSource emit_fused(const Generated& first, const Generated& second, const Fusion& fusion) {
  const Part& part = *first.schedule.pass.part;
  CudaSource source;
  source.name = "sonoma_c2c_" + to_string(part.whole.storage) + "_n" +
                std::to_string(part.whole.n()) + "_fused_" + to_string(first.ir.direction) + "_" +
                to_string(first.schedule.engine);
  std::ostringstream header, kernel;
  header << "// " << command_line(first, fusion) << "\n//\n// Two passes in one launch.\n";
  describe_pass(header, first.ir, provenance_of(first));
  describe_pass(header, second.ir, provenance_of(second));
  kernel << "// ===== the kernel =====\n";
  emit_pass(kernel, first, "StreamedInput");
  emit_pass(kernel, second, "StreamedOutput");
  emit_kernel(kernel, first, second, fusion, source.name);
  source.text =
      header.str() + "\n" + primitives({&first.ir, &second.ir}, kernel.str()) + kernel.str();
  source.launch = shape_of(first.source.launch, second.source.launch, fusion);
  source.tables = first.source.tables;
  source.tables.insert(source.tables.end(), second.source.tables.begin(),
                       second.source.tables.end());
  return source;
}

}  // namespace sonoma
