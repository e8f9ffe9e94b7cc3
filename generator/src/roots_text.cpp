#include "roots_text.hpp"

#include <ios>
#include <set>
#include <sstream>

#include "tables.hpp"

namespace sonoma {
namespace {

// Of a power of a prime. DFTs of 2, 4, 8 and 16 bring their own.
void append_orders(std::set<unsigned>& orders, unsigned prime, unsigned power) {
  if (prime == 2) {
    if (power == 32) orders.insert(power);
    return;
  }
  for (; power > 1; power /= prime) orders.insert(power);
}

std::set<unsigned> orders_of(const Decomposition& decomposition) {
  std::set<unsigned> orders;
  for (unsigned radix : decomposition.radices) {
    for (unsigned prime = 2; radix > 1; ++prime) {
      unsigned power = 1;
      for (; radix % prime == 0; radix /= prime) power *= prime;
      append_orders(orders, prime, power);
    }
  }
  return orders;
}

void append_part(std::ostream& text, const char* name, unsigned order, bool sine) {
  text << "  DEVICE float " << name << "(unsigned j) {\n    constexpr float of[] = {"
       << std::hexfloat;
  for (unsigned j = 0; j < order; ++j) {
    const auto root = root_of_unity(j, order);
    text << (j ? ", " : "") << (sine ? root.imag() : root.real()) << "f";
  }
  text << "};\n    return of[j];\n  }\n" << std::defaultfloat;
}

}  // namespace

std::string roots_text(const Decomposition& decomposition) {
  std::ostringstream text;
  for (const unsigned order : orders_of(decomposition)) {
    text << "template <>\nstruct Roots<" << order << "> {\n";
    append_part(text, "cosine", order, false);
    append_part(text, "sine", order, true);
    text << "};\n";
  }
  return text.str();
}

}  // namespace sonoma
