// Runs a program and catches what it says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sonoma::tests {

struct CommandResult {
  int exit_code = -1;  ///< 128 + signal where a signal ended it
  std::string out, err;
};

/// arguments[0] is the program's path. `environment` ("NAME=value") is added to this process's.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& environment = {});

/// A folder that the destructor removes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace sonoma::tests
