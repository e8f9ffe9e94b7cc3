// Sonoma, cuFFT and a copy on every problem of a suite, on one GPU, in one process and stream.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "line_up.hpp"
#include "result.hpp"
#include "suite.hpp"

namespace sonoma::bench {

struct RunOptions {
  int repetitions = 15;
  bool with_cufft = true;
  std::vector<Variant> variants = sonoma_variants();
};

/// Told as soon as something is known.
template <class Row>
struct Listener {
  std::function<void(const Row&)> result;
  std::function<void(const std::string&)> note;  ///< who cannot serve a problem, and why
};

/// All contenders of a problem share input, output, stream and repetitions. Throws FftError, also
/// where there is no GPU or no cuFFT.
void run_suite(const Suite& suite, const RunOptions& options, const Listener<Result>& listener);

}  // namespace sonoma::bench
