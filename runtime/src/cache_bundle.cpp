#include "sonoma/cache_bundle.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <ios>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cache_folder.hpp"
#include "cache_listing.hpp"
#include "deflate.hpp"
#include "emitted.hpp"
#include "new_file.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;

// The file:
//   sonoma-cache-bundle 1
//   entries <count>
//   <key> <bytes> <packed bytes>     (then the packed bytes and a line feed, for each entry)
constexpr std::string_view magic = "sonoma-cache-bundle 1\n";
constexpr std::uint64_t largest_entry = 256ull << 20;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw FftError(Stage::cache, file.string() + ": " + what);
}

// ---- packing

// One whose every failure is an error that names it.
class PackedFile {
 public:
  explicit PackedFile(const fs::path& path) : path_(path), file_(path) {
    require(static_cast<bool>(file_));
  }

  void write(std::string_view bytes) {
    require(file_.write(bytes));
    bytes_ += bytes.size();
  }
  // The bytes of it.
  std::uint64_t finish() {
    require(file_.take_place());
    return bytes_;
  }

 private:
  void require(bool done) const {
    if (!done) fail(path_, "cannot be written: " + last_error());
  }

  fs::path path_;
  NewFile file_;
  std::uint64_t bytes_ = 0;
};

// ---- unpacking

struct Head {
  std::string key;
  std::uint64_t bytes = 0, packed_bytes = 0;
};

bool parse_number(std::string_view text, std::uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end && !text.empty();
}

std::optional<Head> parse_head(std::string_view line) {
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  Head head;
  if (first != 64 || second <= first ||
      !is_entry_file(entry_file_name(std::string(line.substr(0, 64)))))
    return std::nullopt;
  head.key = line.substr(0, 64);
  if (!parse_number(line.substr(first + 1, second - first - 1), head.bytes) ||
      !parse_number(line.substr(second + 1), head.packed_bytes)) {
    return std::nullopt;
  }
  // zlib's worst case is a little more than the bytes themselves.
  if (head.bytes > largest_entry || head.packed_bytes > head.bytes + head.bytes / 100 + 1024)
    return std::nullopt;
  return head;
}

class Unpacker {
 public:
  Unpacker(const fs::path& file, const CacheFolder& folder)
      : path_(file), stream_(file, std::ios::binary), folder_(folder) {
    if (!stream_) fail(file, "cannot be opened; is it there?");
  }

  CacheUnpacking run() {
    done_.folder = folder_.path();
    std::string line;
    std::uint64_t count = 0;
    if (!std::getline(stream_, line) || line + "\n" != magic) {
      fail(path_, "is no bundle of this version that `sonoma cache pack` writes");
    }
    constexpr std::string_view entries = "entries ";
    if (!std::getline(stream_, line) || !line.starts_with(entries) ||
        !parse_number(std::string_view(line).substr(entries.size()), count)) {
      fail(path_, "is damaged: it does not say how many entries it has");
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!std::getline(stream_, line)) {
        refuse("entry " + std::to_string(i + 1) + " and all behind it are missing: the file ends");
        break;
      }
      if (!take(line, i)) break;
    }
    return std::move(done_);
  }

 private:
  // False where the place of the next entry is not known.
  bool take(const std::string& line, std::uint64_t i) {
    const auto head = parse_head(line);
    if (!head) {
      refuse("the head of entry " + std::to_string(i + 1) +
             " is damaged; it and all behind it are left out");
      return false;
    }
    std::string packed(head->packed_bytes + 1, '\0');
    stream_.read(packed.data(), static_cast<std::streamsize>(packed.size()));
    if (!stream_) {
      refuse("entry " + head->key + " and all behind it are missing: the file ends");
      return false;
    }
    const bool ends = packed.back() == '\n';
    packed.pop_back();
    std::string why = ends ? "" : "no line feed follows it";
    const auto bytes = inflated(packed, head->bytes);
    if (!bytes) why = "it cannot be unpacked";
    if (why.empty()) add(*head, *bytes, why);
    if (!why.empty()) refuse("entry " + head->key + " is damaged: " + why);
    return true;
  }

  void add(const Head& head, const std::string& bytes, std::string& why) {
    const auto entry = decode(bytes, why);
    if (!entry) return;
    if (cache_key(entry->inputs) != head.key) {
      why = "its key is not that of its inputs";
      return;
    }
    const std::string name = entry_file_name(head.key);
    std::string not_sound;
    if (folder_.read_entry(name, not_sound)) {
      ++done_.there;
      return;
    }
    if (!folder_.write(name, bytes)) {
      fail(folder_.path() / name, "cannot be written: " + last_error());
    }
    ++done_.added;
    done_.added_bytes += bytes.size();
  }

  void refuse(const std::string& why) { done_.faults.push_back({path_, why}); }

  fs::path path_;
  std::ifstream stream_;
  const CacheFolder& folder_;
  CacheUnpacking done_;
};

CacheFolder folder_for(const fs::path& asked, const Config& config) {
  if (asked.empty()) return open_cache(config);
  CacheFolder folder(fs::absolute(asked), CacheFolder::Trust::shared, true);
  if (!folder.usable()) fail(asked, "cannot be used: " + folder.fault());
  return folder;
}

}  // namespace

CachePacking pack_cache(const fs::path& file,
                        const std::function<bool(const CachedKernel&)>& wanted,
                        const Config& config) {
  const CacheFolder folder = open_cache(config);
  CacheContents contents = contents_of(folder);
  const auto unread = std::ranges::find(contents.faults, true, &CacheFault::unread);
  if (unread != contents.faults.end()) {  // a bundle without it would take the place of a whole one
    fail(unread->path, "cannot be read: " + unread->reason + "; nothing was packed");
  }
  CachePacking done;
  std::vector<CachedKernel> chosen;
  for (const auto* list : {&contents.kernels, &contents.texts}) {
    for (const CachedKernel& one : *list) {
      if (!wanted || wanted(one)) chosen.push_back(one);
    }
  }
  std::ranges::sort(chosen, {}, &CachedKernel::key);  // equal entries, equal bytes
  done.faults = std::move(contents.faults);
  PackedFile out(file);
  out.write(std::string(magic) + "entries " + std::to_string(chosen.size()) + "\n");
  for (const CachedKernel& one : chosen) {
    std::string why;
    const auto entry = folder.read_entry(one.path.filename().string(), why);
    if (!entry) fail(one.path, "was removed or changed while it was packed: try again");
    const std::string bytes = encode(*entry), packed = deflated(bytes);
    out.write(one.key + " " + std::to_string(bytes.size()) + " " + std::to_string(packed.size()) +
              "\n" + packed + "\n");
    ++done.entries;
    done.bytes += bytes.size();
  }
  done.packed_bytes = out.finish();
  return done;
}

CacheUnpacking unpack_cache(const fs::path& file, const fs::path& folder, const Config& config) {
  const CacheFolder to = folder_for(folder, config);
  return Unpacker(file, to).run();
}

std::vector<CachedParts> read_cached(const std::string& key, const Config& config) {
  const CacheFolder folder = open_cache(config);
  std::vector<CachedParts> found;
  for (const CacheFile& file : files_of(folder)) {
    if (!is_entry_file(file.name) || !file.name.starts_with(key)) continue;
    std::string why;
    auto entry = folder.read_entry(file.name, why);
    if (!entry) continue;
    CachedParts parts{described(file, folder.path() / file.name, *entry), {}, {}, {}, {}};
    parts.log = std::move(entry->binary.log);
    if (entry->inputs.kind != "text") {
      parts.source = std::move(entry->inputs.source);
      parts.binary = std::move(entry->binary.bytes);
    } else if (auto emitted = decode_emitted(entry->binary.bytes)) {
      parts.source = std::move(emitted->source.text);
      parts.tables = std::move(emitted->source.tables);
    }
    found.push_back(std::move(parts));
  }
  return found;
}

}  // namespace sonoma
