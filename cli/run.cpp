// sonoma run: transforms a .npy file into a .npy file.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "array_axes.hpp"
#include "commands.hpp"
#include "host_execution.hpp"
#include "npy.hpp"
#include "request_options.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::cli {
namespace {

struct RunOptions {
  RequestOptions request;
  std::string input, output;
  std::optional<std::string> axes;
};

/// Points of the memory of either side.
struct Room {
  std::int64_t in, out;
};

// From the first transform's first point on: as many distances as there are transforms, or, where
// transforms lie side by side, to the last point.
Room room_of(const FftProblem& problem) {
  const Room room{std::max(problem.in_points(), problem.batch * problem.in_dist()),
                  std::max(problem.out_points(), problem.batch * problem.out_dist())};
  if (problem.placement == Placement::out_of_place) return room;
  return {std::max(room.in, room.out), std::max(room.in, room.out)};
}

// Memory as the layout has it, whatever the shape.
FftProblem laid_out(const RequestOptions& request, const std::string& path, const NpyArray& array) {
  FftProblem problem = problem_of(request, lengths_of(request));
  const std::int64_t needed = room_of(problem).in;
  if (static_cast<std::int64_t>(array.data.size()) == needed) return problem;
  throw BadArgument(
      "--input", path,
      fmt::format("has shape {}; the layout takes {} points", shape_text(array.shape), needed));
}

FftProblem problem_for(const RunOptions& options, const NpyArray& array) {
  RequestOptions request = options.request;
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
  return problem_of_array({request, options.input, array.shape, options.axes});
}

// In the input's shape, or that of the memory.
std::vector<std::int64_t> shape_of_output(const FftProblem& problem, bool has_layout,
                                          std::vector<std::int64_t> shape) {
  const std::int64_t room = room_of(problem).out;
  if (!has_layout) {
    if (problem.ends != Ends{}) shape.back() = problem.out_length();
    return shape;
  }
  if (room == problem.batch * problem.out_dist()) return {problem.batch, problem.out_dist()};
  return {room};
}

NpyArray transform(const Plan& plan, const NpyArray& array, bool has_layout) {
  const FftProblem& problem = plan.problem();
  const Storage result = problem.result_storage();
  auto in = pack(problem.storage, array.data);
  std::vector<std::byte> out = in;
  if (problem.placement == Placement::out_of_place) {
    out.assign(static_cast<std::size_t>(room_of(problem).out) * point_bytes(result), {});
  }
  execute_on_host_data(plan, in, out);
  return {shape_of_output(problem, has_layout, array.shape), unpack(result, out),
          result == Storage::i16 ? Storage::i16 : Storage::f32};
}

void run(const RunOptions& options) {
  const PlanOptions plan_options = plan_options_of(options.request);
  const NpyArray array = load_npy(options.input);
  const FftProblem problem = problem_for(options, array);
  save_npy(options.output,
           transform(make_plan(problem, plan_options), array, has_layout(options.request)));
}

void add_axes_option(CLI::App& command, RunOptions& options) {
  auto* axes = command.add_option(
      "--axes,--axis", options.axes,
      "the axes to transform, e.g. 0,1 or -1 (the last one, which is the default)");
  for (const char* other :
       {"--n", "--shape", "--in-stride", "--in-dist", "--out-stride", "--out-dist"}) {
    axes->excludes(command.get_option(other));
  }
  command.get_option("--shape")->description(
      "the lengths of the last axes, e.g. 256x256, to transform these axes together");
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Transform a .npy file of complex64 or int16 points");
  add_request_options(*command, options->request,
                      "length (default: the points of the input's last axis)");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  command->get_option("--batch")->description(
      "number of transforms, with --in-stride and the like (default 1)");
  command->get_option("--precision")
      ->description(
          "f32 (the default), f16, bf16 or i16 (the default of int16 files): the file's numbers "
          "are rounded to it before the transform, and what it cannot hold, of input or result, "
          "becomes infinity (i16: the last integer)");
  add_device_option(*command, options->request);
  add_axes_option(*command, *options);
  command
      ->add_option("--input", options->input,
                   "complex64 .npy of any rank; int16 of one more axis of 2, (re, im), which is "
                   "not counted. Transforms go along the last axis, or those of --axes or --shape, "
                   "for all indices of the others. With --in-stride and the like of any shape, as "
                   "the memory that they "
                   "describe: batch * dist points, or, of transforms side by side, to the last one")
      ->required();
  command
      ->add_option("--output", options->output,
                   "the .npy to write, of the same shape (see --out-length). With --in-stride and "
                   "the like (batch, dist), or (points,) of transforms side by side, zero between "
                   "them (--in-place: the input). Of i16 as int16 of one more axis, else complex64")
      ->required();
  command->callback([options] { run(*options); });
}

}  // namespace sonoma::cli
