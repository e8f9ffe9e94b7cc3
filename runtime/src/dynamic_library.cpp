#include "dynamic_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
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

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_machine = EM_AARCH64;
#else
constexpr unsigned own_machine = EM_NONE;  // of no file
#endif

}  // namespace

std::optional<DynamicLibrary> DynamicLibrary::open(std::span<const std::string> names,
                                                   std::string& searched) {
  namespace load_mode = boost::dll::load_mode;
  const auto mode = load_mode::rtld_now | load_mode::search_system_folders |
                    static_cast<load_mode::type>(RTLD_NODELETE);
  for (const std::string& name : names) {
    boost::dll::shared_library library;
    std::error_code error;
    library.load(name, mode, error);
    if (!error) return DynamicLibrary(std::move(library));
    const char* reason = dlerror();  // Boost's own code says "bad file descriptor" of everything
    searched += "\n  " + name + ": " + (reason != nullptr ? reason : "cannot be opened");
  }
  return std::nullopt;
}

void DynamicLibrary::throw_missing(const char* name) const {
  throw FftError(Stage::load_library, path_.string() + " has no function " + name +
                                          ": it is too old, CUDA 11.2 or later is needed");
}

std::string DynamicLibrary::build_id() const {
  if (const auto id = build_id_of(path_)) return *id;
  std::string start(1 << 20, '\0');
  std::ifstream file(path_, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  std::error_code error;
  return std::to_string(std::filesystem::file_size(path_, error)) + "-" + sha256(start);
}

std::optional<std::string> build_id_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::uint64_t offset, char* to, std::uint64_t size) {
    file.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(file.read(to, static_cast<std::streamsize>(size)));
  };
  Elf64_Ehdr header{};
  if (!read(0, reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_machine != own_machine || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return std::nullopt;
  }
  constexpr std::uint64_t most_note_bytes = 1 << 20;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read(header.e_phoff + i * sizeof segment, reinterpret_cast<char*>(&segment),
              sizeof segment)) {
      return std::nullopt;
    }
    if (segment.p_type != PT_NOTE || segment.p_filesz > most_note_bytes) continue;
    std::string notes(segment.p_filesz, '\0');
    if (!read(segment.p_offset, notes.data(), notes.size())) return std::nullopt;
    if (std::string id = build_id_in(notes); !id.empty()) return id;
  }
  return std::nullopt;
}

std::vector<std::filesystem::path> loader_folders() {
  std::vector<std::filesystem::path> folders;
  void* program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size{};
  if (program == nullptr || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return folders;
  const std::unique_ptr<void, decltype(&std::free)> storage(std::malloc(size.dls_size), &std::free);
  auto* info = static_cast<Dl_serinfo*>(storage.get());
  if (info == nullptr) return folders;
  info->dls_size = size.dls_size, info->dls_cnt = size.dls_cnt;
  if (dlinfo(program, RTLD_DI_SERINFO, info) != 0) return folders;
  for (unsigned i = 0; i < info->dls_cnt; ++i) folders.emplace_back(info->dls_serpath[i].dls_name);
  return folders;
}

}  // namespace sonoma
