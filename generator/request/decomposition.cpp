#include "sonoma/decomposition.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

constexpr const char* radices_allowed = "2 to 49, or a prime to 61";

// Every product of `steps` radices up to `most` that is n, each factor at most the one before.
void append_products(std::int64_t n, unsigned steps, unsigned most, std::vector<unsigned>& begun,
                     std::vector<Decomposition>& found) {
  if (steps == 1) {
    if (n > most || n < 2 || !is_usual_radix(static_cast<std::uint64_t>(n))) return;
    found.push_back({begun});
    found.back().radices.push_back(static_cast<unsigned>(n));
    return;
  }
  for (unsigned radix = most; radix >= 2; --radix) {
    if (n % radix != 0 || !is_usual_radix(radix)) continue;
    begun.push_back(radix);
    append_products(n / radix, steps - 1, radix, begun, found);
    begun.pop_back();
  }
}

// The fewest steps of radix up to `most`; of those the ones with the smallest largest, then the
// largest smallest radix. n has no prime factor above `most`.
Decomposition balanced(std::int64_t n, unsigned most) {
  std::vector<Decomposition> found;
  std::vector<unsigned> begun;
  for (unsigned steps = 1; found.empty() && n >> (steps - 1) != 0; ++steps) {
    append_products(n, steps, most, begun, found);
  }
  const auto worse = [](const Decomposition& a, const Decomposition& b) {
    return std::pair(a.radices.front(), b.radices.back()) <
           std::pair(b.radices.front(), a.radices.back());
  };
  return *std::min_element(found.begin(), found.end(), worse);
}

// Radices up to 16 where larger ones would not save a step: they need more registers.
Decomposition decompose_mixed(std::int64_t n) {
  if (!is_smooth(n, 13)) return balanced(n, largest_radix);
  const Decomposition small = balanced(n, 16), large = balanced(n, largest_radix);
  return large.radices.size() < small.radices.size() ? large : small;
}

// Recursive descent over  tree := "(gs" radix tree ")" | "(dft" radix ")".
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Decomposition parse() {
    Decomposition result;
    unsigned open = 0;
    bool leaf = false;
    while (!leaf) {
      expect('(');
      ++open;
      const std::string word = name();
      if (word != "gs" && word != "dft") fail("expected gs or dft");
      leaf = word == "dft";
      result.radices.push_back(radix());
    }
    for (; open > 0; --open) expect(')');
    skip();
    if (at_ != text_.size()) fail("text after the tree");
    return result;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  void expect(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) fail(std::string("expected '") + c + "'");
    ++at_;
  }
  std::string name() {
    skip();
    const std::size_t from = at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }
  unsigned radix() {
    skip();
    unsigned long value = 0;
    const std::size_t from = at_;
    while (at_ < text_.size() && at_ < from + 4 &&
           std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      value = value * 10 + static_cast<unsigned long>(text_[at_++] - '0');
    }
    if (!is_radix(value)) fail(std::string("expected a radix, ") + radices_allowed + ",");
    return static_cast<unsigned>(value);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw UnsupportedProblem("decomposition", std::string(text_),
                             what + " at column " + std::to_string(at_ + 1) +
                                 "; write for example (gs 16 (gs 16 (dft 16)))");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Of 1024 threads, of which each takes whole steps of together 96 points or less: with each of the
// primes.
std::int64_t most_with_large_primes(std::int64_t n) {
  constexpr std::int64_t threads = 1024, points = 96;
  std::int64_t most = threads * points;
  for (std::int64_t prime = 2; prime <= std::int64_t{largest_radix}; ++prime) {
    if (n % prime != 0 || largest_prime_factor(prime) != prime) continue;
    std::int64_t longest = prime;
    for (std::int64_t d = prime; d <= points; d += prime) {
      if (n % d == 0) longest = d;
    }
    most = std::min(most, threads * longest);
  }
  return most;
}

}  // namespace

Splits splits_of(unsigned prime) {
  constexpr unsigned least = 23;  // 17 and 19 would err more, for a hundredth of the time
  if (prime < least) return {};
  const Split odd = prime % 3 == 1 ? Split::by_three : Split::by_halves;
  return {prime % 4 == 1 ? Split::by_two : odd, odd};
}

bool takes_halves(const Decomposition& decomposition, unsigned radix) {
  return largest_prime_factor(radix) == radix && splits_of(radix).odd == Split::by_halves &&
         std::ranges::count(decomposition.radices, radix) > 1;
}

ButterflyForm butterfly_form(const Decomposition& decomposition, unsigned radix, bool whole_chirp) {
  if (takes_halves(decomposition, radix)) return ButterflyForm::halved;
  return whole_chirp ? ButterflyForm::fused : ButterflyForm::plain;
}

bool is_radix(std::uint64_t value) {
  return is_usual_radix(value) || (value >= 2 && value <= largest_composite_radix);
}

bool is_usual_radix(std::uint64_t value) {
  if (value <= largest_usual_radix) return value >= 2;
  return value <= largest_radix &&
         largest_prime_factor(static_cast<std::int64_t>(value)) == static_cast<std::int64_t>(value);
}

std::int64_t Decomposition::n() const {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t product = 1;
  for (const std::int64_t radix : radices) {
    if (radix > 1 && product > most / radix) return most;
    product *= radix;
  }
  return product;
}

std::string to_string(const Decomposition& decomposition) {
  std::string text;
  for (std::size_t i = 0; i < decomposition.radices.size(); ++i) {
    const bool last = i + 1 == decomposition.radices.size();
    text += (last ? "(dft " : "(gs ") + std::to_string(decomposition.radices[i]);
    if (!last) text += ' ';
  }
  return text + std::string(decomposition.radices.size(), ')');
}

Decomposition parse_decomposition(std::string_view text) { return Parser(text).parse(); }

bool ends_with_axes(const Decomposition& decomposition, const std::vector<std::int64_t>& lengths) {
  auto radix = decomposition.radices.begin();
  for (const std::int64_t length : lengths) {
    std::int64_t points = 1;
    while (points < length && radix != decomposition.radices.end()) {
      if (points > length / std::int64_t{*radix}) return false;
      points *= *radix++;
    }
    if (points != length) return false;
  }
  return radix == decomposition.radices.end();
}

bool ends_coprime(const Decomposition& decomposition) {
  const auto& radices = decomposition.radices;
  return radices.size() > 2 && std::gcd(radices.back(), radices[radices.size() - 2]) == 1;
}

bool is_smooth(std::int64_t n, unsigned largest_prime) {
  if (n < 1) return false;
  for (unsigned divisor = 2; divisor <= largest_prime; ++divisor) {
    if (divisor * divisor > n) return n <= largest_prime;  // 1, or a prime
    while (n % divisor == 0) n /= divisor;
  }
  return n == 1;
}

std::int64_t largest_prime_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t divisor = 2; divisor * divisor <= n; ++divisor) {
    for (; n % divisor == 0; n /= divisor) largest = divisor;
  }
  return std::max(largest, n);  // what is left is a prime, or 1
}

// A block of 1024 threads of 16 points; of 11 or 14 points where more do not divide n.
std::int64_t largest_mixed(std::int64_t n) {
  if (!is_smooth(n, largest_usual_radix))
    return std::min<std::int64_t>(16384, most_with_large_primes(n));
  if (n % (7 * 7 * 7) == 0 && !is_smooth(n, 13)) return 14336;
  int large_primes = 0;
  for (const int prime : {11, 13}) {
    for (; n > 0 && n % prime == 0; n /= prime) ++large_primes;
  }
  return large_primes >= 3 ? 11264 : 16384;
}

Decomposition decompose(std::int64_t n, std::optional<unsigned> radix) {
  if (n < 2 || !is_smooth(n)) {
    throw UnsupportedProblem("n", std::to_string(n), "a product of primes up to 61, at least 2");
  }
  const bool bits = is_power_of_two(n);
  if (radix && (!is_radix(*radix) || (bits && !is_power_of_two(*radix)))) {
    throw UnsupportedProblem("radix", std::to_string(*radix),
                             bits ? "2, 4, 8, 16 or 32 for a power of two" : radices_allowed);
  }
  if (!bits && !radix) return decompose_mixed(n);
  Decomposition result;
  const std::int64_t step = radix.value_or(16);
  for (; bits ? n >= step : n % step == 0; n /= step) {
    result.radices.push_back(static_cast<unsigned>(step));
  }
  if (n > 1 && bits) result.radices.push_back(static_cast<unsigned>(n));
  if (n > 1 && !bits) {
    const auto rest = decompose(n).radices;
    result.radices.insert(result.radices.end(), rest.begin(), rest.end());
  }
  return result;
}

}  // namespace sonoma
