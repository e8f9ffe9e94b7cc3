#include "plan_impl.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "sonoma/axis_runs.hpp"

namespace sonoma {
namespace {

constexpr std::uintptr_t alignment = 16;

// For messages only: execute() itself must not allocate.
std::string points_of(const FftProblem& problem, bool input) {
  const Storage storage = input ? problem.storage : problem.result_storage();
  const std::int64_t length = input ? problem.in_length() : problem.out_length();
  const bool real = is_real(problem.values(input));
  const std::string f32 = real ? " float" : " complex<float>";
  const std::string others = real ? " numbers of " + to_string(storage)
                                  : " complex numbers of two " + to_string(storage) + " each";
  return (length == problem.points() ? "batch*n = " : "batch*length = ") +
         std::to_string(problem.batch * length) + (storage == Storage::f32 ? f32 : others);
}

void check_pointer(const void* pointer, const char* name, const FftProblem& problem, bool input) {
  if (pointer == nullptr) {
    throw std::invalid_argument(std::string("execute: ") + name + " is null; it must point to " +
                                points_of(problem, input));
  }
  if (reinterpret_cast<std::uintptr_t>(pointer) % problem.alignment != 0) {
    std::ostringstream text;
    text << "execute: " << name << "=" << pointer << " is not " << problem.alignment
         << "-byte aligned; allocate it with cudaMalloc, aligned new or DeviceBuffer, or make a "
            "plan "
            "for such pointers: FftProblem::alignment";
    throw std::invalid_argument(text.str());
  }
}

std::size_t bytes_of(const FftProblem& problem, bool input, std::int64_t points) {
  return static_cast<std::size_t>(points) * problem.bytes_of_point(input);
}

std::size_t bytes_of_spectrum(const FftProblem& problem) {
  if (!problem.convolution) return 0;
  return static_cast<std::size_t>(spectrum_points(problem)) * point_bytes(Storage::f32);
}

}  // namespace

Plan::Impl::Impl(FftProblem problem, std::shared_ptr<const Choice> choice, Program program,
                 Kernels kernels, std::shared_ptr<const Workspace> workspace,
                 std::shared_ptr<const Driver> driver)
    : problem_(std::move(problem)),
      choice_(std::move(choice)),
      program_(std::move(program)),
      kernels_(std::move(kernels)),
      workspace_(std::move(workspace)),
      in_bytes_(bytes_of(problem_, true, problem_.in_points())),
      out_bytes_(bytes_of(problem_, false, problem_.out_points())),
      spectrum_bytes_(bytes_of_spectrum(problem_)),
      workspace_bytes_(program_.workspace_bytes(problem_.batch)),
      between_offset_(program_.between_offset(problem_.batch)),
      signals_offset_(program_.axes.empty() ? 0 : program_.signals_offset(problem_.batch)) {
  for (const AxisRun& run : axis_runs(program_)) {
    const std::int64_t batch = problem_.batch * run.repeat;
    const std::int64_t together = run.together == 0 ? batch : std::min(batch, run.together);
    axes_.push_back(
        {run.first, run.last, batch, together, run.in_bytes, run.out_bytes, run.spectrum_bytes});
  }
  resources_.from_cache = resources_.ahead_of_time = true;
  for (const auto& kernel : kernels_) {
    const KernelResources& own = kernel->resources;
    source_ += (source_.empty() ? "" : "\n") + kernel->emitted.source.text;
    error_ += kernel->emitted.error;
    resources_.registers = std::max(resources_.registers, own.registers);
    resources_.local_bytes = std::max(resources_.local_bytes, own.local_bytes);
    resources_.static_shared_bytes =
        std::max(resources_.static_shared_bytes, own.static_shared_bytes);
    resources_.from_cache = resources_.from_cache && own.from_cache;
    resources_.ahead_of_time = resources_.ahead_of_time && own.ahead_of_time;
    resources_.compile_ms += own.compile_ms;
  }
  if (driver) graph_ = make_graph(std::move(driver));
}

void Plan::Impl::check_pointers(const void* in, const void* out) const {
  check_pointer(in, "in", problem_, true);
  check_pointer(out, "out", problem_, false);
  const auto first = reinterpret_cast<std::uintptr_t>(in);
  const auto second = reinterpret_cast<std::uintptr_t>(out);
  if (problem_.placement == Placement::in_place) {
    if (first == second) return;
    throw std::invalid_argument(
        "execute: in and out differ, but the plan is in-place; pass the same pointer twice or make "
        "a plan with Placement::out_of_place");
  }
  if (first < second + out_bytes_ && second < first + in_bytes_) {
    const std::string sizes = std::to_string(in_bytes_) +
                              (in_bytes_ == out_bytes_ ? "" : " and " + std::to_string(out_bytes_));
    throw std::invalid_argument("execute: in and out overlap; each holds " +
                                points_of(problem_, true) + ", " + sizes +
                                " bytes, and the plan is out-of-place; pass disjoint buffers or "
                                "make a plan with Placement::in_place");
  }
}

void* Plan::Impl::check_workspace(const void* in, const void* out, void* given) const {
  if (reinterpret_cast<std::uintptr_t>(given) % alignment != 0) {
    throw std::invalid_argument(
        "execute: workspace is not 16-byte aligned; allocate it with cudaMalloc, aligned new or "
        "DeviceBuffer");
  }
  if (workspace_bytes_ == 0) return nullptr;
  if (given == nullptr) {
    if (workspace_) return workspace_->data();
    throw std::invalid_argument(
        "execute: workspace is null, and the plan was made for one of the caller's; pass " +
        std::to_string(workspace_bytes_) + " bytes, or make a plan with WorkspaceOwner::plan");
  }
  const auto first = reinterpret_cast<std::uintptr_t>(given);
  for (const auto& [side, bytes] : {std::pair{in, in_bytes_}, std::pair{out, out_bytes_}}) {
    const auto other = reinterpret_cast<std::uintptr_t>(side);
    if (first < other + bytes && other < first + workspace_bytes_) {
      throw std::invalid_argument("execute: workspace overlaps in or out; pass memory of its own");
    }
  }
  return given;
}

void Plan::Impl::check_spectrum(const void* spectrum, const void* out,
                                const void* workspace) const {
  if (spectrum_bytes_ == 0) {
    if (spectrum == nullptr) return;
    throw std::invalid_argument(
        "execute: a spectrum is given, but the plan is no convolution; leave "
        "ExecuteOptions::spectrum null or set FftProblem::convolution");
  }
  const auto what = [&] {
    return "ExecuteOptions::spectrum, " +
           std::to_string(spectrum_bytes_ / point_bytes(Storage::f32)) + " complex<float>";
  };
  if (spectrum == nullptr) {
    throw std::invalid_argument(
        "execute: the spectrum is null, and the plan is a convolution; set " + what() +
        ", which the plan of spectrum_problem() makes of a filter");
  }
  const auto first = reinterpret_cast<std::uintptr_t>(spectrum);
  if (first % alignment != 0) {
    throw std::invalid_argument("execute: the spectrum is not 16-byte aligned; allocate " + what() +
                                ", with cudaMalloc, aligned new or DeviceBuffer");
  }
  for (const auto& [side, bytes] : {std::pair{out, out_bytes_}, {workspace, workspace_bytes_}}) {
    const auto other = reinterpret_cast<std::uintptr_t>(side);
    if (side != nullptr && first < other + bytes && other < first + spectrum_bytes_) {
      throw std::invalid_argument(
          "execute: the spectrum overlaps out or the workspace; pass memory of its own");
    }
  }
}

template <class Take>
void Plan::Impl::each_launch(const Axis& axis, const Buffers& buffers,
                             const ExecuteOptions& options, Take&& take) const {
  const auto* const spectrum = static_cast<const std::byte*>(options.spectrum);
  for (std::int64_t done = 0; done < axis.batch; done += axis.together) {
    const auto first = static_cast<std::size_t>(done);
    const std::size_t read = axis.in_bytes * first, written = axis.out_bytes * first;
    const auto count = static_cast<std::uint64_t>(std::min(axis.together, axis.batch - done));
    for (std::size_t i = axis.first; i < axis.last; ++i) {
      const auto [from, to] = std::pair(program_.launches[i].from, program_.launches[i].to);
      const auto at = [&](Buffer buffer, std::size_t offset) {
        return buffers[static_cast<std::size_t>(buffer)] +
               (buffer == Buffer::workspace ? 0 : offset);
      };
      take(*kernels_[i]->kernel,
           KernelArguments{at(from, read), at(to, written), at(Buffer::workspace, 0), count,
                           static_cast<std::uint64_t>(done), options.user,
                           spectrum == nullptr ? nullptr : spectrum + first * axis.spectrum_bytes});
    }
  }
}

template <class Take>
void Plan::Impl::each_launch(const Buffers& buffers, const ExecuteOptions& options,
                             Take&& take) const {
  for (const Axis& axis : axes_) each_launch(axis, buffers, options, take);
}

// in and out are not const here: one axis leaves its points in the output for the next.
Plan::Impl::Buffers Plan::Impl::buffers_of(const void* in, void* out, std::byte* workspace) const {
  return {static_cast<std::byte*>(const_cast<void*>(in)), workspace, static_cast<std::byte*>(out),
          workspace + between_offset_, workspace + signals_offset_};
}

// Counters in the workspace are set to zero by a launch of their own.
std::unique_ptr<LaunchGraph> Plan::Impl::make_graph(std::shared_ptr<const Driver> driver) const {
  std::vector<const GpuKernel*> kernels;
  std::vector<KernelArguments> arguments;
  bool serves = true;
  std::byte nowhere{};  // before the first execution says where
  each_launch(buffers_of(&nowhere, &nowhere, &nowhere), {},
              [&](const Kernel& kernel, const KernelArguments& own) {
                kernels.push_back(dynamic_cast<const GpuKernel*>(&kernel));
                arguments.push_back(own);
                serves = serves && kernels.back() && kernels.back()->shape().counter_bytes == 0;
              });
  if (!serves || kernels.size() < 2 || kernels.size() > most_launches_of_graph) return nullptr;
  return LaunchGraph::make(std::move(driver), kernels, arguments);
}

bool Plan::Impl::launch_at_once(const Buffers& buffers, const ExecuteOptions& options) const {
  if (!graph_) return false;
  std::array<KernelArguments, most_launches_of_graph> arguments;
  std::size_t count = 0;
  each_launch(buffers, options,
              [&](const Kernel&, const KernelArguments& own) { arguments[count++] = own; });
  return graph_->launch({arguments.data(), count}, options.stream);
}

void Plan::Impl::execute(const void* in, void* out, const ExecuteOptions& options) const {
  check_pointers(in, out);
  auto* const workspace = static_cast<std::byte*>(check_workspace(in, out, options.workspace));
  check_spectrum(options.spectrum, out, workspace);
  const Buffers buffers = buffers_of(in, out, workspace);
  if (launch_at_once(buffers, options)) return;
  each_launch(buffers, options, [&](const Kernel& kernel, const KernelArguments& arguments) {
    kernel.launch(arguments, options.stream);
  });
}

}  // namespace sonoma
