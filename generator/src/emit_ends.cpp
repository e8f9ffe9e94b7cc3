#include "emit_ends.hpp"

#include <sstream>

namespace sonoma {
namespace {

std::int64_t stride_of(const Loop& loop, bool input) {
  return input ? loop.in_stride : loop.out_stride;
}

bool has_code(const Pass& pass) { return !pass.code(true).empty() || !pass.code(false).empty(); }

// Between points of the transform, on a side of a pass that is an end.
std::int64_t point_stride(const Pass& pass, bool input) {
  const DataLayout& layout = pass.whole().layout;
  if (pass.part) return input ? layout.in_stride : layout.out_stride;
  return input ? pass.in_stride : pass.out_stride;
}

// The sides of a part that are no ends have all of their points.
bool is_part_of_end(const Pass& pass, bool input) { return pass.part && pass.is_end(input); }

std::string end_type(const Schedule& schedule, bool input) {
  const Pass& pass = schedule.pass;
  const std::int64_t n = schedule.decomposition.n();
  const std::int64_t stride = input ? pass.in_stride : pass.out_stride;
  const std::int64_t dist = input ? pass.in_dist : pass.out_dist;
  const std::int64_t apart = pass.loops.empty() ? dist : stride_of(pass.loops.front(), input);
  const bool part = is_part_of_end(pass, input);
  const std::int64_t each = point_stride(pass, input);
  std::ostringstream text;
  text << "using " << (input ? "Input" : "Output") << " = End<" << n << ", "
       << (pass.is_end(input) ? pass.points_at_end(input) : n) << ", " << stride << ", " << apart
       << ", " << (part ? stride / each : 1) << ", " << (part ? apart / each : 0) << ">;\n";
  return text.str();
}

// Where in its transform the tile's first point is.
std::string first_point(const Schedule& schedule, bool input) {
  const Pass& pass = schedule.pass;
  if (!is_part_of_end(pass, input)) return "0";
  const std::int64_t each = point_stride(pass, input);
  const auto times = [](std::int64_t factor) {
    return factor == 1 ? std::string() : " * " + std::to_string(factor) + "u";
  };
  std::string text = "column" + times(stride_of(pass.loops.front(), input) / each);
  std::int64_t below = pass.loops.front().count / schedule.launch.transforms_per_block;
  const std::size_t own = pass.loops.size() - pass.whole().layout.loops.size();
  for (std::size_t i = 1; i < own; ++i) {
    text += " + block / " + std::to_string(below) + "u % " + std::to_string(pass.loops[i].count) +
            "u" + times(stride_of(pass.loops[i], input) / each);
    below *= pass.loops[i].count;
  }
  return text;
}

std::string places(const Schedule& schedule, const std::string& columns,
                   const std::string& transform) {
  const std::string number =
      (has_code(schedule.pass) ? "first_transform + " : "") + transform + "};\n";
  return "  const Place from{" + first_point(schedule, true) + ", " + columns + ", " + number +
         "  const Place to{" + first_point(schedule, false) + ", " + columns + ", " + number;
}

std::string functor(const char* name) {
  return std::string("struct ") + name +
         " {\n  __device__ float2 operator()(float2 value, unsigned index,\n"
         "                               unsigned long long transform, const void* user) const;\n"
         "};\n";
}

std::string definition(const char* name, const char* file, const std::string& code) {
  return std::string("\n// Code of the caller's\ninline __device__ float2 ") + name +
         "::operator()(float2 value, unsigned index,\n"
         "    unsigned long long transform, const void* user) const {\n  return (\n#line 1 \"" +
         file + "\"\n" + code + "\n  );\n}\n";
}

}  // namespace

std::string end_declarations(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  return "// n, length, stride, apart, step, next: see End\n" + end_type(schedule, true) +
         end_type(schedule, false) + (pass.code(true).empty() ? "" : functor("LoadCode")) +
         (pass.code(false).empty() ? "" : functor("StoreCode")) + "\n";
}

std::string code_parameters(const Pass& pass) {
  return has_code(pass) ? ",\n    unsigned*, unsigned long long first_transform, const void* user"
                        : "";
}

std::string end_places(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  const unsigned columns = schedule.launch.transforms_per_block;
  const std::string count = std::to_string(columns) + "u";
  const auto fewer = [&](const std::string& left, const std::string& value) {
    return "  const unsigned columns = " + left + " < " + count + " ? " + value + " : " + count +
           ";\n";
  };
  if (!pass.loops.empty()) {
    const std::string number = "block / " + std::to_string(schedule.launch.blocks_per_batch) + "u";
    if (pass.loops.front().count % columns == 0) return places(schedule, count, number);
    const std::string left = std::to_string(pass.loops.front().count) + "u - column";
    return fewer(left, left) + places(schedule, "columns", number);
  }
  std::string text = "  const unsigned long long transform = " + std::to_string(columns) +
                     "ull * block_index();  // the first one\n  in += transform * " +
                     std::to_string(pass.in_dist) + "ull, out += transform * " +
                     std::to_string(pass.out_dist) + "ull;\n";
  if (columns == 1) return text + places(schedule, "1", "transform");
  return text + fewer("batch - transform", "static_cast<unsigned>(batch - transform)") +
         places(schedule, "columns", "transform");
}

std::string load_end(const std::string& offsets, const std::string& point) {
  return "load_end<Input, " + offsets + ">(x, in, " + point + ", from);";
}

std::string store_end(const std::string& offsets, const std::string& point) {
  return "store_end<Output, " + offsets + ">(x, out, " + point + ", to);";
}

std::string apply_code(const op::CallerCode& op, const std::string& offsets,
                       const std::string& point) {
  return std::string("apply_code<") + (op.store ? "Output, " : "Input, ") + offsets + ">(x, " +
         point + (op.store ? ", to, user, StoreCode{});" : ", from, user, LoadCode{});");
}

std::string code_definitions(const Pass& pass) {
  const std::string &load = pass.code(true), &store = pass.code(false);
  return (load.empty() ? "" : definition("LoadCode", "load_code", load)) +
         (store.empty() ? "" : definition("StoreCode", "store_code", store));
}

}  // namespace sonoma
