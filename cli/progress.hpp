// A line on stderr that says how far a long job is. Silent where stderr is no terminal.
#pragma once

#include <cstddef>
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
};

}  // namespace sonoma::cli
