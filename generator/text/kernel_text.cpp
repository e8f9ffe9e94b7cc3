#include "kernel_text.hpp"

#include <algorithm>
#include <sstream>

#include "access.hpp"
#include "pass_text.hpp"
#include "point_types.hpp"
#include "saturated.hpp"

namespace sonoma {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string what_is_done(const KernelIr& ir) {
  const auto& convolution = ir.schedule.pass.whole().convolution;
  if (!convolution) return to_string(ir.direction);
  return std::string(convolution->correlate ? "correlation" : "convolution") +
         (convolution->real || ir.schedule.pass.real_length() != 0 ? "_real" : "");
}

std::string kernel_name(const KernelIr& ir) {
  const Schedule& schedule = ir.schedule;
  const Pass& pass = schedule.pass;
  const Method method = schedule.method();
  const bool of_whole = pass.part || pass.pairs_of || pass.packed;
  const Storage storage = pass.packed ? pass.asked().storage : pass.in.storage;
  return "sonoma_" + to_string(pass.domain()) + "_" + to_string(storage) + "_n" +
         to_shape(of_whole ? pass.asked().lengths : pass.real_lengths()) +
         (pass.part ? "_pass" + number(pass.part->number) : "") +
         (method == Method::radix ? "" : "_" + to_string(method)) + "_" + what_is_done(ir) + "_" +
         arithmetic_name(schedule);
}

std::string functor(const char* name) {
  return std::string("struct ") + name +
         " {\n  __device__ float2 operator()(float2 value, unsigned index,\n"
         "                               unsigned long long transform, const void* user) const;\n"
         "};\n";
}

// "  const unsigned i0 = index / 40u, i1 = index % 40u;", or nothing for one axis.
std::string indices(const std::vector<std::int64_t>& lengths) {
  if (lengths.empty()) return {};
  std::vector<std::string> pieces(lengths.size());
  std::int64_t step = 1;
  for (std::size_t a = lengths.size(); a-- > 0; step *= lengths[a]) {
    std::string text = "i" + std::to_string(a) + " = index";
    if (step > 1) text += " / " + std::to_string(step) + "u";
    if (a > 0) text += " % " + std::to_string(lengths[a]) + "u";
    pieces[a] = text + (a + 1 == lengths.size() ? ";" : ",");
  }
  pieces.insert(pieces.begin(), "[[maybe_unused]] const unsigned");
  return wrapped(pieces, "  ");
}

// The caller's code, at the end of the text: its lines are counted anew.
std::string definition(const char* name, const char* file, const std::string& code,
                       const Ends::Index& index) {
  return std::string("\n// Code of the caller's\ninline __device__ float2 ") + name +
         "::operator()(float2 value, unsigned index,\n"
         "    unsigned long long transform, const void* user) const {\n" +
         indices(index.lengths) + "  return (\n#line 1 \"" + file + "\"\n" + code + "\n  );\n}\n";
}

// The number of the block, or of its cluster.
std::string block_number(const Schedule& schedule) {
  const unsigned cluster = schedule.shape.shares.cluster;
  return cluster == 1 ? "block_index()" : "block_index() / " + number(cluster);
}

// Each block stores where it has loaded: of a whole transform where those of the batch begin at the
// same bytes, of a pass where its points stay.
bool may_be_in_place(const Pass& pass) {
  const auto bytes = [&](bool input) {
    return saturated_product(pass.side(input).dist, pass.bytes_of_point(input));
  };
  const auto stays = [](const Loop& loop) { return loop.in_stride == loop.out_stride; };
  if (pass.channels() > 1 || pass.in.first != pass.out.first) return false;
  if (!pass.part) return bytes(true) == bytes(false);
  return pass.in.stride == pass.out.stride && pass.in.half == pass.out.half &&
         std::ranges::all_of(pass.loops, stays);
}

std::string what_a_block_does(const Schedule& schedule) {
  const unsigned cluster = schedule.shape.shares.cluster,
                 columns = schedule.launch.transforms_per_block;
  std::string text = cluster == 1 ? "// One block transforms "
                                  : "// A cluster of " + number(cluster) + " blocks transforms ";
  const std::uint64_t each =
      (schedule.pass.packed ? 2u : 1u) * static_cast<std::uint64_t>(schedule.pass.n());
  text += number(columns * each) + " points: " + number(columns) +
          (schedule.pass.loops.empty() ? " of the batch." : " columns side by side.");
  if (schedule.stays()) {
    text += "\n// As many blocks as the GPU holds stay for more, one after the other.";
  }
  if (schedule.shape.shares.rounds > 1) text += "\n// Half of them at once, in two rounds.";
  if (may_be_in_place(schedule.pass)) text += "\n// in and out may be the same.";
  return text + "\n";
}

std::string signature(const KernelIr& ir, const std::string& name) {
  const Schedule& schedule = ir.schedule;
  const unsigned cluster = schedule.shape.shares.cluster;
  std::vector<std::string> parameters = {
      std::string("const ") + point_in_memory(schedule.pass, true) + "* in,",
      point_in_memory(schedule.pass, false) + std::string("* out,"), "const uint4* tables,",
      "unsigned long long batch"};
  const auto add = [&](const std::vector<std::string>& more) {
    parameters.back() += ",";
    parameters.insert(parameters.end(), more.begin(), more.end());
  };
  const bool code = has_code(schedule.pass), filter = schedule.pass.filter.has_value();
  if (code) add({"unsigned*,", "unsigned long long first_transform,", "const void* user"});
  if (filter && !code) add({"unsigned*,", "unsigned long long,", "const void*"});
  if (filter) add({"const float2* spectrum"});
  parameters.back() += ") {";
  return "extern \"C\" __global__ void " +
         (cluster == 1 ? "" : "__cluster_dims__(" + number(cluster) + ") ") + "__launch_bounds__(" +
         number(schedule.launch.threads) + ", " + number(schedule.min_blocks) + ")\n" + name +
         "(\n" + wrapped(parameters, "    ");
}

}  // namespace

std::string arithmetic_name(const Schedule& schedule) {
  return schedule.pass.packed ? to_string(Arithmetic::packed) : to_string(schedule.engine());
}

std::string thread_declaration(const Schedule& schedule) {
  const bool cluster = schedule.shape.shares.cluster > 1;
  const std::string rank =
      cluster && schedule.mixed() ? "  const unsigned rank = block_in_cluster();\n" : "";
  if (schedule.shape.shares.rounds > 1 && schedule.mixed()) return rank + "  unsigned thread;\n";
  if (schedule.shape.shares.rounds > 1)
    return "  unsigned thread;  // numbered through both rounds\n";
  if (schedule.has_laps()) return rank;  // each lap has a thread of its own
  if (!rank.empty()) return "  const unsigned thread = thread_index();\n" + rank;
  if (!cluster) return "  const unsigned thread = thread_index();\n";
  return "  // Of the cluster\n  const unsigned thread = thread_index() + " +
         number(schedule.launch.threads) + " * block_in_cluster();\n";
}

bool has_code(const Pass& pass) { return !pass.code(true).empty() || !pass.code(false).empty(); }

std::string code_definitions(const Pass& pass) {
  const std::string &load = pass.code(true), &store = pass.code(false);
  const Ends& ends = pass.whole().ends;
  return (load.empty() ? "" : definition("LoadCode", "load_code", load, ends.in_index)) +
         (store.empty() ? "" : definition("StoreCode", "store_code", store, ends.out_index));
}

std::string plan_types(const Schedule& schedule) {
  const unsigned registers = schedule.points_per_thread();
  const bool mma = schedule.engine() == Engine::mma;
  std::string text = "// The points of a thread\nusing Points = " +
                     (mma ? "Tile" : std::string(point_in_registers(schedule.pass))) + "[" +
                     number(mma ? registers / 8 : registers) + "];\n";
  if (mma && schedule.products() == 1)
    text += "using WordTiles = Words[" + number(registers / 8) + "];\n";
  if (!schedule.mixed() && schedule.launch.shared_bytes > 0) {
    text +=
        "// Where point p of the tile lies in shared memory: a permutation of the points that "
        "spreads every\n// access of the kernel over the banks.\n"
        "DEVICE constexpr unsigned swizzle(unsigned p) { return " +
        to_string(schedule.places.points.swizzle) + "; }\n";
  }
  if (!schedule.mixed() && schedule.shape.shares.rounds > 1) {
    text +=
        "// Where the real (imaginary) part of point p of a round lies.\n"
        "DEVICE constexpr unsigned part_swizzle(unsigned p) { return " +
        to_string(schedule.places.parts.swizzle) + "; }\n";
  }
  return text;
}

std::string plan_declarations(const Schedule& schedule) {
  std::string text = plan_types(schedule);
  if (!schedule.pass.code(true).empty()) text += functor("LoadCode");
  if (!schedule.pass.code(false).empty()) text += functor("StoreCode");
  return text;
}

std::string register_declarations(const KernelIr& ir) {
  if (ir.schedule.shape.opposite) return "";  // each lap has its own
  for (const Op& op : ir.ops) {
    if (std::holds_alternative<op::WordProduct>(op)) return "  Points x;\n  WordTiles w;\n";
  }
  return "  Points x;\n";
}

namespace {

std::string first_point(const PassSide& side) {
  return side.first == 0 ? "" : " + " + std::to_string(side.first) + "ull";
}

// The transforms of a block are some of the batch.
std::string tile_of_batch(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  const unsigned columns = schedule.launch.transforms_per_block;
  if (schedule.stays()) {
    return "  const Tiles tiles = tiles_of_block<" + number(schedule.launch.stays) +
           ">(batch);\n  in += tiles.first * " + std::to_string(pass.in.dist) + "ull" +
           first_point(pass.in) + ", out += tiles.first * " + std::to_string(pass.out.dist) +
           "ull" + first_point(pass.out) + ";\n";
  }
  const std::string first = schedule.shape.shares.cluster == 1 ? block_number(schedule)
                                                               : "(" + block_number(schedule) + ")";
  std::string text =
      "  const unsigned long long transform = " + (columns == 1 ? "" : number(columns) + "ull * ") +
      first + (columns == 1 ? ";\n" : ";  // the first one\n") + "  in += transform * " +
      std::to_string(pass.in.dist) + "ull" + first_point(pass.in) + ", out += transform * " +
      std::to_string(pass.out.dist) + "ull" + first_point(pass.out) + ";\n";
  if (pass.filter && pass.filter->dist != 0) {
    text += "  spectrum += transform * " + std::to_string(pass.filter->dist) + "ull;\n";
  }
  if (columns == 1) return text;
  return text + "  const unsigned columns = at_most(batch - transform, " + number(columns) + ");\n";
}

}  // namespace

// Columns of the first loop, then one of each other, then one of the batch.
std::string tile_of_block(const Schedule& schedule, bool needs_transform) {
  const Pass& pass = schedule.pass;
  if (pass.loops.empty()) return tile_of_batch(schedule);
  const unsigned columns = schedule.launch.transforms_per_block;
  const std::uint64_t tiles = tiles_of_row(pass, columns);
  std::string in = "column * " + std::to_string(pass.loops.front().in_stride) + "ull";
  std::string out = "column * " + std::to_string(pass.loops.front().out_stride) + "ull";
  std::string spectrum;
  const auto add_to_spectrum = [&](const std::string& index, std::int64_t stride) {
    if (stride == 0) return;
    spectrum += (spectrum.empty() ? "" : " + ") + index + " * " + std::to_string(stride) + "ull";
  };
  if (pass.filter) add_to_spectrum("column", pass.filter->loops.front());
  std::string text = "  const unsigned column = block % " + number(tiles) + "u * " +
                     number(columns) + ";  // the first of " + number(columns) + "\n";
  std::uint64_t below = tiles;
  const auto add = [&](const std::string& index, std::int64_t in_stride, std::int64_t out_stride) {
    in += " + " + index + " * " + std::to_string(in_stride) + "ull";
    out += " + " + index + " * " + std::to_string(out_stride) + "ull";
  };
  for (std::size_t i = 1; i < pass.loops.size(); ++i) {
    const auto count = static_cast<std::uint64_t>(pass.loops[i].count);
    const std::string index = "block / " + number(below) + "u % " + number(count) + "u";
    add(index, pass.loops[i].in_stride, pass.loops[i].out_stride);
    if (pass.filter) add_to_spectrum(index, pass.filter->loops[i]);
    below *= count;
  }
  add("block / " + number(below) + "u", pass.in.dist, pass.out.dist);
  if (pass.filter) add_to_spectrum("block / " + number(below) + "u", pass.filter->dist);
  in += first_point(pass.in), out += first_point(pass.out);
  text += "  in += " + in + ";\n  out += " + out + ";\n";
  if (!spectrum.empty()) text += "  spectrum += " + spectrum + ";\n";
  const auto count = static_cast<std::uint64_t>(pass.loops.front().count);
  if (count % columns != 0) {
    text += "  const unsigned columns = at_most(" + number(count) + "u - column, " +
            number(columns) + ");\n";
  }
  if (needs_transform) text += "  const unsigned transform = block / " + number(below) + "u;\n";
  return text;
}

KernelText kernel_text(const Generated& pass) {
  const Schedule& schedule = pass.ir.schedule;
  const PassText text = pass_text(pass.ir);
  KernelText result;
  result.name = kernel_name(pass.ir);
  result.head = command_of(pass) +
                broken_comments(describe_pass(pass) + describe_launch(schedule.launch, {&pass}));
  result.plan = plan_declarations(schedule) + "\n" + text.functions;
  result.kernel =
      what_a_block_does(schedule) + signature(pass.ir, result.name) + thread_declaration(schedule);
  if (!schedule.pass.loops.empty()) {
    result.kernel += "  const unsigned block = " + block_number(schedule) + ";\n";
  }
  result.kernel += tile_of_block(schedule, has_code(schedule.pass)) +
                   register_declarations(pass.ir) + text.body + "}\n" +
                   code_definitions(schedule.pass);
  result.irs = {&pass.ir};
  result.target = pass.target;
  return result;
}

}  // namespace sonoma
