#include "sonoma/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sonoma/emulator.hpp"

namespace sonoma::emulator {
namespace {

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ProcessResult finish(pid_t child, int descriptor) {
  ProcessResult result;
  result.output = read_all(descriptor);
  close(descriptor);
  result.exit_status = wait_for(child);
  return result;
}

ProcessResult run_process(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw EmulationError("cannot open a pipe: " + std::string(std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure == 0) return finish(child, ends[0]);
  close(ends[0]);
  throw EmulationError("cannot run the host compiler '" + arguments[0] + "': " +
                       std::strerror(failure) + "; install one (Debian: g++) or name another");
}

PrivateFolder::PrivateFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "sonoma-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw EmulationError("cannot make a temporary folder in '" + parent.string() + "': " +
                         std::strerror(errno) + "; name a writable folder (plans take TMPDIR)");
  }
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace sonoma::emulator
