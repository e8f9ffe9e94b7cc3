#include "emit_body.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <sstream>
#include <utility>

#include "emit_chirp.hpp"
#include "emit_ends.hpp"
#include "emit_mixed.hpp"
#include "emit_parts.hpp"
#include "emit_products.hpp"
#include "emit_rader.hpp"
#include "emit_rounds.hpp"
#include "index_text.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

// One statement per operation.
class Body {
 public:
  explicit Body(const KernelIr& ir) : ir_(ir), digits_(ir.schedule.digits) {}

  std::string run() {
    for (const Op& op : ir_.ops) std::visit(*this, op);
    return text_.str();
  }

  void operator()(const op::LoadMatrix& op) { text_ << emit(ir_.schedule, op); }
  // Of a step on tensor cores.
  template <class Op>
  requires requires(const Schedule& schedule, const Op& op) { emit(schedule, 0u, op); }
  void operator()(const Op& op) {
    begin_step(op.tile);
    text_ << emit(ir_.schedule, step_, op);
  }
  void operator()(const op::LoadTile& op) {
    if (ir_.schedule.by_index) return at_end("Load: ", op.layout, Side::time, load_end);
    if (ir_.schedule.padded()) return move_padded("load_padded", op.layout, "in, ", "Load: ");
    if (words()) return move_words("load_words", op.layout, "in, ", "Load: ");
    move("load_tile", op.layout, memory_map(digits_, op.layout, Side::time),
         "Load: ", memory("in", true));
  }
  void operator()(const op::CopyAsync& op) {
    const LinearMap map = index_map(digits_, op.layout, Side::time);
    text_ << "\n  // Load, asynchronously, to shared memory: " << to_string(op.layout, digits_)
          << "\n  " << (words() ? "copy_words<" : "copy_to_shared<") << thread_mask(map) << ", "
          << offsets(map, chunk()) << ">(in, " << index_text(map.thread_bits) << ", existing);\n";
  }
  void operator()(const op::WaitForLaunch&) {
    text_ << "\n  // " << begins_early << "\n  wait_for_launch_before();\n";
  }
  void operator()(const op::WaitAsync&) { text_ << "  wait_for_copies();\n"; }
  void operator()(const op::Barrier& op) {
    static constexpr const char* barriers[] = {"warp_barrier", "block_barrier", "cluster_barrier"};
    text_ << "  " << barriers[static_cast<int>(op.scope)] << "();\n";
  }
  void operator()(const op::Round& op) {
    text_ << emit(ir_, op);
    begun_ = 0;
  }
  template <class Op>  // other ones of rounds, and those of the method rader
  void operator()(const Op& op) {
    text_ << emit(ir_, op);
  }
  void operator()(const op::WriteShared& op) {
    if (words()) return move_words("write_words", op.layout, "", "Exchange: from ");
    const LinearMap map = index_map(shared_digits(digits_, op.blocks), op.layout, Side::time);
    if (op.blocks != ir_.schedule.block_digits(op.layout)) {
      const unsigned points = ir_.schedule.points_per_block() / ir_.schedule.launch.cluster;
      return move(("write_cluster<" + std::to_string(points) + ", ").c_str(), op.layout, map,
                  "Exchange within the cluster: from ", shared());
    }
    move("write_shared", op.layout, within_block(map), "Exchange: from ", shared());
  }
  void operator()(const op::ReadShared& op) {
    if (words()) return move_words("read_words", op.layout, "", "To ");
    const LinearMap map = index_map(shared_digits(digits_, op.blocks), op.layout, Side::time);
    move("read_shared", op.layout, within_block(map), "To ", shared());
  }
  void operator()(const op::FindMaximum& op) {
    std::string mine = words() ? "max_of_" + halves() + "(w)"
                               : "max_of_points<" + std::to_string(registers()) + ">(x)";
    if (op.copied) {
      const LinearMap map = index_map(digits_, op.layout, Side::time);
      mine = (words() ? "max_of_copied_" + halves() : "max_of_copied") + "<" +
             std::to_string(thread_mask(map)) + ", " + offsets(map, chunk()) + ">(" +
             index_text(map.thread_bits) + ")";
    }
    text_ << "\n  // The largest magnitude of the transform gives its scale\n";
    if (op.warps > 1) {
      text_ << "  publish_max(" << maxima() << ", " << mine << ");\n";
    } else {
      text_ << "  const unsigned largest = warp_max(" << mine << ");\n";
    }
  }
  void operator()(const op::TransformScale& op) {
    text_ << "  const float scale = transform_scale<" << op.target << ", " << op.most << ">("
          << largest(op) << ");\n";
    scale_ = op;
  }
  void operator()(const op::ScaleWords&) { text_ << "  scale_" << halves() << "(w, scale);\n"; }
  void operator()(const op::UnpackWords&) { text_ << "  unpack_words(x, w);\n"; }
  void operator()(const op::PackWords& op) {
    text_ << "  w[" << op.tile << "] = pack_words(x[" << op.tile
          << (op.scaled ? "], scale);\n" : "]);\n");
  }
  void operator()(const op::Unscale&) {
    // Found again, not kept: a register less all the way.
    text_ << "\n  // The scale undone\n  multiply<" << registers() << ">(x, transform_undo<"
          << scale_.target << ", " << scale_.most << ", " << scale_.undo << ">(" << largest(scale_)
          << "));\n";
  }
  void operator()(const op::Butterfly& op) {
    step_ = op.step;
    begin_step(0);
    text_ << "  butterflies" << op.radix << "<" << static_cast<int>(ir_.direction) << ", "
          << op.register_mask << ">(x);\n";
  }
  void operator()(const op::Twiddle& op) {
    if (backwards_) step_ = op.step, begin_step(0);
    text_ << (op.products ? "  twiddle_by_products<" : "  twiddle<") << registers() << ", "
          << op.register_mask << ", " << op.unity_mask << ", " << op.stride
          << (ir_.schedule.convolves() ? ", load_factors" : "") << ">(x, tables + "
          << op.table.offset;
    if (ir_.schedule.pass.tree_columns() > 1) text_ << " + column";
    const std::string where = index_text(op.thread_bits);
    if (where != "0") text_ << " + (" << where << ")";
    text_ << ");\n";
    if (!backwards_) step_ = op.step + 1;
  }
  void operator()(const op::PassTwiddle& op) {
    const LinearMap map = index_map(digits_, op.layout, op.before ? Side::time : Side::frequency);
    const LinearMap columns = column_map(digits_, op.layout);
    const auto length = static_cast<std::uint64_t>(ir_.schedule.pass.twiddle_length);
    std::vector<std::uint32_t> own = map.thread_bits;
    for (std::size_t bit = 0; bit < own.size(); ++bit) {
      if (columns.thread_bits[bit] != 0) own[bit] = 0;
    }
    const auto quarter = static_cast<std::uint32_t>(ir_.schedule.pass.n() / 4);
    text_ << "\n  // Between passes: times w^(k column), w = exp("
          << (ir_.direction == Direction::forward ? "-" : "+") << "2 pi i / " << length
          << ")\n  twiddle_between_passes<" << static_cast<int>(ir_.direction) << ", "
          << std::countr_zero(length) << ", " << quarter << ", "
          << (std::accumulate(own.begin(), own.end(), 0u) < quarter ? "true" : "false") << ", "
          << offsets(map, 0) << ">(x, " << index_text(own) << ", column + "
          << index_text(columns.thread_bits) << ");\n";
  }
  void operator()(const op::Chirp& op) {
    text_ << "\n  // " << chirp_comment(ir_, op) << "\n  ";
    if (!ir_.schedule.padded()) return void(text_ << exact_chirp(ir_, op) << "\n");
    const LinearMap map = index_map(digits_, op.layout, Side::time);
    text_ << "times_chirp<" << padded_lengths(ir_.schedule) << ", " << (op.last ? "true" : "false")
          << ", " << offsets(map, 0) << ">(x, tables + " << op.table.offset << ", "
          << index_text(map.thread_bits) << ");\n";
  }
  void operator()(const op::Spectrum& op) {
    text_ << "\n  // " << spectrum_comment(ir_, op) << "\n  " << times_spectrum(ir_, op) << "\n";
    backwards_ = true, begun_ = 0;
  }
  void operator()(const op::Multiply& op) {
    text_ << "\n  // " << factor_comment(ir_.schedule) << "\n  multiply<" << registers() << ">(x, "
          << std::hexfloat << op.factor << std::defaultfloat << "f);\n";
  }
  void operator()(const op::CallerCode& op) {
    const auto call = [&](const auto&... where) { return apply_code(op, where...); };
    at_end("The caller's code: ", op.layout, op.store ? ir_.schedule.result_side() : Side::time,
           call);
  }
  void operator()(const op::StoreTile& op) {
    if (ir_.schedule.by_index) {
      return at_end("Store: ", op.layout, ir_.schedule.result_side(), store_end);
    }
    if (ir_.schedule.padded()) return move_padded("store_cropped", op.layout, "out, ", "Store: ");
    move("store_tile", op.layout, memory_map(digits_, op.layout, ir_.schedule.result_side()),
         "Store: ", memory("out", false));
  }

 private:
  bool words() const { return ir_.schedule.words; }
  // What words of the storage are made of.
  std::string halves() const { return ir_.schedule.storage == Storage::f16 ? "halves" : "bfloats"; }
  // The registers within 16 bytes of a linear layout.
  unsigned chunk() const { return words() ? 3 : 1; }
  unsigned registers() const { return ir_.schedule.points_per_thread(); }
  // In a thread's own shared memory the number of its block does not matter.
  [[nodiscard]] LinearMap within_block(LinearMap map) const {
    const int bits = std::countr_zero(ir_.schedule.launch.cluster * ir_.schedule.rounds);
    std::fill(map.thread_bits.end() - bits, map.thread_bits.end(), 0u);
    return map;
  }
  // Where the warps' maxima lie: behind the tile.
  unsigned maxima() const {
    const unsigned warps = ir_.schedule.launch.threads >> lane_bits;
    return ir_.schedule.launch.shared_bytes - warps * maximum_bytes;
  }
  std::string largest(const op::TransformScale& op) const {
    if (op.warps == 1) return "largest";
    return "published_max<" + std::to_string(op.warps) + ">(" + std::to_string(maxima()) + ")";
  }
  void begin_step(unsigned tile) {
    if (tile != 0 || begun_ == step_ + 1) return;
    begun_ = step_ + 1;
    const Step& step = step_of(ir_.schedule, step_);
    static constexpr const char* ways[] = {"DFT matrix x tile, over rows",
                                           "tile x DFT matrix, over columns",
                                           "butterflies in registers"};
    text_ << "\n  // Step " << step_ + 1 << (backwards_ ? " backwards: radix " : ": radix ")
          << step.radix << " over " << (backwards_ ? "k" : "t") << step_ + 1 << ", "
          << ways[static_cast<int>(step.form)] << "\n";
  }

  // The bits of a thread's part of an index.
  static std::uint32_t thread_mask(const LinearMap& map) {
    std::uint32_t mask = 0;
    for (const std::uint32_t bit : map.thread_bits) mask |= bit;
    return mask;
  }

  // Offsets of the registers with none of the bits of `vector`.
  static std::string offsets(const LinearMap& map, unsigned vector) {
    std::string text;
    for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
      if (reg & vector) continue;
      text += (text.empty() ? "" : ", ") + std::to_string(map.of_register(reg));
    }
    return text;
  }

  // What points are moved to or from.
  struct Memory {
    std::string array, existing;  // arguments; none of shared memory
    bool pairs = true;            // neighbours travel together
  };
  static Memory shared() { return {}; }
  Memory memory(const char* array, bool input) const {
    const bool pairs = !ir_.schedule.pass.is_chirped(input);
    return {std::string(array) + ", ", ", " + existing_text(ir_.schedule.pass, input), pairs};
  }

  // A primitive that moves the whole tile; pairs of neighbouring points where a register bit
  // allows.
  void move(const char* primitive, const Layout& layout, const LinearMap& map, const char* comment,
            const Memory& memory) {
    const auto& bits = map.register_bits;
    const auto pair = memory.pairs ? std::find(bits.begin(), bits.end(), 1u) : bits.end();
    const int bit = pair == bits.end() ? -1 : static_cast<int>(pair - bits.begin());
    const std::string open = std::string_view(primitive).ends_with(", ") ? "" : "<";
    const bool in_rounds = ir_.schedule.rounds > 1 && memory.array.empty();
    text_ << "\n  // " << comment << to_string(layout, digits_) << "\n  " << primitive << open
          << bit << ", " << thread_mask(map) << ", "
          << offsets(map, bit < 0 ? 0 : 1u << bit) << ">(x, " << memory.array
          << (in_rounds ? "anew(" : "") << index_text(map.thread_bits) << (in_rounds ? ")" : "")
          << memory.existing << ");\n";
  }

  // Where points find their places by their index.
  template <class Statement>
  void at_end(const char* comment, const Layout& layout, Side side, Statement statement) {
    const LinearMap map = index_map(digits_, layout, side);
    text_ << "\n  // " << comment << to_string(layout, digits_) << "\n  "
          << statement(offsets(map, 0), index_text(map.thread_bits)) << "\n";
  }

  // The same for transforms that are shorter in memory: point by point.
  void move_padded(const char* primitive, const Layout& layout, const char* pointer,
                   const char* comment) {
    const LinearMap map = index_map(digits_, layout, Side::time);
    text_ << "\n  // " << comment << to_string(layout, digits_) << "\n  " << primitive << "<"
          << padded_shape(ir_.schedule, *pointer == 'i') << ", " << offsets(map, 0) << ">(x, "
          << pointer << index_text(map.thread_bits) << ", existing);\n";
  }

  // The same for words, up to four neighbours at a time.
  void move_words(const char* primitive, const Layout& layout, const char* pointer,
                  const char* comment) {
    const SharedAccess access = shared_access(digits_, layout, 1);
    text_ << "\n  // " << comment << to_string(layout, digits_) << "\n  " << primitive << "<"
          << access.vector << ", " << access.points << ", " << thread_mask(access.positions) << ", "
          << offsets(access.positions, access.vector) << ">(w, " << pointer
          << index_text(access.positions.thread_bits) << (*pointer ? ", existing" : "") << ");\n";
  }

  const KernelIr& ir_;
  const std::vector<Digit>& digits_;
  std::ostringstream text_;
  unsigned step_ = 0;
  unsigned begun_ = 0;      // steps whose comment is written
  bool backwards_ = false;  // through the steps
  op::TransformScale scale_;
};

}  // namespace

std::string emit_body(const KernelIr& ir) {
  return ir.schedule.mixed() ? emit_mixed_body(ir) : Body(ir).run();
}

}  // namespace sonoma
