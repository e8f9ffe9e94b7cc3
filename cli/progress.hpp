// A line on stderr that says how far a long job is. Where stderr is no terminal, a line each half
// minute.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace sonoma::cli {

class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress();  ///< clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows "[done/total] what" and counts `what` as begun.
  void begin(std::string_view what);
  /// Replaces "what".
  void show(std::string_view what);
  /// Clears the line, so that something else can be printed.
  void clear();

 private:
  std::size_t total_, begun_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

/// ", 3 min left" of work of which `done` of `all` took so many seconds; empty while that says
/// nothing.
[[nodiscard]] std::string time_left(std::size_t done, std::size_t all, double seconds);

}  // namespace sonoma::cli
