// Kernels for products that want no library: the text of files that plain nvcc compiles.
#pragma once

#include <string>
#include <vector>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

struct FormFile {
  std::string name;
  std::string text;
};

/// "fft_4096", "ifft_480x640_f16", "r2c_1000", "convolution_512x512": a name in C++ for what
/// `problem` asks for. Strides, scale and code of the caller's are not in it.
[[nodiscard]] std::string form_name(const FftProblem& problem);

/// Tables are numbers in a .cu, which nvcc takes seconds for where they are large.
constexpr std::size_t most_table_bytes_of_form = std::size_t{32} << 20;

/// NAME.cu: the kernels of all launches of `program`, and their tables. NAME.hpp: what launches
/// them, in a namespace NAME, over cuda.h alone. `name`: a name in C++. Throws UnsupportedProblem
/// where tables are larger than most_table_bytes_of_form; so do the others.
[[nodiscard]] std::vector<FormFile> launcher_form(const Program& program,
                                                  const std::vector<LaunchKernel>& kernels,
                                                  const std::string& name);

/// NAME.cu: the same kernels with a main function, which compares them with a DFT in double and
/// measures how long they take, beside a copy. Throws UnsupportedProblem unless
/// check_standalone() lets the problem pass.
[[nodiscard]] FormFile standalone_form(const Program& program,
                                       const std::vector<LaunchKernel>& kernels,
                                       const std::string& name);
/// Throws UnsupportedProblem, naming the field, where the main function has no reference for it.
void check_standalone(const FftProblem& problem);

/// `problem` with functions of the caller's at both ends: that of a kernel for header_form().
/// Throws UnsupportedProblem, naming the field, where points of a block are not all that there is.
[[nodiscard]] FftProblem header_problem(FftProblem problem);
/// NAME.cuh: the transform as a function of somebody else's kernel. `kernels`: those of a
/// header_problem(). Throws UnsupportedProblem where they are not one that a block runs alone.
[[nodiscard]] FormFile header_form(const std::vector<LaunchKernel>& kernels,
                                   const std::string& name);

}  // namespace sonoma
