#include "fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "words.hpp"

namespace sonoma::fuzz {
namespace {

template <class Enum>
bool is_one(Enum value, Enum last) {
  return static_cast<int>(value) >= 0 && value <= last;
}

template <class Enum>
bool is_one(const std::optional<Enum>& value, Enum last) {
  return !value || is_one(*value, last);
}

bool has_enumerators(const FftProblem& problem) {
  const Direction direction = problem.direction;
  return (direction == Direction::forward || direction == Direction::inverse) &&
         is_one(problem.domain, Domain::dst4) && is_one(problem.storage, Storage::c12e8) &&
         is_one(problem.out_storage, Storage::c12e8) &&
         is_one(problem.placement, Placement::in_place) &&
         is_one(problem.order, Order::transposed) &&
         is_one(problem.accuracy.arithmetic, Arithmetic::packed);
}

bool has_enumerators(const Tuning& tuning) {
  return is_one(tuning.method, Method::rader) && is_one(tuning.engine, Engine::simt) &&
         is_one(tuning.sums, Sums::fp64) && is_one(tuning.twiddles, Twiddles::powers);
}

}  // namespace

void fail(std::string_view broken, std::string_view detail) {
  std::fprintf(stderr, "fuzz: %.*s\n%.*s\n", static_cast<int>(broken.size()), broken.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

void require_equal(std::string_view one, std::string_view other, std::string_view broken) {
  if (one != other) fail(broken, std::string(one) + "\n-- and --\n" + std::string(other));
}

void require_named(const UnsupportedProblem& refusal) {
  const bool named = !refusal.field().empty() && !refusal.allowed().empty();
  require(named, "a refusal that names no argument, or nothing that is allowed", refusal.what());
}

void require_message(const std::exception& refusal) {
  require(std::string_view(refusal.what()).find_first_of(":=") != std::string_view::npos,
          "a refusal that names no argument", refusal.what());
}

std::string to_words(const Request& request) {
  WordWriter words;
  words.add(request.arch, request.problem, request.tuning);
  return words.text();
}

bool from_words(std::string_view words, Request& request) {
  WordReader reader(words);
  reader.take(request.arch, request.problem, request.tuning);
  return reader.done() && has_enumerators(request.problem) && has_enumerators(request.tuning);
}

}  // namespace sonoma::fuzz
