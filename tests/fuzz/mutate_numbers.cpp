// Texts with numbers: libFuzzer's own mutations, and every other time a number takes the place of
// another. Bits that flip in digits seldom make the largest one of 64 bits.
#include <array>
#include <cctype>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "fuzz.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

struct Number {
  std::size_t at, digits;
};

std::vector<Number> numbers_in(std::string_view text) {
  std::vector<Number> found;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > i) found.push_back({i, end - i});
    i = std::max(end, i + 1);
  }
  return found;
}

std::string another(std::string_view number, std::minstd_rand& random) {
  static constexpr std::array numbers = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "16",
                                         "31",
                                         "32",
                                         "33",
                                         "64",
                                         "127",
                                         "128",
                                         "1024",
                                         "4096",
                                         "65536",
                                         "1048576",
                                         "67108864",
                                         "2147483647",
                                         "2147483648",
                                         "4294967296",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "-1",
                                         "-2147483648",
                                         "-9223372036854775808",
                                         "0.5"};
  unsigned long long value = 0;
  for (const char c : number.substr(0, 18)) value = value * 10 + static_cast<unsigned>(c - '0');
  switch (random() % 6) {
    case 0:
      return std::to_string(value + 1);
    case 1:
      return std::to_string(value - (value != 0));
    case 2:
      return std::to_string(value * 2);
    case 3:
      return std::to_string(random() % 40);
    default:
      return numbers[random() % numbers.size()];
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  const std::string_view text = sonoma::fuzz::text_of(data, size);
  const std::vector<Number> numbers = numbers_in(text);
  if (numbers.empty() || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const Number one = numbers[random() % numbers.size()];
  std::string made(text);
  made.replace(one.at, one.digits, another(text.substr(one.at, one.digits), random));
  if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}
