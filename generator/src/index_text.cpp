#include "index_text.hpp"

namespace sonoma {
namespace {

// Bits [first, first + count) of the thread index, times stride.
std::string term(std::size_t first, std::size_t count, std::size_t bits, std::uint32_t stride) {
  std::string text = "thread";
  if (first > 0) text += " / " + std::to_string(1u << first);
  if (first + count < bits) text += " % " + std::to_string(1u << count);
  if (stride > 1) text += " * " + std::to_string(stride);
  return text;
}

}  // namespace

std::string index_text(const std::vector<std::uint32_t>& thread_bits) {
  std::string text;
  const std::size_t bits = thread_bits.size();
  for (std::size_t first = 0; first < bits;) {
    std::size_t count = 1;
    if (thread_bits[first] == 0) {
      ++first;
      continue;
    }
    while (first + count < bits && thread_bits[first + count] == thread_bits[first] << count) {
      ++count;
    }
    text += (text.empty() ? "" : " + ") + term(first, count, bits, thread_bits[first]);
    first += count;
  }
  return text.empty() ? "0" : text;
}

}  // namespace sonoma
