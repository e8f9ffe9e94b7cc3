#include "log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace sonoma {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::off:
      return spdlog::level::off;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::debug:
      return spdlog::level::debug;
  }
  return spdlog::level::warn;
}

}  // namespace

// Not registered with spdlog: an application's own loggers and levels stay as they are.
Log::Log(LogLevel level)
    : logger_(std::make_shared<spdlog::logger>("sonoma",
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_level(level_of(level));
  logger_->set_pattern("[%n %l] %v");
}

// The message goes in as an argument: braces in a path are not a format.
void Log::warn(const std::string& message) const noexcept { logger_->warn("{}", message); }
void Log::info(const std::string& message) const noexcept { logger_->info("{}", message); }
void Log::debug(const std::string& message) const noexcept { logger_->debug("{}", message); }

}  // namespace sonoma
