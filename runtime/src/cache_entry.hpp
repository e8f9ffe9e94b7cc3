// One cache entry as bytes: every input of a compilation, then what came out. Pure.
//
//   sonoma-cache 2
//   sha256 <hex of all bytes after this line>
//   fields <count> <bytes after this line>
//   <name> <size>          (one line a field)
//   <the fields' bytes, each followed by a line feed>
//
// The text fields come first, so that `less` shows a kernel's source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonoma {

/// Everything that decides what a compiled kernel does, and so where it lies in the cache.
struct CompileInputs {
  std::string kind;  ///< "cubin" or "host"; or "text", see emitted.hpp
  std::string name;  ///< of the kernel
  std::string arch;  ///< "sm_90", or the host's
  /// Product, version and build of the only compiler whose work serves. Empty: that of any. A cubin
  /// needs no library of its compiler to run, so that it serves where there is none.
  std::string compiler;
  std::vector<std::string> options;  ///< in order
  std::string source;

  auto operator<=>(const CompileInputs&) const = default;
};

struct Binary {
  std::string bytes;
  std::string log;
  std::string made_by = {};  ///< product, version and build, where the inputs do not say it

  auto operator<=>(const Binary&) const = default;
};

struct CacheEntry {
  CompileInputs inputs;
  Binary binary;

  auto operator<=>(const CacheEntry&) const = default;
};

/// SHA-256 over the format's version and every input: 64 lower-case hexadecimal digits.
[[nodiscard]] std::string cache_key(const CompileInputs& inputs);

[[nodiscard]] std::string encode(const CacheEntry& entry);

/// Nothing, and the reason in `why`, unless `bytes` is exactly what encode() makes of some entry.
[[nodiscard]] std::optional<CacheEntry> decode(std::string bytes, std::string& why);

}  // namespace sonoma
