// Of which kernels an entry is.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma {
namespace {

// FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
void add(std::string_view bytes, std::uint64_t& hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
}

// What the compiler sees of it: no comments, no indentation, no empty lines.
void add_code(std::string_view text, std::uint64_t& hash) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::string_view code = line.substr(0, line.find("//"));
    code = code.substr(0, code.find_last_not_of(' ') + 1);
    if (code.empty()) continue;
    add(code.substr(code.find_first_not_of(' ')), hash);
    add("\n", hash);
  }
}

void add_number(std::uint32_t value, std::uint64_t& hash) {
  std::array<char, 11> digits;  // and a space
  char* end = std::to_chars(digits.data(), digits.data() + digits.size() - 1, value).ptr;
  *end++ = ' ';
  add({digits.data(), end}, hash);
}

void add_kernel(const CudaSource& source, std::uint64_t& hash) {
  add_code(source.text, hash);
  const LaunchShape& launch = source.launch;
  for (const auto value :
       {launch.threads, launch.shared_bytes, launch.transforms_per_block, launch.cluster}) {
    add_number(value, hash);
  }
  for (const auto word : source.tables) add_number(word, hash);
}

}  // namespace

std::string kernels_of(const std::vector<CudaSource>& sources) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const CudaSource& source : sources) add_kernel(source, hash);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string kernels_of(const WisdomEntry& entry) {
  try {
    const Target target = target_for(std::to_string(entry.platform.arch));
    std::vector<CudaSource> sources;
    for (const Launch& launch :
         make_program(measured_problem(entry), target, entry.tuning).launches) {
      sources.push_back(generate(launch, target).source);
    }
    return kernels_of(sources);
  } catch (const UnsupportedProblem&) {
    return {};
  }
}

std::string since_measured(const WisdomEntry& entry) {
  if (entry.kernels.empty()) return ", of kernels that were not recorded";
  return entry.kernels == kernels_of(entry) ? "" : ", of kernels that have changed since";
}

}  // namespace sonoma
