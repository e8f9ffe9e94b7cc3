#include "dynamic_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "sha256.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {
namespace {

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

constexpr std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// The build id among the notes of one PT_NOTE segment, or "".
std::string build_id_in(std::string_view notes) {
  Elf64_Nhdr note{};
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t size = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (size > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(sizeof note, 3) == "GNU") {
      return hexadecimal(notes.substr(sizeof note + padded(note.n_namesz), note.n_descsz));
    }
    notes.remove_prefix(size);
  }
  return {};
}

struct Wanted {
  std::uintptr_t base;
  std::string build_id;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  if (info->dlpi_addr != wanted.base) return 0;
  for (int i = 0; i < info->dlpi_phnum && wanted.build_id.empty(); ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as integers
    const auto* start = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
    wanted.build_id = build_id_in({start, segment.p_memsz});
  }
  return 1;
}

link_map* map_of(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : nullptr;
}

}  // namespace

std::optional<DynamicLibrary> DynamicLibrary::open(std::span<const std::string> names,
                                                   std::string& searched) {
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return DynamicLibrary(handle);
    const char* reason = dlerror();
    searched += "\n  " + name + ": " + (reason != nullptr ? reason : "cannot be opened");
  }
  return std::nullopt;
}

DynamicLibrary::DynamicLibrary(void* handle) : handle_(handle) {
  if (const link_map* map = map_of(handle)) path_ = map->l_name;
}

void* DynamicLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

void DynamicLibrary::throw_missing(const char* name) const {
  throw FftError(Stage::load_library, path_.string() + " has no function " + name +
                                          ": it is too old, CUDA 11.2 or later is needed");
}

std::string DynamicLibrary::build_id() const {
  Wanted wanted{0, {}};
  if (const link_map* map = map_of(handle_)) {
    wanted.base = map->l_addr;
    dl_iterate_phdr(visit, &wanted);
  }
  if (!wanted.build_id.empty()) return wanted.build_id;
  std::string start(1 << 20, '\0');
  std::ifstream file(path_, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  std::error_code error;
  return std::to_string(std::filesystem::file_size(path_, error)) + "-" + sha256(start);
}

}  // namespace sonoma
