#include "subject_fields.hpp"

#include <charconv>
#include <span>
#include <stdexcept>
#include <string_view>

namespace sonoma::bench {
namespace {

template <class Value>
Value named(std::string_view field, const std::string& text, std::span<const Value> values) {
  for (const Value value : values) {
    if (to_string(value) == text) return value;
  }
  throw std::invalid_argument("no " + std::string(field) + " is called '" + text + "'");
}

constexpr Domain domains[] = {Domain::c2c,  Domain::r2c,  Domain::c2r,  Domain::dct1,
                              Domain::dct2, Domain::dct3, Domain::dct4, Domain::dst1,
                              Domain::dst2, Domain::dst3, Domain::dst4};
constexpr Storage storages[] = {Storage::f32, Storage::f16, Storage::bf16, Storage::i16};
constexpr Convolved convolutions[] = {Convolved::no, Convolved::complex, Convolved::real};

std::int64_t number(std::string_view field, std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && stop == text.data() + text.size() && value > 0) return value;
  throw std::invalid_argument(std::string(field) + " '" + std::string(text) +
                              "' is no positive number");
}

std::vector<std::int64_t> lengths_of(std::string_view shape) {
  std::vector<std::int64_t> lengths;
  while (true) {
    const std::size_t size = std::min(shape.find('x'), shape.size());
    lengths.push_back(number("shape", shape.substr(0, size)));
    if (size == shape.size()) return lengths;
    shape.remove_prefix(size + 1);
  }
}

}  // namespace

Fields fields_of(const Subject& subject) {
  const bool convolves = subject.convolution != Convolved::no, apart = subject.side_by_side == 0;
  return {{"domain", to_string(subject.domain)},
          {"convolution", convolves ? to_string(subject.convolution) : ""},
          {"precision", to_string(subject.storage)},
          {"arithmetic", to_string(subject.arithmetic)},
          {"shape", to_shape(subject.lengths)},
          {"columns", apart ? "" : std::to_string(subject.side_by_side)}};
}

Subject subject_of_fields(const Fields& fields) {
  const auto text = [&](std::size_t i) { return fields.at(i).second; };
  Subject subject;
  subject.domain = named<Domain>("domain", text(0), domains);
  if (!text(1).empty()) {
    subject.convolution = named<Convolved>("convolution", text(1), convolutions);
  }
  subject.storage = named<Storage>("precision", text(2), storages);
  subject.arithmetic = named<Arithmetic>("arithmetic", text(3), all_arithmetics);
  subject.lengths = lengths_of(text(4));
  if (!text(5).empty()) subject.side_by_side = number("columns", text(5));
  return subject;
}

}  // namespace sonoma::bench
