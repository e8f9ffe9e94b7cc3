#include "sonoma/config.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace sonoma {
namespace {

namespace fs = std::filesystem;
using Lookup = std::function<const char*(const char*)>;

std::string variable(const Lookup& lookup, const char* name) {
  const char* value = lookup(name);
  return value != nullptr ? value : "";
}

bool is_set(const Lookup& lookup, const char* name) {
  const std::string value = variable(lookup, name);
  return !value.empty() && value != "0";
}

// Sonoma's folder in that of `xdg_name`, by default `in_home`; empty without both.
fs::path user_folder(const Lookup& lookup, const char* xdg_name, const char* in_home) {
  const fs::path xdg = variable(lookup, xdg_name);
  if (xdg.is_absolute()) return xdg / "sonoma";  // the XDG specification: ignore relative ones
  const fs::path home = variable(lookup, "HOME");
  if (home.is_absolute()) return home / in_home / "sonoma";
  return {};
}

fs::path cache_dir_of(const Lookup& lookup) {
  const fs::path own = variable(lookup, "SONOMA_CACHE_DIR");
  if (!own.empty()) return fs::absolute(own);
  return user_folder(lookup, "XDG_CACHE_HOME", ".cache");
}

fs::path wisdom_file_of(const Lookup& lookup) {
  const fs::path own = variable(lookup, "SONOMA_WISDOM");
  if (!own.empty()) return fs::absolute(own);
  const fs::path folder = user_folder(lookup, "XDG_CONFIG_HOME", ".config");
  return folder.empty() ? folder : folder / "wisdom.json";
}

fs::path overrides_dir_of(const Lookup& lookup) {
  const fs::path own = variable(lookup, "SONOMA_OVERRIDES_DIR");
  if (!own.empty()) return fs::absolute(own);
  const fs::path folder = user_folder(lookup, "XDG_CONFIG_HOME", ".config");
  return folder.empty() ? folder : folder / "overrides";
}

// Paths separated by colons.
void append_paths(std::string_view text, std::vector<fs::path>& paths) {
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(':'), text.size());
    if (size > 0) paths.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
}

// Nothing: not set.
std::optional<std::string> variable_if_set(const Lookup& lookup, const char* name) {
  const char* value = lookup(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

// A limit in MiB, where it is set.
void set_limit(const Lookup& lookup, const char* name, std::uint64_t& bytes) {
  const std::string text = variable(lookup, name);
  if (text.empty()) return;
  std::uint64_t mib = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, mib);
  if (error != std::errc{} || stop != end || mib >> 40 != 0) {
    throw std::invalid_argument(std::string(name) + "='" + text +
                                "': must be a number of MiB, 0 to 2^40 - 1");
  }
  bytes = mib << 20;
}

LogLevel log_level_of(const Lookup& lookup) {
  static constexpr std::array<std::pair<std::string_view, LogLevel>, 6> words = {{
      {"", LogLevel::warn},
      {"off", LogLevel::off},
      {"error", LogLevel::error},
      {"warn", LogLevel::warn},
      {"info", LogLevel::info},
      {"debug", LogLevel::debug},
  }};
  const std::string value = variable(lookup, "SONOMA_LOG");
  for (const auto& [word, level] : words) {
    if (word == value) return level;
  }
  throw std::invalid_argument("SONOMA_LOG='" + value +
                              "': allowed are off, error, warn, info and debug");
}

}  // namespace

Config Config::from_environment(const Lookup& lookup) {
  Config result;
  result.cache_dir = cache_dir_of(lookup);
  result.cache_read = !is_set(lookup, "SONOMA_CACHE_READ_OFF");
  result.cache_write = !is_set(lookup, "SONOMA_CACHE_WRITE_OFF");
  set_limit(lookup, "SONOMA_CACHE_LIMIT_MIB", result.cache_limit_bytes);
  set_limit(lookup, "SONOMA_CACHE_ENTRY_LIMIT_MIB", result.cache_entry_limit_bytes);
  if (const auto folders = variable_if_set(lookup, "SONOMA_SYSTEM_CACHE")) {
    result.system_caches.clear();
    append_paths(*folders, result.system_caches);
  }
  append_paths(variable(lookup, "SONOMA_KERNELS"), result.kernel_bundles);
  result.aot_only = is_set(lookup, "SONOMA_AOT_ONLY");
  result.wisdom_file = wisdom_file_of(lookup);
  if (const auto folder = variable_if_set(lookup, "SONOMA_SYSTEM_WISDOM")) {
    result.system_wisdom = *folder;
  }
  result.overrides_dir = overrides_dir_of(lookup);
  result.overrides = is_set(lookup, "SONOMA_OVERRIDES");
  result.cuda_path = variable(lookup, "SONOMA_CUDA_PATH");
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const std::string root = variable(lookup, name); !root.empty()) {
      result.cuda_roots.emplace_back(root);
    }
  }
  result.cuda_roots.emplace_back("/usr/local/cuda");
  append_paths(SONOMA_CUDA_HINTS, result.cuda_roots);
  if (const fs::path own = variable(lookup, "TMPDIR"); own.is_absolute()) {
    result.temporary_dir = own;
  }
  result.host_compiler = variable(lookup, "SONOMA_CXX");
  result.log_level = log_level_of(lookup);
  return result;
}

namespace {

// What configure() was given; gone once it was taken.
struct Given {
  std::mutex mutex;
  std::optional<Config> config;
  bool taken = false;
};

Given& given() {
  static Given one;
  return one;
}

Config take_config() {
  const std::lock_guard lock(given().mutex);
  given().taken = true;
  if (given().config) return *given().config;
  return Config::from_environment([](const char* name) { return ::secure_getenv(name); });
}

}  // namespace

const Config& config() {
  static const Config process = take_config();
  return process;
}

void configure(const Config& settings) {
  const std::lock_guard lock(given().mutex);
  if (given().taken || given().config) {
    throw std::logic_error(
        "configure: the configuration of this process is in use or was given before; call it once, "
        "before the first plan");
  }
  given().config = settings;
}

}  // namespace sonoma
