// sonoma run: transforms a .npy file into a .npy file.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
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
};

std::string to_string(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// Rows: (n,) or (batch, n); --n and --batch, if given, have to agree.
FftProblem rows_of(const RequestOptions& request, const std::string& path,
                   const std::vector<std::int64_t>& shape) {
  const auto rank = shape.size();
  if (rank < 1 || rank > 2 || shape.front() == 0) {
    throw BadArgument("--input", path,
                      fmt::format("has shape {}; must be (n,) or (batch, n), batch at least 1",
                                  to_string(shape)));
  }
  const std::int64_t batch = rank == 2 ? shape.front() : 1, points = shape.back();
  if (batch_of(request).value_or(batch) != batch) {
    throw BadArgument(
        "--batch", *request.batch,
        fmt::format("{} has {} rows; give that number, or leave it out", path, batch));
  }
  if (request.in_length) {
    FftProblem problem = problem_of(request, {length_of(request)}, batch);
    if (problem.in_length() == points) return problem;
    throw BadArgument(
        "--in-length", *request.in_length,
        fmt::format("{} has {} points in its last axis; give that number", path, points));
  }
  if (request.n && length_of(request) != points) {
    throw BadArgument(
        "--n", *request.n,
        fmt::format("{} has transforms of length {}; give that length, leave --n out, or say "
                    "--in-length",
                    path, points));
  }
  return problem_of(request, {points}, batch);
}

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
      fmt::format("has shape {}; the layout takes {} points", to_string(array.shape), needed));
}

FftProblem problem_for(const RunOptions& options, const NpyArray& array) {
  RequestOptions request = options.request;
  if (array.storage == Storage::i16 && request.precision.value_or("i16") != "i16") {
    throw BadArgument("--precision", *request.precision,
                      options.input + " holds int16; say i16, or leave it out");
  }
  if (array.storage == Storage::i16) request.precision = "i16";
  return has_layout(request) ? laid_out(request, options.input, array)
                             : rows_of(request, options.input, array.shape);
}

// In the input's shape, or that of the memory.
std::vector<std::int64_t> shape_of_output(const FftProblem& problem, bool has_layout,
                                          std::vector<std::int64_t> shape) {
  const std::int64_t room = room_of(problem).out;
  if (!has_layout) {
    shape.back() = problem.out_length();
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
  command
      ->add_option("--input", options->input,
                   "complex64 .npy of shape (n,) or (batch, n); int16 of one more axis of 2, (re, "
                   "im). With --in-stride and the like of any shape, as the memory that they "
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
