// The command that emits a kernel.
#include <sstream>

#include "function_text.hpp"
#include "kernel_text.hpp"
#include "quoted.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

// Words of a command; an option stays with its value.
using Words = std::vector<std::string>;

template <class Value>
void add(Words& words, const std::string& option, const Value& value) {
  std::ostringstream text;
  text.precision(9);
  text << "--" << option << " " << value;
  words.push_back(text.str());
}

std::string comment_of(const Words& words) {
  std::string text = wrapped(words, "//     ");
  return text.replace(0, 7, "// ");
}

// Where points lie, as far as options say it: of loops they do not.
void add_layout(Words& words, const Pass& pass) {
  DataLayout layout = pass.whole().layout;
  if (!pass.part) layout = {pass.in_stride, pass.out_stride, pass.in_dist, pass.out_dist, {}};
  const auto side = [&](const std::string& name, std::int64_t stride, std::int64_t dist,
                        std::int64_t length) {
    if (stride != 1) add(words, name + "-stride", stride);
    if (dist != 0 && dist != length * stride) add(words, name + "-dist", dist);
  };
  side("in", layout.in_stride, layout.in_dist, pass.whole().in_length());
  side("out", layout.out_stride, layout.out_dist, pass.whole().out_length());
}

void add_ends(Words& words, const Ends& ends) {
  if (ends.in_length != 0) add(words, "in-length", ends.in_length);
  if (ends.out_length != 0) add(words, "out-length", ends.out_length);
  if (!ends.load_code.empty()) add(words, "load-code", quoted(ends.load_code));
  if (!ends.store_code.empty()) add(words, "store-code", quoted(ends.store_code));
}

// Which accuracy was asked for, where what lies between passes depends on it.
void add_accuracy(Words& words, const Pass& pass) {
  const Accuracy& accuracy = pass.whole().accuracy;
  if (!pass.part || !is_half(pass.whole().result_storage())) return;
  if (accuracy.arithmetic) add(words, "accuracy", to_string(*accuracy.arithmetic));
  if (accuracy.max_rel_l2) add(words, "accuracy", *accuracy.max_rel_l2);
}

void add_storage(Words& words, const FftProblem& problem) {
  if (problem.storage != Storage::f32) add(words, "precision", to_string(problem.storage));
  if (problem.result_storage() == problem.storage) return;
  add(words, "out-precision", to_string(problem.result_storage()));
}

void add_last(Words& words, const Generated& pass, const FftProblem& problem) {
  add_accuracy(words, pass.ir.schedule.pass);
  if (pass.ir.direction == Direction::inverse) words.emplace_back("--inverse");
  if (static_cast<float>(problem.scale) != 1.0f) {
    add(words, "scale", static_cast<float>(problem.scale));
  }
  add(words, "arch", arch_name(pass.target));
}

void add_tile(Words& words, const Tuning& tuning) {
  if (tuning.products) add(words, "products", *tuning.products);
  add(words, "points-per-thread", *tuning.points_per_thread);
  add(words, "block-points", *tuning.block_points);
  add(words, "registers", *tuning.registers);
}

}  // namespace

std::string command_of(const Generated& pass) {
  const Schedule& schedule = pass.ir.schedule;
  const auto& part = schedule.pass.part;
  const FftProblem& problem = part ? part->whole : pass.problem;
  const Method method = schedule.pass.convolution ? Method::bluestein : schedule.method;
  const Tuning& tuning = pass.tuning;
  Words words = {"sonoma emit"};
  add(words, "n", problem.n());
  if (part) {
    add(words, "pass-lengths", to_list(part->lengths));
    add(words, "pass", part->number);
  }
  if (method != Method::radix) add(words, "method", to_string(method));
  const bool section = part && part->tree;
  add(words, "decomposition",
      "\"" + to_string(section ? *part->tree : schedule.decomposition) + "\"");
  add(words, "engine", to_string(schedule.engine));
  if (tuning.mma_form) add(words, "mma-form", to_string(*tuning.mma_form));
  if (tuning.tensor_steps) add(words, "tensor-steps", to_step_list(*tuning.tensor_steps));
  add_tile(words, tuning);
  add(words, "stage-load", *tuning.stage_load);
  add(words, "stage-store", *tuning.stage_store);
  if (schedule.launch.cluster > 1) add(words, "cluster", schedule.launch.cluster);
  if (schedule.rounds > 1) add(words, "rounds", schedule.rounds);
  if (tuning.twiddles != default_twiddles(tuning, pass.problem)) {
    add(words, "twiddles", to_string(schedule.twiddles));
  }
  add_storage(words, problem);
  add_layout(words, schedule.pass);
  if (part && problem.order == Order::transposed) add(words, "order", "transposed");
  add_ends(words, problem.ends);
  add_last(words, pass, problem);
  return comment_of(words);
}

std::string command_of(const Generated& first, const Fusion& fusion) {
  const Part& part = *first.schedule.pass.part;
  Words words = {"sonoma emit"};
  add(words, "n", part.whole.n());
  add(words, "pass-lengths", to_list(part.lengths));
  add(words, "fused", 1);
  add(words, "workspace-points", fusion.slots * part.whole.n());
  add(words, "engine", to_string(*first.tuning.engine));
  add_tile(words, first.tuning);
  add_storage(words, part.whole);
  if (part.whole.order == Order::transposed) add(words, "order", "transposed");
  add_last(words, first, part.whole);
  return comment_of(words);
}

}  // namespace sonoma
