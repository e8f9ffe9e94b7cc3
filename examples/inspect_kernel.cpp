// Shows every step from a request to a kernel.
//
//   inspect_kernel [N [DECOMPOSITION]]      (default: 256, the documented decomposition)
//   inspect_kernel 64 "(gs 4 (dft 16))"
//
// Nothing is compiled and no GPU is needed: the generator is a pure function.
#include <cstdlib>
#include <exception>
#include <iostream>

#include "sonoma/generate.hpp"

int main(int argc, char** argv) {
  try {
    sonoma::FftProblem problem;
    problem.lengths = {argc > 1 ? std::atoll(argv[1]) : 256};
    sonoma::Tuning tuning;
    if (argc > 2) tuning.decomposition = sonoma::parse_decomposition(argv[2]);

    const sonoma::Generated kernel = sonoma::generate(problem, sonoma::target_for("sm_90"), tuning);

    std::cout << "request:       " << to_string(kernel.problem)
              << "\ntarget:        " << to_string(kernel.target)
              << "\ndecomposition: " << to_string(*kernel.tuning.decomposition) << "\n\nschedule:\n"
              << to_string(kernel.schedule) << "\nkernel IR:\n"
              << to_string(kernel.ir) << "\nlaunch: " << kernel.source.launch.threads
              << " threads and " << kernel.source.launch.shared_bytes
              << " bytes of shared memory for " << kernel.source.launch.transforms_per_block
              << " transforms a block; " << kernel.source.tables.size() * 4 << " bytes of tables; "
              << kernel.costs.bank_conflicts() << " bank conflicts\n\n"
              << kernel.source.text;
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "inspect_kernel: " << error.what() << '\n';
    return 2;
  }
}
