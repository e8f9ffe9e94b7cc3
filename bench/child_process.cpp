#include "child_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "sonoma/fft_error.hpp"
#include "sonoma/process.hpp"

namespace sonoma::bench {
namespace {

// What a child says: one of these letters, and the text; after `failed`, the stage comes first.
constexpr char returned = 'r', failed = 'f', threw = 'e';

std::string answer_of(const std::function<std::string()>& task) {
  try {
    return returned + task();
  } catch (const FftError& error) {
    return std::string{failed, static_cast<char>('0' + static_cast<int>(error.stage()))} +
           error.message();
  } catch (const std::exception& error) {
    return threw + std::string(error.what());
  }
}

[[noreturn]] void run_child(int pipe, const std::function<std::string()>& task) {
  const std::string answer = answer_of(task);
  std::string_view rest = answer;
  while (!rest.empty()) {
    const ssize_t written = write(pipe, rest.data(), rest.size());
    if (written < 0) _exit(1);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  _exit(0);  // no destructors: what this process was forked with is its parent's
}

}  // namespace

std::string in_child_process(const std::function<std::string()>& task) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
  std::fflush(nullptr);  // or both processes would print what is buffered
  const pid_t child = fork();
  if (child == 0) run_child(ends[1], task);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw std::runtime_error("a process cannot be started");
  }
  const auto [status, answer] = emulator::finish(child, ends[0]);
  if (answer.empty() || status != 0) {
    throw ProcessEnded("a measuring process ended with status " + std::to_string(status));
  }
  if (answer[0] == returned) return answer.substr(1);
  if (answer[0] == failed) throw FftError(static_cast<Stage>(answer[1] - '0'), answer.substr(2));
  throw std::runtime_error(answer.substr(1));
}

}  // namespace sonoma::bench
