#include "launches_text.hpp"

#include <algorithm>

#include "sonoma/axis_runs.hpp"

namespace sonoma {
namespace {

constexpr const char* integer = "unsigned long long";

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string times(std::uint64_t factor, const std::string& value) {
  return factor == 1 ? value : number(factor) + " * " + value;
}

std::string sum(const std::string& a, const std::string& b) {
  return a == "0" ? b : b == "0" ? a : a + " + " + b;
}

// ---- the workspace

// Of one axis: as Program::workspace_bytes().
std::string bytes_of_passes(const Program& program, std::uint64_t repeat) {
  const auto& fusion = program.launches.front().fusion;
  const auto points = static_cast<std::uint64_t>(program.workspace_points);
  std::uint64_t most = static_cast<std::uint64_t>(program.transforms_together);
  if (fusion) most = most == 0 ? fusion->slots : std::min<std::uint64_t>(most, fusion->slots);
  if (points == 0) return fusion ? number(counter_bytes(fusion->slots)) : "0";
  const std::string all = times(repeat, "batch");
  const std::string transforms =
      most == 0 ? all : "std::min<" + std::string(integer) + ">(" + all + ", " + number(most) + ")";
  const std::uint64_t bytes = points * point_bytes(program.launches.front().pass.out.storage);
  return sum(fusion ? number(counter_bytes(fusion->slots)) : "0", times(bytes, transforms));
}

std::string function(const std::string& name, const std::string& result) {
  const bool constant = result.find("batch") == std::string::npos;
  return "inline " + std::string(integer) + " " + name + "(" + integer +
         (constant ? "" : " batch") + ") {\n  return " + result + ";\n}\n";
}

bool leaves_in(const Program& program, Buffer buffer) {
  return std::ranges::any_of(program.launches, [&](const Launch& one) { return one.to == buffer; });
}

std::string between_text(const Program& program) {
  std::vector<std::string> bytes;
  const std::vector<Program> parts = programs_of_axes(program);
  for (std::size_t i = 0; i < program.axes.size(); ++i) {
    const std::string own =
        bytes_of_passes(parts[i], static_cast<std::uint64_t>(program.axes[i].repeat));
    if (own != "0" && std::ranges::find(bytes, own) == bytes.end()) bytes.push_back(own);
  }
  if (bytes.empty()) return "0";
  std::string most;
  for (const std::string& one : bytes) most += (most.empty() ? "" : ",\n      ") + one;
  if (bytes.size() > 1) {
    most.insert(0, std::string("std::max<") + integer + ">({\n      ").append("})");
  }
  return "to_next_part(" + most + ")";
}

constexpr const char* workspace_help =
    "/// Bytes of device memory, 16-byte aligned, for execute().\n";

std::string bytes_of_points(const Program& program, std::int64_t points) {
  return times(static_cast<std::uint64_t>(points) * bytes_between(program.problem), "batch");
}

// Where these begin in the workspace, or "0".
std::string between_offset(const Program& program) {
  return between_text(program) == "0" ? "0" : "between_offset(batch)";
}

// Of several axes: what their passes leave, then what they leave for each other.
std::string workspace_of_axes(const Program& program) {
  const std::string first = between_text(program);
  std::string behind = between_offset(program), text;
  const bool signals = leaves_in(program, Buffer::signals);
  if (first != "0" || signals) {
    text += "inline " + std::string(integer) + " to_next_part(" + integer +
            " bytes) { return (bytes + 255) / 256 * 256; }\n";
  }
  if (first != "0") text += function("between_offset", first);
  if (!program.keeps_axes_in_output()) {
    behind = sum(behind, bytes_of_points(program, points_between(program.problem)));
  }
  if (signals) {
    text += function("signals_offset", "to_next_part(" + behind + ")");
    behind =
        sum("signals_offset(batch)", bytes_of_points(program, points_of_signals(program.problem)));
  }
  return text + workspace_help + function("workspace_bytes", behind);
}

// ---- the launches

// `count` may be a product.
std::string blocks_that_stay(std::uint64_t stays, const std::string& count) {
  const std::string some = number(stays);
  return some + " + " + count + " - " + some + " * std::max<" + integer + ">(1, " + count + " / " +
         some + " * 15 / 16)";
}

std::string blocks_text(const LaunchShape& shape, const std::string& count) {
  if (shape.stays != 0) return blocks_that_stay(shape.stays, count);
  if (shape.blocks_per_batch != 0) {
    return times(shape.blocks_per_batch, count) +
           (shape.more_blocks == 0 ? "" : " + " + number(shape.more_blocks));
  }
  const unsigned together = shape.transforms_per_block;
  if (together == 1) return times(shape.cluster, count);
  const std::string tiles = "(" + count + " + " + number(together - 1) + ") / " + number(together);
  return shape.cluster == 1 ? tiles : times(shape.cluster, "(" + tiles + ")");
}

std::string place(Buffer buffer, std::uint64_t bytes, bool in_parts) {
  static constexpr const char* names[] = {"in", "workspace", "out", "between", "signals"};
  std::string name = names[static_cast<int>(buffer)];
  if (in_parts && buffer != Buffer::workspace) name += " + " + times(bytes, "first");
  return name;
}

std::string begin_of_parts(const std::string& all, const std::string& most) {
  return "    for (" + std::string(integer) + " first = 0; first < " + all + "; first += " + most +
         ") {\n      const auto count = std::min<" + integer + ">(" + all + " - first, " + most +
         ");\n";
}

// Of the launch of that number.
std::string arguments(const Program& program, const AxisRun& run, std::size_t which,
                      const std::string& count) {
  const Launch& launch = program.launches[which];
  const bool parts = run.together != 0, user = takes_user(program),
             filter = takes_spectrum(program);
  std::string text = place(launch.from, run.in_bytes, parts) + ", " +
                     place(launch.to, run.out_bytes, parts) + ", " + count + ", workspace";
  if (user || filter) text += std::string(parts ? ", first" : ", 0") + (user ? ", user" : ", 0");
  if (filter) text += ", spectrum";
  if (filter && parts && run.spectrum_bytes != 0) {
    text += " + " + times(run.spectrum_bytes, "first");
  }
  return text;
}

std::string called(const std::string& indent, std::size_t which, const std::string& blocks,
                   const std::string& arguments) {
  const std::string begin = indent + "launch(" + number(which) + ", " + blocks + ",",
                    end = "{" + arguments + "}, stream);\n";
  const bool fits = begin.size() + 1 + end.size() <= 101;
  return begin + (fits ? " " : "\n" + indent + "       ") + end;
}

}  // namespace

bool takes_user(const Program& program) { return program.problem.ends.has_code(); }
bool takes_spectrum(const Program& program) { return program.problem.convolution.has_value(); }

std::vector<std::string> shapes_text(const std::vector<LaunchKernel>& kernels) {
  std::vector<std::string> texts;
  for (const LaunchKernel& kernel : kernels) {
    const LaunchShape& shape = kernel.source.launch;
    texts.push_back(number(shape.threads) + ", " + number(shape.shared_bytes) + ", " +
                    number(shape.cluster) + ", " + number(shape.counter_bytes) + ", " +
                    (shape.follows ? "true" : "false") + ", " + number(shape.most_blocks) + ", " +
                    number(shape.carveout));
  }
  return texts;
}

std::string workspace_text(const Program& program) {
  if (!program.axes.empty()) return workspace_of_axes(program);
  return workspace_help + function("workspace_bytes", bytes_of_passes(program, 1));
}

std::string execute_text(const Program& program, const std::vector<LaunchKernel>& kernels) {
  std::string text;
  const auto declare = [&](Buffer buffer, const std::string& name, const std::string& offset) {
    if (!leaves_in(program, buffer)) return;
    text +=
        "    const auto " + name + " = workspace" + (offset == "0" ? "" : " + " + offset) + ";\n";
  };
  declare(Buffer::between, "between", between_offset(program));
  declare(Buffer::signals, "signals", "signals_offset(batch)");
  for (const AxisRun& run : axis_runs(program)) {
    const bool parts = run.together != 0;
    const std::string all = times(static_cast<std::uint64_t>(run.repeat), "batch"),
                      count = parts ? "count" : all, indent = parts ? "      " : "    ";
    if (parts) text += begin_of_parts(all, number(static_cast<std::uint64_t>(run.together)));
    for (std::size_t i = run.first; i < run.last; ++i) {
      text += called(indent, i, blocks_text(kernels[i].source.launch, count),
                     arguments(program, run, i, count));
    }
    if (parts) text += "    }\n";
  }
  return text;
}

}  // namespace sonoma
