// What a request wishes of its kernels. Every empty field means "the planner decides"; what it
// decided is a Shape (shape.hpp). How the fields are called, read and printed: tuning_fields.hpp.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/problem.hpp"

namespace SONOMA_API sonoma {

/// mma: split FP32 into FP16 halves, tensor cores. simt: FP32 butterflies in registers.
enum class Engine { mma, simt };

/// How a transform is computed. radix: the steps of its decomposition. bluestein: as a convolution
/// by two transforms of a longer length, whose decomposition or passes those are; for any n. rader:
/// as a convolution by two transforms of n - 1 points, in one block; for primes n, n - 1 having
/// steps.
enum class Method { radix, bluestein, rader };

/// Where the factors between two steps come from. table: each is read. products: of a table that
/// the L1 cache would not keep, six of fifteen (of radix 32: ten of 31) are read, the others are
/// products of two. powers: of w^k, k = 1, 4, 8, 12, ... are read, w^2 and w^3 are powers of w, and
/// the others products of both. constants: as powers, and of several butterflies of a thread those
/// of one alone are read: of the others they are these times constants. cosines: of w^k, k = 1, 2,
/// 3, 4, 8, 12, ... are read, and w^(a + b) is 2 re(w^b) w^a - w^(a - b): two fused products, where
/// a product of two takes four; it errs more, as one such factor is made of another.
enum class Twiddles { table, products, powers, constants, cosines };

/// True if the bits of a result depend on which points a thread holds.
[[nodiscard]] constexpr bool depends_on_threads(Twiddles twiddles) {
  return twiddles == Twiddles::constants;
}

/// When a block asks the L2 cache for the tile of the block that will follow it on its
/// multiprocessor, whose loads then wait for no DRAM: early: after the first barrier of the block,
/// late: after the last one. The later, the less lies in the cache until it is wanted. persistent:
/// early, and as many blocks as the GPU holds stay for a tile after the other: each copies its next
/// one to shared memory as soon as its last phase has read what lies there.
enum class Prefetch { none, early, late, persistent };

/// What butterflies of the engine simt sum in. fp64: points are widened, and results rounded once.
/// fp64_last: those of the last step alone; of a convolution both, beside its spectrum.
enum class Sums { fp32, fp64_last, fp64 };

struct Tuning {
  std::optional<Method> method;   ///< open: see method_for()
  std::optional<Engine> engine;   ///< open: the faster one
  std::optional<unsigned> radix;  ///< this radix throughout; excludes `decomposition`
  /// Excludes `radix`; bluestein: of 2n - 1 or more, rader: of n - 1. With pass_lengths: of each
  /// pass, or of the whole transform, whose sections they are (see Part).
  std::optional<Decomposition> decomposition;
  /// Engine mma only: bit i set: step i is a product on tensor cores, else butterflies in
  /// registers; at least one is. Open: the first two of radix 16, which chain in registers, or
  /// all where there is none.
  std::optional<unsigned> tensor_steps;
  std::optional<unsigned> products;  ///< engine mma only: 1, 3 or 4 FP16 products
  /// Engine simt only; open: fp32, but see default_sums().
  std::optional<Sums> sums;
  /// A power of two; mma: 16 or 32, simt: 2 to 32. Where the length of the steps is none: the most,
  /// up to 96; each phase takes as many of them as its digits make up.
  std::optional<unsigned> points_per_thread;
  /// Points of a block, or of a cluster of blocks together: a power of two, n or more; where n is
  /// none, a multiple of it. Convolutions: of the length of the decomposition.
  std::optional<unsigned> block_points;
  std::optional<unsigned> registers;  ///< most 32-bit registers of a thread, 32 to 255
  /// Of a block, in whole warps, 32 to 1024; where the length of the steps is no power of two.
  /// Where a phase has more butterflies its threads go round: each takes several, one lap after the
  /// other, and as many at once as points_per_thread holds; more than the phases take are not
  /// launched. Open: as many as the phases take, but where all of the shape is open, what the cost
  /// model likes best, and in columns of passes of a launch each as many as the phases take.
  /// By the method rader open is one lap, where that serves, and several take twice the shared
  /// memory: points in the order of memory lie beside those that steps exchange. Refused, if that
  /// are too few for one lap, in clusters, rounds and convolutions with a filter; a real transform
  /// of even length is then made as a complex one, at twice the work, unless its butterflies are
  /// `opposite`.
  std::optional<unsigned> threads;
  /// Real transforms of even length in one block (see half_length.hpp), and convolutions of one
  /// channel by these, on half of the way: true: a thread takes two
  /// butterflies whose frequencies mirror each other, which meet in its registers; false: they meet
  /// in shared memory, for one trip more. Open: what was measured to be faster.
  std::optional<bool> opposite;
  /// Through shared memory in whole sectors, or straight to (from) where the first (last) phase
  /// wants the points; open: staged where a warp would not fill its sectors. schedule() decides.
  std::optional<bool> stage_load, stage_store;
  /// Blocks that take one transform together, each a part of it, and exchange it through each
  /// other's shared memory: 1 to 16, more than 8 of which not every GPU promises. They divide what
  /// either half of the steps multiplies to. Open: 1, but for contiguous data on sm_90 where more
  /// were measured to be faster (2^15 to 2^17 points). sm_90 or later; block_points: of all blocks
  /// together.
  std::optional<unsigned> cluster;
  /// Rounds in which a block goes through the points of its tile: 1 or 2. Open: 2 where that was
  /// measured to be faster (sm_90: 2^14 to 2^17 points, and passes whose blocks take 2^14), if the
  /// steps are open too. In two, a thread holds half as many at once, and shared memory three
  /// quarters of the tile, so that an SM holds more blocks, or a longer transform. A factor 2 in
  /// both halves of the steps, method radix.
  std::optional<unsigned> rounds;
  /// Engine simt; open: powers of complex points from 256 on where n is no power of two and sums
  /// are FP32; else products from 4097 on, of powers of two in FP32 from 16384 on.
  std::optional<Twiddles> twiddles;
  /// Of blocks that load whole transforms, which follow each other, on sm_90 or later; of others
  /// this does nothing. Open: late where that is faster; schedule() decides. persistent: of complex
  /// FP32 points that are no power of two, one transform a block, with butterflies in registers;
  /// else none. No result depends on it.
  std::optional<Prefetch> prefetch;
  /// Engine simt, of a block alone whose tile is no power of two: bit i set: in phase i of those
  /// to the frequencies, and on the way back of a convolution, threads come in rows. A row is what
  /// differs in the digit that changes fastest, and begins with a half warp of its own, whose last
  /// lanes have no work: 16 points of 8 bytes come out of shared memory at once, and rows of 14 one
  /// behind the other meet in its banks. Where rows are half warps anyway, and of other tiles, it
  /// does nothing. Open: none. No result depends on it.
  std::optional<unsigned> rows;

  // Of a transform in several passes; where one of these is set, it takes several.
  /// First pass first; product n, or with the method bluestein 2n - 1 or more. Of several axes two:
  /// see axis_passes(); or those of one axis, whose points they are.
  std::optional<std::vector<std::int64_t>> pass_lengths;
  std::optional<unsigned> columns;               ///< transforms side by side that a block takes
  std::optional<std::int64_t> workspace_points;  ///< at most, as far as one transform allows
  std::optional<bool> fused;  ///< two passes in one launch, what is between them in the L2 cache

  auto operator<=>(const Tuning&) const = default;
};

/// Throws UnsupportedProblem for numbers that no request could mean, naming the field. Which ones
/// go with a request make_program() and resolve() say.
void validate(const Tuning& tuning);

/// Points of the transforms that a tuning with nothing left open, or that of a pass, makes a
/// convolution by; 0 by the method radix.
[[nodiscard]] std::int64_t convolution_points(const Tuning& resolved);

/// True if the tuning, or the problem's accuracy, asks for tensor cores.
[[nodiscard]] bool takes_mma(const Tuning& tuning, const FftProblem& problem);

/// Which arithmetic a tuning with nothing left open stands for.
[[nodiscard]] Arithmetic arithmetic_of(const Tuning& resolved);

[[nodiscard]] Engine engine_of(Arithmetic arithmetic);
/// Of the engine simt: fp32 where only some butterflies are in FP64.
[[nodiscard]] Arithmetic arithmetic_of(Sums sums);
/// True if the butterflies of this step, counted from 0, sum in FP64.
[[nodiscard]] bool is_in_fp64(Sums sums, std::size_t step, const Decomposition& tree);
/// True unless another engine's arithmetic is named.
[[nodiscard]] bool admits_simt(const Accuracy& accuracy);
/// True if the tuning, or the problem's accuracy, asks for butterflies in FP64 throughout.
[[nodiscard]] bool takes_fp64(const Tuning& tuning, const FftProblem& problem);

[[nodiscard]] std::int64_t product_of(const std::vector<std::int64_t>& lengths);
/// "1024,1024"
[[nodiscard]] std::string to_list(const std::vector<std::int64_t>& lengths);
/// "1,2" for a mask of tensor_steps with bits 0 and 1.
[[nodiscard]] std::string to_step_list(unsigned mask);
[[nodiscard]] std::string to_string(Method method);
[[nodiscard]] std::string to_string(Engine engine);
[[nodiscard]] std::string to_string(Twiddles twiddles);
[[nodiscard]] std::string to_string(Sums sums);
[[nodiscard]] std::string to_string(Prefetch prefetch);
[[nodiscard]] std::string to_string(const Tuning& tuning);

}  // namespace sonoma
