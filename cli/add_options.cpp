// The options of a transform and of its kernel, as CLI11 shows them.
#include <CLI/CLI.hpp>

#include "request_options.hpp"
#include "sonoma/tuning_fields.hpp"

namespace sonoma::cli {
namespace {

void add_problem_options(CLI::App& command, RequestOptions& options) {
  add_domain_option(command, options);
  command.add_option("--precision", options.precision,
                     "storage of the components: f32 (the default), f16, bf16 or i16");
  command.add_option("--order", options.order,
                     "of the frequencies: natural (the default), or transposed, as the passes of a "
                     "long transform leave them");
  add_out_precision_option(command, options);
  add_accuracy_option(command, options);
  command.add_option("--arch", options.arch,
                     "sm_75, 80, 86, 87, 89, 90, 100, 103, 110, 120 or 121 (default: that of the "
                     "GPU that runs it, "
                     "else sm_90)");
  command.add_flag("--inverse", options.inverse, "exponent +1 instead of -1");
  command.add_flag("--in-place", options.in_place, "output overwrites input");
  auto* scale = command.add_option("--scale", options.scale, "factor on every output (default 1)");
  command
      .add_option("--norm", options.norm,
                  "numpy's factor: backward (1/n on the inverse), ortho (1/sqrt(n) on both), "
                  "forward (1/n on the forward); of cosine and sine transforms scipy's: backward "
                  "(none), ortho (1/sqrt(2n), and --orthogonal), forward (1/2n); of dct1 and dst1 "
                  "2n is 2(n - 1) and 2(n + 1)")
      ->excludes(scale);
  command.add_flag("--orthogonal", options.orthogonal,
                   "of cosine and sine transforms: numbers at the ends times sqrt(2) or its "
                   "inverse, so that the matrix is a multiple of an orthogonal one");
}

}  // namespace

void add_tuning_options(CLI::App& command, RequestOptions& options) {
  using enum TuningGroup;
  for (const TuningGroup group : {tree, method, engine, block, passes}) {
    for (const TuningField& field : tuning_fields()) {
      if (field.group != group) continue;
      command.add_option(option_of(field), options.tuning.at(field.name), field.help)
          ->group("Tuning");
    }
  }
  command.get_option("--decomposition")->excludes(command.get_option("--radix"));
}

void add_accuracy_option(CLI::App& command, RequestOptions& options) {
  command.add_option(
      "--accuracy", options.accuracy,
      "split3, split4, half, simt, simt64, packed, or the largest relative L2 error, e.g. "
      "1e-6");
}

void add_domain_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--domain", options.domain,
                     "c2c (the default), r2c (from real numbers to n / 2 + 1 frequencies of the "
                     "last axis), c2r (back), or of real numbers the cosine or sine transform of "
                     "type 1 to 4: dct1 to dst4");
}

void add_out_precision_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--out-precision", options.out_precision,
                     "storage of the output (default: that of --precision; of i16 f32, but with "
                     "--in-place)");
}

void add_request_options(CLI::App& command, RequestOptions& options, const std::string& n_help) {
  auto* n = command.add_option("n,--n", options.n, n_help);
  command
      .add_option("--shape", options.shape,
                  "in place of --n the lengths of several axes, the slowest first: 256x256")
      ->excludes(n);
  add_tuning_options(command, options);
  add_problem_options(command, options);
}

void add_length_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--in-length", options.in_length,
                     "points of a transform that the input has: the others are zero, or not read. "
                     "Of several axes one number is that of the last; 30x40: of each");
  command.add_option("--out-length", options.out_length,
                     "points of a transform that are stored, the first ones; the same of several "
                     "axes");
}

void add_end_options(CLI::App& command, RequestOptions& options) {
  add_length_options(command, options);
  command.add_option(
      "--load-code", options.load_code,
      "CUDA expression over value, index, transform and user (see `run --user`), of "
      "several axes i0, i1 ... too, that takes the place of each point that is read");
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
  command.add_option("--loops", options.loops,
                     "more transforms for each of the batch, innermost first: how many, and points "
                     "from one to the next in the input and the output, e.g. 3:1:1,256:768:768; of "
                     "a convolution with spectra of their own also points from one spectrum to "
                     "the next, e.g. 3:1:1:256");
  command.add_option("--alignment", options.alignment,
                     "bytes that both pointers are multiples of, for memory that begins at no "
                     "multiple of 16: 16 (the default) or 8");
  command.add_option("--batch", options.batch, "number of transforms (default 1)");
}

void add_axes_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--axes,--axis", options.axes,
                     "the axes of --array to transform, e.g. 1,2 or -1 (the last one, which is the "
                     "default); with --domain r2c or c2r the last one named has the n / 2 + 1 "
                     "frequencies. With --shape in the order of its lengths");
}

void add_array_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--array", options.array,
                     "the shape of an array in C order, e.g. 8x256x256x3: as `run` transforms the "
                     "--axes of such an input, all of their points, or as many as --n or --shape "
                     "says");
  add_axes_option(command, options);
}

void add_convolution_options(CLI::App& command, RequestOptions& options) {
  auto* convolution = command.add_option("--convolution", options.convolution,
                                         "of complex or of real signals: the transform, its "
                                         "product with the spectrum of a filter that "
                                         "is given when it is executed, and the inverse transform");
  command.add_option("--correlation", options.correlation, "the same with the conjugate spectrum")
      ->excludes(convolution);
  command.add_option(
      "--channels", options.channels,
      "of a convolution: signals, one after the other, that a result sums, each with a spectrum of "
      "its own, one after the other too (default 1); 3:4096:64 says how many points there are from "
      "one signal, and from one spectrum, to the next");
  command.add_option(
      "--spectrum-dist", options.spectrum_dist,
      "points from one signal's spectrum to the next one's (default 0: one for all)");
  command.add_option("--spectrum-stride", options.spectrum_stride,
                     "points from one frequency of a spectrum to the next (default 1)");
}

void add_device_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--device", options.device,
                     "auto (a GPU if there is one), gpu, or cpu (the emulated device)");
}

}  // namespace sonoma::cli
