// Two passes in one launch.
#include <algorithm>
#include <sstream>

#include "kernel_text.hpp"
#include "pass_text.hpp"
#include "point_types.hpp"

namespace sonoma {
namespace {

constexpr unsigned ticket_words = 32;

// A tile of one pass as a function, with the functions that it calls.
std::string pass_of(const Generated& pass, unsigned number, Streaming streaming) {
  const Schedule& schedule = pass.schedule;
  const unsigned columns = schedule.launch.transforms_per_block;
  const PassText text = pass_text(pass.ir, streaming);
  std::ostringstream result;
  result << "namespace pass_" << number << " {\n"
         << plan_declarations(schedule) << "\n"
         << text.functions << "// One block transforms " << schedule.points_per_block()
         << " points: " << columns << " columns side by side.\n"
         << "DEVICE void tile(const " << point_in_memory(schedule.pass, true) << "* in, "
         << point_in_memory(schedule.pass, false) << "* out, const uint4* tables, unsigned block"
         << (has_code(schedule.pass)
                 ? ",\n                 unsigned long long first_transform, const void* user"
                 : "")
         << ") {\n"
         << thread_declaration(schedule) << tile_of_block(schedule, has_code(schedule.pass))
         << register_declarations(pass.ir) << text.body << "}\n"
         << "}  // namespace pass_" << number << "\n\n";
  return result.str();
}

std::string turns(const Generated& first, const Fusion& fusion) {
  const auto n = first.schedule.pass.out.dist;
  const auto tiles = first.schedule.launch.blocks_per_batch;
  const std::string point = point_in_memory(first.schedule.pass, false);
  std::ostringstream text;
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
  return text.str();
}

// What a tile that calls code of the caller's takes beside the others.
std::string code_arguments(const Generated& pass) {
  return has_code(pass.schedule.pass) ? ",\n                 first_transform + transform, user"
                                      : "";
}

std::string kernel(const Generated& first, const Generated& second, const Fusion& fusion,
                   const std::string& name) {
  const Schedule& schedule = first.schedule;
  const auto tiles = schedule.launch.blocks_per_batch;
  std::ostringstream text;
  text << "// One block makes one tile of either pass. in and out may be the same.\n"
       << "extern \"C\" __global__ void __launch_bounds__(" << schedule.launch.threads << ", "
       << std::min(schedule.min_blocks, second.schedule.min_blocks) << ")\n"
       << name << "(\n    const " << point_in_memory(schedule.pass, true) << "* in, "
       << point_in_memory(second.schedule.pass, false)
       << "* out, const uint4* tables, unsigned long long batch,\n    unsigned* workspace"
       << (has_code(first.schedule.pass) || has_code(second.schedule.pass)
               ? ", unsigned long long first_transform, const void* user"
               : "")
       << ") {\n"
       << turns(first, fusion) << "  if (first) {\n"
       << "    // Pass 2 of the transform that was in the slot before\n"
       << "    wait_for(left + slot, round * " << tiles << "u);\n"
       << "    pass_1::tile(in + transform * " << schedule.pass.in.dist
       << "ull, between, tables, tile % " << tiles << "u" << code_arguments(first) << ");\n"
       << "    signal(written + slot);\n"
       << "  } else {\n"
       << "    // Pass 1 of this transform\n"
       << "    wait_for(written + slot, (round + 1) * " << tiles << "u);\n"
       << "    pass_2::tile(between, out + transform * " << second.schedule.pass.out.dist
       << "ull, tables + " << first.ir.table_units << ",\n                 tile % " << tiles << "u"
       << code_arguments(second) << ");\n"
       << "    signal(left + slot);\n"
       << "  }\n}\n";
  return text.str();
}

}  // namespace

KernelText fused_text(const Generated& first, const Generated& second, const Fusion& fusion) {
  const FftProblem& whole = first.schedule.pass.asked();
  KernelText result;
  result.name = "sonoma_c2c_" + to_string(whole.storage) + "_n" + to_shape(whole.lengths) +
                "_fused_" + to_string(first.ir.direction) + "_" + arithmetic_name(first.schedule);
  result.head = command_of(first, fusion) + "//\n// Two passes in one launch.\n" +
                broken_comments(describe_pass(first) + describe_pass(second) +
                                describe_launch(fused_shape(first.schedule.launch,
                                                            second.schedule.launch, fusion),
                                                {&first, &second}));
  result.plan = pass_of(first, 1, {true, false}) + pass_of(second, 2, {false, true});
  result.kernel = kernel(first, second, fusion, result.name);
  for (const Generated* pass : {&first, &second}) {
    if (!has_code(pass->schedule.pass)) continue;
    result.kernel += std::string("\nnamespace pass_") + (pass == &first ? "1" : "2") + " {" +
                     code_definitions(pass->schedule.pass) + "}\n";
  }
  result.irs = {&first.ir, &second.ir};
  result.target = first.target;
  return result;
}

LaunchShape fused_shape(const LaunchShape& first, const LaunchShape& second, const Fusion& fusion) {
  constexpr unsigned smallest_shared_bytes = 16;  // the ticket
  LaunchShape shape = first;
  shape.shared_bytes = std::max({first.shared_bytes, second.shared_bytes, smallest_shared_bytes});
  shape.blocks_per_batch = 2 * first.blocks_per_batch;
  shape.more_blocks = 2 * std::uint64_t{fusion.lag};
  shape.counter_bytes = counter_bytes(fusion.slots);
  shape.most_blocks = shape.carveout = 0;  // of blocks with more shared memory it was not measured
  return shape;
}

}  // namespace sonoma
