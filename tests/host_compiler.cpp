#include "host_compiler.hpp"

#include <cstdlib>

namespace sonoma::test {

const HostCompiler& host_compiler() {
  static const char* const given = std::getenv("SONOMA_CXX");
  static const HostCompiler compiler(given == nullptr || *given == '\0' ? "c++" : given);
  return compiler;
}

}  // namespace sonoma::test
