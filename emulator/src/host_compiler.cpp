#include <fstream>
#include <sstream>

#include "device_text.hpp"
#include "sonoma/code_errors.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/process.hpp"

namespace sonoma {
namespace {

using emulator::PrivateFolder;
using emulator::ProcessResult;
using emulator::run_process;

// -Og: a small kernel takes longer to compile than to run. -ffp-contract=off: what is fused is
// written fused. -fno-strict-aliasing: kernels read shared memory under several types. No -march:
// objects outlive the machine in a cache on a shared home. -fno-omit-frame-pointer: for
// BlockRunner::path_of(). -nodefaultlibs, and those two: kernels call mathematical functions at
// most, and to look through the C++ library as well takes 12 of 87 ms.
constexpr const char* flags[] = {"-std=c++20",
                                 "-Og",
                                 "-fPIC",
                                 "-shared",
                                 "-nodefaultlibs",
                                 "-pipe",
                                 "-w",
                                 "-fexceptions",
                                 "-ffp-contract=off",
                                 "-fno-strict-aliasing",
                                 "-fno-omit-frame-pointer"};
constexpr const char* libraries[] = {"-lm", "-lc"};

// FNV-1a: tells versions of our own text apart, nothing more.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

void write_file(const std::filesystem::path& path, const std::string& kernel_name,
                std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << emulator::device_text() << "\n#line 1 \"" << kernel_name << ".cu\"\n" << text;
  file.close();
  if (!file) throw EmulationError("cannot write '" + path.string() + "'");
}

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<std::uint8_t> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw EmulationError("cannot read '" + path.string() + "'");
  return bytes;
}

}  // namespace

EmulationError::EmulationError(const std::string& message, std::string log)
    : std::runtime_error(message), log_(std::move(log)) {}

HostCompiler::HostCompiler(std::string command, std::filesystem::path temporary_folder)
    : command_(std::move(command)), temporary_folder_(std::move(temporary_folder)) {
  const ProcessResult version = run_process({command_, "--version"});
  if (version.exit_status != 0) {
    throw EmulationError("'" + command_ + " --version' failed: is it a C++ compiler?",
                         version.output);
  }
  std::ostringstream text;
  text << command_ << '\n' << version.output.substr(0, version.output.find('\n')) << '\n';
  for (const char* flag : flags) text << flag << ' ';
  for (const char* library : libraries) text << library << ' ';
  text << "\ndevice text " << std::hex << hash(emulator::device_text());
  identity_ = text.str();
}

std::vector<std::uint8_t> HostCompiler::compile(const CudaSource& source) const {
  const PrivateFolder folder(temporary_folder_);
  const std::filesystem::path text = folder.path() / "kernel.cpp";
  const std::filesystem::path object = folder.path() / "kernel.so";
  write_file(text, source.name, source.text);
  std::vector<std::string> arguments{command_};
  arguments.insert(arguments.end(), std::begin(flags), std::end(flags));
  arguments.insert(arguments.end(), {text.string(), "-o", object.string()});
  arguments.insert(arguments.end(), std::begin(libraries), std::end(libraries));
  const ProcessResult result = run_process(arguments);
  if (result.exit_status != 0) {
    throw EmulationError("the host compiler '" + command_ + "' failed on kernel " + source.name +
                             " with exit status " + std::to_string(result.exit_status) +
                             code_error(result.output),
                         result.output);
  }
  return read_file(object);
}

}  // namespace sonoma
