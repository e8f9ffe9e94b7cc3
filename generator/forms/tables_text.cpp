#include "tables_text.hpp"

#include "sonoma/errors.hpp"
#include "sonoma/forms.hpp"

namespace sonoma {
namespace {

constexpr unsigned words_of_unit = 4;

void add_hex(std::string& text, std::uint32_t value) {
  text += "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
}

void check_size(const std::vector<LaunchKernel>& kernels) {
  std::size_t bytes = 0;
  for (const LaunchKernel& kernel : kernels) {
    bytes += kernel.source.tables.size() * sizeof(std::uint32_t);
  }
  if (bytes <= most_table_bytes_of_form) return;
  throw UnsupportedProblem("form", "tables of " + std::to_string(bytes) + " bytes",
                           "tables up to " + std::to_string(most_table_bytes_of_form) +
                               " bytes, which nvcc compiles as numbers; take another length (a "
                               "product of primes up to 61 has small tables), or the library");
}

}  // namespace

std::string table_text(const std::string& type, const std::string& name,
                       const std::vector<std::uint32_t>& table) {
  if (table.empty()) return {};
  const std::size_t units = table.size() / words_of_unit;
  std::string text = type + " " + name + "[" + std::to_string(units) + "] = {\n";
  text.reserve(text.size() + units * 56);
  for (std::size_t unit = 0; unit < units; ++unit) {
    text += "    {";
    for (std::size_t i = 0; i < words_of_unit; ++i) {
      if (i > 0) text += ", ";
      add_hex(text, table[words_of_unit * unit + i]);
    }
    text += "},\n";
  }
  return text + "};\n";
}

std::string table_name(const std::string& form, const std::vector<LaunchKernel>& kernels,
                       std::size_t i) {
  if (kernels[i].source.tables.empty()) return {};
  return form + "_tables_" + std::to_string(i + 1);
}

std::string tables_text(const std::string& form, const std::vector<LaunchKernel>& kernels) {
  check_size(kernels);
  std::string text;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    text += table_text("alignas(32) __device__ uint4", table_name(form, kernels, i),
                       kernels[i].source.tables);
  }
  if (text.empty()) return {};
  return "\n// ===== the tables of the kernels =====\nextern \"C\" {\n" + text +
         "}  // extern \"C\"\n";
}

}  // namespace sonoma
