// What was measured on a GPU, as data: all that is chosen reads this and the facts of Target.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sonoma/shape.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// Which transforms of one launch are spread: where their steps and the shape of a block are open,
/// and where they are not. Results must not depend on the batch, so that this does not either.
struct Spread {
  std::int64_t length;
  Shares open, shaped;            ///< of FP32
  Shares half_open, half_shaped;  ///< of 16 bits
};

/// Steps that beat those of decompose(), of the engine simt, in such blocks.
struct FastSteps {
  enum class Of { in_rounds, in_block, in_cluster, convolving_block, convolving_cluster };
  Of of;
  std::int64_t length;
  Decomposition steps;
};

/// Registers of a thread, and from where on it holds 32 points.
struct SimtShape {
  std::int64_t large = 8192;  ///< points of a block that leave an SM one of threads of 16 points
  std::int64_t large_convolution = 4096;  ///< the same of convolutions
  unsigned crowded = 64;                  ///< of more points than that, in threads of 16
  unsigned few = 80;                      ///< of 16 points and steps of radix 16
  unsigned few_of_convolution = 96;
  unsigned usual = 128;  ///< small radices that share a phase carry more factors than one large one
};

/// The fewest registers without spills, of the default steps in FP32 with three products.
struct TightProducts {
  unsigned registers;                                        ///< of threads of 16 points
  std::vector<std::pair<std::int64_t, unsigned>> of_length;  ///< other ones
  std::int64_t threads_of_32;                                ///< the length that takes them
};

/// How far the resources of an SM cover each other: see cost_model.cpp.
struct Overlap {
  double issue, shared;                            ///< how much of these does not hide
  double power, power_of_blocks;                   ///< of the norm: of one block, and more of many
  double wait_of_warps, factors, crowded, hidden;  ///< what no resource takes
  double missing_register;                         ///< of the time, for each that a thread misses
  bool in_laps;  ///< warps are counted in the mean over laps, not in the first one
};

/// Cycles of a point where blocks stay for a tile after the other, one on an SM: nothing hides
/// another's work there, so they add up. Fitted to 2,478 kernels of 418 lengths from 14000 to 29056
/// (bench/results/2026-11-29-h200-tune-persistent.csv.gz, bench/fit_persistent.py). Of a fifth of
/// the lengths that a fit has not seen, each in turn, the first choice loses .1 % in the median and
/// 10 % at the 95th percentile.
struct StayingBlocks {
  double any = 0.48;
  double issue = 0.584, shared = 0.685;
  double lap_of_ends = 0.122;         ///< each that the first and the last phase take beyond one
  double lap_within = 0.0168;         ///< and of the phases between them
  double few_registers = 0.0615;      ///< each that a point lacks of 2 beside its own two
  double missing_register = 0.00487;  ///< of the time, for each that a thread misses
};

/// Factors of the time: of any tile, of one that blocks of a cluster share, of one in rounds.
struct TileCosts {
  double any, cluster, rounds;
};

/// What an SM of a GPU does in a cycle, and how long it waits.
struct Speeds {
  /// A copy of 2^26 points of 16 bytes (read and written) in 0.257 ms on 132 SMs of 1.78 GHz:
  /// bench/results/2026-11-20-h200-pow2-f32.csv.
  double bytes = 16 / 0.9;
  double lanes = 4 * 32;           ///< four schedulers
  double mma_flops = 2640;         ///< mma.sync m16n8k16: 620 TFLOP/s measured
  double spilled_register = 0.04;  ///< of the time, more for each that is spilled for sure
  unsigned spare_registers = 8;    ///< that the compiler can do without
  /// Of a pass's time, for each column's worth of sectors that are not its own: fitted to 2,674
  /// programs of 34 lengths, bench/results/2026-11-26-h200-tune-long.csv.gz, when columns weighed 1
  /// and 4, see ColumnRules; not since.
  double sectors_of_columns = 0.21;
  double in_one_launch = 0.88;  ///< of the time of two passes: 8 to 15 % less, bench/NOTES.md
  /// Of lengths that are no powers of two what one launch takes beside a share of both passes'
  /// times: less, the more blocks an SM has that do not wait for a whole transform, and the more
  /// columns a tile has. Fitted to 4,972 kernels of ragged tiles of 1,308 lengths
  /// (bench/results/2026-11-29-h200-tune-ragged.csv.gz, bench/fit_one_launch.py): off by 6.5 %
  /// (standard deviation). Of 1,126 others of whole tiles, to which it was not fitted, it is off by
  /// 1.5 % in the median and 7 %; the first choice of 334 lengths there loses nothing in the
  /// median, 11 % at the 95th percentile.
  struct OneLaunch {
    double of_passes = 0.673, of_blocks = 0.844, of_columns = 1.91;
  };
  OneLaunch of_mixed_in_one_launch = {};
  /// Of these a launch each takes so much longer than its model says (4,427 of the rows of
  /// 2026-11-27-h200-tune-long-products.csv.gz and two others, in the median).
  double of_mixed_apart = 1.08;
  Overlap of_whole{.issue = 1.091,
                   .shared = 0.978,
                   .power = 1.393,
                   .power_of_blocks = 1.28,
                   .wait_of_warps = 2.065,
                   .factors = 0.0197,
                   .crowded = 0.199,
                   .hidden = 0.235,
                   .missing_register = 0.005,
                   .in_laps = true};
  /// Of one of several launches: an earlier fit to whole transforms, with which the weights of
  /// columns were fitted. With the other one 110 lengths had .983 of the speed (H200).
  Overlap of_pass{.issue = 1.346,
                  .shared = 1.061,
                  .power = 1.5,
                  .power_of_blocks = 1.434,
                  .wait_of_warps = 1.77,
                  .factors = 0,
                  .crowded = 0.209,
                  .hidden = 0.194,
                  .missing_register = 0.0024,
                  .in_laps = false};
  StayingBlocks of_persistent;
  TileCosts of_bits{1, 1.15, 1}, of_mixed{1.1, 1.56, 1.25};
};

/// Two passes of lengths that are no powers of two in one launch, of tiles of as many points.
/// Times of a copy, fitted on an H100 to 72 kernels of 25 lengths
/// (bench/results/2026-11-26-h100-tune-sectors.csv.gz).
struct SharedRules {
  double least = 0.9, point = 7.5e-5;   ///< and of each point of the tile
  double aligned = 4, unaligned = 7.5;  ///< of columns, see ColumnWeights
  double of_cost = 0.9;                 ///< of passes of a launch each, see cost_of_columns()
  /// That two launches have to take longer, of 65536 points and more for each doubling: by the
  /// H100's rows one launch gains less from there on, and an H200 has more memory for its L2 cache.
  double gain = 1.1, of_twice = 0.1;
  /// Of the tile. With fewer two launches were faster at 13 of 14 lengths, up to 2.7 times.
  unsigned least_points = 2400, most_points = 12288;
};

/// Transforms in several passes.
struct PassRules {
  /// 512 MB of FP32. 2^26 points at once take 10 to 25 % less time than in parts that stay in the
  /// L2 cache, between which the device idles.
  std::int64_t workspace_points = std::int64_t{1} << 26;
  /// What lies between the passes of one launch: 24 MB are the fastest beside what streams through
  /// the L2 cache. One launch takes 8 to 15 % less time than two up to 2^18 points; at 2^19 as
  /// much; then the tiles that wait for a whole transform take more.
  std::int64_t ring_points = std::int64_t{3} << 20;
  std::int64_t largest_fused = std::int64_t{1} << 18;
  /// Of a batch: fewer leave few tiles of both passes under way at once.
  std::int64_t fewest_fused_points = std::int64_t{1} << 24;
  /// The longest that is no power of two whose passes share a launch: the ring holds eight.
  std::int64_t largest_shared = ring_points / 8;
  SharedRules shared = {};
  /// Of fused passes: longer ones have their steps in two phases, with 32 points a thread.
  std::int64_t longest_of_16_points = 256;
  /// Columns of a tile of 4096 points are four, which in 16 bits are half a sector: 2^24 as 4096 x
  /// 4096 .13 with f16.
  std::int64_t longest_of_half = 2048;
  /// Tiles of so many points leave few blocks an SM: then one block more beats registers, and for
  /// passes of 2048 points on threads of 32 points do.
  unsigned large_tile = 8192, large_tile_registers = 64, long_pass_registers = 128;
  std::int64_t long_pass = 2048;
  /// What the table takes less, a pass of long columns gains: 2^24 .315 to .334.
  std::int64_t products_from = 4096;
  /// A tile of 16384 points leaves an SM one block, in two rounds two: the last pass of 2048 points
  /// .81 to .89 of a copy, of 4096 .78 to .81; the first one, of whose time the distance of its
  /// points is more, .70 to .75 and .59 to .53.
  bool rounds_of_long_passes = false;
  /// Of tiles that are no powers of two, in a launch each: threads for all butterflies, or, where
  /// those are so many, a few that go round. 25 lengths by chance with a pass of many butterflies
  /// 1.08 times as fast so, 39 without one .985 (h200-threads-{1024,512}.csv).
  unsigned threads_of_mixed = 1024, many_butterflies = 800, threads_of_many = 512;
};

/// Batches that leave multiprocessors idle.
struct FewRules {
  /// Two launches that are sections of the tree. 2^16 points: one transform 4.1 us, 8 of them 6.6,
  /// 16 of them 9.1, 32 of them 18.4 (by 16 blocks each 6.5, 9.2, 11.8 and 19.2, in rounds 11.1,
  /// 11.6, 14.4 and 18.6); 2^17: 4.8, 9.6, 19.2 and 37.7 (9.6, 14.6, 22.4 and 41.7; 14.6, 15.0,
  /// 23.0 and 41.5). In columns of 4, or of 8 from where those are more blocks than there are SMs.
  std::int64_t shortest_in_sections = 1 << 16, most_in_sections = 1 << 21;
  /// One transform of 2^14 to 2^17 points: 8.8, 12.0, 11.5 and 14.7 us in rounds, 4.4, 5.5, 6.6 and
  /// 9.4 by 8 blocks, or 16 of longer ones; as fast as each other where these are two an SM.
  std::int64_t longest_of_8_blocks = 32768;
  /// Where an SM has no more blocks of several transforms, fewer in each, in us. 64 of them: 70
  /// points 3.4 (42 in a block), 2.4 (8); 480 3.1 (2), 2.3 (1); 972 4.0 (4), 2.5 (1). 1000 of them:
  /// 972 6.2, 5.5; but of 1458, 500 blocks, 8.0, 10.5. Idle lanes: 1000 of 150 points 3.2 (6 in a
  /// block, 30 threads) and 3.5 (2, 10 threads). Of one transform: no laps, no more points a thread
  /// than a step has.
  unsigned points_of_small_block = 512;
  double busy_lanes = 0.75;
  std::int64_t crowd_of_smaller = 2, crowd_of_faster = 1;
  /// One transform that a block takes alone, by a cluster, in us: 7776 points 5.3, by 9 blocks 4.1;
  /// 8192 5.0, by 8 3.4; 12000 7.7, by 10 5.3; 18000 10.1, by 10 5.3; 26460 16.1, by 7 9.1. (5000
  /// 4.2, by 5 4.3.) 16 of them: 18000 10.6, by 5 6.4; 26460 16.4, by 7 14.2.
  std::int64_t shortest_in_clusters = 6144;
  unsigned smallest_cluster = 3, usual_cluster = 10;
  /// More only where none of these serves, or their share is so much less: 7744 points by 11 blocks
  /// 3.7 us, by 4 5.4.
  double unusual_share = 0.5;
  /// Blocks that several digits of a real plane's points number count so much less: r2c of 540 x 48
  /// by 6 such ones 8.8 us, by 12 of one digit 6.8; of 45 x 324 by 9 6.0, by 3 of one digit 7.1; of
  /// 27 x 14 x 48 by 6 7.8, by 3 9.9.
  double several_digits = 1.75;
  /// 6160 points by 4 blocks, which move 4 times the sectors: 4.8 us and 5.5; 7168, 2.5 times: 4.6
  /// and 4.9.
  double most_share = 0.6;
  /// Planes and volumes that a block takes alone otherwise, by a launch for each axis: us that the
  /// block takes, and that the launches do. One of 90 x 90 7.6 by a block, 4.3 by two launches, 64
  /// of them 8.4 and 8.6; 125 x 125 11.3 and 4.5, 12.4 and 12.3; 16 x 1260 11.8 and 4.0, 13.1 and
  /// 11.2; 24 x 24 x 24 5.6 and 5.2, 8.4 and 12.1; 64 x 64 3.7 and 4.4.
  [[nodiscard]] static bool serve_by_axes(double points, std::size_t axes, double batch) {
    const double block = 1.6 + points / 2000, more_axes = static_cast<double>(axes - 2);
    const double launches =
        3.8 + 1.2 * more_axes + 3e-6 * static_cast<double>(axes) * points * batch;
    return launches < block;
  }
  /// Of the time that one block takes, where the blocks of all are `crowd` for each SM. What
  /// follows others costs more than its part: 15 transforms of 27000 points by 10 blocks take 1.5
  /// times as long as by 5, of 8192 20 by 8 1.1 times as long as by 4. 30 of 28561 by 13 .59 of the
  /// time of 30 blocks, 29 of 27000 by 5 .80, 42 .93, 58 1.45 times.
  [[nodiscard]] double share_of(unsigned blocks, double sectors, double crowd) const {
    constexpr double followers = 1.75;
    return sectors / blocks * (crowd > 1 ? followers * crowd : 1);
  }
  /// The same of the time that a cluster of `before` blocks takes, for r2c, where sectors count
  /// less: one of 65536 numbers 13.8 us by 2, 9.4 by 4, 7.2 by 8; 16 of them 14.8, 10.1 and 11.4.
  /// 60000 10.5 by 4, 8.0 by 8, 16 of them 10.8 and 11.9; 131072 15.9 by 4, 11.9 by 8, 10.2 by 16.
  double most_share_of_more = 0.8;
  [[nodiscard]] static double share_of_more(unsigned before, unsigned blocks, double sectors,
                                            double crowd) {
    constexpr double most = 0.5;
    return crowd > most ? 1 : (1 + (sectors - 1) / 3) * before / blocks;
  }
  /// Where more than half of the SMs have one of their blocks. 32 transforms of 8000: 6.3, by 4
  /// blocks and 2.5 times the sectors 8.3; 40 of 22275 by 3 blocks each: 1.4 times as long.
  [[nodiscard]] bool serve(unsigned blocks, double sectors, double crowd) const {
    return crowd <= 0.5 || (blocks > 3 && sectors <= 2);
  }
  /// The same of real planes, whose blocks read all others' points: one c2r of 120 x 150 8.9, by 5
  /// blocks 6.0, 24 of them 9.0 and 11.1; eight r2c of 210 x 120 12.4, by 10 9.1.
  [[nodiscard]] static bool serve_planes(double crowd) { return crowd <= 0.5; }
};

/// Where primes go by Rader's algorithm rather than Bluestein's. Of the speed of a copy, where n -
/// 1 has a factor of 17 to 31 (Bluestein at lengths nearby): 103 .67, 311 .53, 599 .46 (521 .45);
/// 1117 .37, 1483 .35, 4003 .23 (1031 .40, 3001 .37, 4093 .38); 5209 .33, 8741 .31, 14281 .35 (5003
/// .29, 9001 .25, 10007 .24), where a convolution of 2n - 1 points is more than 8192; 7193, which
/// has 29 and 31 and spills, .19. Since such steps stand first or last, from 1024 to 4096 those of
/// 17 and 19 are 1.19 times as fast as Bluestein's (26 of 27 primes), of 23 to 31 .98.
struct RaderRules {
  std::int64_t small_prime = 19;     ///< no larger factor of n - 1: wherever a block takes it
  std::int64_t all_below = 1024;     ///< with one too
  std::int64_t longer_above = 4096;  ///< with one, the others at most `second_prime`
  std::int64_t second_prime = 23;
  /// Larger ones nowhere: at 18 primes .18 to .86 of Bluestein's speed.
  std::int64_t largest_prime = 31;
};

/// What columns cost that a block takes side by side, see cost_of_columns(); the defaults are those
/// of passes. 100000 points as 200 x 500 take 0.79 ms in columns of 10, 0.72 of 25, 0.60 of 20.
struct ColumnWeights {
  unsigned most_points = 11264;       ///< an SM's shared memory holds two such tiles
  unsigned most_points_of_eight = 0;  ///< or of a tile of up to eight columns, if that is more
  double crowding = 1e-5;             ///< what each point of a tile loses, of which few fit an SM
  /// What columns lose, divided by their number: those of whole pieces of 64 bytes, of whole
  /// sectors, and others. Fitted on an H100 to 85 lengths from 29057 to 2^20, each in two launches
  /// of up to eight choices (bench/results/2026-11-26-h100-sectors-fit.csv.gz): what is chosen by
  /// it takes 3 % more than the fastest of these, by 1 and 4, of before, 7 %.
  double lines = 1.5, sectors = 1.5, unaligned_lines = 10, unaligned = 10;
  double read = 0.4;  ///< of the last two, of a pass that stores rows; not fitted again
  /// Of columns whose last block has fewer. Fitted on an H100 to 413 lengths from 16385 to 2^20
  /// (bench/results/2026-11-26-h100-ragged-fit*.csv.gz) beside weights of 1 and 4; a grid over
  /// these and 1.5 and 10 finds no others that choose better by more than 1 %.
  double by_index = 1.05, ragged = 0.15;
};

/// Columns of lengths that are no powers of two.
struct ColumnRules {
  ColumnWeights of_passes = {};
  /// Of arrays, whose points come from memory and go there; a last block that has fewer loses its
  /// share alone. Fitted on an H200 to the fastest kernels of two to four numbers of columns of 82
  /// arrays (bench/fit_columns.py): 1.3 % behind the best number in the mean, by those of passes
  /// 6.4 %.
  ColumnWeights of_arrays = {.most_points = 14336,
                             .most_points_of_eight = 16384,
                             .crowding = 2e-6,
                             .lines = 0.5,
                             .sectors = 3,
                             .unaligned_lines = 6,
                             .unaligned = 14,
                             .read = 1,
                             .by_index = 1,
                             .ragged = 0};
  /// Columns of so many points, and the blocks of a cluster that takes as many of them. 2^26 points
  /// in FP32: 1.148 ms by blocks of two columns, 0.475 by four of four, 0.522 by eight of eight.
  std::int64_t narrow = 8192;
  unsigned blocks_of_narrow = 4;
};

/// Two passes of several axes. The first one takes rows that lie apart, the second one columns.
/// 2^26 points on an H200, of a copy's speed: 512 x 512 .560 (4096 points in the first pass .537;
/// axis by axis .46), 64 x 64 x 64 .55 (.47), 512 x 1024 .543 (8192 points .48), 1024 x 1024 .514
/// (.508; .44).
struct AxisRules {
  struct Time {
    std::int64_t points = 0;
    double time = 0;
  };
  /// In one launch: up to so many points in all the tile that both take.
  struct Tile {
    std::int64_t most = 0, points = 0;
  };
  std::vector<Tile> fused = {{std::int64_t{1} << 18, 8192}, {std::int64_t{1} << 20, 4096}};
  /// Of first passes: phases of 32 points, where an axis ends within one.
  std::vector<FastSteps> steps = {{FastSteps::Of::in_block, 8192, {{32, 16, 16}}},
                                  {FastSteps::Of::in_rounds, 16384, {{32, 16, 32}}}};
  /// Of a launch each: times, a copy's is 1, fitted to twelve pairs of passes, which they meet
  /// within 3 %. Columns of 4096 points take 1.84: then each axis is sooner alone (8192 x 8192 .35,
  /// in passes .342).
  std::vector<Time> first = {{4096, 1.03}, {8192, 1.05}, {16384, 1.08}};
  std::vector<Time> second = {{256, 1.055}, {512, 1.16}, {1024, 1.295}, {2048, 1.31}};
};

/// Real transforms of f32 rows whose pairs of frequencies meet in registers: see opposite.cuh. The
/// cost model's first choice of these has 1.045 (r2c) and 1.14 (c2r) of the speed of the best other
/// kernel in the median of 494 lengths, .77 at the least, 2.2 at most. Below, and of powers of two
/// that passes need not take, other kernels are as fast. Of convolutions the best one has .98 of
/// the speed of the best other from 2048 to 4096, 1.00 to 8192, 1.12 to 16384.
struct OppositeRules {
  struct From {
    std::int64_t powers, others;  ///< numbers: powers of two, and other lengths
  };
  From transforms = {32768, 1200}, convolutions = {16384, 4096};

  /// Blocks of a cluster: as few as let an SM hold two, up to `usual`; else one for each SM, best
  /// `alone`, fewer, or up to `most`. 85 searches of lengths from 133120 to 204800 on an H200
  /// (bench/results/2026-11-29-h200-tune-real-clusters.csv.gz): r2c reads tables, for which two
  /// blocks of more points leave the L1 cache no room (by 8 of 12168 points .40 of a copy, of 12584
  /// .30; passes .33). c2r is slower by 7 or 8 blocks, whose steps of 28 and 32 leave an SM few
  /// threads, than by 5 of which an SM holds one (192000 .39, .44).
  struct Blocks {
    unsigned usual;
    std::int64_t half_of_sm;  ///< the most points of one of two
    unsigned alone, most;
  };
  Blocks r2c = {8, 12250, 4, 4}, c2r = {6, 13500, 5, 8};

  /// Numbers. Of longer ones passes take 1.1 (r2c) to 1.17 times (c2r) as long where they fill the
  /// GPU, and about .4 of the time where they are few: one c2r of 186624 7.7 us, by 4 blocks 21.5,
  /// by 16 15.4. Which it is must not depend on the batch.
  std::int64_t longest_in_clusters = 131072;
};

struct DeviceProfile {
  std::vector<Spread> spread;
  std::int64_t longest_spread_convolution = 0;
  std::vector<FastSteps> steps;
  SimtShape simt;
  std::optional<TightProducts> products;
  RaderRules rader;
  PassRules passes;
  AxisRules axes;
  ColumnRules columns;
  FewRules few;
  OppositeRules opposite;
  Speeds speeds;

  /// Nothing: those of decompose().
  [[nodiscard]] const Decomposition* steps_of(FastSteps::Of of, std::int64_t length) const;
};

/// Of the architecture that was measured, or what its facts leave of that. All that is chosen reads
/// this, and it knows no device: GPUs of one architecture take the same steps, for the same bits.
[[nodiscard]] const DeviceProfile& profile_of(const Target& target);

}  // namespace sonoma
