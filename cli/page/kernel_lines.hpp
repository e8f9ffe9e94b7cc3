// The lines of a kernel's text, and which stage of the kernel each belongs to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "walk.hpp"

namespace sonoma::cli::page {

/// What follows a comment within the kernel, up to the next one: "Step 1: radix 8 over t1, ...".
struct Stage {
  std::string title;
  Part part = Part::other;
  int step = -1;  ///< of Part::step
};

constexpr int no_stage = -1;

struct Line {
  std::string text;
  int stage = no_stage;  ///< that has it, or calls the function that has it
  bool own = false;      ///< the former
};

/// "this plan", and the lines up to the next such title.
struct Section {
  std::string title;
  std::size_t first = 0, count = 0;  ///< lines, from 0
  bool primitives = false;           ///< of templates/, the same in every kernel that has them
};

struct KernelLines {
  std::vector<Line> lines;
  std::vector<Section> sections;
  std::vector<Stage> stages;
};

[[nodiscard]] KernelLines lines_of(std::string_view text);

/// The stage of an instruction whose lines these are, the innermost first.
[[nodiscard]] int stage_of(const KernelLines& kernel, const std::vector<unsigned>& lines);

}  // namespace sonoma::cli::page
