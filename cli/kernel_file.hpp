// Edited kernels: what `emit` wrote, changed by hand, in the place of a plan's kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "request_options.hpp"

namespace sonoma::cli {

/// --kernel, --overrides.
struct KernelOptions {
  std::string kernel;
  bool overrides = false;
};
void add_kernel_options(CLI::App& command, KernelOptions& options);

/// Of an edited kernel, where results are judged.
void refuse_code(const RequestOptions& request);

class KernelFile {
 public:
  /// Throws FileError, and BadArgument where it defines no kernel.
  explicit KernelFile(const std::string& path);

  /// `own`, and what it leaves open as the command in the file's first lines says it. A file of one
  /// kernel of several, or without a command, says nothing.
  [[nodiscard]] RequestOptions completed(RequestOptions own) const;
  /// The options of that command, or nothing.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

  /// Gives the file in the place of those kernels that it defines and, as far as it says so, was
  /// made of.
  [[nodiscard]] EditKernel edit() const;
  /// Throws BadArgument where no plan made use of it.
  void require_used() const;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Use;

  std::string path_, text_;
  std::vector<std::string> commands_;  ///< of all kernels in it, each on a line
  std::vector<std::string> words_;
  std::shared_ptr<Use> use_;
};

/// Completes the request by the file of --kernel, if any, and gives its plans that file, or the
/// overrides. Call require_used() of the result once a plan is made.
class KernelInUse {
 public:
  KernelInUse(const KernelOptions& options, RequestOptions& request);

  void apply(PlanOptions& options) const;
  [[nodiscard]] EditKernel edit() const;  ///< of a file that is given
  void require_used() const;
  [[nodiscard]] bool given() const { return file_ != nullptr; }

 private:
  std::shared_ptr<const KernelFile> file_;
  bool overrides_;
};

}  // namespace sonoma::cli
