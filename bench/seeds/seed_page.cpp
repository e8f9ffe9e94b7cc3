#include "seed_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "result.hpp"
#include "seed_plans.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

constexpr double at_the_copy = 0.95;  // of its speed

// "7.8e-7"
std::string short_error(std::optional<double> value) {
  if (!value) return "";
  if (!std::isfinite(*value)) return "not finite";
  std::string text = formatted("%.2e", *value);
  const std::size_t exponent = text.find('e') + 2;
  if (text[exponent] == '0') text.erase(exponent, 1);
  return text;
}

std::optional<double> error_in(const SeedMeasurement* m) {
  return m == nullptr ? std::nullopt : std::optional(m->error.error);
}

std::string units(const SeedMeasurement* m) {
  if (m == nullptr) return "";
  const double u = m->error.rel_l2 * 0x1p24;
  return u < 1000 ? formatted("%.1fu", u) : short_error(m->error.rel_l2);
}

std::string shape_of(const SeedRow& row) {
  return dims_of(row.problem()) + " x " + std::to_string(row.batch);
}

// Is Sonoma's error lower? Of the published sums in FP32 see SeedError::error_f32.
std::string lower(const SeedRow& row, const SeedMeasurement* asked, const SeedMeasurement* choice) {
  if (!row.error || asked == nullptr || choice == nullptr) return "";
  const bool first = asked->error.error < *row.error, second = choice->error.error < *row.error;
  if (first && second) return "yes";
  const double both = std::max(asked->error.error_f32, choice->error.error_f32);
  if (both < *row.error) return "no; summed in FP32 yes: " + short_error(both);
  return first ? "the radix only" : second ? "the choice only" : "no";
}

std::string errors(const SeedTables& tables, const std::vector<SeedRow>& published) {
  const std::string radix = "radix " + std::to_string(published[0].radix);
  std::vector<Cells> rows;
  for (const auto& row : published) {
    const auto* const asked = tables.find(row, "sonoma-mma");
    const auto* const choice = tables.find(row, "sonoma");
    const auto* const cufft = tables.find(row, "cufft32");
    const auto* const cufft16 = tables.find(row, "cufft16");
    rows.push_back({row.row, shape_of(row), short_error(row.error), short_error(error_in(asked)),
                    short_error(error_in(choice)), short_error(error_in(cufft)),
                    short_error(row.cufft16_error), short_error(error_in(cufft16)), units(asked),
                    units(choice), units(cufft), lower(row, asked, choice)});
  }
  return markdown_table(
      {"", "shape x batch", "published", radix, "choice", "cuFFT", "published FP16", "cuFFT FP16",
       "E2: " + radix, "choice", "cuFFT", "lower?"},
      rows);
}

std::string microseconds(const SeedMeasurement* m) {
  return m == nullptr || m->ms <= 0 ? "" : formatted("%.3g", 1000 * m->ms);
}

// Of the faster one of Sonoma's two.
std::string faster(const SeedMeasurement& best, const SeedMeasurement& cufft) {
  if (best.ms < cufft.ms) return "yes";
  return best.copy_ms >= at_the_copy * best.ms ? "no, but at the copy" : "no";
}

std::string times(const SeedTables& tables, const std::vector<SeedRow>& published) {
  std::vector<Cells> rows;
  for (const auto& row : published) {
    const auto* const asked = tables.find(row, "sonoma-mma");
    const auto* const choice = tables.find(row, "sonoma");
    const auto* const cufft = tables.find(row, "cufft32");
    std::string theirs, ours, verdict, copy;
    if (row.time && row.cufft32_time) theirs = formatted("%.2f", *row.time / *row.cufft32_time);
    if (asked != nullptr && choice != nullptr && cufft != nullptr && cufft->ms > 0) {
      const SeedMeasurement& best = asked->ms < choice->ms ? *asked : *choice;
      ours = formatted("%.2f", best.ms / cufft->ms);
      verdict = faster(best, *cufft);
      copy = formatted("%.3g", 1000 * best.copy_ms);
    }
    rows.push_back({row.row, shape_of(row), theirs, ours, microseconds(asked), microseconds(choice),
                    microseconds(cufft), microseconds(tables.find(row, "cufft16")), copy, verdict});
  }
  return markdown_table({"", "shape x batch", "published / its cuFFT", "best here / cuFFT",
                         "us: radix " + std::to_string(published[0].radix), "choice", "cuFFT",
                         "cuFFT FP16", "copy", "faster?"},
                        rows);
}

std::string table_of(const SeedTables& tables, const std::string& words) {
  std::istringstream stream(words);
  std::string kind, table;
  stream >> kind >> table;
  if (words == "locality") return markdown_table(locality_head(), locality_rows());
  if (words == "volumes") return markdown_table(volumes_head(), volumes_rows());
  if (words == "methods") return markdown_table(methods_head(), methods_rows(tables.methods));
  if (kind == "errors") return errors(tables, rows_of_table(tables.published, table));
  if (kind == "times") return times(tables, rows_of_table(tables.published, table));
  throw std::invalid_argument("the page asks for a table '" + words +
                              "'; there are errors TABLE, times TABLE, locality, volumes, methods");
}

constexpr std::string_view begins = "<!-- seed_tables ", closes = " -->\n", ends = "<!-- end -->";

}  // namespace

const SeedMeasurement* SeedTables::find(const SeedRow& row, std::string_view lib) const {
  const auto at = std::ranges::find_if(measured, [&](const SeedMeasurementRow& candidate) {
    const SeedMeasurement& m = candidate.measurement;
    return m.table == row.table && m.row == row.row && m.lib == lib;
  });
  return at == measured.end() ? nullptr : &at->measurement;
}

std::vector<std::string> measured_files(std::string_view page) {
  constexpr std::string_view word = "<!-- measured:";
  const std::size_t at = page.find(word);
  if (at == std::string_view::npos) {
    throw std::invalid_argument("the page has no line <!-- measured: FILE.csv -->");
  }
  page.remove_prefix(at + word.size());
  std::istringstream stream(std::string(page.substr(0, page.find("-->"))));
  std::vector<std::string> files;
  for (std::string file; stream >> file;) files.push_back(file);
  return files;
}

std::string with_seed_tables(std::string_view page, const SeedTables& tables) {
  std::string text;
  while (true) {
    const std::size_t at = page.find(begins);
    text += page.substr(0, at);
    if (at == std::string_view::npos) return text;
    page.remove_prefix(at);
    const std::size_t head = page.find(closes), end = page.find(ends);
    if (head == std::string_view::npos || end == std::string_view::npos || end < head) {
      throw std::invalid_argument("a table of the page does not end: " +
                                  std::string(page.substr(0, page.find('\n'))));
    }
    text += page.substr(0, head + closes.size());
    text += table_of(tables, std::string(page.substr(begins.size(), head - begins.size())));
    page.remove_prefix(end);
  }
}

}  // namespace sonoma::bench
