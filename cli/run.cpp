// sonoma run: transforms a .npy file into a .npy file.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "array_axes.hpp"
#include "commands.hpp"
#include "host_execution.hpp"
#include "kernel_file.hpp"
#include "npy.hpp"
#include "request_options.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma::cli {
namespace {

struct RunOptions {
  RequestOptions request;
  KernelOptions kernel;
  std::string input, output;
  std::optional<std::string> user;
};

/// Points of the memory of either side.
struct Room {
  std::int64_t in, out;
};

// From the first transform's first point on: as many distances as there are transforms, or, where
// transforms lie side by side, to the last point.
Room room_of(const FftProblem& problem) {
  Room room{std::max(problem.in_points(), problem.batch * problem.in_dist()),
            std::max(problem.out_points(), problem.batch * problem.out_dist())};
  if (problem.placement == Placement::out_of_place) return room;
  const std::int64_t in = problem.bytes_of_point(true), out = problem.bytes_of_point(false);
  const std::int64_t bytes = std::max(room.in * in, room.out * out);
  return {(bytes + in - 1) / in, (bytes + out - 1) / out};
}

// Memory as the layout has it, whatever the shape.
ArrayProblem laid_out(const RequestOptions& request, const std::string& path,
                      const NpyArray& array) {
  FftProblem problem = problem_of(request, lengths_of(request));
  const Room room = room_of(problem);
  if (static_cast<std::int64_t>(array.data.size()) != room.in) {
    throw BadArgument(
        "--input", path,
        fmt::format("has shape {}; the layout takes {} {}", shape_text(array.shape), room.in,
                    is_real(problem.values(true)) ? "real numbers" : "points"));
  }
  const bool rows = room.out == problem.batch * problem.out_dist();
  std::vector<std::int64_t> shape = {room.out};
  if (rows) shape = {problem.batch, problem.out_dist()};
  return {std::move(problem), std::move(shape)};
}

bool takes_real(const RunOptions& options) {
  const Domain domain = domain_of(options.request);
  return domain == Domain::r2c || is_trigonometric(domain);
}

// Real numbers are for r2c and dct1 to dst4, complex ones for the others.
void check_values(const RunOptions& options, const NpyArray& array) {
  const bool real = array.values == Values::real;
  if (real == takes_real(options)) return;
  const std::string domain = options.request.domain.value_or("c2c (the default)");
  throw BadArgument(
      "--domain", domain,
      options.input +
          (real ? " holds float32, real numbers; say --domain r2c, or convert with "
                  "a.astype(numpy.complex64)"
                : fmt::format(" holds complex64, and {} takes real numbers, float32; leave "
                              "--domain out, or convert with a.real.copy()",
                              domain)));
}

ArrayProblem problem_for(const RunOptions& options, const NpyArray& array) {
  RequestOptions request = options.request;
  check_values(options, array);
  if (array.storage == Storage::i16 && request.precision.value_or("i16") != "i16") {
    throw BadArgument("--precision", *request.precision,
                      options.input + " holds int16; say i16, or leave it out");
  }
  if (array.storage == Storage::i16) request.precision = "i16";
  if (has_layout(request)) return laid_out(request, options.input, array);
  if (array.shape.empty() || array.data.empty()) {
    throw BadArgument("--input", options.input,
                      fmt::format("has shape {}; must have an axis, and points along each",
                                  shape_text(array.shape)));
  }
  return problem_of_array({request, options.input, array.shape});
}

using Points = std::vector<std::complex<float>>;

using Shape = std::vector<std::int64_t>;

std::size_t count_of(const Shape& shape) {
  std::size_t points = 1;
  for (const std::int64_t extent : shape) points *= static_cast<std::size_t>(extent);
  return points;
}

// From an array of one shape to one of another: the points that both have.
Points moved(const Points& points, const Shape& from, const Shape& to) {
  if (from == to || from.empty() || to.empty()) return points;
  Points result(count_of(to));
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto rest = static_cast<std::int64_t>(i);
    std::int64_t place = 0, stride = 1;
    bool both = true;
    for (std::size_t a = to.size(); a-- > 0; rest /= to[a]) {
      both = both && rest % to[a] < from[a];
      place += rest % to[a] * stride;
      stride *= from[a];
    }
    if (both) result[i] = points[static_cast<std::size_t>(place)];
  }
  return result;
}

// True if the expression says `user`.
bool names_user(const std::optional<std::string>& code) {
  static const std::regex user(R"(\buser\b)");
  return code && std::regex_search(*code, user);
}

// What --user has for the expressions: the file's numbers as they are.
std::vector<std::byte> user_data(const RunOptions& options) {
  for (const auto& [name, code] : {std::pair("--load-code", &options.request.load_code),
                                   std::pair("--store-code", &options.request.store_code)}) {
    if (names_user(*code) && !options.user) {
      throw BadArgument(name, **code,
                        "reads user, and there is no such data: give it as --user FILE.npy");
    }
  }
  if (!options.user) return {};
  if (!names_user(options.request.load_code) && !names_user(options.request.store_code)) {
    throw BadArgument("--user", *options.user,
                      "is for --load-code and --store-code, and none of them reads user");
  }
  const NpyArray array = load_npy(*options.user, Values::real);
  if (array.data.empty()) throw BadArgument("--user", *options.user, "holds no numbers");
  return pack(array.storage, array.values, array.data);
}

NpyArray transform(const Plan& plan, const NpyArray& array, const ArrayProblem& wanted,
                   const std::vector<std::byte>& user) {
  const FftProblem& problem = plan.problem();
  const Storage result = problem.result_storage();
  const Values values = problem.values(false);
  const Shape& room = wanted.out_room.empty() ? wanted.out_shape : wanted.out_room;
  const std::size_t bytes = count_of(room) * problem.bytes_of_point(false);
  auto in =
      pack(problem.storage, problem.values(true), moved(array.data, array.shape, wanted.in_room));
  std::vector<std::byte> out;
  if (problem.placement == Placement::in_place) out = in;
  out.resize(std::max(bytes, out.size()));
  execute_on_host_data(plan, in, out, 0, {}, user);
  out.resize(bytes);
  return {wanted.out_shape, moved(unpack(result, values, out), room, wanted.out_shape),
          result == Storage::i16 ? Storage::i16 : Storage::f32,
          is_real(values) ? Values::real : Values::complex};
}

void run(RunOptions options) {
  const KernelInUse kernel(options.kernel, options.request);
  PlanOptions plan_options = plan_options_of(options.request);
  kernel.apply(plan_options);
  const NpyArray array =
      load_npy(options.input, takes_real(options) ? Values::real : Values::complex);
  const ArrayProblem wanted = problem_for(options, array);
  const std::vector<std::byte> user = user_data(options);
  const Plan plan = make_plan(wanted.problem, plan_options);
  kernel.require_used();
  save_npy(options.output, transform(plan, array, wanted, user));
}

void describe_axes(CLI::App& command) {
  auto* axes = command.get_option("--axes")->description(
      "the axes to transform, e.g. 0,1 or -1 (the last one, which is the default); with --domain "
      "r2c or c2r the last one named has the n / 2 + 1 frequencies. With --shape in the order of "
      "its lengths");
  for (const char* other : {"--in-stride", "--in-dist", "--out-stride", "--out-dist", "--loops"}) {
    axes->excludes(command.get_option(other));
  }
  command.get_option("--shape")->description(
      "the lengths of the last axes, or those of --axes, e.g. 256x256, to transform these axes "
      "together; of c2r those of the output. Each axis is cropped, or padded with zeros, to its "
      "length");
}

void add_files(CLI::App& command, RunOptions& options) {
  command
      .add_option(
          "--input", options.input,
          "complex64 .npy of any rank, or with --domain r2c and dct1 to dst4 float32; int16 of one "
          "more axis "
          "of 2, (re, im), which is not counted and which real numbers lack. Transforms go along "
          "the last axis, or those of --axes or --shape, "
          "for all indices of the others. With --in-stride and the like of any shape, as "
          "the memory that they "
          "describe: batch * dist points, or, of transforms side by side, to the last one")
      ->required();
  command
      .add_option("--output", options.output,
                  "the .npy to write, of the same shape but for the points of the axis (n, of r2c "
                  "n / 2 + 1, or --out-length). With --in-stride and the like (batch, dist), or "
                  "(points,) of transforms side by side, zero between them (--in-place: the "
                  "input). complex64, of c2r and dct1 to dst4 float32; with --out-precision i16, "
                  "or i16 in place, int16, complex ones of one more axis")
      ->required();
  command.add_option("--user", options.user,
                     "a .npy of float32, complex64 or int16 numbers that --load-code and "
                     "--store-code read, e.g. static_cast<const float*>(user)[index]");
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Transform a .npy file of complex64, float32 or int16");
  add_request_options(
      *command, options->request,
      "length; points that the input has beyond it are not read, those that it lacks "
      "are zero (default: its points along the axis, of c2r 2 (points - 1))");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  command->get_option("--batch")->description(
      "number of transforms, with --in-stride and the like (default 1)");
  command->get_option("--precision")
      ->description(
          "f32 (the default), f16, bf16 or i16 (the default of int16 files): the file's numbers "
          "are rounded to it before the transform, and what it cannot hold, of input or result, "
          "becomes infinity (i16: the last integer)");
  add_kernel_options(*command, options->kernel);
  add_device_option(*command, options->request);
  add_axes_option(*command, options->request);
  describe_axes(*command);
  add_files(*command, *options);
  command->footer(
      "Examples:\n  sonoma run --input x.npy --output y.npy\n"
      "  sonoma run 4096 --domain r2c --input real.npy --output y.npy\n"
      "  sonoma run --kernel edited.cu --input x.npy --output y.npy");
  command->callback([options] { run(*options); });
}

}  // namespace sonoma::cli
