// sonoma cache: the disk cache of compiled kernels.
#include "sonoma/cache.hpp"

#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "arguments.hpp"
#include "cache_bundle.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct CacheOptions {
  bool as_json = false;
  std::optional<std::string> keep_mib;
};

std::string time_text(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

json to_json(const CachedKernel& kernel) {
  return {{"path", kernel.path.string()}, {"key", kernel.key},
          {"kind", kernel.kind},          {"name", kernel.name},
          {"arch", kernel.arch},          {"compiler", kernel.compiler},
          {"bytes", kernel.bytes},        {"last_used", kernel.last_used}};
}

json to_json(const CacheContents& contents) {
  json kernels = json::array(), texts = json::array(), faults = json::array();
  for (const auto& kernel : contents.kernels) kernels.push_back(to_json(kernel));
  for (const auto& text : contents.texts) texts.push_back(to_json(text));
  for (const auto& fault : contents.faults) {
    faults.push_back({{"path", fault.path.string()}, {"reason", fault.reason}});
  }
  return {{"kernels", kernels}, {"texts", texts}, {"faults", faults}};
}

void print_faults(const CacheContents& contents) {
  for (const auto& fault : contents.faults) {
    fmt::print("not sound: {}: {}\n", fault.path.string(), fault.reason);
  }
}

// Their bytes together.
std::uint64_t print_entries(const std::vector<CachedKernel>& entries) {
  std::uint64_t bytes = 0;
  for (const auto& entry : entries) {
    bytes += entry.bytes;
    fmt::print("{:.12} {:<5} {:<7} {:>9} {} {} ({})\n", entry.key, entry.kind, entry.arch,
               entry.bytes, time_text(entry.last_used), entry.name, first_line(entry.compiler));
  }
  return bytes;
}

void list(const CacheOptions& options) {
  const CacheContents contents = inspect_cache();
  if (options.as_json) return fmt::print("{}\n", to_json(contents).dump(2));
  const std::uint64_t bytes = print_entries(contents.kernels) + print_entries(contents.texts);
  print_faults(contents);
  fmt::print("{} kernels, {} texts of the generator, {} bytes in {}\n", contents.kernels.size(),
             contents.texts.size(), bytes, cache_path().string());
}

bool verify_entries(const CacheOptions& options) {
  const CacheContents contents = inspect_cache();
  if (options.as_json) {
    fmt::print("{}\n", to_json(contents).dump(2));
  } else {
    print_faults(contents);
    fmt::print("{} entries sound, {} not\n", contents.kernels.size() + contents.texts.size(),
               contents.faults.size());
  }
  return contents.faults.empty();
}

void prune(const CacheOptions& options) {
  std::uint64_t keep_bytes = config().cache_limit_bytes;
  if (options.keep_mib) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max() >> 20;
    keep_bytes = static_cast<std::uint64_t>(parse_integer(
                     "--keep-mib", *options.keep_mib, 0, most,
                     "must be a number of MiB, 0 or more; without it the limit of the "
                     "cache is kept"))
                 << 20;
  }
  const CachePruning result = prune_cache(keep_bytes);
  if (options.as_json) {
    return fmt::print("{}\n", json{{"removed_files", result.removed_files},
                                   {"removed_bytes", result.removed_bytes},
                                   {"kept_bytes", result.kept_bytes}}
                                  .dump(2));
  }
  fmt::print("{} files, {} bytes removed; {} bytes kept\n", result.removed_files,
             result.removed_bytes, result.kept_bytes);
}

void print_path(const CacheOptions& options) {
  const std::string path = cache_path().string();
  fmt::print("{}\n", options.as_json ? json{{"path", path}}.dump(2) : path);
}

}  // namespace

void add_cache_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CacheOptions>();
  CLI::App* cache = app.add_subcommand("cache", "The disk cache of compiled kernels");
  cache->require_subcommand(1);
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = cache->add_subcommand(name, help);
    command->add_flag("--json", options->as_json, "print a JSON document");
    return command;
  };
  add("ls", "List the entries")->callback([options] { list(*options); });
  add("verify", "Read and check every entry; exit code 1 if one is not sound")
      ->callback([options, &exit_code] {
        if (!verify_entries(*options)) exit_code = exit_not_verified;
      });
  CLI::App* pruning =
      add("prune", "Remove what is not sound, then the least recently used beyond the limit");
  pruning->add_option("--keep-mib", options->keep_mib, "MiB to keep (0 empties the cache)");
  pruning->callback([options] { prune(*options); });
  add("path", "Print the folder")->callback([options] { print_path(*options); });
  add_cache_bundle_commands(*cache, exit_code);
}

}  // namespace sonoma::cli
