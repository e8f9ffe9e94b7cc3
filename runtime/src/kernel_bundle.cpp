#include "kernel_bundle.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>

#include "deflate.hpp"
#include "file.hpp"
#include "sonoma/fft_error.hpp"
#include "words.hpp"

namespace sonoma {
namespace {

constexpr std::string_view family = "sonoma-kernels ";
// "cubin", a key of 64 digits and three numbers of 12, blanks between them, and a line feed.
constexpr std::size_t kind_bytes = 5, key_bytes = 64, number_bytes = 12;
constexpr std::size_t name_bytes = kind_bytes + 1 + key_bytes;
constexpr std::size_t line_bytes = name_bytes + 3 * (1 + number_bytes) + 1;
constexpr std::size_t largest_blob = std::size_t{1} << 32;

std::string word_of(BlobKind kind) {
  static constexpr std::array words = {"about", "cubin", "plan ", "ptx  ", "table", "text "};
  return words[static_cast<std::size_t>(kind)];
}

std::string about_key() { return std::string(key_bytes, '0'); }

std::string padded(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(number_bytes - digits.size(), '0') + digits;
}

// The whole of `text` as a number; SIZE_MAX where it is none.
std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && stop == text.data() + text.size();
  return whole ? number : SIZE_MAX;
}

std::size_t adler(std::string_view bytes) {
  return adler32_z(adler32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()),
                   bytes.size());
}

// Up to `end`, which goes too; the whole text where there is none.
std::string_view take_until(std::string_view& text, char end) {
  const std::string_view taken = text.substr(0, text.find(end));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

}  // namespace

KernelBundle::KernelBundle(std::string name, std::shared_ptr<const std::string> owned)
    : KernelBundle(std::move(name), std::string_view(*owned)) {
  owned_ = std::move(owned);
}

KernelBundle::KernelBundle(std::string name, std::string_view bytes)
    : name_(std::move(name)), bytes_(bytes) {
  std::string_view rest = bytes;
  const std::string_view magic = take_until(rest, '\n');
  if (!magic.starts_with(family)) fail("it is no bundle of kernels, which `sonoma aot` makes");
  if (magic.substr(family.size()) != std::to_string(bundle_version)) {
    fail("its format is version " + std::string(magic.substr(family.size())) + ", and this is " +
         std::to_string(bundle_version) + ": make it anew with this version's `sonoma aot`");
  }
  std::string_view head = take_until(rest, '\n');
  if (take_until(head, ' ') != "blobs") fail("its head is damaged");
  count_ = number_of(take_until(head, ' '));
  const std::size_t size = number_of(take_until(head, ' ')), sum = number_of(head);
  if (size != bytes.size()) {
    fail("it has " + std::to_string(bytes.size()) + " bytes of " + std::to_string(size));
  }
  if (count_ > rest.size() / line_bytes) fail("its index is damaged");
  first_line_ = bytes.size() - rest.size();
  if (adler(rest.substr(0, count_ * line_bytes)) != sum) fail("the checksum of its index is wrong");
  const std::string about = find(BlobKind::about, about_key()).value_or("");
  WordReader reader(about);
  reader.take(about_.made_by, about_.compiler, about_.archs, about_.ptx, about_.requests);
  if (!reader.done()) fail("what it says of itself is damaged");
}

KernelBundle KernelBundle::read(const std::string& path) {
  const auto fault = [&](const std::string& why) {
    return FftError(Stage::cache, "the kernels in " + path + " cannot be used: " + why);
  };
  const File file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) throw fault(last_error());
  if (!S_ISREG(facts.st_mode)) throw fault("it is not a plain file");
  auto bytes = std::make_shared<std::string>();
  if (!read_exactly(file, static_cast<std::uint64_t>(facts.st_size), *bytes)) {
    throw fault("it cannot be read");
  }
  return {path, std::shared_ptr<const std::string>(std::move(bytes))};
}

void KernelBundle::fail(const std::string& why) const {
  throw FftError(Stage::cache, "the kernels in " + name_ + " cannot be used: " + why);
}

std::string_view KernelBundle::line(std::size_t i) const {
  return bytes_.substr(first_line_ + i * line_bytes, line_bytes);
}

std::optional<std::string> KernelBundle::find(BlobKind kind, std::string_view key) const {
  const std::string wanted = word_of(kind) + " " + std::string(key);
  std::size_t low = 0, high = count_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (line(middle).substr(0, name_bytes) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == count_ || line(low).substr(0, name_bytes) != wanted) return std::nullopt;
  const auto number = [&](std::size_t i) {
    return number_of(line(low).substr(name_bytes + 1 + i * (1 + number_bytes), number_bytes));
  };
  const std::size_t offset = number(0), packed_size = number(1), size = number(2);
  const bool inside = offset <= bytes_.size() && packed_size <= bytes_.size() - offset;
  if (!inside || size > largest_blob) fail("its index is damaged");
  auto found = inflated(bytes_.substr(offset, packed_size), size);
  if (!found) fail("the entry " + wanted.substr(0, kind_bytes + 13) + "... is damaged");
  return found;
}

void BundleWriter::add(BlobKind kind, const std::string& key, std::string bytes) {
  const std::pair name(word_of(kind), key);
  if (!blobs_.contains(name)) blobs_.emplace(name, std::move(bytes));
}

std::string BundleWriter::bundle(const About& about) const {
  WordWriter words;
  words.add(about.made_by, about.compiler, about.archs, about.ptx, about.requests);
  auto blobs = blobs_;
  blobs[{word_of(BlobKind::about), about_key()}] = words.text();
  const std::string magic = std::string(family) + std::to_string(bundle_version) + "\n";
  // "blobs", three numbers, blanks between them, and a line feed.
  std::size_t offset = magic.size() + 5 + 3 * (1 + number_bytes) + 1 + blobs.size() * line_bytes;
  std::string index, packs;
  for (const auto& [name, bytes] : blobs) {
    const std::string pack = deflated(bytes);
    index += name.first + " " + name.second + " " + padded(offset) + " " + padded(pack.size()) +
             " " + padded(bytes.size()) + "\n";
    packs += pack;
    offset += pack.size();
  }
  return magic + "blobs " + padded(blobs.size()) + " " + padded(offset) + " " +
         padded(adler(index)) + "\n" + index + packs;
}

}  // namespace sonoma
