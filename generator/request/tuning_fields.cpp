// The table itself; what reads and prints its texts: tuning_texts.cpp.
#include "sonoma/tuning_fields.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace sonoma {
namespace {

using enum TuningGroup;
using enum Kept;

constexpr const char* request_decides = "which ones fit, the request decides";
constexpr const char* by_default = "without it the default is taken";
constexpr const char* zero_or_one = "0 or 1";
constexpr const char* by_sectors = "without it sectors decide";

constexpr std::array fields = {
    TuningField{
        .name = "method",
        .member = &Tuning::method,
        .group = method,
        .help = "radix (the steps of n), bluestein (a convolution of at least 2n - 1 points, for "
                "any n) or rader (one of n - 1 points that have steps, for primes); default: the "
                "first of radix, rader (where it is faster) and bluestein that serves",
        .allowed = "radix, bluestein or rader",
        .otherwise = by_default,
        .usual = "radix",
        .prints_usual = true,
        .kept = unless_usual},
    TuningField{.name = "radix",
                .member = &Tuning::radix,
                .group = tree,
                .help = "this radix, 2 to 49 or a prime to 61, as often as it divides n",
                .otherwise = request_decides,
                .kept_of_passes = if_set,
                .place_of_passes = 6,
                .least = 2,
                .most = largest_radix},
    TuningField{.name = "decomposition",
                .member = &Tuning::decomposition,
                .group = tree,
                .help = "Gentleman-Sande tree, e.g. \"(gs 16 (dft 16))\"; with --pass-lengths that "
                        "of each pass, or of the whole, of which they are sections",
                .allowed = "a tree such as (gs 16 (dft 16))",
                .kept = always,
                .kept_of_passes = if_set,
                .place_of_passes = 2},
    TuningField{.name = "engine",
                .member = &Tuning::engine,
                .group = engine,
                .help = "mma (tensor cores, split FP32) or simt (CUDA cores); default: the faster "
                        "one",
                .allowed = "mma or simt",
                .otherwise = by_default},
    TuningField{.name = "tensor_steps",
                .member = &Tuning::tensor_steps,
                .group = engine,
                .help = "engine mma: which steps are products, e.g. 1,2 (default: those of radix "
                        "16)",
                .allowed = "numbers of steps, the first is 1, e.g. 1,2",
                .is_steps = true,
                .kept = if_tensor},
    TuningField{.name = "products",
                .member = &Tuning::products,
                .group = engine,
                .help = "FP16 products of the engine mma: 1 (11 bits), 3 (FP32, the default) or 4",
                .otherwise = request_decides},
    TuningField{.name = "sums",
                .member = &Tuning::sums,
                .group = engine,
                .help =
                    "engine simt: what butterflies sum in: fp64 errs half as much, fp64-last a "
                    "little less than fp32 (default: fp32, and fp64-last where cuFFT errs less)",
                .allowed = "fp32, fp64-last or fp64",
                .otherwise = by_default,
                .usual = "fp32",
                .kept = if_set},
    TuningField{.name = "points_per_thread",
                .member = &Tuning::points_per_thread,
                .group = block,
                .help =
                    "points a thread holds: mma 16 or 32, simt 2 to 32, or to 96 of a length that "
                    "is no power of two",
                .otherwise = request_decides,
                .kept = always,
                .kept_of_passes = if_set,
                .place_of_passes = 4},
    TuningField{.name = "block_points",
                .member = &Tuning::block_points,
                .group = block,
                .help = "points of a block, n or more",
                .otherwise = request_decides,
                .kept = always,
                .kept_of_passes = if_set,
                .place_of_passes = 11},
    TuningField{.name = "registers",
                .member = &Tuning::registers,
                .group = block,
                .help = "most registers of a thread, 32 to 255",
                .otherwise = request_decides,
                .kept = always,
                .kept_of_passes = if_set,
                .place_of_passes = 5,
                .least = 32,
                .most = 255},
    TuningField{.name = "threads",
                .member = &Tuning::threads,
                .group = block,
                .help = "threads of a block, in whole warps, of n that is no power of two; fewer "
                        "than butterflies take these in laps (default: what fits)",
                .otherwise = request_decides,
                .kept = if_set,
                .kept_of_passes = if_set,
                .place_of_passes = 12,
                .least = 32,
                .most = 1024},
    TuningField{.name = "opposite",
                .member = &Tuning::opposite,
                .group = block,
                .help = "real transforms and convolutions of even length: 1: frequencies that "
                        "mirror each other "
                        "meet in a thread, 0: in shared memory",
                .allowed = zero_or_one,
                .otherwise = by_default,
                .usual = "0",
                .kept = unless_usual},
    TuningField{.name = "stage_load",
                .member = &Tuning::stage_load,
                .group = block,
                .help = "1: load through shared memory in whole sectors, 0: straight to registers",
                .allowed = zero_or_one,
                .otherwise = by_sectors,
                .kept = always},
    TuningField{.name = "stage_store",
                .member = &Tuning::stage_store,
                .group = block,
                .help = "the same for the store",
                .allowed = zero_or_one,
                .otherwise = by_sectors,
                .kept = always},
    TuningField{.name = "pass_lengths",
                .member = &Tuning::pass_lengths,
                .group = passes,
                .help =
                    "several passes over memory, of these lengths, e.g. 1024,1024 (default "
                    "from n = 16384 on: few and equal); of several axes of all their points, or of "
                    "each axis, the last one first: axis by axis",
                .allowed = "lengths whose product is n, e.g. 1024,1024",
                .kept_of_passes = always,
                .place_of_passes = 1,
                .least = 2,
                .most = std::int64_t{1} << 40},
    TuningField{.name = "columns",
                .member = &Tuning::columns,
                .group = passes,
                .help = "several passes: transforms side by side that a block takes",
                .otherwise = request_decides,
                .kept_of_passes = if_set,
                .place_of_passes = 3},
    TuningField{.name = "workspace_points",
                .member = &Tuning::workspace_points,
                .group = passes,
                .help = "several passes: points of the workspace at most, as far as one transform "
                        "allows (default: what the L2 cache keeps)",
                .kept_of_passes = if_set,
                .place_of_passes = 9,
                .most = std::int64_t{1} << 40},
    TuningField{.name = "cluster",
                .member = &Tuning::cluster,
                .group = block,
                .help =
                    "blocks that take one transform together: 1 to 16, of powers of two a power "
                    "of two (default: as measured, else 1)",
                .otherwise = request_decides,
                .usual = "1",
                .kept = unless_usual,
                .kept_of_passes = if_set,
                .place_of_passes = 7,
                .most = 16},
    TuningField{.name = "rounds",
                .member = &Tuning::rounds,
                .group = block,
                .help = "rounds in which a block goes through its tile: 1 or 2 (default: as "
                        "measured, else 1)",
                .otherwise = request_decides,
                .usual = "1",
                .kept = unless_usual,
                .kept_of_passes = if_set,
                .place_of_passes = 8,
                .most = 2},
    TuningField{.name = "twiddles",
                .member = &Tuning::twiddles,
                .group = block,
                .help =
                    "factors between steps: table, or made of those in a smaller one: products, "
                    "powers, constants or cosines",
                .allowed = "table, products, powers, constants or cosines",
                .usual = "table",
                .kept = unless_usual,
                .kept_of_passes = if_set,
                .place_of_passes = 13},
    TuningField{
        .name = "prefetch",
        .member = &Tuning::prefetch,
        .group = block,
        .help =
            "sm_90 or later, whole transforms that follow each other: when a block asks "
            "the L2 cache for the next block's: early (after the first barrier), late "
            "(after the last) or none (default: late where few blocks or small tiles are at work); "
            "persistent: blocks stay, and copy their next tile to shared memory",
        .allowed = "none, early, late or persistent",
        .usual = "none",
        .kept = unless_usual,
        .kept_of_passes = if_set,
        .place_of_passes = 14},
    TuningField{.name = "rows",
                .member = &Tuning::rows,
                .group = block,
                .help = "engine simt, tiles that are no power of two: phases whose threads come in "
                        "rows, each on half warps of its own, e.g. 1,3: fewer bank conflicts, and "
                        "lanes without work (default: none)",
                .allowed = "numbers of phases, the first is 1, e.g. 1,3",
                .is_steps = true,
                .kept = if_set,
                .kept_of_passes = if_set,
                .place_of_passes = 15},
    TuningField{.name = "fused",
                .member = &Tuning::fused,
                .group = passes,
                .help = "two passes: 1: in one launch, what is between them in the L2 cache; 0: "
                        "one launch each",
                .allowed = zero_or_one,
                .otherwise = "without it the length decides",
                .kept_of_passes = always,
                .place_of_passes = 10},
};

// Whether Tuning can be made of as many values as there are numbers.
struct AnyField {
  template <class Value>
  operator std::optional<Value>() const;  // NOLINT(google-explicit-constructor): never called
};
template <std::size_t... numbers>
constexpr bool takes(std::index_sequence<numbers...>) {
  return requires { Tuning{(void(numbers), AnyField())...}; };
}
static_assert(takes(std::make_index_sequence<fields.size()>()) &&
                  !takes(std::make_index_sequence<fields.size() + 1>()),
              "every field of Tuning has a row");

}  // namespace

std::span<const TuningField> tuning_fields() { return fields; }

const TuningField& tuning_field(std::string_view name) {
  const auto at = std::ranges::find(fields, name, &TuningField::name);
  if (at == fields.end()) throw std::out_of_range("no field of Tuning: " + std::string(name));
  return *at;
}

}  // namespace sonoma
