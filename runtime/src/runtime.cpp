#include "runtime.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "plan_impl.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/wisdom_file.hpp"
#include "sonoma/workspace_bytes.hpp"

namespace sonoma {
namespace {

constexpr std::uint64_t most_blocks = std::numeric_limits<std::int32_t>::max();

// `together`: transforms of one launch.
void check_batch(const FftProblem& problem, std::int64_t together, const LaunchShape& launch) {
  if (launch.blocks(static_cast<std::uint64_t>(together)) <= most_blocks) return;
  const std::uint64_t most = launch.blocks_per_batch != 0
                                 ? most_blocks / launch.blocks_per_batch
                                 : most_blocks * launch.transforms_per_block;
  throw UnsupportedProblem("batch", std::to_string(problem.batch),
                           "at most " + std::to_string(most) +
                               " for this length (a grid has 2^31-1 blocks); make several plans");
}

void check_batches(const FftProblem& problem, const Program& program,
                   const std::vector<std::shared_ptr<const LoadedKernel>>& kernels) {
  auto kernel = kernels.begin();
  for (std::size_t i = 0; const Program& axis : programs_of_axes(program)) {
    const std::int64_t repeat = program.axes.empty() ? 1 : program.axes[i++].repeat;
    for (std::size_t launch = 0; launch < axis.launches.size(); ++launch, ++kernel) {
      check_batch(problem, axis.together(problem.batch * repeat), (*kernel)->emitted.source.launch);
    }
  }
}

CubinResources read_resources(const Compiled& compiled, const CudaSource& source) {
  if (const auto resources = cubin_resources(compiled.binary.bytes, source.name)) return *resources;
  throw FftError(Stage::compile, "the compiler's output has no kernel " + source.name +
                                     "; is it declared extern \"C\" __global__?");
}

bool is_measured(const Choice& choice) {
  return choice.measured || std::ranges::any_of(choice.axes, is_measured);
}

// Of the generator's, or of the compiler's.
bool is_of_kernel(const std::exception& error) {
  const auto* outside = dynamic_cast<const FftError*>(&error);
  return outside == nullptr ? dynamic_cast<const UnsupportedProblem*>(&error) != nullptr ||
                                  dynamic_cast<const InternalError*>(&error) != nullptr
                            : outside->stage() == Stage::compile;
}

// `wisdom`, and of `beneath` what it does not say of a device and subject.
Wisdom with_beneath(Wisdom wisdom, const Wisdom& beneath) {
  const auto key = [](const WisdomEntry& entry) {
    return std::tuple(entry.platform.device, entry.platform.arch, entry.subject);
  };
  std::set<decltype(key(std::declval<WisdomEntry>()))> said;
  for (const WisdomEntry& entry : wisdom.entries()) said.insert(key(entry));
  for (const WisdomEntry& entry : beneath.entries()) {
    if (!said.contains(key(entry))) wisdom.add(entry);
  }
  return wisdom;
}

}  // namespace

const LaunchKernel& LoadedKernel::steps() const {
  return *steps_.get(
      [this] { return std::make_shared<LaunchKernel>(generate(key.launch, key.target)); });
}

Runtime::Runtime(const Config& config, Bundles& bundles)
    : config_(config),
      log_(config.log_level),
      disk_(config, log_),
      ahead_(config_, log_, bundles) {}

Runtime& Runtime::process() {
  static auto* const runtime = new Runtime(sonoma::config());
  return *runtime;
}

std::shared_ptr<const Driver> Runtime::driver() {
  return driver_.get([this] { return std::make_shared<Driver>(config_); });
}

std::shared_ptr<const NvrtcCompiler> Runtime::nvrtc() {
  return nvrtc_.get([this] { return std::make_shared<NvrtcCompiler>(config_); });
}

Device Runtime::choose(Device device) {
  if (device != Device::automatic) return device;
  try {
    (void)driver();
    return Device::gpu;
  } catch (const FftError& error) {
    log_.debug(std::string("the emulated device is used: ") + error.what());
    return Device::cpu;
  }
}

void Runtime::warn_of_emulation() {
  if (said_emulated_.exchange(true)) return;
  std::string why = "there is a GPU now";
  try {
    (void)driver();
  } catch (const FftError& error) {
    why = error.message().substr(0, error.message().find("; "));
  }
  log_.warn(
      "no GPU is used: plans run on the emulated device, which is thousands of times slower (" +
      why + "). Device::cpu, on the command line --device cpu, says that this is meant");
}

std::size_t Runtime::workspace_bytes(const FftProblem& problem, const PlanOptions& options) {
  return planned(problem, place_for(options), options)
      ->planned.taken()
      .workspace_bytes(problem.batch);
}

void Runtime::log_origin(const Compiled& compiled, const CudaSource& source,
                         const std::string& wanted) {
  const std::string& made_by = compiled.binary.made_by;
  if (!wanted.empty() && made_by != wanted && !said_other_compiler_.exchange(true)) {
    log_.info("kernels are taken from the cache that " + made_by + " compiled; here is " + wanted);
  }
  log_.info(source.name + (compiled.from_cache ? " found in the disk cache in " : " compiled in ") +
            std::to_string(std::lround(compiled.milliseconds)) + " ms");
}

Cubin Runtime::compile(const CudaSource& source, const Target& target, LineInfo lines) {
  const auto compiler = nvrtc();
  const Compiled compiled =
      find_or_compile(disk_, NvrtcCompiler::inputs_for(source, target, lines),
                      [&](const CompileInputs& inputs) { return compiler->compile(inputs); },
                      {compiler->known_identity(), true});
  log_origin(compiled, source, compiler->known_identity());
  const CubinResources needs = read_resources(compiled, source);
  return {compiled.binary.bytes, compiled.binary.log,       needs.registers,
          needs.local_bytes,     needs.static_shared_bytes, needs.code_bytes,
          compiled.from_cache,   compiled.milliseconds};
}

Wisdom Runtime::own_wisdom() const {
  const auto skip = [this](const std::string& why) {
    log_.warn(why + "; plans are made without it");
  };
  Wisdom own;
  try {
    own = load_wisdom(config_.wisdom_file).value_or(Wisdom());
  } catch (const FftError& error) {
    skip(error.what());
  }
  return with_beneath(std::move(own), load_system_wisdom(config_.system_wisdom, skip));
}

Wisdom Runtime::wisdom_for(const FftProblem& problem, const Target& target) {
  const auto own = own_wisdom_.get([this] { return std::make_shared<Wisdom>(own_wisdom()); });
  Wisdom wisdom = shipped_wisdom_for(problem, target.arch);
  wisdom.merge(*own);
  return wisdom;
}

Place Runtime::place_for(const PlanOptions& options) {
  Place place;
  place.device = choose(options.device);
  if (place.device == Device::gpu) {
    place.gpu = driver()->current_device();
    place.platform.device = driver()->name_of(place.gpu);
    place.platform.driver = driver()->cuda_version();
    place.target = driver()->target_of(place.gpu);
  } else {
    place.target = target_for("sm_90");
  }
  if (options.target) place.target = *options.target;
  place.platform.arch = place.target.arch;
  place.find_cubin = options.find_cubin;
  place.edit_kernel = options.edit_kernel;
  place.overrides = !options.edit_kernel && (options.overrides || config_.overrides);
  place.aot_only = options.aot_only || config_.aot_only;
  return place;
}

std::shared_ptr<const PlannedFor> Runtime::planned(const FftProblem& problem, const Place& place,
                                                   const PlanOptions& options) {
  validate(problem);
  const RequestKey key{problem,
                       options.tuning,
                       options.workspace_policy,
                       place.target,
                       place.platform,
                       place.aot_only,
                       place.device == Device::gpu,
                       ahead_.version(),
                       place.without_wisdom};
  return planned_.get(key, [&] { return std::make_shared<const PlannedFor>(make_planned(key)); });
}

Choice Runtime::choose_for(const FftProblem& problem, const PlanOptions& options) {
  return planned(problem, place_for(options), options)->planned.choice;
}

FastSize Runtime::next_fast_size(std::int64_t n, Storage storage, const PlanOptions& options) {
  const Place place = place_for(options);
  return fast_size(n, storage, place.target, place.platform,
                   [&](const FftProblem& problem) { return wisdom_for(problem, place.target); });
}

FastShape Runtime::next_fast_shape(const FftProblem& least, const PlanOptions& options) {
  const Place place = place_for(options);
  return fast_shape(least, place.target, place.platform,
                    [&](const FftProblem& problem) { return wisdom_for(problem, place.target); });
}

Made Runtime::made(const FftProblem& problem, Place place, const PlanOptions& options) {
  Made result{planned(problem, place, options), {}};
  const PlannedFor& one = *result.planned;
  try {
    result.kernels = load_all(one.planned.taken().launches, one.target, place);
    return result;
  } catch (const std::exception& error) {
    if (place.without_wisdom || !is_measured(one.planned.choice) || !is_of_kernel(error)) throw;
    const std::exception_ptr first = std::current_exception();
    place.without_wisdom = true;
    try {
      result = made(problem, place, options);
    } catch (const std::exception&) {
      std::rethrow_exception(first);  // the request is to blame
    }
    log_.warn("what was measured is not used, as its kernel is refused: " +
              std::string(error.what()).substr(0, 300));
  }
  return result;
}

Plan Runtime::make_plan(const FftProblem& problem, const PlanOptions& options) {
  validate(problem);
  const Place place = place_for(options);
  if (options.device == Device::automatic && place.device == Device::cpu) warn_of_emulation();
  const auto& [planned, kernels] = made(problem, place, options);
  const std::shared_ptr<const Choice> choice(planned, &planned->planned.choice);
  const Program& program = planned->planned.taken();
  check_batches(problem, program, kernels);
  const auto workspace = options.workspace_owner == WorkspaceOwner::plan
                             ? make_workspace(program, problem.batch, place)
                             : nullptr;
  return Plan(std::make_shared<const Plan::Impl>(problem, choice, program, kernels, workspace,
                                                 place.device == Device::gpu ? driver() : nullptr));
}

Plan make_plan(const FftProblem& problem, const PlanOptions& options) {
  return Runtime::process().make_plan(problem, options);
}

Choice choose_for(const FftProblem& problem, const PlanOptions& options) {
  return Runtime::process().choose_for(problem, options);
}

FastSize next_fast_size(std::int64_t n, Storage storage, const PlanOptions& options) {
  return Runtime::process().next_fast_size(n, storage, options);
}

FastShape next_fast_shape(const FftProblem& least, const PlanOptions& options) {
  return Runtime::process().next_fast_shape(least, options);
}

Cubin compile(const CudaSource& source, const Target& target) {
  return Runtime::process().compile(source, target);
}

std::size_t workspace_bytes(const FftProblem& problem, const PlanOptions& options) {
  return Runtime::process().workspace_bytes(problem, options);
}

std::vector<PreparedKernel> prepare(const FftProblem& problem, const PlanOptions& options) {
  return Runtime::process().prepare(problem, options);
}

bool gpu_available() noexcept {
  try {
    return Runtime::process().choose(Device::automatic) == Device::gpu;
  } catch (...) {
    return false;  // a malformed environment; make_plan says so
  }
}

}  // namespace sonoma
