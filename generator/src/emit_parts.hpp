// The parts of an emitted file that kernels of one pass and of two have in common.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "emit.hpp"

namespace sonoma {

/// The primitives that the kernel calls, lowest first. `irs`: of its passes.
[[nodiscard]] std::string primitives(const std::vector<const KernelIr*>& irs,
                                     std::string_view kernel);

/// The plan of a pass and what it costs, as comments.
void describe_pass(std::ostream& text, const KernelIr& ir, const Provenance& provenance);

/// The place of `block` in the loops of the pass: columns of the first loop, then one of each
/// other, then one of the batch.
void emit_loops(std::ostream& text, const Pass& pass, unsigned columns);

/// The points in registers and what is done to them, to the end of the function.
void emit_statements(std::ostream& text, const KernelIr& ir);

/// Above the wait for the launch before.
constexpr const char* begins_early =
    "This kernel may begin before the one in front of it in the stream has ended";

/// The option that says which accuracy was asked for, where what lies between passes depends on it.
[[nodiscard]] std::string accuracy_option(const Pass& pass);

/// The type of a point of that storage.
[[nodiscard]] const char* point_in_memory(Storage storage);

}  // namespace sonoma
