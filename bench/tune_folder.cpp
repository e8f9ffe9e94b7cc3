#include "tune_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "in_parallel.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/resolve.hpp"
#include "tuning_options.hpp"

namespace sonoma::bench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

// By kernels_of(), or empty where it is refused.
std::string kernels_now(const CompiledSubject& subject, const Target& target,
                        const Tuning& tuning) {
  try {
    std::vector<CudaSource> sources;
    for (const Launch& launch : make_program(subject.problem(), target, tuning).launches) {
      sources.push_back(generate(launch, target).source);
    }
    return kernels_of(sources);
  } catch (const UnsupportedProblem&) {
    return {};
  }
}

// In parallel; throws what the first that threw did.
template <class Work>
void all_or_throw(std::size_t count, Work&& work) {
  std::vector<std::exception_ptr> failures(count);
  for_each_in_parallel(count, [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

// Workloads of one storage serve neighbours.
auto order_of(const CompiledSubject& one) {
  const Subject& s = one.subject;
  return std::tuple(s.storage, one.problem().points(), s);
}

}  // namespace

TuneFolder::TuneFolder(fs::path path) : path_(std::move(path)) {}

fs::path TuneFolder::file_of(const std::string& name) const {
  return path_ / "kernels" / (name + ".gz");
}

CompiledSubject TuneFolder::read(const fs::path& file) const {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(file, "cannot be read");
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  try {
    return decode_subject(bytes.view());
  } catch (const std::invalid_argument& error) {
    fail(file, std::string(error.what()) +
                   "; the `sonoma tune --compile-only` that made it makes it anew");
  }
}

std::optional<CompiledSubject> TuneFolder::find(const CompiledSubject& like) const {
  const fs::path file = file_of(name_of(like));
  if (!fs::exists(file)) return std::nullopt;
  try {
    return read(file);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

void TuneFolder::save(const CompiledSubject& subject) const {
  const fs::path file = file_of(name_of(subject));
  const fs::path fresh = file.string() + ".new." + std::to_string(::getpid());
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream stream(fresh, std::ios::binary);
  stream << encode(subject) << std::flush;
  stream.close();
  if (stream) fs::rename(fresh, file, error);
  if (stream && !error) return;
  fs::remove(fresh, error);
  fail(file, "cannot be written");
}

std::string TuneFolder::way_out(int arch) const {
  return "`sonoma tune --compile-only " + path_.string() + " --arch sm_" + std::to_string(arch) +
         " ...` of this build compiles what is missing; measurements of kernels that are the same "
         "are kept";
}

void TuneFolder::read_all(const Target& target, std::vector<CompiledSubject>& found,
                          std::set<int>& others) const {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_ / "kernels", error)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::vector<CompiledSubject> subjects(files.size());
  all_or_throw(files.size(), [&](std::size_t i) {
    subjects[i] = read(files[i]);
    subjects[i].modules.clear();
  });
  for (CompiledSubject& subject : subjects) {
    if (subject.arch != target.arch) others.insert(subject.arch);
    if (subject.arch == target.arch) found.push_back(std::move(subject));
  }
}

std::vector<CompiledSubject> TuneFolder::subjects(const Target& target) const {
  std::vector<CompiledSubject> found;
  std::set<int> others;
  read_all(target, found, others);
  if (found.empty()) {
    std::string held = others.empty() ? "no compiled kernels" : "kernels of ";
    for (const int arch : others)
      held += (held.back() == ' ' ? "sm_" : ", sm_") + std::to_string(arch);
    fail(path_, "holds " + held + ", and the GPU is of sm_" + std::to_string(target.arch) + "; " +
                    way_out(target.arch));
  }
  std::ranges::sort(found, {}, order_of);
  all_or_throw(found.size(), [&](std::size_t i) { check(found[i], target); });
  return found;
}

void TuneFolder::check(const CompiledSubject& subject, const Target& target) const {
  const auto first = std::ranges::find_if(
      subject.candidates, [](const auto& candidate) { return candidate.failure.empty(); });
  if (first == subject.candidates.end()) return;
  if (kernels_now(subject, target, first->tuning) == first->kernels) return;
  fail(path_, name_of(subject) + " was compiled by another build of the generator, whose text of " +
                  options_of(first->tuning) + " is another; " + way_out(target.arch));
}

CompiledSubject TuneFolder::load(const CompiledSubject& subject) const {
  return read(file_of(name_of(subject)));
}

}  // namespace sonoma::bench
