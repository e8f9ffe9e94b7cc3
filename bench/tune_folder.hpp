// A folder between the two halves of a search: kernels that were compiled on one machine, to be
// measured on another, and what was measured.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiled_subject.hpp"

namespace sonoma::bench {

/// kernels/NAME.gz: a subject each, see compiled_subject.hpp; a file appears whole or not at all.
/// measurements.csv: see measurements.hpp.
class TuneFolder {
 public:
  explicit TuneFolder(std::filesystem::path path);

  /// What was compiled of this subject (the candidates of `like` are not looked at); nothing where
  /// it was not, or where its file is damaged.
  [[nodiscard]] std::optional<CompiledSubject> find(const CompiledSubject& like) const;

  /// Throws std::runtime_error that names the file, as all below do.
  void save(const CompiledSubject& subject) const;

  /// Of an architecture, without modules, those of one storage after each other, the shorter first.
  /// Throws also where there are none, or where the first candidate of one is not the kernel that
  /// this build emits; the message says the way out.
  [[nodiscard]] std::vector<CompiledSubject> subjects(const Target& target) const;
  /// All of one of them.
  [[nodiscard]] CompiledSubject load(const CompiledSubject& subject) const;

  [[nodiscard]] std::filesystem::path measurements() const { return path_ / "measurements.csv"; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& name) const;
  [[nodiscard]] CompiledSubject read(const std::filesystem::path& file) const;
  void read_all(const Target& target, std::vector<CompiledSubject>& found,
                std::set<int>& others) const;
  void check(const CompiledSubject& subject, const Target& target) const;
  [[nodiscard]] std::string way_out(int arch) const;

  std::filesystem::path path_;
};

}  // namespace sonoma::bench
