// What a program does with files by the library, for faults_test: each word is one use. Exit codes
// and messages as those of the command.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "compiled.hpp"
#include "disk_cache.hpp"
#include "faults_support.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/overrides.hpp"
#include "sonoma/wisdom_file.hpp"

namespace {

using namespace sonoma;
namespace fs = std::filesystem;

// Two kernels, of which one is in the cache: both are right, whatever happens to files.
int compile(const fs::path& folder) {
  const Log log(LogLevel::warn);
  Config config;
  config.cache_dir = folder;
  config.system_caches.clear();
  const DiskCache cache(config, log);
  for (const std::string& name : {tests::kept_kernel, tests::new_kernel}) {
    const Compiled compiled =
        find_or_compile(cache, tests::inputs_of(name),
                        [&](const CompileInputs&) { return tests::binary_of(name); });
    if (compiled.binary != tests::binary_of(name)) return 1;
  }
  return 0;
}

int load(const fs::path& folder) {
  const Overrides found = load_overrides(folder);
  for (const std::string& problem : found.problems) std::fprintf(stderr, "%s\n", problem.c_str());
  return found.entries.size() == 1 ? 0 : 3;
}

int load_system(const fs::path& folder) {
  const Wisdom found = load_system_wisdom(
      folder, [](const std::string& why) { std::fprintf(stderr, "%s\n", why.c_str()); });
  return found == tests::some_wisdom(2) ? 0 : 3;
}

int run(const std::string& word, const fs::path& folder) {
  if (word == "compile") return compile(folder);
  if (word == "load-overrides") return load(folder);
  if (word == "load-system-wisdom") return load_system(folder);
  if (word == "save-override") return save_override(folder, tests::some_override(2)), 0;
  if (word == "remove-override") return remove_override(folder, tests::some_override(1)), 0;
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 3 ? run(argv[1], argv[2]) : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sonoma: %s\n", error.what());
    return 3;
  }
}
