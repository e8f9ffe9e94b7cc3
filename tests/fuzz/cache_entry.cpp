// The bytes of a cache entry. The target writes the first two lines, so that damage gets by the
// checksum: a hash finds accidents, and the reader must do without it.
#include "cache_entry.hpp"

#include "emitted.hpp"
#include "fuzz.hpp"
#include "sha256.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sonoma;
  const std::string body(fuzz::text_of(data, size));
  std::string why;
  fuzz::require(!decode(body, why) && !why.empty(), "accepted without a checksum, or no reason");
  const std::string bytes = "sonoma-cache 2\nsha256 " + sha256(body) + "\n" + body;
  const auto entry = decode(bytes, why);
  fuzz::require(entry.has_value() == why.empty(), "an entry and a reason, or neither", why);
  if (!entry) return 0;
  fuzz::require_equal(encode(*entry), bytes, "an entry that is written with other bytes");
  (void)cache_key(entry->inputs);
  const auto emitted = decode_emitted(entry->binary.bytes);
  if (emitted) {
    const auto again = decode_emitted(encode(*emitted));
    fuzz::require(again.has_value() && encode(*again) == encode(*emitted), "another text");
  }
  return 0;
}
