// The command that emits a kernel.
#include <algorithm>
#include <sstream>

#include "function_text.hpp"
#include "kernel_text.hpp"
#include "quoted.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/tuning_fields.hpp"

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

// Points from one spectrum to the next for each of the loops; empty: they share one.
std::vector<std::int64_t> spectra_of_loops(const Pass& pass) {
  if (!pass.whole().convolution) return {};
  const std::vector<std::int64_t> strides =
      pass.part ? pass.whole().convolution->spectrum_strides : pass.filter->loops;
  const bool one = std::ranges::all_of(strides, [](std::int64_t stride) { return stride == 0; });
  return one ? std::vector<std::int64_t>{} : strides;
}

void add_loops(Words& words, const std::vector<Loop>& loops,
               const std::vector<std::int64_t>& spectra) {
  std::string text;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const Loop& loop = loops[i];
    text += (i == 0 ? "" : ",") + std::to_string(loop.count) + ":" +
            std::to_string(loop.in_stride) + ":" + std::to_string(loop.out_stride);
    if (!spectra.empty()) text += ":" + std::to_string(spectra[i]);
  }
  if (!text.empty()) add(words, "loops", text);
}

// Where points lie. Packed ones follow each other.
void add_layout(Words& words, const Pass& pass) {
  if (pass.packed) return;
  DataLayout layout = pass.whole().layout;
  std::erase_if(layout.loops, [](const Loop& loop) { return loop.out_stride == 0; });  // channels
  if (!pass.part) {
    layout = {pass.in.stride, pass.out.stride, pass.in.dist, pass.out.dist, pass.loops};
  }
  const auto side = [&](const std::string& name, std::int64_t stride, std::int64_t dist,
                        std::int64_t length) {
    if (stride != 1) add(words, name + "-stride", stride);
    const std::int64_t all = name == "in" ? pass.channels() * length : length;
    if (dist != 0 && dist != all * stride) add(words, name + "-dist", dist);
  };
  const std::int64_t real = pass.pairs_of ? 0 : pass.real_length();
  for (const bool input : {true, false}) {
    if (real == 0 || pass.is_mirrored(input)) continue;
    (input ? layout.in_dist : layout.out_dist) *= 2;
    for (Loop& loop : layout.loops) (input ? loop.in_stride : loop.out_stride) *= 2;
  }
  const auto length = [&](bool input, std::int64_t otherwise) {
    if (real == 0) return otherwise;
    if (otherwise != pass.whole().n()) return 2 * otherwise;
    const std::int64_t rows = pass.n() / pass.problem.lengths.back();
    return rows *
           length_in_memory(real, pass.is_mirrored(input) ? Values::hermitian : Values::real);
  };
  side("in", layout.in_stride, layout.in_dist, length(true, pass.whole().in_length()));
  side("out", layout.out_stride, layout.out_dist, length(false, pass.whole().out_length()));
  add_loops(words, layout.loops, spectra_of_loops(pass));
}

// `each`: numbers of a point.
void add_ends(Words& words, const Ends& ends, std::int64_t each) {
  if (ends.in_length != 0) add(words, "in-length", each * ends.in_length);
  if (ends.out_length != 0) add(words, "out-length", each * ends.out_length);
  if (!ends.load_code.empty()) add(words, "load-code", quoted(ends.load_code));
  if (!ends.store_code.empty()) add(words, "store-code", quoted(ends.store_code));
}

// How many, and, where they do not follow each other, how far apart they and their spectra are.
void add_channels(Words& words, const Pass& pass) {
  const Convolution& asked = *pass.whole().convolution;
  Channels channels = pass.part ? asked.channels : pass.filter->channels;
  if (channels.count == 1) return;
  FftProblem plain = pass.whole();  // whose channels follow each other
  const std::int64_t numbers = pass.real_length();
  if (numbers != 0) plain.lengths = pass.real_lengths(), plain.convolution->real = true;
  if (numbers != 0) plain.ends.in_length *= 2, channels.in_dist *= 2;
  if (!pass.part) plain.layout = {pass.in.stride};
  plain.convolution->channels.in_dist = 0;
  if (channels.in_dist == plain.channel_dist()) channels.in_dist = 0;
  std::string text = std::to_string(channels.count);
  const bool follow = channels.in_dist == 0 &&
                      channels.spectrum_dist == spectrum_length(plain) * asked.spectrum_stride;
  if (!follow) {
    text += ":" + std::to_string(channels.in_dist) + ":" + std::to_string(channels.spectrum_dist);
  }
  add(words, "channels", text);
}

void add_convolution(Words& words, const Pass& pass) {
  const auto& asked = pass.whole().convolution;
  if (!asked) return;
  const bool real = asked->real || pass.real_length() != 0;
  add(words, asked->correlate ? "correlation" : "convolution", real ? "real" : "complex");
  if (asked->spectrum_stride != 1) add(words, "spectrum-stride", asked->spectrum_stride);
  add_channels(words, pass);
  const std::int64_t dist = pass.part ? asked->spectrum_dist : pass.filter->dist;
  if (dist != 0) add(words, "spectrum-dist", dist);
}

// Which accuracy was asked for, where what lies between passes depends on it.
void add_accuracy(Words& words, const Pass& pass) {
  if (pass.packed) return add(words, "accuracy", to_string(Arithmetic::packed));
  const Accuracy& accuracy = pass.whole().accuracy;
  if (!pass.part || !is_half(pass.whole().result_storage())) return;
  if (accuracy.arithmetic) add(words, "accuracy", to_string(*accuracy.arithmetic));
  if (accuracy.max_rel_l2) add(words, "accuracy", *accuracy.max_rel_l2);
}

void add_storage(Words& words, const FftProblem& problem) {
  if (problem.storage != Storage::f32) add(words, "precision", to_string(problem.storage));
  FftProblem plain = problem;
  plain.out_storage.reset();
  if (problem.result_storage() == plain.result_storage()) return;
  add(words, "out-precision", to_string(problem.result_storage()));
}

void add_last(Words& words, const Generated& pass, const FftProblem& problem) {
  add_accuracy(words, pass.ir.schedule.pass);
  if (pass.ir.direction == Direction::inverse) words.emplace_back("--inverse");
  if (static_cast<float>(problem.scale) != 1.0f) {
    add(words, "scale", static_cast<float>(problem.scale));
  }
  if (problem.orthogonal) words.emplace_back("--orthogonal");
  add(words, "arch", arch_name(pass.target));
}

// What a tuning fixes, but for the passes, of which a kernel's own says nothing.
void add_tuning(Words& words, const Tuning& tuning) {
  for (const TuningField& field : tuning_fields()) {
    const auto text = text_of(field, tuning);
    if (!text || field.group == TuningGroup::passes) continue;
    const bool one_word = text->find(' ') == std::string::npos;
    words.push_back(option_of(field) + " " + (one_word ? *text : quoted(*text)));
  }
}

// What makes this kernel, beside defaults that go without saying.
Tuning tuning_to_say(const Generated& pass) {
  const Schedule& schedule = pass.ir.schedule;
  const auto& part = schedule.pass.part;
  const Method method = schedule.method();
  Tuning tuning = pass.tuning;
  tuning.method.reset();
  if (method != Method::radix) tuning.method = method;
  tuning.decomposition = part && part->tree ? *part->tree : schedule.shape.tree.decomposition;
  tuning.engine = schedule.engine();
  tuning.cluster.reset();
  if (schedule.shape.shares.cluster > 1) tuning.cluster = schedule.shape.shares.cluster;
  tuning.rounds.reset();
  if (schedule.shape.shares.rounds > 1) tuning.rounds = schedule.shape.shares.rounds;
  tuning.opposite.reset();
  if (schedule.shape.opposite) tuning.opposite = true;
  // Of factors always: what was measured of such steps may have others than the default.
  const bool multiplies = tuning.engine == Engine::simt && tuning.decomposition->radices.size() > 1;
  tuning.twiddles.reset();
  if (multiplies || schedule.shape.twiddles != default_twiddles(pass.shape, schedule.pass)) {
    tuning.twiddles = schedule.shape.twiddles;
  }
  tuning.prefetch.reset();
  if (!part && pass.target.has_bulk_prefetch() && schedule.phases.size() > 1) {
    tuning.prefetch = schedule.shape.prefetch;
  }
  return tuning;
}

// Of two passes in one launch: what both have, or what was asked for of either.
void say_shape(Tuning& tuning, const Generated& first, const Fusion& fusion) {
  if (!fusion.asked) {
    tuning.points_per_thread = first.tuning.points_per_thread;
    tuning.block_points = first.tuning.block_points;
    tuning.registers = first.tuning.registers;
    return;
  }
  if (!fusion.asked->columns) tuning.block_points = first.tuning.block_points;
  tuning.points_per_thread = fusion.asked->points_per_thread;
  tuning.registers = fusion.asked->registers;
  tuning.threads = fusion.asked->threads;
}

}  // namespace

std::string command_of(const Generated& pass, const std::string& form) {
  const Schedule& schedule = pass.ir.schedule;
  const auto& part = schedule.pass.part;
  const bool of_whole = part || schedule.pass.pairs_of || schedule.pass.packed;
  const FftProblem& problem = of_whole ? schedule.pass.asked() : pass.problem;
  Words words = {"sonoma emit"};
  if (!form.empty()) add(words, "form", form);
  add(words, problem.lengths.size() == 1 ? "n" : "shape",
      to_shape(of_whole ? problem.lengths : schedule.pass.real_lengths()));
  const Domain domain = schedule.pass.domain();
  if (domain != Domain::c2c) add(words, "domain", to_string(domain));
  add_convolution(words, schedule.pass);
  if (part) {
    add(words, "pass-lengths", to_list(part->lengths));
    add(words, "pass", part->number);
  }
  add_tuning(words, tuning_to_say(pass));
  add_storage(words, problem);
  add_layout(words, schedule.pass);
  if (problem.alignment != 16) add(words, "alignment", problem.alignment);
  if (part && problem.order == Order::transposed) add(words, "order", "transposed");
  add_ends(words, problem.ends, schedule.pass.real_length() != 0 ? 2 : 1);
  add_last(words, pass, problem);
  return comment_of(words);
}

std::string command_of(const Generated& first, const Fusion& fusion) {
  const Part& part = *first.schedule.pass.part;
  const FftProblem& whole = first.schedule.pass.asked();
  Words words = {"sonoma emit"};
  add(words, whole.lengths.size() == 1 ? "n" : "shape", to_shape(whole.lengths));
  add(words, "pass-lengths", to_list(part.lengths));
  add(words, "fused", 1);
  add(words, "workspace-points", fusion.slots * first.schedule.pass.out.dist);
  Tuning tuning;  // what both passes share, and the steps of the first one where axes cut them
  if (whole.lengths.size() > 1) tuning.decomposition = first.schedule.shape.tree.decomposition;
  if (part.tree) tuning.decomposition = *part.tree, tuning.twiddles = first.shape.twiddles;
  tuning.engine = first.tuning.engine;
  tuning.products = first.tuning.products, tuning.sums = first.tuning.sums;
  say_shape(tuning, first, fusion);
  if (fusion.asked) tuning.twiddles = fusion.asked->twiddles;
  if (fusion.asked && fusion.asked->columns) add(words, "columns", *fusion.asked->columns);
  add_tuning(words, tuning);
  add_storage(words, whole);
  add_layout(words, first.schedule.pass);
  if (whole.order == Order::transposed) add(words, "order", "transposed");
  add_ends(words, whole.ends, 1);
  add_last(words, first, whole);
  return comment_of(words);
}

}  // namespace sonoma
