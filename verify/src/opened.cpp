#include "opened.hpp"

#include <dlfcn.h>

#include <system_error>

namespace sonoma::verification {

boost::dll::shared_library open_library(const std::string& what, const std::string& package,
                                        const std::vector<std::string>& names) {
  namespace load_mode = boost::dll::load_mode;
  const auto mode = load_mode::rtld_now | load_mode::search_system_folders |
                    static_cast<load_mode::type>(RTLD_NODELETE);
  std::string tried;
  for (const std::string& name : names) {
    boost::dll::shared_library library;
    std::error_code error;
    library.load(name, mode, error);
    if (!error) return library;
    tried += (tried.empty() ? "" : ", ") + name;
  }
  throw std::runtime_error(what + ", against which results are verified, cannot be opened (" +
                           tried + "): install it (Debian: " + package +
                           "), or name its folder in LD_LIBRARY_PATH");
}

}  // namespace sonoma::verification
