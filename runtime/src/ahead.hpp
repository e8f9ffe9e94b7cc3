// What was made ahead of time: the first place where requests and launches are looked for.
#pragma once

#include <optional>
#include <string>

#include "bundles.hpp"
#include "emitted.hpp"
#include "sonoma/config.hpp"
#include "sonoma/planned.hpp"

namespace sonoma {

/// A request as far as its kernels depend on it.
struct AheadKey {
  FftProblem problem;  ///< batch 0: any
  Tuning tuning;       ///< as given
  WorkspacePolicy policy = WorkspacePolicy::fast;
  int arch = 0;
};
[[nodiscard]] std::string plan_key(const AheadKey& key);
/// Of kernels that do not depend on which buffers a launch reads and writes.
[[nodiscard]] std::string kernel_key(Launch launch, int arch);

/// What is kept of a request: the program that serves it.
[[nodiscard]] std::string encode(const Choice& choice, const Program& program,
                                 const std::vector<Emitted>& kernels);

/// Its text and tables.
void add_kernel(BundleWriter& writer, const std::string& key, Emitted emitted);

struct AheadPlan {
  Planned planned;
  int arch = 0;  ///< that its kernels were made for
};

struct FoundKernel {
  Emitted emitted;
  std::string binary;  ///< a cubin, or PTX; of the emulated device empty
};

class Ahead {
 public:
  /// `bundles`: beside those of Config::kernel_bundles.
  Ahead(const Config& config, const Log& log, Bundles& bundles);

  /// For a GPU of the architecture of `target`, or on the emulated device. First what was made for
  /// this very batch and architecture, then for any batch; then for one whose cubins run here; then
  /// as PTX for an older one.
  [[nodiscard]] std::optional<AheadPlan> find_plan(AheadKey key, const Target& target, bool on_gpu);

  /// `arch`: that it was made for. `device`: the architecture it is to run on; 0: emulated.
  [[nodiscard]] std::optional<FoundKernel> find_kernel(const Launch& launch, int arch, int device);

  /// Another number after a bundle was loaded.
  [[nodiscard]] std::size_t version() { return bundles_.version(); }

  /// What there is, for a message.
  [[nodiscard]] std::string list();

 private:
  [[nodiscard]] Bundles::List all();

  const Config& config_;
  const Log& log_;
  Bundles& bundles_;
  std::mutex mutex_;
  bool loaded_ = false;  // those of the configuration
  Bundles::List own_;
};

/// The message of a request that was not made ahead of time. `list`: Ahead::list().
[[nodiscard]] std::string not_made_ahead(const AheadKey& key, const std::string& list);

}  // namespace sonoma
