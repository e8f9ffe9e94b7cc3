// Every measurement of a search, kept as rows of a CSV file as they come: what is measured is not
// measured again, and cost models are fitted to it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiled_subject.hpp"
#include "machine.hpp"
#include "tuner.hpp"

namespace sonoma::bench {

/// A row. Its columns, in their order: those of subject_fields.hpp, points and batch of a run,
/// tuning (options of the command line), kernels (a hash of their text, see kernels_of()), round
/// (first, final, best; or failed), repetitions that ms is the median of, ms, copy_ms (of a copy of
/// the same bytes), eff (their quotient), rel_l2 (of the best: its error), failure (what went
/// wrong), those of kernel_facts.hpp, gpu, arch, driver (its version), cuda (what it serves),
/// commit (of Sonoma), date.
struct Measurement {
  std::optional<Round> round;  ///< none: it failed
  int repetitions = 0;
  Trial trial;
  std::string failure;
  std::string date;
};

/// Where rows are measured.
struct MeasuringPlace {
  Platform platform;
  Machine machine;
  std::string driver;  ///< "580.159.04"; may be empty
};

class Measurements {
 public:
  /// Reads the rows of this place's GPU from `file`, which need not be there; its last line is
  /// dropped if it is not whole. Without a file rows are kept in memory only. Throws
  /// std::runtime_error that names file, line and way out where something else is in it.
  Measurements(const std::filesystem::path& file, const MeasuringPlace& place);

  /// Of this very text, in the order in which they came.
  [[nodiscard]] std::vector<Measurement> of(const CompiledSubject& subject,
                                            const CompiledCandidate& candidate) const;
  /// The one that was taken of all candidates, if every one of them was measured before that.
  [[nodiscard]] std::optional<Measurement> best_of(const CompiledSubject& subject) const;

  /// Appends a row; when this returns, the system has it.
  void add(const CompiledSubject& subject, const CompiledCandidate& candidate,
           Measurement measurement);

  /// Says beside the file that these are about to run, and that they have: what runs when a process
  /// ends is known to the next one.
  void begin(const std::vector<std::string>& kernels);
  void end();
  /// By kernels_of(): what ran when an earlier process ended, and how many times it ran alone then;
  /// but for what has run, or failed, since.
  [[nodiscard]] const std::map<std::string, int>& interrupted() const { return interrupted_; }

  [[nodiscard]] const MeasuringPlace& place() const { return place_; }
  [[nodiscard]] std::size_t count() const { return count_; }  ///< rows

  /// What its files say of a run under way; it changes with each row, and as kernels run.
  [[nodiscard]] static std::string progress_in(const std::filesystem::path& file);

 private:
  using Key = std::vector<std::string>;  ///< fields of the subject, points, tuning, kernels
  struct Row {
    std::size_t number;
    Measurement measurement;
  };

  [[nodiscard]] static Key key_of(const CompiledSubject& subject,
                                  const CompiledCandidate& candidate);
  void read(const std::string& text);
  void read_row(const std::vector<std::string>& fields);
  void append(const std::string& line) const;
  void say_what_runs() const;

  std::filesystem::path file_;
  MeasuringPlace place_;
  std::map<Key, std::vector<Row>> rows_;
  std::size_t count_ = 0;
  std::map<std::string, int> interrupted_;
  std::vector<std::string> running_;
};

/// The version of the GPU's kernel driver, as Linux says it; empty where it does not.
[[nodiscard]] std::string driver_version();

}  // namespace sonoma::bench
