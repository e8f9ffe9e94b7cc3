#include "emit_mixed.hpp"

#include <sstream>

#include "convolution_tables.hpp"
#include "emit_chirp.hpp"
#include "emit_ends.hpp"
#include "emit_parts.hpp"
#include "emit_rader.hpp"
#include "index_text.hpp"
#include "sonoma/errors.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

// 2^64 / length, rounded: half a unit times k c < length is 2^-33 of a turn at most.
std::uint64_t turn_of_one(std::uint64_t length) {
  const std::uint64_t quotient = ~std::uint64_t{0} / length, rest = ~std::uint64_t{0} % length + 1;
  return quotient + (rest > length / 2 ? 1 : 0);
}

// One statement per operation. What a phase does not need all threads for stands in an `if`, which
// ends before the next barrier.
class MixedBody {
 public:
  explicit MixedBody(const KernelIr& ir) : ir_(ir), digits_(ir.schedule.digits) {}

  std::string run() {
    for (const Op& op : ir_.ops) std::visit(*this, op);
    leave();
    return text_.str();
  }

  void operator()(const op::WaitForLaunch&) {
    comment(begins_early);
    line("wait_for_launch_before();");
  }
  void operator()(const op::LoadTile& op) {
    enter(op.layout);
    comment("Load: " + to_string(op.layout, digits_));
    if (ir_.schedule.by_index) return at_end(op.layout, Side::time, load_end);
    if (ir_.schedule.padded()) return move_padded("load_padded", op.layout, "in, ");
    const LinearMap map = memory_map(digits_, op.layout, Side::time);
    line("load_points<" + offsets(map) + ">(x, in, " + thread_part(map) + ", " +
         existing_text(ir_.schedule.pass, true) + ");");
  }
  void operator()(const op::StoreTile& op) {
    comment("Store: " + to_string(op.layout, digits_));
    const Side side = ir_.schedule.result_side();
    if (ir_.schedule.by_index) return at_end(op.layout, side, store_end);
    if (ir_.schedule.padded()) return move_padded("store_cropped", op.layout, "out, ");
    const LinearMap map = memory_map(digits_, op.layout, side);
    line("store_points<" + offsets(map) + ">(x, out, " + thread_part(map) + ", " +
         existing_text(ir_.schedule.pass, false) + ");");
  }
  void operator()(const op::CallerCode& op) {
    comment("The caller's code");
    at_end(op.layout, op.store ? ir_.schedule.result_side() : Side::time,
           [&](const auto&... where) { return apply_code(op, where...); });
  }
  void operator()(const op::WriteShared& op) {
    enter(op.layout);
    comment("Exchange: from " + to_string(op.layout, digits_));
    access("write_places", op.layout);
  }
  void operator()(const op::ReadShared& op) {
    enter(op.layout);
    comment("To " + to_string(op.layout, digits_));
    access("read_places", op.layout);
  }
  void operator()(const op::LoadInOrder& op) { rader(op); }
  void operator()(const op::StoreInOrder& op) { rader(op); }
  void operator()(const op::ReadPowers& op) {
    enter(op.layout);
    rader(op);
  }
  void operator()(const op::WritePowers& op) {
    enter(op.layout);
    rader(op);
  }
  void operator()(const op::ZeroFrequency& op) { rader(op); }
  void operator()(const op::Barrier& op) {
    leave();
    line(op.scope == op::Barrier::Scope::block ? "block_barrier();" : "warp_barrier();");
  }
  void operator()(const op::Butterfly& op) {
    begin_step(op.step);
    std::uint32_t step = 1;  // registers between the points of one butterfly
    for (std::size_t place = 0; !(op.register_mask >> place & 1u); ++place) {
      step *= digits_[layout_.registers[place]].count;
    }
    const bool several = op.radix < count_of(digits_, layout_.registers);
    const std::string name =
        several && largest_prime_factor(op.radix) > 13 ? "long_butterflies<" : "butterflies<";
    line(name + std::to_string(static_cast<int>(ir_.direction)) + ", " + std::to_string(op.radix) +
         ", " + std::to_string(step) + ", " + points() + ">(x);");
  }
  void operator()(const op::Twiddle& op) {
    if (backwards_) begin_step(op.step);
    const bool due = ir_.schedule.convolves();
    line("twiddle_points<" + std::string(due ? "load_factors, " : "load_table, ") +
         std::to_string(op.stride) + list(twiddle_entries(digits_, op)) + ">(x, tables + " +
         std::to_string(op.table.offset) + table_place(op.layout, op.thread_bits) + ");");
  }
  void operator()(const op::Spectrum& op) {
    comment(spectrum_comment(ir_, op));
    line((ir_.schedule.rader() ? "twiddle_points<load_factors, " : "times_spectrum_points<") +
         std::to_string(op.stride) + list(spectrum_entries(digits_, op)) + ">(x, tables + " +
         std::to_string(op.table.offset) + spectrum_tile(op) +
         table_place(op.layout, op.thread_bits) + ");");
    backwards_ = true, begun_ = 0;
  }
  void operator()(const op::PassTwiddle& op) {
    LinearMap k = index_map(digits_, op.layout, op.before ? Side::time : Side::frequency);
    const LinearMap column = column_map(digits_, op.layout);
    for (std::size_t i = 0; i < k.thread_bits.size(); ++i) {
      if (column.thread_bits[i] != 0) k.thread_bits[i] = 0;
    }
    std::string pairs;
    for (std::uint32_t reg = 0; reg < k.registers(); ++reg) {
      const std::uint32_t own = column.of_register(reg);
      const auto n = static_cast<std::uint32_t>(ir_.schedule.decomposition.n());
      pairs += ", " + std::to_string(k.of_register(reg) - own * n) + ", " + std::to_string(own);
    }
    const auto length = static_cast<std::uint64_t>(ir_.schedule.pass.twiddle_length);
    comment("Between passes: times w^(k column), w = exp(" +
            std::string(ir_.direction == Direction::forward ? "-" : "+") + "2 pi i / " +
            std::to_string(length) + ")");
    line("twiddle_between_mixed_passes<" + std::to_string(static_cast<int>(ir_.direction)) + ", " +
         std::to_string(turn_of_one(length)) + "ull" + pairs + ">(x, " + thread_part(k) +
         ", column + " + thread_part(column) + ");");
  }
  void operator()(const op::Chirp& op) {
    comment(chirp_comment(ir_, op));
    if (!ir_.schedule.padded()) return line(exact_chirp(ir_, op));
    const LinearMap map = index_map(digits_, op.layout, Side::time);
    line("times_chirp<" + padded_lengths(ir_.schedule) + (op.last ? ", true, " : ", false, ") +
         offsets(map) + ">(x, tables + " + std::to_string(op.table.offset) + ", " +
         thread_part(map) + ");");
  }
  void operator()(const op::Multiply& op) {
    comment(factor_comment(ir_.schedule));
    std::ostringstream factor;
    factor << std::hexfloat << op.factor;
    line("multiply<" + points() + ">(x, " + factor.str() + "f);");
  }
  template <class Other>
  void operator()(const Other&) {
    throw InternalError("emit: an operation of the tensor cores on a mixed tile");
  }

 private:
  // From here on threads hold points in `layout`.
  void enter(const Layout& layout) {
    layout_ = layout;
    if (guarded_) return;  // no barrier since: the same threads
    const std::uint32_t busy = count_of(digits_, layout.threads);
    if (busy == ir_.schedule.launch.threads) return;
    text_ << "\n";
    line("if (thread < " + std::to_string(busy) + ") {  // no points for the others");
    guarded_ = first_ = true;
  }
  void leave() {
    if (guarded_) text_ << "  }\n";
    guarded_ = false;
  }

  template <class Op>
  void rader(const Op& op) {
    const RaderStatement statement = rader_statement(ir_, op);
    comment(statement.comment);
    line(statement.text);
  }
  void line(const std::string& statement) {
    text_ << (guarded_ ? "    " : "  ") << statement << "\n";
  }
  void comment(const std::string& what) {
    if (!first_) text_ << "\n";
    first_ = false;
    line("// " + what);
  }
  void begin_step(unsigned step) {
    if (begun_ == step + 1) return;
    begun_ = step + 1;
    const std::string number = std::to_string(step + 1);
    comment("Step " + number + (backwards_ ? " backwards: radix " : ": radix ") +
            std::to_string(step_of(ir_.schedule, step).radix) + " over " +
            (backwards_ ? "k" : "t") + number + ", butterflies in registers");
  }
  static std::string list(const std::vector<int>& entries) {
    std::string text;
    for (const int entry : entries) text += ", " + std::to_string(entry);
    return text;
  }
  // Added to the address of a table: what depends on the thread.
  [[nodiscard]] std::string table_place(const Layout& layout,
                                        const std::vector<std::uint32_t>& strides) const {
    const std::string where = index_text(strides, counts_of(digits_, layout.threads));
    return where == "0" ? "" : " + (" + where + ")";
  }
  // Transforms that are shorter in memory: point by point.
  void move_padded(const std::string& primitive, const Layout& layout, const std::string& pointer) {
    const LinearMap map = index_map(digits_, layout, Side::time);
    line(primitive + "<" + padded_shape(ir_.schedule, pointer == "in, ") + ", " + offsets(map) +
         ">(x, " + pointer + thread_part(map) + ", existing);");
  }
  // Where points find their places by their index.
  template <class Statement>
  void at_end(const Layout& layout, Side side, Statement statement) {
    const LinearMap map = index_map(digits_, layout, side);
    line(statement(offsets(map), thread_part(map)));
  }
  void access(const std::string& primitive, const Layout& layout) {
    const LinearMap map = shared_access(ir_.schedule, layout).positions;
    line(primitive + "<" + offsets(map) + ">(x, " + thread_part(map) + ");");
  }

  [[nodiscard]] std::string points() const {
    return std::to_string(count_of(digits_, layout_.registers));
  }
  static std::string thread_part(const LinearMap& map) {
    return index_text(map.thread_bits, map.thread_counts);
  }
  static std::string offsets(const LinearMap& map) {
    std::string text;
    for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
      text += (reg ? ", " : "") + std::to_string(map.of_register(reg));
    }
    return text;
  }

  const KernelIr& ir_;
  const std::vector<Digit>& digits_;
  std::ostringstream text_;
  Layout layout_;           // of the points in registers
  bool guarded_ = false;    // within an `if`
  bool first_ = false;      // nothing in it yet
  bool backwards_ = false;  // through the steps
  unsigned begun_ = 0;      // steps whose comment is written
};

}  // namespace

std::string emit_mixed_body(const KernelIr& ir) { return MixedBody(ir).run(); }

}  // namespace sonoma
