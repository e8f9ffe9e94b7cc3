#include "cache_bundle.hpp"

#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "exit_codes.hpp"
#include "sonoma/cache_bundle.hpp"
#include "sonoma/target.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct BundleOptions {
  std::string file, to, out, key;
  std::vector<std::string> archs, kinds, keys;
  bool as_json = false;
};

json to_json(const std::vector<CacheFault>& faults) {
  json list = json::array();
  for (const CacheFault& fault : faults) {
    list.push_back({{"path", fault.path.string()}, {"reason", fault.reason}});
  }
  return list;
}

void print_faults(const std::vector<CacheFault>& faults, std::string_view what) {
  for (const CacheFault& fault : faults) {
    fmt::print("{}: {}: {}\n", what, fault.path.string(), fault.reason);
  }
}

double mib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

// ---- pack and unpack

bool is_in(const std::vector<std::string>& list, const std::string& value) {
  return list.empty() || std::ranges::find(list, value) != list.end();
}

bool is_wanted(const BundleOptions& options, const CachedKernel& entry) {
  const bool named = std::ranges::any_of(
      options.keys, [&](const std::string& key) { return entry.key.starts_with(key); });
  return is_in(options.archs, entry.arch) && is_in(options.kinds, entry.kind) &&
         (named || options.keys.empty());
}

void pack(BundleOptions options) {
  for (std::string& arch : options.archs) {
    if (arch != "host") arch = arch_name(target_for(arch));
  }
  for (const std::string& kind : options.kinds) {
    if (kind == "cubin" || kind == "host" || kind == "ptx" || kind == "text") continue;
    throw BadArgument("--kind", kind, "must be cubin, ptx, text or host");
  }
  const CachePacking done = pack_cache(
      options.file, [&](const CachedKernel& entry) { return is_wanted(options, entry); });
  if (options.as_json) {
    return fmt::print("{}\n", json{{"file", options.file},
                                   {"entries", done.entries},
                                   {"bytes", done.bytes},
                                   {"packed_bytes", done.packed_bytes},
                                   {"left_out", to_json(done.faults)}}
                                  .dump(2));
  }
  print_faults(done.faults, "left out");
  fmt::print("{} entries, {:.2f} MiB, packed to {:.2f} MiB in {}\n", done.entries, mib(done.bytes),
             mib(done.packed_bytes), options.file);
}

// True if every entry of the file is there now.
bool unpack(const BundleOptions& options) {
  const CacheUnpacking done = unpack_cache(options.file, options.to);
  if (options.as_json) {
    fmt::print("{}\n", json{{"folder", done.folder.string()},
                            {"added", done.added},
                            {"there", done.there},
                            {"added_bytes", done.added_bytes},
                            {"refused", to_json(done.faults)}}
                           .dump(2));
  } else {
    print_faults(done.faults, "refused");
    fmt::print("{} entries added, {:.2f} MiB; {} were there: {}\n", done.added,
               mib(done.added_bytes), done.there, done.folder.string());
  }
  return done.faults.empty();
}

// ---- extract

// The names of files that were written, by what is in them.
json extract(const CachedParts& parts, const std::filesystem::path& folder) {
  const CachedKernel& about = parts.about;
  const std::string stem =
      about.kind == "text" ? "text" : about.name + (about.arch == "host" ? "" : "." + about.arch);
  const std::string base = (folder / (stem + "." + about.key.substr(0, 12))).string();
  json files = json::object();
  const auto write = [&](const char* what, const std::string& name, std::string_view bytes) {
    if (bytes.empty()) return;
    write_file(name, bytes);
    files[what] = name;
  };
  const bool host = about.kind == "host", ptx = about.kind == "ptx";
  write("source", base + (host ? ".cpp" : ".cu"), parts.source);
  write("binary", base + (host ? ".so" : ptx ? ".ptx" : ".cubin"), parts.binary);
  write("tables", base + ".tables",
        {reinterpret_cast<const char*>(parts.tables.data()), 4 * parts.tables.size()});
  write("log", base + ".log", parts.log);
  return files;
}

void extract(const BundleOptions& options) {
  const std::string allowed =
      "must be a key that `sonoma cache ls` lists, or the first characters of one";
  if (options.key.empty() ||
      options.key.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw BadArgument("KEY", options.key, allowed);
  }
  const auto found = read_cached(options.key);
  if (found.empty()) throw BadArgument("KEY", options.key, allowed);
  if (found.size() > 1) {
    throw BadArgument("KEY", options.key,
                      fmt::format("{} entries begin so: give more characters", found.size()));
  }
  const std::filesystem::path folder = options.out.empty() ? "." : options.out;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot be made: " + error.message());
  const json files = extract(found.front(), folder);
  if (options.as_json) return fmt::print("{}\n", files.dump(2));
  for (const auto& [what, name] : files.items()) {
    fmt::print("{}: {}\n", what, name.get<std::string>());
  }
}

// ---- stat

struct Sum {
  std::size_t entries = 0, used = 0;
  std::uint64_t bytes = 0;
  std::int64_t oldest = 0, newest = 0;  ///< last use

  void add(const CachedKernel& entry) {
    oldest = entries == 0 ? entry.last_used : std::min(oldest, entry.last_used);
    newest = std::max(newest, entry.last_used);
    ++entries;
    used += entry.used_since ? 1 : 0;
    bytes += entry.bytes;
  }
  [[nodiscard]] json to_json() const {
    json all = {{"entries", entries}, {"used_since_made", used}, {"bytes", bytes}};
    if (entries > 0) all["oldest_use"] = oldest, all["newest_use"] = newest;
    return all;
  }
};

// By kind and architecture: "cubin sm_90".
std::map<std::string, Sum> sums_of(const CacheContents& contents) {
  std::map<std::string, Sum> sums;
  for (const auto* list : {&contents.kernels, &contents.texts}) {
    for (const CachedKernel& entry : *list) {
      sums[entry.kind == entry.arch ? entry.kind : entry.kind + " " + entry.arch].add(entry);
      sums["all"].add(entry);
    }
  }
  return sums;
}

std::string time_text(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

json to_json(const CachePlace& place) {
  json sums = json::object();
  for (const auto& [name, sum] : sums_of(place.contents)) sums[name] = sum.to_json();
  json all = {{"path", place.path.string()},
              {"system", place.system},
              {"sums", sums},
              {"not_sound", to_json(place.contents.faults)}};
  if (!place.not_used.empty()) all["not_used"] = place.not_used;
  return all;
}

void print(const CachePlace& place) {
  fmt::print("{}{}\n", place.path.string(), place.system ? " (system, only read)" : "");
  if (!place.not_used.empty()) return fmt::print("  not used: {}\n", place.not_used);
  for (const auto& [name, sum] : sums_of(place.contents)) {
    fmt::print(
        "  {:<12} {:>6} entries {:>9.2f} MiB, {} used since they were made; last uses {} to "
        "{}\n",
        name, sum.entries, mib(sum.bytes), sum.used, time_text(sum.oldest), time_text(sum.newest));
  }
  if (place.contents.kernels.empty() && place.contents.texts.empty()) fmt::print("  empty\n");
  for (const CacheFault& fault : place.contents.faults) {
    fmt::print("  not sound: {}: {}\n", fault.path.filename().string(), fault.reason);
  }
}

void stat(const BundleOptions& options) {
  const std::vector<CachePlace> places = cache_places();
  const Config& settings = config();
  if (options.as_json) {
    json list = json::array();
    for (const CachePlace& place : places) list.push_back(to_json(place));
    return fmt::print("{}\n", json{{"places", list},
                                   {"limit_bytes", settings.cache_limit_bytes},
                                   {"entry_limit_bytes", settings.cache_entry_limit_bytes}}
                                  .dump(2));
  }
  for (const CachePlace& place : places) print(place);
  fmt::print("limit: {:.0f} MiB, of one entry {:.0f} MiB\n", mib(settings.cache_limit_bytes),
             mib(settings.cache_entry_limit_bytes));
}

}  // namespace

void add_cache_bundle_commands(CLI::App& cache, int& exit_code) {
  auto options = std::make_shared<BundleOptions>();
  const auto add = [&](const char* name, const char* help) {
    CLI::App* command = cache.add_subcommand(name, help);
    command->add_flag("--json", options->as_json, "print a JSON document");
    return command;
  };
  CLI::App* packing = add("pack", "Write entries, by default all, to one file for other machines");
  packing->add_option("FILE", options->file, "the file")->required();
  packing->add_option("--arch", options->archs, "of these architectures only, e.g. sm_90,sm_80")
      ->delimiter(',');
  packing->add_option("--kind", options->kinds, "of cubin, ptx, text and host only these")
      ->delimiter(',');
  packing->add_option("--key", options->keys, "only those whose keys begin so")->delimiter(',');
  packing->callback([options] { pack(*options); });
  CLI::App* unpacking = add(
      "unpack",
      "Add the entries of such a file. What is there and sound stays; damaged entries are refused, "
      "with exit code 1. Its maker decides what runs on the GPU: take it from whom you trust");
  unpacking->add_option("FILE", options->file, "the file")->required();
  unpacking->add_option("--to", options->to,
                        "a folder for all users to read, in place of the user's own: one of "
                        "SONOMA_SYSTEM_CACHE (default /var/cache/sonoma)");
  unpacking->callback([options, &exit_code] {
    if (!unpack(*options)) exit_code = exit_not_verified;
  });
  CLI::App* extracting =
      add("extract", "Write source, binary, tables and compiler log of an entry to files");
  extracting->add_option("KEY", options->key, "its key, or the first characters")->required();
  extracting->add_option("--out", options->out, "the folder (default: this one)");
  extracting->callback([options] { extract(*options); });
  add("stat", "Sizes, numbers and last uses of the entries, in the user's folder and the system's")
      ->callback([options] { stat(*options); });
}

}  // namespace sonoma::cli
