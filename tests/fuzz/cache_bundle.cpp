// The disk cache in one file, as `sonoma cache unpack` takes it.
#include "sonoma/cache_bundle.hpp"

#include <fstream>

#include "fuzz.hpp"
#include "sonoma/fft_error.hpp"
#include "tests/temporary_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sonoma;
  static const testing::TemporaryFolder scratch;
  const std::filesystem::path file = scratch.path() / "it";
  std::ofstream(file, std::ios::binary) << fuzz::text_of(data, size);
  Config config;
  config.cache_dir = scratch.path() / "cache";
  try {
    const CacheUnpacking done = unpack_cache(file, {}, config);
    const CacheContents there = inspect_cache(config);
    fuzz::require(there.faults.empty(), "what was unpacked is not sound");
    fuzz::require(there.kernels.size() + there.texts.size() <= done.added + done.there,
                  "more entries than were unpacked");
    if (done.added != 0) std::filesystem::remove_all(config.cache_dir);
  } catch (const FftError& refusal) {
    fuzz::require(refusal.stage() == Stage::cache, "another stage", refusal.what());
    fuzz::require(refusal.message().find(file.string() + ": ") == 0, "a file that is not named",
                  refusal.what());
  }
  return 0;
}
