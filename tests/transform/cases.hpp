// The kernels that the numeric tests cover, as parameters of GoogleTest.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sonoma/generate.hpp"

namespace sonoma::test {

struct KernelCase {
  std::int64_t n = 2;
  Direction direction = Direction::forward;
  Engine engine = Engine::mma;
  Decomposition decomposition;
  double scale = 1.0;
  Storage storage = Storage::f32;
  std::optional<unsigned> products = {};  ///< engine mma only; empty: the default
  Method method = Method::radix;
  unsigned cluster = 1;  ///< blocks of a transform
  unsigned rounds = 1;   ///< of a block
  std::string arch = "sm_90";
  /// Of a block; 0: as many as the phases take.
  unsigned threads = 0;
  unsigned points_per_thread = 0, transforms = 1;  ///< with threads: of each, and of a block
  std::optional<Twiddles> twiddles = {};
  std::optional<unsigned> rows = {};
  bool packed = false;  ///< arithmetic packed, the decomposition is of n / 2

  [[nodiscard]] FftProblem problem(std::int64_t batch = 1) const;
  [[nodiscard]] Tuning tuning() const;
};

/// "n4096_forward_mma_16_16_16", with "_f16", "_products_1", "_cluster_2", "_rounds_2",
/// "_threads_64", "_root_products", "_packed" where that is asked for; fit for the name of a test.
[[nodiscard]] std::string name(const KernelCase& c);
std::ostream& operator<<(std::ostream& stream, const KernelCase& c);

/// Rows of normal input for a check: an odd number, and many where a transform has few values.
[[nodiscard]] int random_rows(std::int64_t n);

/// Radices 2, 4, 8, 16 throughout; those that give the same decomposition once.
[[nodiscard]] std::vector<Decomposition> decompositions_by_radix(std::int64_t n);

/// Every n = 2..8192, both directions, engines and all of decompositions_by_radix.
[[nodiscard]] std::vector<KernelCase> every_radix();

/// Each n with both engines, radix 16; the direction alternates.
[[nodiscard]] std::vector<KernelCase> sample(const std::vector<std::int64_t>& lengths);

/// n = 64 and 512 in every radix and engine.
[[nodiscard]] std::vector<KernelCase> radices_of_both_scales();

/// Mixed radices in orders that no default gives.
[[nodiscard]] std::vector<KernelCase> user_decompositions();

/// By the method bluestein, each n with alternating directions.
[[nodiscard]] std::vector<KernelCase> bluestein_cases(const std::vector<std::int64_t>& lengths);

/// The same by the method rader: primes n, n - 1 having steps.
[[nodiscard]] std::vector<KernelCase> rader_cases(const std::vector<std::int64_t>& lengths);

/// The three normalizations and an odd factor.
[[nodiscard]] std::vector<KernelCase> scaled_cases();

/// Transforms spread over clusters of 2 to 16 blocks, of two, three and four phases.
[[nodiscard]] std::vector<KernelCase> cluster_cases();

/// In two rounds, with and without clusters.
[[nodiscard]] std::vector<KernelCase> rounds_cases();

/// FP16 throughout, two points at once: in one block, laps, clusters and rounds.
[[nodiscard]] std::vector<KernelCase> packed_cases();

/// The same cases between other storage.
[[nodiscard]] std::vector<KernelCase> stored(Storage storage, std::vector<KernelCase> cases);

/// Those of the engine mma, before sm_80: emulated only.
[[nodiscard]] std::vector<KernelCase> on_sm_75(const std::vector<KernelCase>& cases);

/// Those of the engine mma, with that many products.
[[nodiscard]] std::vector<KernelCase> with_products(unsigned products,
                                                    const std::vector<KernelCase>& cases);

template <class... Lists>
[[nodiscard]] std::vector<KernelCase> join(const Lists&... lists) {
  std::vector<KernelCase> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

}  // namespace sonoma::test
