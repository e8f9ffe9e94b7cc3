// A shared library opened at run time. Never unloaded: neither the CUDA driver nor NVRTC survives
// it.
#pragma once

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonoma {

/// A function that a library's own header declares: its type, and the name that the library
/// exports.
template <class Function>
struct Declared {
  const char* name;

  /// A header may mean another function by a name, as cuda.h cuMemAlloc_v2 by cuMemAlloc. What does
  /// not say the one that is meant does not compile.
  consteval Declared(Function*, const char* written, std::string_view meant) : name(written) {
    if (meant != written) throw "the name of the function that the header means must be written";
  }
};

// Type and name from one word; nothing is called or linked.
#define SONOMA_AS_MEANT(function) #function
#define SONOMA_DECLARED(function)                                            \
  ::sonoma::Declared(static_cast<decltype(&::function)>(nullptr), #function, \
                     SONOMA_AS_MEANT(function))

class DynamicLibrary {
 public:
  /// The first of `names` that opens; nothing if none does, and then `searched` lists each with the
  /// loader's reason.
  [[nodiscard]] static std::optional<DynamicLibrary> open(std::span<const std::string> names,
                                                          std::string& searched);

  /// Null if there is no such function.
  template <class Function>
  [[nodiscard]] Function* find(Declared<Function> declared) const {
    return find<Function>(declared.name);
  }
  template <class Function>
  [[nodiscard]] Function* find(const char* name) const {
    return library_.has(name) ? &library_.get<Function>(name) : nullptr;
  }
  /// Throws FftError (Stage::load_library).
  template <class Function>
  void require(Declared<Function> declared, Function*& function) const {
    require(declared.name, function);
  }
  template <class Function>
  void require(const char* name, Function*& function) const {
    function = find<Function>(name);
    if (function == nullptr) throw_missing(name);
  }

  /// Where the loader found it.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// That of its file; size and a hash of the file's start where it has none.
  [[nodiscard]] std::string build_id() const;

 private:
  explicit DynamicLibrary(boost::dll::shared_library library)
      : library_(std::move(library)), path_(library_.location()) {}
  [[noreturn]] void throw_missing(const char* name) const;

  boost::dll::shared_library library_;
  std::filesystem::path path_;
};

/// The linker's build id in the ELF file at `path`, in hexadecimal; nothing where there is none or
/// the file is one of another machine. Opens no library.
[[nodiscard]] std::optional<std::string> build_id_of(const std::filesystem::path& path);

/// Where the loader looks for the bare name of a library: LD_LIBRARY_PATH, the program's run path
/// and the system's folders, in its order; not what ldconfig lists beyond these.
[[nodiscard]] std::vector<std::filesystem::path> loader_folders();

}  // namespace sonoma
