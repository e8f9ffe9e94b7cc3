#include "cubin_resources.hpp"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace sonoma {
namespace {

// Attributes of a section ".nv.info" (names as printed by `cuobjdump -elf`). An attribute is a
// format byte, a type byte and two bytes of value; with format_sized the value counts the bytes
// that follow: here a symbol's index and a number.
constexpr unsigned char format_sized = 4;
constexpr unsigned char eiattr_frame_size = 0x11;
constexpr unsigned char eiattr_min_stack_size = 0x12;
constexpr unsigned char eiattr_regcount = 0x2f;

// On sm_90 and later the first KiB of a block's shared memory is the system's. It is part of the
// section's size where there is a section ".nv.shared.reserved.0".
constexpr int reserved_shared_bytes = 1024;

template <class T>
bool read(std::string_view bytes, std::uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

std::string_view slice(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.substr(offset, size);
}

// Zero-terminated at `offset` of a string table.
std::string_view string_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

struct Section {
  std::string_view name;
  Elf64_Shdr header;
};

std::vector<Section> sections_of(std::string_view elf) {
  Elf64_Ehdr file{};
  if (!read(elf, 0, file) || std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
      file.e_ident[EI_CLASS] != ELFCLASS64) {
    return {};
  }
  std::vector<Section> sections(file.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (!read(elf, file.e_shoff + i * sizeof(Elf64_Shdr), sections[i].header)) return {};
  }
  if (file.e_shstrndx >= sections.size()) return {};
  const Elf64_Shdr& strings = sections[file.e_shstrndx].header;
  const std::string_view names = slice(elf, strings.sh_offset, strings.sh_size);
  for (Section& section : sections) section.name = string_at(names, section.header.sh_name);
  return sections;
}

const Section* find(const std::vector<Section>& sections, std::string_view name) {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

// Index of the function `kernel` in the symbol table.
std::optional<std::uint32_t> symbol_index(std::string_view elf,
                                          const std::vector<Section>& sections,
                                          std::string_view kernel) {
  const Section* table = find(sections, ".symtab");
  if (table == nullptr || table->header.sh_link >= sections.size()) return std::nullopt;
  const Elf64_Shdr& strings = sections[table->header.sh_link].header;
  const std::string_view names = slice(elf, strings.sh_offset, strings.sh_size);
  const std::string_view symbols = slice(elf, table->header.sh_offset, table->header.sh_size);
  Elf64_Sym symbol{};
  for (std::uint32_t i = 0; read(symbols, i * sizeof symbol, symbol); ++i) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && string_at(names, symbol.st_name) == kernel) {
      return i;
    }
  }
  return std::nullopt;
}

struct Attribute {
  unsigned char format, type;
  std::uint16_t value;
};

// Adds to `resources` what ".nv.info" says of `symbol`; false if it does not know its registers.
bool read_attributes(std::string_view info, std::uint32_t symbol, CubinResources& resources) {
  bool found = false;
  Attribute attribute{};
  for (std::uint64_t at = 0; read(info, at, attribute);) {
    at += sizeof attribute;
    if (attribute.format != format_sized) continue;
    std::uint32_t of = 0, number = 0;
    if (attribute.value >= 8 && read(info, at, of) && read(info, at + 4, number) && of == symbol) {
      const int value = static_cast<int>(number);
      if (attribute.type == eiattr_regcount) {
        resources.registers = value;
        found = true;
      } else if (attribute.type == eiattr_frame_size || attribute.type == eiattr_min_stack_size) {
        resources.local_bytes = std::max(resources.local_bytes, value);
      }
    }
    at += attribute.value;
  }
  return found;
}

}  // namespace

std::optional<CubinResources> cubin_resources(std::string_view cubin, std::string_view kernel) {
  const std::vector<Section> sections = sections_of(cubin);
  const std::optional<std::uint32_t> symbol = symbol_index(cubin, sections, kernel);
  const Section* info = find(sections, ".nv.info");
  if (!symbol || info == nullptr) return std::nullopt;
  CubinResources resources;
  if (!read_attributes(slice(cubin, info->header.sh_offset, info->header.sh_size), *symbol,
                       resources)) {
    return std::nullopt;
  }
  if (const Section* code = find(sections, ".text." + std::string(kernel))) {
    resources.code_bytes = static_cast<int>(code->header.sh_size);
  }
  if (const Section* shared = find(sections, ".nv.shared." + std::string(kernel))) {
    const bool reserved = find(sections, ".nv.shared.reserved.0") != nullptr;
    resources.static_shared_bytes =
        static_cast<int>(shared->header.sh_size) - (reserved ? reserved_shared_bytes : 0);
  }
  return resources;
}

}  // namespace sonoma
