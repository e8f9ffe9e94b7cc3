#include "pass_text.hpp"

#include <algorithm>
#include <utility>

namespace sonoma {

PassText pass_text(const KernelIr& ir, Streaming streaming) {
  return PassWriter(ir, streaming).run();
}

PassText function_text(const KernelIr& ir) { return PassWriter(ir, {}, true).run(); }

PassText PassWriter::run() {
  for (const Op& op : ir_.ops) std::visit(*this, op);
  leave();
  if (std::exchange(in_tiles_, false)) line("}");
  return {functions_.text(), text_};
}

void PassWriter::line(const std::string& statement) {
  text_ += statement_text(statement, indent());
}

std::string PassWriter::indent() const {
  const int levels = 1 + in_channels_ + in_tiles_ + in_lap_ + guarded_ + sides_;
  return std::string(2 * static_cast<std::size_t>(levels), ' ');
}

void PassWriter::comment(const std::string& what) {
  if (!first_) text_ += "\n";
  first_ = false;
  std::istringstream words(what);
  std::vector<std::string> pieces;
  for (std::string word; words >> word;) pieces.push_back(word);
  text_ += wrapped(pieces, indent() + "// ");
}

void PassWriter::call(const std::string& name, const FunctionBody& body,
                      const std::vector<std::string>& arguments) {
  line(call_text(name_of(name, body), arguments));
}

void PassWriter::begin_step(unsigned step) {
  step_ = step;
  if (begun_ == step + 1) return;
  begun_ = step + 1;
  done_ = backwards_ ? step : step + 1;
  static constexpr const char* ways[] = {"DFT matrix x tile, over rows",
                                         "tile x DFT matrix, over columns",
                                         "butterflies in registers"};
  const Step& one = step_of(schedule_, step, backwards_);
  const std::string number = std::to_string(step + 1);
  comment("Step " + number + (backwards_ ? " backwards: radix " : ": radix ") +
          std::to_string(one.radix) + " over " + (backwards_ ? "k" : "t") + number + ", " +
          ways[static_cast<int>(one.form)] + (schedule_.shape.in_fp64(step) ? ", in FP64" : ""));
}

std::string PassWriter::layout_text(const Layout& layout) const {
  return to_string(layout, digits_, done_);
}

std::string PassWriter::way_back(std::string place) const {
  const std::string thread = "thread", again = "anew(thread)";
  for (std::size_t at = 0; backwards_ && (at = place.find(thread, at)) != std::string::npos;
       at += again.size()) {
    place.replace(at, thread.size(), again);
  }
  return place;
}

Numbering PassWriter::numbering(const Layout& layout) const {
  if (!schedule_.mixed()) return {};
  const BlockDigits digits = block_digits_of(schedule_, layout);
  return {digits.cluster, digits.rounds, round_};
}

void PassWriter::enter(const Layout& layout) {
  layout_ = layout;
  if (guarded_) return;  // no barrier since: the same threads
  if (is_of_tiles(layout)) return begin_numbered_laps(layout);
  if (schedule_.has_laps()) return begin_laps(layout);
  const unsigned busy = schedule_.work_items(layout);
  if (busy == schedule_.launch.threads) return;
  text_ += "\n";
  line("if (thread < " + std::to_string(busy) + ") {  // no points for the others");
  guarded_ = first_ = true;
}

// The number of a thread is there that of the one whose work it does.
void PassWriter::begin_laps(const Layout& layout) {
  const std::string threads = std::to_string(schedule_.launch.threads);
  const unsigned laps = schedule_.laps(layout), at_once = schedule_.laps_at_once(layout);
  const bool opposite = schedule_.is_opposite(layout);
  const ThreadRows rows = schedule_.rows_of(layout);
  const std::string item = opposite ? "item" : rows.have_gaps() ? "number" : "thread";
  text_ += "\n";
  if (laps > 1) text_ += "#pragma unroll " + std::to_string(at_once) + "\n";
  // Pairs of opposite butterflies are those of the cluster.
  const unsigned blocks = opposite ? schedule_.shape.shares.cluster : 1;
  const std::string first = blocks == 1 ? "" : " + " + threads + " * rank",
                    next = std::to_string(blocks * schedule_.launch.threads);
  const unsigned items = opposite ? schedule_.opposite_items() : schedule_.thread_numbers(layout);
  const std::string how_many =
      concat(std::to_string(laps), laps > 1 ? " laps" : " lap",
             at_once > 1 ? ", " + std::to_string(at_once) + " at once" : "");
  line(concat("for (unsigned ", item, " = thread_index()", first, "; ", item, " < ",
              std::to_string(items), "; ", item, " += ", next, ") {",
              blocks == 1 ? "  // " + how_many : ""));
  if (blocks > 1) line("  // " + how_many + ", of all blocks");
  guarded_ = first_ = true;
  if (rows.have_gaps()) begin_row(rows);
  if (opposite) {
    begin_pair();
  } else if (schedule_.shape.opposite) {
    line("Points x;");
  }
}

void PassWriter::begin_row(ThreadRows rows) {
  const std::string threads = std::to_string(rows.threads), lanes = std::to_string(rows.lanes);
  line("if (number % " + lanes + " >= " + threads + ") continue;  // rows of " + threads +
       ", each on half warps of its own");
  line("const unsigned thread = number / " + lanes + " * " + threads + " + number % " + lanes +
       ";");
}

void PassWriter::end_sides() {
  if (!std::exchange(sides_, false)) return;
  text_ += indent() + "}\n";
}

void PassWriter::leave() {
  end_sides();
  end_part();
  if (std::exchange(in_lap_, false)) text_ += indent() + "}\n";
}

std::vector<unsigned> PassWriter::register_values(const std::vector<DigitId>& ids) const {
  std::vector<unsigned> values;
  for (unsigned reg = 0; reg < count_of(digits_, layout_.registers); ++reg) {
    unsigned rest = reg, value = 0, scale = 1;
    for (const DigitId id : layout_.registers) {
      const unsigned own = rest % digits_[id].count;
      rest /= digits_[id].count;
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) continue;
      value += own * scale;
      scale *= digits_[id].count;
    }
    values.push_back(value);
  }
  return values;
}

std::vector<unsigned> PassWriter::register_rest(const std::vector<DigitId>& ids) const {
  std::vector<DigitId> others;
  for (const DigitId id : layout_.registers) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) others.push_back(id);
  }
  return register_values(others);
}

std::vector<std::uint32_t> PassWriter::time_strides() const {
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : digits_) strides.push_back(digit.time_stride);
  return strides;
}

std::string PassWriter::at(unsigned reg) const {
  if (schedule_.engine() == Engine::simt) return "x[" + std::to_string(reg) + "]";
  return "x[" + std::to_string(reg / 8) + "].at[" + std::to_string(reg % 8) + "]";
}

std::string PassWriter::word_at(unsigned reg) const {
  return "w[" + std::to_string(reg / 8) + "].at[" + std::to_string(reg % 8) + "]";
}

}  // namespace sonoma
