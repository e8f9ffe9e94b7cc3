// The text of a kernel: of one pass, or of two that share a launch.
#pragma once

#include <string>
#include <vector>

#include "sonoma/generated.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

/// A kernel and what stands in front of it.
struct KernelText {
  std::string name;
  std::string head;    ///< comments: the command, the plan, how to launch it
  std::string plan;    ///< types and functions of this plan
  std::string kernel;  ///< the kernel, and code of the caller's behind it
  std::string axis;    ///< of several axes: which one of which shape
  std::vector<const KernelIr*> irs;
  Target target;
};

/// The kernel of one pass.
[[nodiscard]] KernelText kernel_text(const Generated& pass);
/// The kernel of two passes.
[[nodiscard]] KernelText fused_text(const Generated& first, const Generated& second,
                                    const Fusion& fusion);

/// A pass as a function of somebody else's kernel; see header.cuh.in. Its problem has code at both
/// ends, the places of which that kernel's own takes.
[[nodiscard]] KernelText device_function_text(const Generated& pass);

/// As one of the kernels of a transform of several axes, which may be as long as each other: names
/// of kernels are in no namespace.
[[nodiscard]] KernelText of_axis(KernelText kernel, std::size_t axis,
                                 const std::vector<std::int64_t>& lengths);

/// One translation unit: heads, the primitives that the kernels call, and, each in a namespace of
/// its own where there are several, the kernels.
[[nodiscard]] std::string unit_text(const std::vector<KernelText>& kernels);

/// The primitives that `called`, text of kernels of `irs`, calls.
[[nodiscard]] std::string primitives_text(const std::vector<const KernelIr*>& irs,
                                          const Target& target, const std::string& called);

/// What the launch of two passes needs.
[[nodiscard]] LaunchShape fused_shape(const LaunchShape& first, const LaunchShape& second,
                                      const Fusion& fusion);

// ---- parts of them

/// Which power of two the table of a chirp has taken in: ", times 4", or nothing.
[[nodiscard]] std::string chirp_power(const Schedule& schedule, bool last);
/// What a kernel's name ends with: "simt", "mma" or "packed".
[[nodiscard]] std::string arithmetic_name(const Schedule& schedule);
/// Types of the plan and where its points lie in shared memory; without code of the caller's.
[[nodiscard]] std::string plan_types(const Schedule& schedule);
/// The same, and what declares that code.
[[nodiscard]] std::string plan_declarations(const Schedule& schedule);
/// Which points the block's tile has: column, columns, transform; in and out moved there.
[[nodiscard]] std::string tile_of_block(const Schedule& schedule, bool needs_transform);
/// The number of the thread, where it has one for the whole tile.
[[nodiscard]] std::string thread_declaration(const Schedule& schedule);
[[nodiscard]] bool has_code(const Pass& pass);
/// The caller's code, where plan_declarations() declares it; at the end, for its lines are counted
/// anew.
[[nodiscard]] std::string code_definitions(const Pass& pass);
/// The registers of a thread.
[[nodiscard]] std::string register_declarations(const KernelIr& ir);

/// The command that emits the kernel of a pass, or of two, as comments: an option stays with its
/// value. `form`: one of its other forms.
[[nodiscard]] std::string command_of(const Generated& pass, const std::string& form = {});
[[nodiscard]] std::string command_of(const Generated& first, const Fusion& fusion);

/// What a pass does and what it costs, and what its launch needs, as comments.
[[nodiscard]] std::string describe_pass(const Generated& pass);
[[nodiscard]] std::string describe_launch(const LaunchShape& launch,
                                          const std::vector<const Generated*>& passes);

}  // namespace sonoma
