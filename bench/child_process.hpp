// A fresh process for what can be measured only once in each.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace sonoma::bench {

/// The child ended before its task did.
class ProcessEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs `task` in a fork of this process and returns what it returned. An FftError of the task is
/// thrown here with its stage and message, any other exception as std::runtime_error, and
/// ProcessEnded where it ends its process. This process must have one thread and must not have used
/// CUDA.
[[nodiscard]] std::string in_child_process(const std::function<std::string()>& task);

}  // namespace sonoma::bench
