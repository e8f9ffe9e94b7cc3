// How long a plan will take, before it runs.
#pragma once

#include <string_view>

#include "sonoma/planned.hpp"

namespace sonoma {

struct ExpectedTime {
  double copies = 0;  ///< in times of a copy of the input to the output
  bool measured =
      true;  ///< all of it, in large batches, on a GPU of the architecture; else by the cost model
};

/// Of each launch its share of what was measured of the choice, or of the cost model; and where its
/// blocks do not fill the multiprocessors evenly, what idle ones would do in that time.
/// `device`: the driver's name of the GPU; what was measured on another one is corrected by how
/// fast their memories are, by their data sheets. Empty: as it was measured.
[[nodiscard]] ExpectedTime expected_time(const Planned& planned, const FftProblem& problem,
                                         const Target& target, std::string_view device = {});

}  // namespace sonoma
