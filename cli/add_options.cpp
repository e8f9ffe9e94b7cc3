// The options of a transform and of its kernel, as CLI11 shows them.
#include "request_options.hpp"

namespace sonoma::cli {
namespace {

void add_step_options(CLI::App& command, RequestOptions& options) {
  auto* radix =
      command.add_option("--radix", options.radix, "this radix, 2 to 32, as often as it divides n");
  command
      .add_option("--decomposition", options.decomposition,
                  "Gentleman-Sande tree, e.g. \"(gs 16 (dft 16))\"; with --pass-lengths that of "
                  "each pass, or of the whole, of which they are sections")
      ->excludes(radix);
  command.add_option(
      "--method", options.method,
      "radix (the steps of n), bluestein (a convolution of at least 2n - 1 points, for any n) or "
      "rader (one of n - 1 points that have steps, for primes); default: the first of radix, rader "
      "(where it is faster) and bluestein that serves");
  command.add_option(
      "--engine", options.engine,
      "mma (tensor cores, split FP32) or simt (CUDA cores); default: the faster one");
  command.add_option(
      "--mma-form", options.mma_form,
      "ptx (mma.sync; the default from sm_80) or wmma (nvcuda::wmma, sm_70 and later)");
  command.add_option("--tensor-steps", options.tensor_steps,
                     "engine mma: which steps are products, e.g. 1,2 (default: those of radix 16)");
  command.add_option("--products", options.products,
                     "FP16 products of the engine mma: 1 (11 bits), 3 (FP32, the default) or 4");
}

void add_kernel_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--points-per-thread", options.points_per_thread,
                     "points a thread holds: mma 16 or 32, simt 2 to 32");
  command.add_option("--block-points", options.block_points, "points of a block, n or more");
  command.add_option("--registers", options.registers, "most registers of a thread, 32 to 255");
  command.add_option("--stage-load", options.stage_load,
                     "1: load through shared memory in whole sectors, 0: straight to registers");
  command.add_option("--stage-store", options.stage_store, "the same for the store");
  command.add_option(
      "--cluster", options.cluster,
      "blocks that take one transform together: 1, 2, 4, 8 or 16 (default: as measured, "
      "else 1)");
  command.add_option(
      "--rounds", options.rounds,
      "rounds in which a block goes through its tile: 1 or 2 (default: as measured, else 1)");
  command.add_option("--twiddles", options.twiddles,
                     "factors between steps: table, or products of a smaller one");
}

void add_pass_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--pass-lengths", options.pass_lengths,
                     "several passes over memory, of these lengths, e.g. 1024,1024 (default from "
                     "n = 16384 on: few and equal)");
  command.add_option("--columns", options.columns,
                     "several passes: transforms side by side that a block takes");
  command.add_option("--workspace-points", options.workspace_points,
                     "several passes: points of the workspace at most, as far as one transform "
                     "allows (default: what the L2 cache keeps)");
  command.add_option("--fused", options.fused,
                     "two passes: 1: in one launch, what is between them in the L2 cache; 0: one "
                     "launch each");
}

void add_problem_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--precision", options.precision,
                     "storage of the components: f32 (the default), f16, bf16 or i16");
  command.add_option("--order", options.order,
                     "of the frequencies: natural (the default), or transposed, as the passes of a "
                     "long transform leave them");
  add_out_precision_option(command, options);
  command.add_option("--accuracy", options.accuracy,
                     "split3, split4, half, simt, or the largest relative L2 error, e.g. 1e-6");
  command.add_option(
      "--arch", options.arch,
      "sm_70, 75, 80, 86, 89, 90, 100 or 120 (default: that of the GPU that runs it, else sm_90)");
  command.add_flag("--inverse", options.inverse, "exponent +1 instead of -1");
  command.add_flag("--in-place", options.in_place, "output overwrites input");
  auto* scale = command.add_option("--scale", options.scale, "factor on every output (default 1)");
  command
      .add_option("--norm", options.norm,
                  "numpy's factor: backward (1/n on the inverse), ortho (1/sqrt(n) on both), "
                  "forward (1/n on the forward)")
      ->excludes(scale);
}

}  // namespace

void add_out_precision_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--out-precision", options.out_precision,
                     "storage of the output (default: that of --precision)");
}

void add_request_options(CLI::App& command, RequestOptions& options, const std::string& n_help) {
  command.add_option("--n", options.n, n_help);
  add_step_options(command, options);
  add_kernel_options(command, options);
  add_pass_options(command, options);
  add_problem_options(command, options);
}

void add_length_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--in-length", options.in_length,
                     "points of a transform that the input has: the others are zero, or not read");
  command.add_option("--out-length", options.out_length,
                     "points of a transform that are stored, the first ones");
}

void add_end_options(CLI::App& command, RequestOptions& options) {
  add_length_options(command, options);
  command.add_option("--load-code", options.load_code,
                     "CUDA expression over value, index, transform and user (null here) that takes "
                     "the place of each point that is read");
  command.add_option("--store-code", options.store_code, "the same of each point that is stored");
}

void add_layout_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--in-stride", options.in_stride,
                     "points from one point of a transform to the next in the input (default 1)");
  command.add_option("--in-dist", options.in_dist,
                     "points from one transform to the next (default: n strides, or as many as "
                     "--in-length says)");
  command.add_option("--out-stride", options.out_stride, "the same in the output");
  command.add_option("--out-dist", options.out_dist, "the same in the output");
  command.add_option("--batch", options.batch, "number of transforms (default 1)");
}

void add_device_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--device", options.device,
                     "auto (a GPU if there is one), gpu, or cpu (the emulated device)");
}

}  // namespace sonoma::cli
