// Requests of every kind: each goes a way of its own through ends, passes, blocks and launches.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma::test {

/// A tuning and a length that it is for.
struct Way {
  const char* name;
  std::int64_t n;
  Tuning tuning;
};
/// Every engine, method, and way to go over blocks and launches.
[[nodiscard]] std::vector<Way> all_ways();
/// A cosine or sine transform behind which is a DFT of the way's length; where there is none in
/// `domain`, one of dct4.
[[nodiscard]] FftProblem trigonometric_problem(const Way& way, Domain domain);

struct Request {
  std::string name;  ///< fit for the name of a test
  FftProblem problem;
  Tuning tuning = {};

  friend void PrintTo(const Request& request, std::ostream* out) { *out << request.name; }
};

/// r2c and c2r of one axis, by all_ways().
[[nodiscard]] std::vector<Request> real_requests();
/// dct1 to dst4, in one block and in passes, and by all_ways().
[[nodiscard]] std::vector<Request> trigonometric_requests();
/// Complex and of real numbers, in one block, a cluster and passes; one spectrum and many.
[[nodiscard]] std::vector<Request> convolution_requests();
/// Planes and volumes in one launch, in rounds, by clusters, axis by axis; padded, cropped, with
/// code of the caller's; real on either side.
[[nodiscard]] std::vector<Request> axes_requests();
/// These four lists.
[[nodiscard]] std::vector<std::vector<Request>> requests_by_kind();

/// Numbers of either sign and of ordinary size in every storage, always the same for a seed.
[[nodiscard]] std::vector<std::byte> noise(std::size_t bytes, std::uint64_t seed);
/// A spectrum of such numbers for a convolution, else nothing.
[[nodiscard]] std::vector<std::complex<float>> noise_spectrum(const FftProblem& problem);
/// Bytes of the memory of a side; in place both have those of the larger one.
[[nodiscard]] std::size_t bytes_of(const FftProblem& problem, bool input);

}  // namespace sonoma::test
