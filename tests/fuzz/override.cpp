// The file of an edited kernel that was kept.
#include <fstream>

#include "fuzz.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/overrides.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace sonoma;
namespace fs = std::filesystem;

// What was read is written, and read as the same; then it is removed.
void require_round_trip(const Override& kept, const fs::path& folder) {
  save_override(folder, kept);
  const Overrides again = load_overrides(folder);
  fuzz::require(again.entries == std::vector{kept} && again.problems.empty(), "another override");
  remove_override(folder, kept);
  fuzz::require(fs::is_empty(folder), "it was not removed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::TemporaryFolder scratch;
  const fs::path from = scratch.path() / "from", to = scratch.path() / "to";
  fs::create_directories(from);
  std::ofstream(from / "one.json", std::ios::binary) << fuzz::text_of(data, size);
  const Overrides found = load_overrides(from);
  fuzz::require(found.entries.size() + found.problems.size() == 1, "one file, not one result");
  for (const std::string& problem : found.problems) {
    fuzz::require(problem.find("one.json: ") != std::string::npos, "a file that is not named",
                  problem);
  }
  for (const Override& kept : found.entries) require_round_trip(kept, to);
  return 0;
}
