#include "progress.hpp"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cstdio>

namespace sonoma::cli {

Progress::Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::begin(std::string_view what) {
  ++begun_;
  show(what);
}

void Progress::show(std::string_view what) {
  if (!terminal_) return;
  clear();
  fmt::print(stderr, "[{}/{}] {}", begun_, total_, what);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!terminal_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace sonoma::cli
