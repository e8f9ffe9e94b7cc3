// The one place that logs. To stderr; silent below the configured level.
#pragma once

#include <memory>
#include <string>

#include "sonoma/config.hpp"

namespace spdlog {
class logger;
}

namespace sonoma {

class Log {
 public:
  explicit Log(LogLevel level);

  void warn(const std::string& message) const noexcept;
  void info(const std::string& message) const noexcept;
  void debug(const std::string& message) const noexcept;

 private:
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace sonoma
