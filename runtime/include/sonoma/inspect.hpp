// What is between a request and its kernels: for those who look inside, or write text without a
// plan. These values change with the generator more often than the rest of the interface does.
#pragma once

#include "sonoma/choose.hpp"  // which tuning, and why: Choice
#include "sonoma/generate.hpp"  // a request in one launch to its kernel: Generated, Schedule, KernelIr
#include "sonoma/planned.hpp"  // choice and launches of any request: Planned
#include "sonoma/program.hpp"  // launches, and the workspace between them: Program
