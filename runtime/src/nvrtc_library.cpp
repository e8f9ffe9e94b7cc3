#include "nvrtc_library.hpp"

#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sonoma/fft_error.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;

// Newest first. From CUDA 11.3 to 11.8 the name stayed .11.2.
constexpr const char* library_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                         "libnvrtc.so"};
constexpr std::string_view file_prefix = "libnvrtc.so.", builtins_prefix = "libnvrtc-builtins.so.";

// A toolkit's or a wheel's library folders below its root.
constexpr const char* library_suffixes[] = {"",
                                            "lib64",
                                            "lib",
                                            "targets/x86_64-linux/lib",
                                            "targets/sbsa-linux/lib",
                                            "nvidia/cu13/lib",
                                            "nvidia/cuda_nvrtc/lib"};

// Where a library may lie, in the order of search: `library_suffixes` of each root.
std::vector<fs::path> cuda_folders(const std::vector<fs::path>& roots) {
  std::vector<fs::path> folders;
  for (const fs::path& root : roots) {
    if (root.empty()) continue;
    for (const char* suffix : library_suffixes) {
      folders.push_back(*suffix != '\0' ? root / suffix : root);
    }
  }
  return folders;
}

std::vector<fs::path> files_in(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    for (const char* name : library_names) {
      std::error_code error;
      if (fs::exists(folder / name, error)) files.push_back(folder / name);
    }
  }
  return files;
}

void append(std::vector<fs::path>& paths, const std::vector<fs::path>& more) {
  paths.insert(paths.end(), more.begin(), more.end());
}

// "13.0.88" is {13, 0, 88}; empty for anything else than numbers between dots.
std::vector<int> numbers_of(std::string_view text) {
  std::vector<int> numbers;
  const char* at = text.data();
  for (const char* const end = at + text.size(); at != end;) {
    const auto [stop, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc{} || (stop != end && *stop != '.')) return {};
    at = stop == end ? stop : stop + 1;
  }
  return numbers;
}

// What follows `prefix` in the name of a file.
std::vector<int> version_in(const fs::path& file, std::string_view prefix) {
  const std::string name = file.filename().string();
  return name.starts_with(prefix) ? numbers_of(std::string_view(name).substr(prefix.size()))
                                  : std::vector<int>();
}

using Version = std::pair<int, int>;  // major, minor

// A toolkit's file is called libnvrtc.so.13.0.88, a wheel's libnvrtc.so.13 only: then by the device
// library beside it, if there is one of that major version only.
std::optional<Version> version_of(const fs::path& file) {
  std::error_code error;
  const std::vector<int> own = version_in(fs::canonical(file, error), file_prefix);
  if (error || own.empty()) return std::nullopt;
  if (own.size() > 2) return Version(own[0], own[1]);
  std::set<Version> beside;
  for (const auto& entry : fs::directory_iterator(file.parent_path(), error)) {
    const std::vector<int> version = version_in(entry.path(), builtins_prefix);
    if (version.size() >= 2 && version[0] == own[0]) beside.emplace(version[0], version[1]);
  }
  return beside.size() == 1 ? std::optional(*beside.begin()) : std::nullopt;
}

std::string joined(const std::vector<fs::path>& paths) {
  std::string text;
  for (const fs::path& path : paths) {
    if (!path.empty()) text += (text.empty() ? "" : ", ") + path.string();
  }
  return text.empty() ? "none" : text;
}

DynamicLibrary open_first(const Config& config) {
  std::vector<std::string> candidates;
  const auto add = [&](const std::vector<fs::path>& roots) {
    for (const auto& file : files_in(cuda_folders(roots))) {
      candidates.push_back(file.string());
    }
  };
  add({config.cuda_path});
  candidates.insert(candidates.end(), std::begin(library_names), std::end(library_names));
  add(config.cuda_roots);
  std::string searched;
  if (auto library = DynamicLibrary::open(candidates, searched)) return std::move(*library);
  throw FftError(Stage::load_library,
                 "NVRTC, CUDA's run-time compiler, was not found. Folders searched besides the "
                 "loader's own: SONOMA_CUDA_PATH=" +
                     joined({config.cuda_path}) + "; " + joined(config.cuda_roots) +
                     ". Set SONOMA_CUDA_PATH to a CUDA toolkit, or get NVRTC alone: pip install "
                     "nvidia-cuda-nvrtc. Tried:" +
                     searched);
}

DynamicLibrary open_found(const fs::path& path) {
  std::string searched;
  if (auto library = DynamicLibrary::open(std::array{path.string()}, searched))
    return std::move(*library);
  throw FftError(Stage::load_library,
                 "NVRTC, CUDA's run-time compiler, cannot be opened. Set SONOMA_CUDA_PATH to "
                 "another CUDA toolkit. Tried:" +
                     searched);
}

}  // namespace

fs::path NvrtcIdentity::builtins() const {
  return path.parent_path() /
         (std::string(builtins_prefix) + std::to_string(major) + "." + std::to_string(minor));
}

std::string to_string(const NvrtcIdentity& identity) {
  std::error_code error;
  const auto size = fs::file_size(identity.builtins(), error);
  return "NVRTC " + std::to_string(identity.major) + "." + std::to_string(identity.minor) +
         " build " + identity.build_id + (error ? "" : " builtins " + std::to_string(size));
}

std::optional<NvrtcIdentity> find_nvrtc(const Config& config) {
  std::vector<fs::path> folders = cuda_folders({config.cuda_path});
  append(folders, loader_folders());
  append(folders, cuda_folders(config.cuda_roots));
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_in({folder})) {
      const auto version = version_of(file);
      const auto build_id = build_id_of(file);
      if (version && build_id)
        return NvrtcIdentity{file, version->first, version->second, *build_id};
    }
  }
  return std::nullopt;
}

NvrtcLibrary::NvrtcLibrary(const Config& config, const std::optional<NvrtcIdentity>& found)
    : library_(found ? open_found(found->path) : open_first(config)) {
  load_functions();
  identity_.path = library_.path();
  functions_.version(&identity_.major, &identity_.minor);
  identity_.build_id = library_.build_id();
  if (found && (identity_.version() != found->version() || identity_.build_id != found->build_id)) {
    throw FftError(Stage::load_library,
                   found->path.string() + " is " + to_string(identity_) + ", and was " +
                       to_string(*found) +
                       " by its file: it was replaced while this process ran, or has another "
                       "version's name. Start the process again; if that does not help, set "
                       "SONOMA_CUDA_PATH to another CUDA toolkit");
  }
  // NVRTC opens its device library by name alone: in a folder that the loader does not know, such
  // as a wheel's, it is found because it is open already.
  std::error_code error;
  std::string searched;
  if (fs::exists(identity_.builtins(), error)) {
    (void)DynamicLibrary::open(std::array{identity_.builtins().string()}, searched);
  }
}

void NvrtcLibrary::load_functions() {
  library_.require(SONOMA_DECLARED(nvrtcVersion), functions_.version);
  library_.require(SONOMA_DECLARED(nvrtcGetNumSupportedArchs), functions_.num_supported_archs);
  library_.require(SONOMA_DECLARED(nvrtcGetSupportedArchs), functions_.supported_archs);
  library_.require(SONOMA_DECLARED(nvrtcGetErrorString), functions_.error_string);
  library_.require(SONOMA_DECLARED(nvrtcCreateProgram), functions_.create_program);
  library_.require(SONOMA_DECLARED(nvrtcDestroyProgram), functions_.destroy_program);
  library_.require(SONOMA_DECLARED(nvrtcCompileProgram), functions_.compile_program);
  library_.require(SONOMA_DECLARED(nvrtcGetCUBINSize), functions_.cubin_size);
  library_.require(SONOMA_DECLARED(nvrtcGetCUBIN), functions_.cubin);
  library_.require(SONOMA_DECLARED(nvrtcGetPTXSize), functions_.ptx_size);
  library_.require(SONOMA_DECLARED(nvrtcGetPTX), functions_.ptx);
  library_.require(SONOMA_DECLARED(nvrtcGetProgramLogSize), functions_.log_size);
  library_.require(SONOMA_DECLARED(nvrtcGetProgramLog), functions_.log);
}

}  // namespace sonoma
