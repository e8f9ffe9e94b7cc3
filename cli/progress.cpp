#include "progress.hpp"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace sonoma::cli {

Progress::Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::begin(std::string_view what) {
  ++begun_;
  show(what);
}

void Progress::show(std::string_view what) {
  constexpr std::chrono::seconds rarely(30);
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ && now - shown_ < rarely) return;
  shown_ = now;
  clear();
  fmt::print(stderr, "[{}/{}] {}{}", begun_, total_, what, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::clear() {
  if (!terminal_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

std::string time_left(std::size_t done, std::size_t all, double seconds) {
  if (done == 0 || seconds < 1) return {};
  const double left =
      seconds * static_cast<double>(all - std::min(done, all)) / static_cast<double>(done);
  if (left < 100) return fmt::format(", {:.0f} s left", left);
  return left < 6000 ? fmt::format(", {:.0f} min left", left / 60)
                     : fmt::format(", {:.1f} h left", left / 3600);
}

}  // namespace sonoma::cli
