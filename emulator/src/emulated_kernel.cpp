#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/dll/shared_library.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <numeric>
#include <random>
#include <system_error>
#include <thread>
#include <type_traits>

#include "block_runner.hpp"
#include "hook_table.hpp"
#include "sonoma/emulator.hpp"

namespace sonoma {
namespace {

using emulator::BlockRunner;
using emulator::LaunchArguments;

// A path to an open file that no earlier call gave: dlopen takes a path it has seen for the
// library it then loaded, and descriptors are used again.
std::string fresh_path(int descriptor) {
  static std::atomic<std::uint64_t> calls{0};
  std::string path = "/proc/self/fd/";
  for (std::uint64_t bits = ++calls; bits != 0; bits >>= 1) path += (bits & 1) != 0 ? "./" : ".//";
  return path + std::to_string(descriptor);
}

bool write_all(int descriptor, const std::vector<std::uint8_t>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

boost::dll::shared_library load(const std::vector<std::uint8_t>& object, const std::string& name) {
  const int file = memfd_create(name.substr(0, 200).c_str(), MFD_CLOEXEC);
  if (file < 0 || !write_all(file, object)) {
    const std::string why = std::strerror(errno);
    if (file >= 0) close(file);
    throw EmulationError("kernel " + name + ": cannot hold its object in memory: " + why);
  }
  boost::dll::shared_library library;
  std::error_code error;
  library.load(fresh_path(file), boost::dll::load_mode::rtld_now, error);
  const char* reason = dlerror();  // Boost's own code says "bad file descriptor" of everything
  close(file);
  if (!error) return library;
  throw EmulationError("kernel " + name + ": cannot load its object: " +
                       (reason != nullptr ? reason : error.message()));
}

void check_pointer(const std::string& kernel, const char* argument, const void* pointer) {
  if (reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0) return;
  throw EmulationError("kernel " + kernel + ": '" + argument +
                       "' is not 16-byte aligned; pass a pointer that is a multiple of 16");
}

std::vector<std::uint32_t> shuffled_blocks(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> blocks(count);
  std::iota(blocks.begin(), blocks.end(), 0u);
  std::shuffle(blocks.begin(), blocks.end(), std::mt19937_64(seed));
  return blocks;
}

void add(EmulationReport& sum, const EmulationReport& part) {
  sum.blocks += part.blocks;
  sum.mmas += part.mmas;
  sum.block_barriers += part.block_barriers;
  sum.warp_barriers += part.warp_barriers;
  sum.cluster_barriers += part.cluster_barriers;
  const auto add_wavefronts = [](WavefrontCount& to, const WavefrontCount& from) {
    to.total += from.total;
    to.minimum += from.minimum;
  };
  add_wavefronts(sum.loads, part.loads);
  add_wavefronts(sum.stores, part.stores);
  add_wavefronts(sum.copies, part.copies);
}

// What the host threads of a launch share.
struct Shared {
  const LaunchArguments& launch;
  std::vector<std::uint32_t> blocks;
  std::atomic<std::size_t> next{0};
  std::mutex mutex{};
  EmulationReport report{};
  std::exception_ptr error{};
};

void run_blocks(Shared& shared) {
  try {
    BlockRunner runner(shared.launch);
    for (std::size_t i; (i = shared.next++) < shared.blocks.size();) runner.run(shared.blocks[i]);
    const std::lock_guard lock(shared.mutex);
    add(shared.report, runner.report());
  } catch (...) {
    const std::lock_guard lock(shared.mutex);
    shared.next = shared.blocks.size();
    if (!shared.error) shared.error = std::current_exception();
  }
}

// Each has a stack with a guard page for every CUDA thread, two mappings of the process each. More
// than this many host threads come near the system's limit of 65,530 mappings.
constexpr unsigned most_host_threads_by_default = 32;

EmulationReport run_all(const LaunchArguments& launch, std::uint64_t block_count) {
  Shared shared{.launch = launch,
                .blocks = shuffled_blocks(block_count, launch.options.order_seed)};
  const unsigned wanted =
      launch.options.host_threads != 0
          ? launch.options.host_threads
          : std::clamp(std::thread::hardware_concurrency(), 1u, most_host_threads_by_default);
  const std::uint64_t helpers = std::min<std::uint64_t>(wanted, block_count) - 1;
  std::vector<std::jthread> threads;
  for (std::uint64_t i = 0; i < helpers; ++i) threads.emplace_back([&] { run_blocks(shared); });
  run_blocks(shared);
  threads.clear();
  if (shared.error) std::rethrow_exception(shared.error);
  return shared.report;
}

}  // namespace

class EmulatedKernel::Impl {
 public:
  Impl(const std::vector<std::uint8_t>& object, const CudaSource& source)
      : name_(source.name), shape_(source.launch), library_(load(object, source.name)) {
    if (shape_.cluster < 1 || (shape_.cluster > 1 && shape_.threads % 32 != 0)) {
      throw EmulationError("kernel " + name_ + ": clusters of " + std::to_string(shape_.cluster) +
                           " blocks of " + std::to_string(shape_.threads) +
                           " threads; allowed is at least one block, in a cluster of whole warps");
    }
    if (shape_.threads < 1 || shape_.threads > 1024 || shape_.transforms_per_block < 1) {
      throw EmulationError("kernel " + name_ + ": launch shape of " +
                           std::to_string(shape_.threads) + " threads and " +
                           std::to_string(shape_.transforms_per_block) +
                           " transforms a block; allowed are 1 to 1024 threads and at least one");
    }
    auto* const bind = function<unsigned(const sonoma_emulator::Hooks*)>("sonoma_emulator_bind");
    if (bind(&emulator::hook_table()) != sonoma_emulator::hooks_version) {
      throw EmulationError("kernel " + name_ +
                           ": its object was compiled by another version of Sonoma; compile it "
                           "again");
    }
    kernel_ = function<std::remove_pointer_t<emulator::KernelFunction>>(name_);
  }

  [[nodiscard]] LaunchArguments arguments() const {
    return {.kernel = kernel_,
            .name = name_,
            .shape = shape_,
            .in = {},
            .out = {},
            .tables = {},
            .workspace = {},
            .caller = {},
            .batch = 0,
            .options = {}};
  }

 private:
  template <class Function>
  [[nodiscard]] Function* function(const std::string& wanted) const {
    if (library_.has(wanted)) return &library_.get<Function>(wanted);
    throw EmulationError("kernel " + name_ + ": its object has no function '" + wanted + "'");
  }

  std::string name_;
  LaunchShape shape_;
  boost::dll::shared_library library_;
  emulator::KernelFunction kernel_ = nullptr;
};

EmulatedKernel::EmulatedKernel(const std::vector<std::uint8_t>& object, const CudaSource& source)
    : impl_(std::make_unique<const Impl>(object, source)) {}
EmulatedKernel::~EmulatedKernel() = default;
EmulatedKernel::EmulatedKernel(EmulatedKernel&&) noexcept = default;
EmulatedKernel& EmulatedKernel::operator=(EmulatedKernel&&) noexcept = default;

EmulationReport EmulatedKernel::launch(std::span<const std::byte> in, std::span<std::byte> out,
                                       std::span<const std::uint32_t> tables, std::uint64_t batch,
                                       const EmulationOptions& options,
                                       std::span<std::byte> workspace,
                                       const CallerArguments& caller) const {
  LaunchArguments launch = impl_->arguments();
  check_pointer(launch.name, "tables", tables.data());
  check_pointer(launch.name, "workspace", workspace.data());
  launch.in = in;
  launch.out = out;
  launch.tables = tables;
  launch.workspace = workspace;
  launch.caller = caller;
  launch.batch = batch;
  launch.options = options;
  if (options.check_races) {
    launch.options.check_bounds = true;  // the record of accesses has no place for others
    launch.options.host_threads = 1;     // one record for all blocks
  }
  // A cluster takes as many stacks as several blocks do.
  if (!workspace.empty() || launch.shape.cluster > 1) launch.options.host_threads = 1;
  const std::uint64_t blocks = launch.shape.blocks(batch);  // whole clusters
  if (blocks > 0x7fffffffu) {
    throw EmulationError("kernel " + launch.name + ": batch of " + std::to_string(batch) +
                         " makes " + std::to_string(blocks) +
                         " blocks; at most 2147483647 are allowed: split the batch");
  }
  if (blocks == 0) return {};
  return run_all(launch, blocks / launch.shape.cluster);
}

}  // namespace sonoma
