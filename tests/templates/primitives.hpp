// Small kernels around the device primitives, on the emulated device.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/emulator.hpp"

namespace sonoma::test {

using Points = std::vector<std::complex<float>>;

/// Text of a file of templates/.
[[nodiscard]] std::string primitive(const std::string& file);

/// Text of the points' primitives and of `files`, in this order.
[[nodiscard]] std::string primitives(const std::vector<std::string>& files = {},
                                     const std::string& storage = "storage_32.cuh");

/// A kernel with `body`, which sees in, out, tables and `thread`. One block for each row of a
/// batch.
[[nodiscard]] CudaSource kernel(const std::string& primitives, const std::string& body,
                                unsigned threads = 32, unsigned shared_bytes = 0);

/// Checks races too. `out` is filled with -1 before.
[[nodiscard]] Points run(const CudaSource& source, const Points& in, std::size_t out_size,
                         const std::vector<std::uint32_t>& tables = {}, std::uint64_t blocks = 1);

/// The compiler's log; "compiles" if it does.
[[nodiscard]] std::string compile_error(const CudaSource& source);

/// Values around 1, the same for the same seed.
[[nodiscard]] Points random_points(std::size_t count, unsigned seed);

}  // namespace sonoma::test
