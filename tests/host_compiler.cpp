#include "host_compiler.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace sonoma::test {
namespace {

const HostCompiler& host_compiler() {
  static const char* const given = std::getenv("SONOMA_CXX");
  static const HostCompiler compiler(given == nullptr || *given == '\0' ? "c++" : given);
  return compiler;
}

}  // namespace

std::vector<std::uint8_t> compiled(const CudaSource& source) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::vector<std::uint8_t>> known;
  const std::pair key{source.name, source.text};
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
  }
  std::vector<std::uint8_t> object = host_compiler().compile(source);
  const std::lock_guard lock(mutex);
  return known.emplace(key, std::move(object)).first->second;
}

}  // namespace sonoma::test
