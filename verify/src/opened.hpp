// Libraries that references call, opened at run time.
#pragma once

#include <boost/dll/shared_library.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonoma::verification {

/// The first of these libraries that can be opened; it stays open. `what` is it, and `package`
/// brings it on Debian. Throws std::runtime_error, which says what to install.
[[nodiscard]] boost::dll::shared_library open_library(const std::string& what,
                                                      const std::string& package,
                                                      const std::vector<std::string>& names);

/// Throws std::runtime_error where the library has no such function.
template <class Function>
void take(const boost::dll::shared_library& library, const std::string& what,
          const std::string& name, Function*& function) {
  if (!library.has(name)) throw std::runtime_error(what + ": the library has no " + name);
  function = &library.get<Function>(name);
}

}  // namespace sonoma::verification
