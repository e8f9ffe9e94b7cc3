// The options that describe a transform, shared by every subcommand that takes one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace CLI {
class App;
}

namespace sonoma::cli {

/// As typed; the functions below parse and check.
struct RequestOptions {
  std::map<std::string, std::optional<std::string>, std::less<>> tuning;  ///< by names of fields
  std::optional<std::string> n, shape, array, axes, domain;
  std::optional<std::string> arch, scale, norm, device, precision, accuracy;
  std::optional<std::string> order, out_precision, in_length, out_length, load_code, store_code;
  std::optional<std::string> convolution, correlation, spectrum_dist, spectrum_stride, channels;
  std::optional<std::string> in_stride, in_dist, out_stride, out_dist, loops, batch, alignment;
  bool inverse = false;
  bool in_place = false;
  bool orthogonal = false;

  RequestOptions();  ///< every field of the tuning is open
};

/// --domain.
void add_domain_option(CLI::App& command, RequestOptions& options);
void add_accuracy_option(CLI::App& command, RequestOptions& options);

/// --out-precision.
void add_out_precision_option(CLI::App& command, RequestOptions& options);

/// Those of a tuning, one for each field.
void add_tuning_options(CLI::App& command, RequestOptions& options);

/// True if one of them is given.
[[nodiscard]] bool has_tuning(const RequestOptions& options);

/// --n and the options that select and tune the kernel.
void add_request_options(CLI::App& command, RequestOptions& options, const std::string& n_help);

/// --in-length and --out-length.
void add_length_options(CLI::App& command, RequestOptions& options);

/// These, and --load-code and --store-code; not where results are judged.
void add_end_options(CLI::App& command, RequestOptions& options);

/// --in-stride and the others that say where points lie, and --batch.
void add_layout_options(CLI::App& command, RequestOptions& options);

/// --axes, of an array.
void add_axes_option(CLI::App& command, RequestOptions& options);

/// --array, and --axes.
void add_array_options(CLI::App& command, RequestOptions& options);

/// --convolution, --correlation, --channels, --spectrum-dist and --spectrum-stride.
void add_convolution_options(CLI::App& command, RequestOptions& options);

/// --device auto|gpu|cpu.
void add_device_option(CLI::App& command, RequestOptions& options);

/// The value of --n as an integer; which integers are served is the library's to say.
[[nodiscard]] std::int64_t length_of(const RequestOptions& options);

/// That of --shape, or of --n.
[[nodiscard]] std::vector<std::int64_t> lengths_of(const RequestOptions& options);

/// The value of --batch, if given.
[[nodiscard]] std::optional<std::int64_t> batch_of(const RequestOptions& options);

/// True if some option says where points lie.
[[nodiscard]] bool has_layout(const RequestOptions& options);

/// `batch`: default: that of --batch, or 1.
[[nodiscard]] FftProblem problem_of(const RequestOptions& options,
                                    const std::vector<std::int64_t>& lengths,
                                    std::optional<std::int64_t> batch = {});
[[nodiscard]] Tuning tuning_of(const RequestOptions& options);

/// --arch; sm_90 without it.
[[nodiscard]] Target target_of(const RequestOptions& options);

/// Tuning, device, and the target where --arch is given.
[[nodiscard]] PlanOptions plan_options_of(const RequestOptions& options);

/// The kernels of all launches.
[[nodiscard]] std::vector<LaunchKernel> generate_all(const Program& program, const Target& target,
                                                     TableWords words);

/// What a plan would take for `problem`, target and tuning as in `options`.
[[nodiscard]] Planned plan_asked(const RequestOptions& options, const FftProblem& problem);

struct ChosenProgram {
  Planned planned;
  std::vector<LaunchKernel> kernels;  ///< of planned.program
};
/// What a plan would take for `problem`, target and tuning as in `options`, where the batch fills
/// the GPU.
[[nodiscard]] ChosenProgram generate_chosen(const RequestOptions& options,
                                            const FftProblem& problem, TableWords words);

/// Domain and direction.
void set_domain(const RequestOptions& options, FftProblem& problem);

/// A convolution, where an option says so. Without lengths, of channels not how far apart their
/// spectra are.
void set_convolution(const RequestOptions& options, FftProblem& problem);

/// Layout, ends and storage of the output; the problem is not complete yet and not checked.
void set_memory(const RequestOptions& options, FftProblem& problem);

[[nodiscard]] Domain parse_domain(const std::string& text);
/// --convolution or --correlation: complex or real.
[[nodiscard]] Convolution parse_convolution(const char* option, const std::string& text);
[[nodiscard]] Engine parse_engine(const std::string& text);
/// --precision, of the floating-point ones.
[[nodiscard]] Accuracy parse_accuracy(const std::string& text);
[[nodiscard]] Storage parse_storage(const std::string& text);
/// These and i16.
[[nodiscard]] Storage parse_any_storage(const char* option, const std::string& text);

}  // namespace sonoma::cli
