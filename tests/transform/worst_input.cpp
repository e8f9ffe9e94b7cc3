#include "worst_input.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <numbers>
#include <random>
#include <utility>

#include "host_execution.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

TransformError error_of(const Complex* y, const std::complex<double>* X, std::size_t count,
                        double smallest) {
  TransformError error;
  double error2 = 0, size2 = 0, bias = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::complex<double> e = std::complex<double>(y[k]) - X[k];
    error2 += std::norm(e), size2 += std::norm(X[k]);
    bias += e.real() * X[k].real() + e.imag() * X[k].imag();
  }
  error.normal = std::isfinite(error2) && std::sqrt(size2) > smallest;
  if (!error.normal) return error;
  error.relative = std::sqrt(error2 / size2), error.bias = bias / size2;
  return error;
}

// FFTW makes one plan at a time.
MemoryD exact_results(const FftProblem& problem, const Memory& rows) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return expected_by_guru(problem, rows);
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
    for (std::int64_t b = 0; b < measured_.batch(); ++b) {
      if (best_.empty()) return;
      const Memory& parent = best_[below(best_.size())].row;
      std::copy(parent.begin(), parent.end(), row_of(b));
      mutate(row_of(b));
    }
    try_all("");
  }

  [[nodiscard]] Worst worst() const { return worst_; }

 private:
  struct Row {
    double relative;
    std::string input;
    Memory row;
  };
  static constexpr std::size_t kept = 4;

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
    worst_.relative = best_[0].relative;
    if (!input.empty()) worst_.input = input;
  }

  const Measured& measured_;
  std::mt19937_64 random_{5};
  Memory rows_;
  std::vector<Row> best_;
  Worst worst_;
};

}  // namespace

Measured::Measured(Plan plan)
    : plan_(std::move(plan)), points_(places(plan_.problem(), true).size()) {}

Memory Measured::random_rows(float unit) const { return random_input(plan_.problem(), unit); }

std::size_t Measured::first_of(std::int64_t b) const {
  return static_cast<std::size_t>(guard_of(plan_.problem(), true)) +
         static_cast<std::size_t>(b) * points_;
}

void Measured::round(Memory& rows) const {
  for (auto& value : rows) value = rounded_to(plan_.problem().storage, value);
}

Memory Measured::results(const Memory& rows) const {
  const FftProblem& problem = plan_.problem();
  const auto bytes_before = [](Storage storage) { return guard * point_bytes(storage); };
  std::vector<std::byte> in = pack(problem.storage, problem.values(true), rows);
  std::vector<std::byte> out =
      pack(problem.result_storage(), problem.values(false), output_before(problem, rows));
  if (bytes_before(problem.storage) != bytes_before(problem.result_storage())) {
    // One offset serves both sides.
    const std::size_t first = bytes_before(Storage::f32);
    in.insert(in.begin(), first - bytes_before(problem.storage), std::byte{});
    out.insert(out.begin(), first - bytes_before(problem.result_storage()), std::byte{});
    cli::execute_on_host_data(plan_, in, out, first);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(
                                             first - bytes_before(problem.result_storage())));
  } else {
    cli::execute_on_host_data(plan_, in, out, bytes_before(problem.storage));
  }
  return unpack(problem.result_storage(), problem.values(false), out);
}

std::vector<TransformError> Measured::errors(const Memory& rows) const {
  const FftProblem& problem = plan_.problem();
  const MemoryD exact = exact_results(problem, rows);
  const Memory out = results(rows);
  const auto first = static_cast<std::size_t>(guard_of(problem, false));
  const std::size_t points = places(problem, false).size();
  const double smallest =
      64 * format_of(problem.result_storage()).smallest * std::sqrt(static_cast<double>(points));
  std::vector<TransformError> errors;
  for (std::int64_t b = 0; b < batch(); ++b) {
    const std::size_t at = first + static_cast<std::size_t>(b) * points;
    errors.push_back(error_of(out.data() + at, exact.data() + at, points, smallest));
  }
  return errors;
}

Worst worst_input(const Measured& measured, int generations) {
  Search search(measured);
  search.structured();
  for (int i = 0; i < generations; ++i) search.generation();
  search.dilated(generations / 3);
  return search.worst();
}

}  // namespace sonoma::test
