// A .npy file, with integers as complex and as real numbers.
#include "npy.hpp"

#include <sstream>

#include "fuzz.hpp"

namespace {

using namespace sonoma;

std::string written(const cli::NpyArray& array) {
  std::ostringstream stream;
  cli::write_npy(stream, array);
  return std::move(stream).str();
}

void read(const std::string& bytes, Values integers) {
  try {
    std::istringstream stream(bytes);
    const cli::NpyArray array = cli::read_npy(stream, integers);
    const std::string first = written(array);
    std::istringstream again(first);
    const cli::NpyArray read_again = cli::read_npy(again, integers);
    fuzz::require(read_again.shape == array.shape, "another shape", first);
    fuzz::require_equal(written(read_again), first, "other bytes");
  } catch (const cli::NpyError& refusal) {
    fuzz::require(*refusal.what() != '\0', "a refusal without a word");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(fuzz::text_of(data, size));
  read(bytes, Values::complex);
  read(bytes, Values::real);
  return 0;
}
