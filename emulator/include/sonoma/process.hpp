// Child processes: another program, run without a shell; the output and the end of any.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sonoma::emulator {

struct ProcessResult {
  int exit_status = 0;  ///< 128 + signal if a signal ended it
  std::string output;   ///< standard output and error together
};

/// Throws EmulationError if the program (arguments[0], found through PATH) cannot be started.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& arguments);

/// Reads what `child` writes into the pipe `descriptor`, until it is closed everywhere else, and
/// waits for the child's end. Closes `descriptor`.
[[nodiscard]] ProcessResult finish(pid_t child, int descriptor);

/// A folder of mode 0700 with a random name, removed with all it holds on destruction.
class PrivateFolder {
 public:
  /// Throws EmulationError naming `parent` if nothing can be made there.
  explicit PrivateFolder(const std::filesystem::path& parent);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace sonoma::emulator
