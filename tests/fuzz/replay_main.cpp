// Runs a fuzz target over files, for compilers without libFuzzer: `fuzz_request corpus/request`.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz.hpp"

namespace fs = std::filesystem;

static std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& item : fs::directory_iterator(path)) files.push_back(item.path());
  return files;
}

static void replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no such file: " + path.string());
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::printf("%s, %zu bytes\n", path.c_str(), bytes.size());
  std::fflush(stdout);  // the last line names the file that a target ends at
  (void)LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

int main(int argc, char** argv) {
  int count = 0;
  try {
    for (int i = 1; i < argc; ++i) {
      for (const fs::path& file : files_of(argv[i])) replay(file), ++count;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not a refusal: %s\n", error.what());
    return 1;
  }
  if (count == 0) std::fprintf(stderr, "no files\n");
  return count == 0 ? 1 : 0;
}
