// seed_tables: the tables that the seeds published, beside what Sonoma and cuFFT do on the same
// rows.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "seed_page.hpp"
#include "seed_plots.hpp"
#include "seed_stand.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma::bench {
namespace {

namespace fs = std::filesystem;

constexpr int repetitions = 9;
constexpr std::int64_t most_emulated_points = 4096;

struct Options {
  std::string device = "auto", only, data = SONOMA_SEEDS, out = SONOMA_RESULTS, page;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

Device device_of(const std::string& name) {
  if (name == "auto") return gpu_available() ? Device::gpu : Device::cpu;
  return name == "gpu" ? Device::gpu : Device::cpu;
}

// "2026-11-25-h200-seeds.csv": as other recorded rows are called.
std::string file_name(const Machine& machine, Device device, const std::string& only) {
  std::string gpu = machine.gpu.substr(machine.gpu.rfind(' ') + 1);
  std::ranges::transform(gpu, gpu.begin(),
                         [](char c) { return static_cast<char>(std::tolower(c)); });
  if (device == Device::cpu) gpu = "emulated";
  return machine.date + '-' + gpu + "-seeds" + (only.empty() ? "" : "-" + only) + ".csv";
}

void print(const SeedRow& row, const std::vector<SeedMeasurement>& measured) {
  for (const auto& m : measured) {
    std::printf("%-10s %-7s %-9s x %-8lld %-11s error %-10.3g E2 %-10.3g", m.table.c_str(),
                m.row.c_str(), m.dims.c_str(), static_cast<long long>(m.batch), m.lib.c_str(),
                m.error.error, m.error.rel_l2);
    if (m.ms > 0) std::printf(" %.5g ms, a copy %.5g", m.ms, m.copy_ms);
    std::printf("\n");
  }
  if (row.error) std::printf("%54s error %.3g\n", "published", *row.error);
  std::fflush(stdout);
}

// A row that fails is told, and the others still run: false if there was one.
bool measure(const Options& options) {
  const auto rows =
      rows_of_table(parse_seed_rows(read(fs::path(options.data) / "published.csv")), options.only);
  const Device device = device_of(options.device);
  const bool emulated = device == Device::cpu;
  const Machine machine = emulated ? machine_without_gpu() : this_machine();
  const fs::path path = fs::path(options.out) / file_name(machine, device, options.only);
  SeedStand stand(device, rows, emulated ? most_emulated_points : INT64_MAX, repetitions);
  if (!emulated) {
    std::fprintf(stderr, "seed_tables: compiling kernels of %zu rows\n", rows.size());
    stand.make_kernels();
  }
  std::string csv = seed_csv_header();
  bool all_ran = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SeedRow& row = rows[i];
    std::fprintf(stderr, "[%zu/%zu] %s %s\n", i + 1, rows.size(), row.table.c_str(),
                 row.row.c_str());
    try {
      const auto measured = stand.run(row, [](const std::string& note) {
        std::fprintf(stderr, "seed_tables: left out: %s\n", note.c_str());
      });
      print(row, measured);
      for (const auto& m : measured) csv += to_csv({m, machine});
    } catch (const FftError& error) {
      std::fprintf(stderr, "seed_tables: failed: %s\n", error.what());
      all_ran = false;
    }
    write(path, csv);
  }
  std::printf("%s\n", path.c_str());
  return all_ran;
}

void write_page(const Options& options) {
  const std::string page = read(options.page);
  SeedTables tables{parse_seed_rows(read(fs::path(options.data) / "published.csv")),
                    {},
                    read(fs::path(options.data) / "methods.csv")};
  for (const auto& file : measured_files(page)) {
    const auto rows = parse_seed_csv(read(fs::path(options.out) / file));
    tables.measured.insert(tables.measured.end(), rows.begin(), rows.end());
  }
  write(options.page, with_seed_tables(page, tables));
  write_seed_pictures(tables, fs::absolute(options.page).parent_path().string());
}

int run(int count, char** arguments) {
  CLI::App app("The tables that the seeds published, beside Sonoma and cuFFT: see docs/seeds.md.");
  Options options;
  app.add_option("--device", options.device,
                 "auto, gpu, or cpu: the emulated device, small batches and no times")
      ->check(CLI::IsMember({"auto", "gpu", "cpu"}));
  app.add_option("--only", options.only, "tables whose name begins so: 000, 001-4");
  app.add_option("--data", options.data, "folder of what was published")
      ->check(CLI::ExistingDirectory);
  app.add_option("--out", options.out, "folder of CSVs")->check(CLI::ExistingDirectory);
  app.add_option(
         "--page", options.page,
         "runs nothing: makes the tables of docs/seeds.md anew, of the files that it names, and "
         "the pictures beside it")
      ->check(CLI::ExistingFile);
  CLI11_PARSE(app, count, arguments);
  if (options.page.empty()) return measure(options) ? 0 : 3;
  write_page(options);
  return 0;
}

}  // namespace
}  // namespace sonoma::bench

int main(int count, char** arguments) {
  try {
    return sonoma::bench::run(count, arguments);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "seed_tables: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "seed_tables: %s\n", error.what());
    return 3;
  }
}
