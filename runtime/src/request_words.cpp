#include "request_words.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "sonoma/tuning_fields.hpp"

namespace sonoma {
namespace {

std::string quoted(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,.:+-_") ==
                     std::string::npos;
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

class Words {
 public:
  void add(const char* option, const std::string& value) {
    add_flag(option);
    text_ += " " + quoted(value);
  }
  void add(const char* option, std::int64_t value) { add(option, std::to_string(value)); }
  void add_unless(std::int64_t usual, const char* option, std::int64_t value) {
    if (value != usual) add(option, value);
  }
  void add_flag(const char* option) {
    text_ += (text_.empty() ? "--" : " --") + std::string(option);
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// Points along each axis on a side, e.g. "30x40"; 0 and none stand for all.
void add_lengths(Words& words, const FftProblem& problem, bool input) {
  const Ends& ends = problem.ends;
  std::vector<std::int64_t> lengths = input ? ends.in_lengths : ends.out_lengths;
  lengths.push_back(input ? ends.in_length : ends.out_length);
  const bool all = std::ranges::all_of(lengths, [](std::int64_t length) { return length == 0; });
  if (all) return;
  std::vector<std::int64_t> whole = problem.lengths;
  whole.back() = length_in_memory(whole.back(), problem.values(input));
  const std::size_t left_out = whole.size() - lengths.size();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) lengths[i] = whole[left_out + i];
  }
  words.add(input ? "in-length" : "out-length", to_shape(lengths));
}

void add_memory(Words& words, const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  words.add_unless(1, "in-stride", layout.in_stride);
  words.add_unless(0, "in-dist", layout.in_dist);
  words.add_unless(1, "out-stride", layout.out_stride);
  words.add_unless(0, "out-dist", layout.out_dist);
  words.add_unless(16, "alignment", problem.alignment);
  std::string loops;
  for (std::size_t i = 0; i < layout.loops.size(); ++i) {
    const Loop& loop = layout.loops[i];
    loops += (i == 0 ? "" : ",") + std::to_string(loop.count) + ":" +
             std::to_string(loop.in_stride) + ":" + std::to_string(loop.out_stride);
    if (!problem.convolution || problem.convolution->spectrum_strides.empty()) continue;
    loops += ":" + std::to_string(problem.convolution->spectrum_strides[i]);
  }
  if (!loops.empty()) words.add("loops", loops);
  const Ends& ends = problem.ends;
  add_lengths(words, problem, true);
  add_lengths(words, problem, false);
  if (!ends.load_code.empty()) words.add("load-code", ends.load_code);
  if (!ends.store_code.empty()) words.add("store-code", ends.store_code);
}

void add_convolution(Words& words, const Convolution& asked) {
  words.add(asked.correlate ? "correlation" : "convolution", asked.real ? "real" : "complex");
  const Channels& channels = asked.channels;
  if (channels.count != 1) {
    words.add("channels", std::to_string(channels.count) + ":" + std::to_string(channels.in_dist) +
                              ":" + std::to_string(channels.spectrum_dist));
  }
  words.add_unless(0, "spectrum-dist", asked.spectrum_dist);
  words.add_unless(1, "spectrum-stride", asked.spectrum_stride);
}

void add_values(Words& words, const FftProblem& problem) {
  if (problem.domain != Domain::c2c) words.add("domain", to_string(problem.domain));
  const bool inverse = problem.direction == Direction::inverse;
  if (inverse && problem.domain != Domain::c2r) words.add_flag("inverse");
  if (problem.convolution) add_convolution(words, *problem.convolution);
  if (problem.storage != Storage::f32) words.add("precision", to_string(problem.storage));
  FftProblem plain = problem;
  plain.out_storage.reset();
  if (problem.result_storage() != plain.result_storage()) {
    words.add("out-precision", to_string(problem.result_storage()));
  }
  if (problem.order != Order::natural) words.add("order", to_string(problem.order));
  if (problem.placement == Placement::in_place) words.add_flag("in-place");
  if (problem.scale != 1) words.add("scale", shortest(problem.scale));
  if (problem.orthogonal) words.add_flag("orthogonal");
  const Accuracy& accuracy = problem.accuracy;
  if (accuracy.arithmetic) words.add("accuracy", to_string(*accuracy.arithmetic));
  if (accuracy.max_rel_l2) words.add("accuracy", shortest(*accuracy.max_rel_l2));
}

// Of an array: which strides stand for which axes only its owner knows.
bool has_options(const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  for (const Loop& loop : layout.loops) {
    if (loop.in_index != 0 || loop.out_index != 0) return false;
  }
  return layout.in_strides.empty() && layout.out_strides.empty() &&
         problem.ends.in_index == Ends().in_index && problem.ends.out_index == Ends().out_index;
}

}  // namespace

std::string request_words(const FftProblem& problem, const Tuning& tuning) {
  Words words;
  if (!has_options(problem)) {
    words.add("array", "...");
    words.add("axes", "...");
  } else {
    words.add(problem.lengths.size() == 1 ? "n" : "shape", to_shape(problem.lengths));
  }
  words.add_unless(1, "batch", problem.batch);
  add_values(words, problem);
  if (has_options(problem)) add_memory(words, problem);
  for (const TuningField& field : tuning_fields()) {
    if (const auto text = text_of(field, tuning)) words.add(option_of(field).c_str() + 2, *text);
  }
  return std::move(words).text();
}

}  // namespace sonoma
