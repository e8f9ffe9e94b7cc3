// The bundles that a process knows: linked in, and loaded.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel_bundle.hpp"
#include "log.hpp"

namespace sonoma {

class Bundles {
 public:
  using List = std::vector<std::shared_ptr<const KernelBundle>>;

  /// Those of this process. Never destroyed: other static objects may make plans.
  static Bundles& process();

  void add(KernelBundle bundle);
  /// Is not read before all() is called.
  void add_linked(std::string name, std::string_view bytes);

  /// In the order in which they were added. One that was linked in and cannot be used is left out,
  /// and the log says so, once.
  [[nodiscard]] List all(const Log& log);
  /// Another number after one was added.
  [[nodiscard]] std::size_t version();

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::string_view>> linked_;  // not read yet
  List list_;
  std::size_t version_ = 0;
};

}  // namespace sonoma
