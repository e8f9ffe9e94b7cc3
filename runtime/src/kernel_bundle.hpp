// Kernels made ahead of time, in one file or linked into a program: plans by request, texts, tables
// and binaries by launch, each packed by zlib. What is not asked for is not unpacked.
//
//   sonoma-kernels <version>
//   blobs <count> <bytes of the bundle> <Adler-32 of the lines of the index>
//   <kind> <key> <offset> <packed bytes> <bytes>      (one line a blob, sorted by kind and key)
//   <the packed blobs>
//
// All lines of the index have one length, so that a key is found in them by bisection.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonoma {

/// Of the format, of fields.hpp and of how kernels are called. A bundle of another one is refused.
constexpr int bundle_version = 10;

/// about: of the bundle, see About. plan: by plan_key(). text: of the generator, by kernel_key();
/// table: by its own hash; cubin and ptx by kernel_key().
enum class BlobKind { about, cubin, plan, ptx, table, text };

/// What a bundle says of itself.
struct About {
  std::string made_by;                ///< "sonoma 0.1.0"
  std::string compiler;               ///< product, version and build
  std::vector<int> archs;             ///< that there are cubins for, ascending
  std::vector<int> ptx;               ///< that there is PTX for
  std::vector<std::string> requests;  ///< for people

  auto operator<=>(const About&) const = default;
};

class KernelBundle {
 public:
  /// `name`: for messages. `bytes` outlive it. Throws FftError (Stage::cache) where they are no
  /// bundle of this version, whole and sound.
  KernelBundle(std::string name, std::string_view bytes);
  /// The same of a file, which is read at once.
  [[nodiscard]] static KernelBundle read(const std::string& path);

  /// The blob, unpacked; nothing where there is none. Throws FftError where it is damaged.
  [[nodiscard]] std::optional<std::string> find(BlobKind kind, std::string_view key) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const About& about() const { return about_; }
  [[nodiscard]] std::size_t blobs() const { return count_; }

 private:
  KernelBundle(std::string name, std::shared_ptr<const std::string> owned);
  [[noreturn]] void fail(const std::string& why) const;
  [[nodiscard]] std::string_view line(std::size_t i) const;

  std::string name_;
  std::shared_ptr<const std::string> owned_;  // of a file
  std::string_view bytes_;
  std::size_t first_line_ = 0, count_ = 0;
  About about_;
};

/// Puts a bundle together. Equal blobs make equal bytes, in whatever order they were added.
class BundleWriter {
 public:
  /// A blob that is there already is the same one.
  void add(BlobKind kind, const std::string& key, std::string bytes);
  [[nodiscard]] std::string bundle(const About& about) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> blobs_;  // by kind and key
};

}  // namespace sonoma
