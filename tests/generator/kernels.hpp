// The kernels that the generator's tests go through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/generate.hpp"

namespace sonoma::test {

struct Request {
  std::int64_t n = 2;
  Engine engine = Engine::mma;
  std::optional<unsigned> radix;  ///< empty: the default mix
  Direction direction = Direction::forward;
  double scale = 1.0;
  std::optional<unsigned> products = {};  ///< empty: the default
  Storage storage = Storage::f32;
  unsigned cluster = 1;  ///< blocks of a transform
  unsigned rounds = 1;   ///< of a block

  [[nodiscard]] FftProblem problem() const;
  [[nodiscard]] Tuning tuning() const;
  [[nodiscard]] Generated generated() const;  ///< for sm_90
};

/// "n=64 mma radix=4 f32 inverse"
[[nodiscard]] std::string name(const Request& request);

/// Every n = 2..8192, engine and radix; both directions.
[[nodiscard]] std::vector<Request> all_requests();

/// A few that between them have every kind of operation.
[[nodiscard]] std::vector<Request> sample_requests();

}  // namespace sonoma::test
