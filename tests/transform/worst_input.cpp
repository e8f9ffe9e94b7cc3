#include "worst_input.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "sonoma/inspect.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

// A length, and its divisors but 1.
struct Divided {
  std::size_t length = 1;
  std::vector<std::size_t> divisors;
};

Divided divided(std::size_t length) {
  Divided result{length, {}};
  for (std::size_t one = 2; one <= length; ++one) {
    if (length % one == 0) result.divisors.push_back(one);
  }
  if (result.divisors.empty()) result.divisors = {1};
  return result;
}

// All of one transform: n, of pairs of real numbers n / 2, of a convolution its length.
std::size_t steps_multiply_to(const Plan& plan) {
  const Launch& launch = plan.program().launches.front();
  const auto& part = launch.pass.part;
  return static_cast<std::size_t>(part ? part->points() : launch.shape.length());
}

/// Rows that compete.
class Search {
 public:
  Search(const Measured& measured) : measured_(measured), rows_(measured.random_rows()) {
    if (measured_.plan().problem().values(true) == Values::complex) take_table();
    try_all("random");
  }

  // Signals that are zero but at few points; tones; chirps, which are what a convolution with one
  // enlarges most; points far apart, which the first step alone has to do with.
  void structured() {
    const std::size_t n = measured_.points();
    each_row("sparse signal", [&](Complex* row, std::size_t b) {
      for (std::size_t i = 0; i <= b % 4; ++i) row[below(n)] = normal();
    });
    each_row("sparse spectrum", [&](Complex* row, std::size_t b) {
      for (std::size_t i = 0; i <= b % 4; ++i) add_wave(row, below(n), 0, normal());
    });
    each_row("chirps", [&](Complex* row, std::size_t b) {
      for (std::size_t i = 0; i <= b % 2; ++i)
        add_wave(row, below(n), b % 4 < 2 ? 1 : -1, normal());
    });
  }
  void dilated(int generations) {
    const std::size_t n = measured_.points();
    for (std::size_t points = 2; points <= 32 && points < n; ++points) {
      if (n % points != 0) continue;
      best_.clear();
      each_row("points far apart", [&](Complex* row, std::size_t) {
        for (std::size_t t = 0; t < n; t += n / points) row[t] = normal();
      });
      for (int i = 0; i < generations; ++i) generation();
    }
  }

  // From the worst rows on that were found before, or lately.
  void generation() {
    from_the_worst("", [&](Complex* row) { mutate(row); });
  }

  // Waves whose points are off by units in the last place, the same for all points so far apart:
  // sums of what is nearly equal round the same way everywhere, step after step, and what they err
  // adds up in one result. Then the same of what was the worst.
  void nudged(int generations) {
    nudged(generations, divided(measured_.points()));
    const std::size_t convolved = steps_multiply_to(measured_.plan());
    if (convolved != measured_.points()) nudged(generations, divided(convolved));
  }

  [[nodiscard]] Worst worst() const { return worst_; }

 private:
  struct Row {
    double relative = 0;
    std::string input;
    Memory row;
  };
  static constexpr std::size_t kept = 4;

  void nudged(int generations, const Divided& length) {
    const auto climb = [&](const char* input) {
      for (int i = 0; i < generations; ++i) {
        from_the_worst(input, [&](Complex* row) { nudge(row, length); });
      }
    };
    enum class Wave { constant, tone, chirp, conjugate_chirp };
    using enum Wave;
    for (const Wave wave : {constant, tone, chirp, conjugate_chirp}) {
      best_.clear();
      each_row("nudged waves", [&](Complex* row, std::size_t) {
        const std::size_t bin = wave == tone ? below(measured_.points()) : 0;
        const int bend = wave == chirp ? 1 : wave == conjugate_chirp ? -1 : 0;
        add_wave(row, bin, bend, wave == constant ? Complex(std::abs(normal())) : normal());
      });
      climb("nudged waves");
    }
    best_ = {worst_row_};
    climb("nudged");
  }

  template <class Change>
  void from_the_worst(const std::string& input, const Change& change) {
    for (std::int64_t b = 0; b < measured_.batch(); ++b) {
      if (best_.empty()) return;
      const Memory& parent = best_[below(best_.size())].row;
      std::copy(parent.begin(), parent.end(), row_of(b));
      change(row_of(b));
    }
    try_all(input);
  }

  Complex* row_of(std::int64_t b) { return rows_.data() + measured_.first_of(b); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  Complex normal() {
    std::normal_distribution<float> normal;
    const float re = normal(random_), im = normal(random_);
    return {re, im};
  }
  bool is_real() const { return measured_.plan().problem().values(true) == Values::real; }

  // exp(i pi (2 bin t + bend t^2) / n)
  void add_wave(Complex* row, std::size_t bin, int bend, Complex amplitude) {
    const std::size_t n = measured_.points();
    for (std::size_t t = 0; t < n; ++t) {
      const auto turn =
          static_cast<std::int64_t>(2 * bin * t) + bend * static_cast<std::int64_t>(t * t);
      const auto part = turn % static_cast<std::int64_t>(2 * n);
      const double angle = std::numbers::pi * static_cast<double>(part) / static_cast<double>(n);
      row[t] += amplitude * Complex(std::polar(1.0, angle));
    }
  }

  template <class Fill>
  void each_row(const char* input, const Fill& fill) {
    for (std::int64_t b = 0; b < measured_.batch(); ++b) {
      std::fill(row_of(b), row_of(b) + measured_.points(), Complex{});
      fill(row_of(b), static_cast<std::size_t>(b));
    }
    try_all(input);
  }

  void take_table() {
    const FftProblem& problem = measured_.plan().problem();
    const auto table = verification::adversarial_inputs(problem.n(), 7, problem.storage);
    std::int64_t b = 0;
    for (const auto& input : table) {
      using enum verification::Gauge;
      if (input.gauge == poisoned || input.gauge == unbounded || input.gauge == zero) continue;
      std::copy(input.x.begin(), input.x.end(), row_of(b++));
      if (b < measured_.batch()) continue;
      try_all("adversarial table");
      b = 0;
    }
    try_all("adversarial table");
    rows_ = measured_.random_rows();
  }

  // Of points of a row that are not zero, or of any, one of these: new values; other bits; a
  // factor. Or all times a factor; or points zero.
  void mutate(Complex* row) {
    const std::vector<std::size_t> places = places_of(row);
    const std::size_t changes = 1 + below(std::max<std::size_t>(1, places.size() / 8));
    const auto each = [&](const auto& change) {
      for (std::size_t i = 0; i < changes; ++i) change(row[places[below(places.size())]]);
    };
    const auto factor = static_cast<float>(std::exp2(static_cast<double>(below(1024)) / 1024));
    switch (below(6)) {
      case 0:
        return each([&](Complex& x) { x = normal(); });
      case 1:
        return each([&](Complex& x) { flip(x); });
      case 2:
        for (const std::size_t t : places) row[t] *= factor;
        return;
      case 3:
        return each([&](Complex& x) { x *= is_real() ? Complex(-factor) : normal(); });
      case 4:
        return each([&](Complex& x) { x = Complex(x.imag(), x.real()) * Complex(0, 1); });
      default:
        return each([&](Complex& x) { x = {}; });
    }
  }
  std::vector<std::size_t> places_of(const Complex* row) {
    std::vector<std::size_t> places;
    const bool any = below(8) == 0;
    for (std::size_t t = 0; t < measured_.points(); ++t) {
      if (any || row[t] != Complex{}) places.push_back(t);
    }
    return places.empty() ? std::vector<std::size_t>{0} : places;
  }
  // The points t that are one number modulo a divisor of n, or of the length of a convolution, or
  // that follow each other: some units in the last place up or down.
  void nudge(Complex* row, const Divided& length) {
    const auto& [whole, divisors] = length;
    const std::size_t apart = divisors[below(divisors.size())], residue = below(apart);
    const bool following = below(2) == 0, re = below(3) != 0, im = !re || below(2) == 0;
    const auto units = std::int32_t{1} << below(5);
    const std::int32_t by = below(2) == 0 ? units : -units;
    const auto moved = [&](float value, bool is) {
      const auto bits = std::bit_cast<std::int32_t>(value);
      return is && value != 0 ? std::bit_cast<float>(bits + by) : value;
    };
    for (std::size_t t = 0; t < measured_.points(); ++t) {
      if ((following ? t / (whole / apart) : t % apart) != residue) continue;
      row[t] = {moved(row[t].real(), re), moved(row[t].imag(), im)};
    }
  }
  void flip(Complex& value) {
    const auto bits = std::bit_cast<std::uint32_t>(value.real()) ^ 1u << below(23);
    value = is_real() || below(2) == 0 ? Complex(std::bit_cast<float>(bits), value.imag())
                                       : Complex(value.imag(), std::bit_cast<float>(bits));
  }

  void try_all(const std::string& input) {
    if (is_real()) {
      for (std::int64_t b = 0; b < measured_.batch(); ++b) {
        Complex* row = row_of(b);
        for (std::size_t t = 0; t < measured_.points(); ++t) row[t] = row[t].real();
      }
    }
    measured_.round(rows_);
    const std::vector<TransformError> errors = measured_.errors(rows_);
    for (std::int64_t b = 0; b < measured_.batch(); ++b) {
      const TransformError& error = errors[static_cast<std::size_t>(b)];
      if (!error.normal) continue;
      const Complex* row = row_of(b);
      best_.push_back({error.relative, input, Memory(row, row + measured_.points())});
    }
    std::ranges::sort(best_, std::greater(), &Row::relative);
    if (best_.size() > kept) best_.resize(kept);
    if (best_.empty() || best_[0].relative <= worst_.relative) return;
    worst_.relative = best_[0].relative, worst_row_ = best_[0];
    if (!input.empty()) worst_.input = input;
  }

  const Measured& measured_;
  std::mt19937_64 random_{5};
  Memory rows_;
  std::vector<Row> best_;
  Row worst_row_;
  Worst worst_;
};

}  // namespace

Worst worst_input(const Measured& measured, int generations) {
  Search search(measured);
  search.structured();
  for (int i = 0; i < generations; ++i) search.generation();
  search.dilated(generations / 3);
  search.nudged(2 * generations);
  return search.worst();
}

}  // namespace sonoma::test
