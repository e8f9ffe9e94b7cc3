#include "sonoma/overrides.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>
#include <utility>

#include "launch_key.hpp"
#include "new_file.hpp"
#include "plan_impl.hpp"
#include "sha256.hpp"
#include "sonoma/json_depth.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format = "sonoma override";
constexpr int version = 1;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw FftError(Stage::overrides, path.string() + ": " + what);
}

constexpr std::array<std::pair<const char*, std::string Override::*>, 8> texts = {{
    {"kernel", &Override::kernel},
    {"arch", &Override::arch},
    {"launch", &Override::launch},
    {"original", &Override::original},
    {"text", &Override::text},
    {"request", &Override::request},
    {"verified_on", &Override::verified_on},
    {"date", &Override::date},
}};
constexpr std::array<std::pair<const char*, double Override::*>, 4> numbers = {{
    {"rel_l2", &Override::rel_l2},
    {"ms", &Override::ms},
    {"original_ms", &Override::original_ms},
    {"copy_ms", &Override::copy_ms},
}};

std::string encode(const Override& kept) {
  json document = {{"format", format}, {"version", version}};
  for (const auto& [name, member] : texts) document[name] = kept.*member;
  for (const auto& [name, member] : numbers) document[name] = kept.*member;
  return document.dump(2) + "\n";
}

// Parts of a file's name, which must not lead out of the folder.
void check_names(const Override& kept) {
  constexpr const char *letters = "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                       *digits = "0123456789abcdef";
  for (const auto& [name, text, allowed, longest] :
       {std::tuple{"kernel", &kept.kernel, letters, std::size_t{160}},
        std::tuple{"arch", &kept.arch, letters, std::size_t{16}},
        std::tuple{"launch", &kept.launch, digits, std::size_t{64}}}) {
    if (text->empty() || text->find_first_not_of(allowed) != std::string::npos) {
      throw std::invalid_argument(std::string(name) + ": must be of the characters " + allowed);
    }
    if (text->size() > longest) {
      throw std::invalid_argument(std::string(name) + ": has " + std::to_string(text->size()) +
                                  " characters, of which the name of a file takes " +
                                  std::to_string(longest));
    }
  }
}

Override decode(const std::string& text) {
  check_json_depth(text);
  const json document = json::parse(text);
  if (document.at("format") != format || document.at("version") != version) {
    throw std::invalid_argument("is of another format or version");
  }
  Override kept;
  for (const auto& [name, member] : texts) document.at(name).get_to(kept.*member);
  for (const auto& [name, member] : numbers) document.at(name).get_to(kept.*member);
  check_names(kept);
  return kept;
}

// One for each launch.
fs::path file_of(const fs::path& folder, const Override& kept) {
  if (folder.empty()) {
    fail("SONOMA_OVERRIDES_DIR", "is not set, nor is HOME; name a folder for edited kernels");
  }
  return folder / (kept.kernel + "-" + kept.arch + "-" + kept.launch.substr(0, 16) + ".json");
}

// Empty where it may be trusted.
std::string distrust(const File& file) {
  struct stat facts {};
  return ::fstat(file.get(), &facts) == 0 ? shared_fault(facts) : last_error();
}

Override read(const fs::path& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) throw std::invalid_argument("cannot be read: " + last_error());
  if (const std::string why = distrust(file); !why.empty()) throw std::invalid_argument(why);
  std::string text;
  if (!read_exactly(file, fs::file_size(path), text)) {
    throw std::invalid_argument("cannot be read: it is changing");
  }
  return decode(text);
}

}  // namespace

std::string launch_id(const Launch& launch, const Target& target) {
  Launch anywhere = launch;
  anywhere.from = Buffer::input, anywhere.to = Buffer::output;
  return sha256(launch_key(anywhere, target));
}

std::string text_id(const CudaSource& source) { return sha256(source.text); }

std::vector<Override> edited_kernels(const Plan& plan) {
  std::vector<Override> edited;
  for (const auto& kernel : plan.impl_->kernels()) {
    const KernelKey& key = kernel->key;
    if (key.edited.empty()) continue;
    Override one;
    one.kernel = kernel->emitted.source.name;
    one.arch = arch_name(key.target);
    one.launch = launch_id(key.launch, key.target);
    one.original = text_id(kernel->steps().source);
    one.text = kernel->emitted.source.text;
    edited.push_back(std::move(one));
  }
  return edited;
}

Overrides load_overrides(const fs::path& folder) {
  Overrides all;
  const File open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open && !folder.empty() && errno != ENOENT) {
    all.problems.push_back(folder.string() + ": cannot be read: " + last_error());
  }
  if (folder.empty() || !open) return all;
  if (const std::string why = distrust(open); !why.empty()) {
    all.problems.push_back(folder.string() + ": " + why);
    return all;
  }
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".json") paths.push_back(at->path());
  }
  if (error) all.problems.push_back(folder.string() + ": " + error.message());
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    try {
      all.entries.push_back(read(path));
    } catch (const std::exception& bad) {
      all.problems.push_back(path.string() + ": " + bad.what());
    }
  }
  return all;
}

void save_override(const fs::path& folder, const Override& kept) {
  const fs::path path = file_of(folder, kept);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, "cannot be made: " + error.message());
  NewFile fresh(path, 0644);
  if (fresh && fresh.write(encode(kept)) && fresh.take_place()) return;
  fail(path, "cannot be written: " + last_error());
}

void remove_override(const fs::path& folder, const Override& gone) {
  std::error_code error;
  fs::remove(file_of(folder, gone), error);
  if (error) fail(file_of(folder, gone), "cannot be removed: " + error.message());
}

}  // namespace sonoma
