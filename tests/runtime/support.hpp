// What the runtime's tests share.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "../temporary_folder.hpp"
#include "compiled.hpp"

namespace sonoma::testing {

inline Config config_with_cache(const std::filesystem::path& folder) {
  Config config;
  config.cache_dir = folder;
  config.system_caches.clear();  // those of this machine
  return config;
}

inline CompileInputs some_inputs(const std::string& name = "kernel") {
  return {"cubin",
          name,
          "sm_90",
          "some compiler 1.2 build 3",
          {"--first", "--second=2"},
          "__global__ void " + name + "() {}\n"};
}

inline Binary some_binary(std::size_t size = 100) {
  Binary binary{std::string(size, '\0'), "a log\nof two lines"};
  for (std::size_t i = 0; i < size; ++i) binary.bytes[i] = static_cast<char>(i * 7919 >> 3);
  return binary;
}

/// Compiles nothing, and counts.
struct CountingCompiler {
  int calls = 0;
  Binary result = some_binary();

  CompileFunction function() {
    return [this](const CompileInputs&) {
      ++calls;
      return result;
    };
  }
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// As the cache writes: mode 0600.
inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  ::chmod(path.c_str(), 0600);
}

inline std::filesystem::path entry_path(const std::filesystem::path& folder,
                                        const CompileInputs& inputs) {
  return folder / entry_file_name(cache_key(inputs));
}

/// Warnings that `body` logs.
inline int count_warnings(const std::function<void()>& body) {
  ::testing::internal::CaptureStderr();
  body();
  const std::string text = ::testing::internal::GetCapturedStderr();
  int count = 0;
  for (std::size_t at = 0; (at = text.find("[sonoma warning]", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

/// Runs `body` in a process of its own, which exits with its value.
inline pid_t start_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  return child;
}

/// Exit code of the child, or 128 + the signal that ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace sonoma::testing
