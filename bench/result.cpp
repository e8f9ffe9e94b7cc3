#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "csv.hpp"

namespace sonoma::bench {
namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names = {"lib", "type",    "dims",   "batch", "place",
                                                 "ms",  "copy_ms", "eff",    "relL2", "workspace",
                                                 "gpu", "cuda",    "commit", "date"};
  return names;
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

constexpr std::string_view channel = "-channel ";

// Of "64-channel convolution f32"; 1 where nothing is said.
std::int64_t channels_in(std::string_view type) {
  const std::size_t end = type.find(channel);
  return end == std::string_view::npos
             ? 1
             : csv_number<std::int64_t>("type", std::string(type.substr(0, end)));
}

std::string_view without_channels(std::string_view type) {
  const std::size_t end = type.find(channel);
  return end == std::string_view::npos ? type : type.substr(end + channel.size());
}

std::string header() {
  std::string line = csv_line(columns());
  line.pop_back();
  return "the header " + line;
}

Row parse_row(const std::vector<std::string>& f) {
  if (f.size() != columns().size()) {
    throw std::invalid_argument("has " + std::to_string(f.size()) + " fields, not " +
                                std::to_string(columns().size()));
  }
  Row row;
  row.result = {f[0],
                f[1],
                f[2],
                csv_number<std::int64_t>("batch", f[3]),
                f[4],
                csv_number<double>("ms", f[5]),
                csv_number<double>("copy_ms", f[6]),
                csv_number<double>("relL2", f[8]),
                csv_number<std::size_t>("workspace", f[9])};
  row.machine = {f[10], f[11], f[12], f[13]};
  if (row.result.points() < 1) throw std::invalid_argument("dims must be above 0");
  if (channels_in(row.result.type) < 1) throw std::invalid_argument("channels must be above 0");
  if (!(row.result.ms > 0 && row.result.copy_ms > 0)) {
    throw std::invalid_argument("ms and copy_ms must be above 0");
  }
  return row;
}

}  // namespace

std::vector<std::int64_t> lengths_in(std::string_view dims) {
  std::vector<std::int64_t> lengths;
  while (true) {
    const std::size_t size = std::min(dims.find('x'), dims.size());
    lengths.push_back(csv_number<std::int64_t>("dims", dims.substr(0, size)));
    if (size == dims.size()) return lengths;
    dims.remove_prefix(size + 1);
  }
}

std::int64_t Result::points() const { return FftProblem{lengths_in(dims)}.n(); }

Domain domain_of(std::string_view type) {
  for (auto i = static_cast<int>(Domain::r2c); i <= static_cast<int>(Domain::dst4); ++i) {
    const auto real = static_cast<Domain>(i);
    if (type.starts_with(to_string(real) + " ")) return real;
  }
  return Domain::c2c;
}

namespace {

constexpr std::string_view convolution = "convolution ", real_convolution = "real-convolution ";

bool is_real(std::string_view type) {
  return domain_of(type) != Domain::c2c || type.starts_with(real_convolution);
}

// There and back, and a complex product.
bool is_convolution(std::string_view type) {
  return type.starts_with(convolution) || type.starts_with(real_convolution);
}

// Behind the word for what is done.
std::string_view storages_in(std::string_view type) {
  const bool said = is_real(type) || is_convolution(type);
  return said ? type.substr(type.find(' ') + 1) : type;
}

}  // namespace

double Result::gflops() const {
  if (lib == "copy") return 0;
  const std::string_view what = without_channels(type);
  const auto n = static_cast<double>(points()), channels = static_cast<double>(channels_in(type));
  const double levels = 5 * n * std::log2(n);
  const double products = channels * 6 * n + (channels - 1) * 2 * n;
  const double all = is_convolution(what) ? (channels + 1) * levels + products : levels;
  return (is_real(what) ? all / 2 : all) * static_cast<double>(batch) / (ms * 1e6);
}

double Result::gb_per_s() const {
  const std::string_view what = without_channels(type);
  FftProblem problem;
  problem.lengths = lengths_in(dims), problem.domain = domain_of(what);
  if (is_convolution(what)) problem.convolution.emplace().real = is_real(what);
  const auto bytes = [&](bool input, bool wide) {
    const std::int64_t points = input ? problem.in_length() : problem.out_length();
    return points * point_bytes(wide ? Storage::f32 : Storage::f16, problem.values(input));
  };
  const std::int64_t both = channels_in(type) * bytes(true, storages_in(what).starts_with("f32")) +
                            bytes(false, what.ends_with("f32"));
  return static_cast<double>(both * batch) / (ms * 1e6);
}

std::string five_digits(double value) { return number("%#.5g", value); }

std::string csv_header() { return csv_line(columns()); }

std::string to_csv(const Row& row) {
  const Result& r = row.result;
  const Machine& m = row.machine;
  return csv_line({r.lib, r.type, r.dims, std::to_string(r.batch), r.place, five_digits(r.ms),
                   five_digits(r.copy_ms), number("%.3f", r.efficiency()), number("%.3g", r.rel_l2),
                   std::to_string(r.workspace), m.gpu, m.cuda, m.commit, m.date});
}

std::vector<Row> parse_csv(std::string_view text) {
  std::vector<Row> rows;
  bool headed = false;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    try {
      const auto fields = csv_fields(line);
      const bool is_header = fields == columns();
      if (!headed && !is_header) throw std::invalid_argument("is not " + header());
      if (!is_header) rows.push_back(parse_row(fields));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("line " + std::to_string(line_number) + ": " + error.what());
    }
    headed = true;
  }
  if (!headed) throw std::invalid_argument("is empty; the first line must be " + header());
  return rows;
}

}  // namespace sonoma::bench
