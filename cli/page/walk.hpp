// The way of a tile through a kernel: where the digits of its points' indices are, from one place
// to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma::cli::page {

/// Registers of threads, or memory.
enum class Where { global, shared, registers };

/// What a stop is for, as the comments of a kernel's text name its parts.
enum class Part { memory, load, step, exchange, read, store, other };

/// Digits that number something together, the one that changes fastest first.
struct Box {
  std::string name;  ///< "lanes"
  std::vector<DigitId> digits;
};

/// An access to shared memory by all threads of the tile.
struct ExchangeAccess {
  bool writes = true;
  SharedAccess access, plain;  ///< `plain`: as if there were neither swizzle nor padding
  Swizzle swizzle;
};

struct Stop {
  Where where = Where::registers;
  Part part = Part::other;
  std::string title;
  std::vector<std::string> notes;  ///< sentences
  std::vector<Box> boxes;          ///< none: points lie in an order that digits do not number
  unsigned done = 0;               ///< so many steps' digits are frequencies
  int step = -1;                   ///< whose digit has changed on the way here
  std::optional<Layout> layout;    ///< of registers
  std::vector<ExchangeAccess> accesses;
};

/// From global memory to global memory. Of a kernel in rounds the first one.
[[nodiscard]] std::vector<Stop> walk(const KernelIr& ir);

/// Registers, lanes and warps, blocks of a cluster and rounds, as far as there are such. In a mixed
/// tile lanes and warps cut through digits: there they are threads.
[[nodiscard]] std::vector<Box> boxes_of(const Schedule& schedule, const Layout& layout);

}  // namespace sonoma::cli::page
