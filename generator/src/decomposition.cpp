#include "sonoma/decomposition.hpp"

#include <bit>
#include <cctype>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

bool is_radix(unsigned long value) { return value == 2 || value == 4 || value == 8 || value == 16; }

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
    if (!is_radix(value)) fail("expected a radix 2, 4, 8 or 16");
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

}  // namespace

std::int64_t Decomposition::n() const {
  std::int64_t product = 1;
  for (const unsigned radix : radices) product *= radix;
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

Decomposition decompose(std::int64_t n, std::optional<unsigned> radix) {
  if (n < 2 || !std::has_single_bit(static_cast<std::uint64_t>(n))) {
    throw UnsupportedProblem("n", std::to_string(n), "a power of two, at least 2");
  }
  if (radix && !is_radix(*radix)) {
    throw UnsupportedProblem("radix", std::to_string(*radix), "2, 4, 8 or 16");
  }
  Decomposition result;
  const std::int64_t step = radix.value_or(16);
  for (; n >= step; n /= step) result.radices.push_back(static_cast<unsigned>(step));
  if (n > 1) result.radices.push_back(static_cast<unsigned>(n));
  return result;
}

}  // namespace sonoma
