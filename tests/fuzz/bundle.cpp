// A bundle of kernels made ahead of time. The target mends the sizes and the checksum in its head,
// so that damage gets by them.
#include <zlib.h>

#include <cstdio>

#include "fuzz.hpp"
#include "kernel_bundle.hpp"
#include "sonoma/fft_error.hpp"

namespace {

using namespace sonoma;

constexpr std::size_t line_bytes = 5 + 1 + 64 + 3 * 13 + 1;

// "sonoma-kernels VERSION\nblobs COUNT BYTES ADLER\n" before as many lines as the head says.
std::string with_head(std::string_view bytes) {
  const std::string magic = "sonoma-kernels " + std::to_string(bundle_version) + "\n";
  const std::size_t head = magic.size() + 5 + 3 * 13 + 1;
  if (bytes.size() < head || !bytes.starts_with(magic)) return std::string(bytes);
  std::size_t count = 0;
  for (const char c : bytes.substr(magic.size() + 6, 12)) {
    count = count * 10 + static_cast<std::size_t>(c >= '0' && c <= '9' ? c - '0' : 0);
  }
  const std::string_view rest = bytes.substr(head);
  const std::string_view index = rest.substr(0, std::min(count, bytes.size()) * line_bytes);
  const auto sum = adler32_z(adler32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(index.data()),
                             index.size());
  char line[64];
  std::snprintf(line, sizeof line, "blobs %012zu %012zu %012lu\n", count, bytes.size(), sum);
  return magic + line + std::string(rest);
}

void read(const std::string& bytes) {
  try {
    const KernelBundle bundle("it", bytes);
    fuzz::require(bundle.blobs() <= bytes.size() / line_bytes, "more blobs than lines");
    for (std::size_t i = 0; i < bundle.blobs() && i < 8; ++i) {
      const std::size_t at = bytes.find('\n', bytes.find('\n') + 1) + 1 + i * line_bytes;
      for (int kind = 0; kind < 6; ++kind) {
        (void)bundle.find(static_cast<BlobKind>(kind), bytes.substr(at + 6, 64));
      }
    }
  } catch (const FftError& refusal) {
    fuzz::require(refusal.stage() == Stage::cache, "another stage", refusal.what());
    fuzz::require(refusal.message().find("it cannot be used") != std::string::npos,
                  "a bundle that is not named", refusal.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(fuzz::text_of(data, size));
  read(bytes);
  read(with_head(bytes));
  return 0;
}
