// What is between a request and its kernels: for those who look inside, or write text without a
// plan. These values change with the generator more often than the rest of the interface does.
//
//   ahead_of_time.hpp what `sonoma aot` does, without its files
//   choose.hpp        which tuning, and why
//   generate.hpp      a request in one launch to its kernel: schedule, operations, costs, text
//   machine_code.hpp  what the CUDA compiler made of that: SASS
//   planned.hpp       choice and launches of any request
//   program.hpp       launches, and the workspace between them
#pragma once

#include "sonoma/ahead_of_time.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/machine_code.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/program.hpp"
