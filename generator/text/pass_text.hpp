// The statements of one pass: a line for each operation, and the functions of the plan they call.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "access.hpp"
#include "butterfly_spelling.hpp"
#include "function_text.hpp"
#include "places.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/rader_accesses.hpp"

namespace sonoma {

/// Above the wait for the launch before.
constexpr const char* begins_early =
    "This kernel may begin before the one in front of it in the stream has ended";

/// What goes into a kernel, and in front of it.
struct PassText {
  std::string functions;  ///< of the plan
  std::string body;  ///< of the kernel; sees in, out, tables, thread, column, columns, transform
};

/// `pass`: streamed accesses where two passes share a launch.
struct Streaming {
  bool load = false, store = false;
};

[[nodiscard]] PassText pass_text(const KernelIr& ir, Streaming streaming = {});
/// The same for a function of somebody else's kernel: points come from load(index, transform) and
/// go to store(index, transform, value) where code of the caller's would change them. The body sees
/// load, store, tables, thread, columns.
[[nodiscard]] PassText function_text(const KernelIr& ir);

/// Butterflies that templates/ does not have: the text of dft15, and of those it calls, each of
/// which `functions` gets once.
[[nodiscard]] std::string butterfly(Functions& functions, unsigned radix, int sign,
                                    const Spelling& spelling);

/// A name for each base where there are several: "p", or "p0", "p1", ...
[[nodiscard]] std::string base_name(const std::string& name, const SumPlaces& places,
                                    unsigned base);

/// Parameters for the number of a thread's first point in `places`, and for those of other bases.
void add_places(const std::string& name, const SumPlaces& places, const std::string& first,
                FunctionBody& body, std::vector<std::string>& arguments);

/// Executes the IR, an operation after the other, into text.
class PassWriter {
 public:
  PassWriter(const KernelIr& ir, Streaming streaming, bool by_functions = false)
      : ir_(ir),
        schedule_(ir.schedule),
        digits_(ir.schedule.digits),
        streaming_(streaming),
        by_functions_(by_functions) {}

  PassText run();

  // Moves: move_text.cpp; CallerCode: code_text.cpp
  void operator()(const op::WaitForLaunch&);
  void operator()(const op::LoadTile& op);
  void operator()(const op::StoreTile& op);
  void operator()(const op::CallerCode& op);
  void operator()(const op::CopyAsync& op);
  void operator()(const op::WaitAsync&);
  void operator()(const op::PrefetchTile& op);
  void operator()(const op::Barrier& op);
  // Blocks that stay: tiles_text.cpp
  void operator()(const op::FetchTile& op);
  void operator()(const op::EachTile& op);
  // Exchanges: exchange_text.cpp
  void operator()(const op::WriteShared& op);
  void operator()(const op::ReadShared& op);
  void operator()(const op::Round& op);
  void operator()(const op::WriteTurn& op);
  void operator()(const op::ReadTurn& op);
  void operator()(const op::WriteParts& op);
  void operator()(const op::ReadParts& op);
  // Steps: step_text.cpp
  void operator()(const op::LoadMatrix& op);
  void operator()(const op::Fold& op);
  void operator()(const op::Scale& op);
  void operator()(const op::Split& op);
  void operator()(const op::Mma& op);
  void operator()(const op::Join& op);
  void operator()(const op::Combine& op);
  void operator()(const op::WordProduct& op);
  void operator()(const op::Butterfly& op);
  // Scales: scale_text.cpp
  void operator()(const op::FindMaximum& op);
  void operator()(const op::TransformScale& op);
  void operator()(const op::ScaleWords&);
  void operator()(const op::UnpackWords&);
  void operator()(const op::PackWords& op);
  void operator()(const op::Unscale&);
  void operator()(const op::Multiply& op);
  // Factors: factor_text.cpp
  void operator()(const op::Twiddle& op);
  void operator()(const op::PassTwiddle& op);
  void operator()(const op::JoinHalves& op);
  void operator()(const op::Chirp& op);
  void operator()(const op::Spectrum& op);
  // Convolutions with a filter: filter_text.cpp
  void operator()(const op::Filter& op);
  void operator()(const op::FilterPairs& op);
  void operator()(const op::EachChannel& op);
  void operator()(const op::SumChannels& op);
  void operator()(const op::Conjugate&);
  // Rader's algorithm: rader_text.cpp
  void operator()(const op::LoadInOrder&);
  void operator()(const op::StoreInOrder&);
  void operator()(const op::ReadPowers& op);
  void operator()(const op::WritePowers& op);
  void operator()(const op::ZeroFrequency& op);
  // Frequencies of real numbers: mirrored_text.cpp
  void move_parted(std::uint32_t row, bool input);
  void operator()(const op::LoadMirrored& op);
  void operator()(const op::ReadInOrder& op);
  void operator()(const op::WriteInOrder& op);
  void operator()(const op::StoreMirrored& op);
  void operator()(const op::MirrorRows& op);
  void complete_rows();
  // The same in registers: opposite_text.cpp
  void operator()(const op::LoadOpposite& op);
  void operator()(const op::StoreOpposite& op);
  void operator()(const op::FilterOpposite& op);

 private:
  // ---- text
  void line(const std::string& statement);
  void comment(const std::string& what);  // above a group of lines
  // NAME(arguments), a function of the plan that does `body`.
  void call(const std::string& name, const FunctionBody& body,
            const std::vector<std::string>& arguments);
  std::string name_of(const std::string& wish, const FunctionBody& body) {
    return functions_.name_of(wish, body);
  }
  void begin_step(unsigned step);
  [[nodiscard]] std::vector<bool> padding_before(const op::Butterfly& op) const;
  std::string layout_text(const Layout& layout) const;
  // Threads hold points in `layout` from here on: where a phase has none for some, they skip it.
  void enter(const Layout& layout);
  void begin_laps(const Layout& layout);
  void begin_row(ThreadRows rows);
  // Where blocks stay, of the first and the last phase: laps by their numbers, so that all threads
  // can meet within; of a lap the threads that have points, where `condition` holds too.
  bool is_of_tiles(const Layout& layout) const;
  void begin_numbered_laps(const Layout& layout);
  void begin_part(const Layout& layout, const std::string& condition = "");
  void end_part();
  void leave();
  // Two butterflies of a thread: once for each of them.
  void begin_pair();
  void begin_sides();
  void end_sides();
  struct Opposites;
  Opposites opposites(const Layout& layout, const RowsInMemory& rows, bool several,
                      bool input) const;
  static FunctionBody store_of(const Opposites& of);
  static FunctionBody load_of(const Opposites& of);
  static FunctionBody filter_of(const Opposites& of, bool conjugated);
  void call_opposite(const char* name, const Opposites& of, FunctionBody body, std::string row,
                     const std::string& point);
  void move_opposite(const Layout& layout, bool input);
  std::string indent() const;

  // ---- registers
  unsigned registers() const { return schedule_.points_per_thread(); }
  unsigned tiles() const { return registers() / 8; }
  std::string tile_name(unsigned step, unsigned tile) const;
  // Places of the way back are computed anew: the compiler would keep those of the way there.
  std::string way_back(std::string place) const;
  std::string at(unsigned reg) const;       // the point of a register
  std::string word_at(unsigned reg) const;  // its word
  // Of every register the value of some digits of the tile, and the number of the others'.
  std::vector<unsigned> register_values(const std::vector<DigitId>& ids) const;
  std::vector<unsigned> register_rest(const std::vector<DigitId>& ids) const;
  bool words() const { return schedule_.words(); }
  // What words of the storage are made of.
  std::string halves() const {
    return schedule_.pass.in.storage == Storage::f16 ? "halves" : "bfloats";
  }

  // ---- moves
  struct Side {
    bool input = true;
    Access access;
    SumPlaces memory, index, column;
    std::optional<SumPlaces> told = {};  ///< to code of the caller's, where that is not the index
    unsigned numbers = 1;                // of a column, see number_stores()
  };
  Side side_of(const Layout& layout, bool input) const;
  // Where all stores of a thread are of one column, its points are numbered too, so that each has a
  // condition of its own: ptxas puts those that share one behind branches, after all that is
  // computed. (In tiles of bits it does so less, and the numbers cost registers.)
  void number_stores(Side& side) const;
  // "index < 5", or nothing: always; "false": never. condition(): and of a column that is there.
  std::string within_points(const Side& side, unsigned reg) const;
  std::string condition(const Side& side, unsigned reg) const;
  std::string access_argument(const Side& side, unsigned reg, bool streamed) const;
  void add_condition_parameters(const Side& side, FunctionBody& body,
                                std::vector<std::string>& arguments) const;
  void move(const Layout& layout, bool input);
  // From global to shared memory, without registers between.
  void copy(const std::string& name, const Layout& layout, const std::string& from);
  std::string index_text(const Side& side, unsigned reg) const;
  std::string load_text(const Side& side, unsigned reg, const std::string& access) const;
  std::string from_text(const Side& side, unsigned reg, std::int64_t first) const;
  std::string behind_text(const Side& side, unsigned reg) const;
  std::string trigonometric_text(const Side& side, unsigned reg) const;
  std::string back_to_first(const Side& side) const;
  bool may_be_real(const Side& side, unsigned reg) const;
  static void add_rows(const Side& side, FunctionBody& body, std::vector<std::string>& arguments);
  bool may_be_behind(const Side& side, unsigned reg) const;
  std::int64_t last_index(const Side& side, unsigned reg) const;
  std::string row_text(const Side& side, unsigned reg) const;
  std::string store_text(const Side& side, unsigned reg, const std::string& access) const;
  std::string joined_text(const std::string& name) const;
  std::string changed_text(const Side& side, unsigned reg, const std::string& transform) const;
  std::string address(const Side& side, unsigned reg) const;
  void add_bases(const Side& side, const std::string& pointer, const std::string& type,
                 FunctionBody& body, std::vector<std::string>& arguments) const;
  std::string first_number(const std::vector<std::int64_t>& loops) const;
  bool needs_index(const Side& side) const;
  std::string told_text(const Side& side, unsigned reg) const;
  void add_told(const Side& side, FunctionBody& body, std::vector<std::string>& arguments) const;
  void call_function(const op::CallerCode& op);

  // ---- threads
  // Those of mixed tiles, of which each phase has a number of its own, do not count the blocks.
  Numbering numbering(const Layout& layout) const;
  SumPlaces sums(const Layout& layout, const std::vector<std::uint32_t>& strides) const {
    return sum_places(digits_, layout, strides, numbering(layout));
  }

  // ---- exchanges
  // Under these strides, of every digit.
  SharedPlaces places_under(const Layout& layout, const std::vector<std::uint32_t>& strides,
                            const Swizzle& swizzle, unsigned line_bits,
                            const std::vector<std::uint32_t>& further = {}) const;
  SharedPlaces block_places(const Layout& layout, const std::vector<std::uint32_t>& strides) const;
  SharedPlaces shared_places(const Layout& layout, const std::vector<DigitId>& blocks,
                             bool residues = false) const;
  std::vector<std::vector<unsigned>> shared_groups(const Layout& layout,
                                                   const SharedPlaces& places) const;
  std::string place_argument(const SharedPlaces& places) const;
  std::string residues_text(bool residues) const;
  void exchange(const std::string& name, const Layout& layout, const std::vector<DigitId>& blocks,
                bool writes, bool residues);
  void exchange_in_cluster(const Layout& layout, const std::vector<DigitId>& blocks, bool writes);
  std::string place_in_cluster(const SharedPlaces& places, const SharedPlaces& blocks,
                               unsigned reg) const;
  std::string store_cluster(const SharedPlaces& places, const SharedPlaces& blocks,
                            const std::vector<unsigned>& group) const;
  void parts(const std::string& name, const Layout& layout, const std::vector<DigitId>& blocks,
             op::Component component, unsigned quarter, bool writes);
  void turn(const std::string& name, const Layout& layout, unsigned round, op::Half half,
            bool writes, const std::string& array);

  // ---- the spectrum of a filter
  // Which frequencies the points are: `first`, that of the tile's first point, is `most` at most.
  struct Frequencies {
    SumPlaces places;
    std::string first;
    std::int64_t most = 0;
  };
  Frequencies frequencies(const Layout& layout) const;
  /// `access`: ", When{...}", or nothing.
  std::string factor_text(const SumPlaces& places, const Frequencies& frequencies, unsigned reg,
                          const std::string& access) const;
  bool has_spectra_of_columns() const;
  std::int64_t apart_in_spectrum() const;

  // ---- factors
  void times_table(const std::string& name, const TableRange& table,
                   const std::vector<int>& entries, std::uint32_t stride, const std::string& where,
                   bool conjugated);
  std::string read_unit(int unit, std::uint32_t stride) const;
  void twiddle_by_products(const op::Twiddle& op, const std::vector<int>& entries,
                           const std::string& where);
  std::string table_place(const Layout& layout, const std::vector<std::uint32_t>& strides) const;
  std::pair<SumPlaces, SumPlaces> places_between_passes(const op::PassTwiddle& op) const;
  bool of_half_rows(const op::PassTwiddle& op) const;
  std::string root_function(const op::PassTwiddle& op, bool odd = false) const;
  std::string sections(const op::PassTwiddle& op, const std::string& k,
                       const std::string& thread_part, std::uint32_t offset) const;
  const char* sign_text() const { return ir_.direction == Direction::forward ? "-" : "+"; }
  int sign() const { return static_cast<int>(ir_.direction); }

  FunctionBody maximum_of(const op::FindMaximum& op, std::vector<std::string>& arguments) const;
  void multiply_all(const std::string& factor, const char* function = "scaled");
  void in_order(const Layout& layout, std::uint32_t row, bool reads, bool times);
  void powers(const Layout& layout, unsigned root, const TableRange& table, bool reads);
  std::vector<std::uint32_t> time_strides() const;

  unsigned maxima() const;
  std::string largest(const op::TransformScale& op) const;

  const KernelIr& ir_;
  const Schedule& schedule_;
  const std::vector<Digit>& digits_;
  Streaming streaming_;
  bool by_functions_ = false;
  Functions functions_;
  std::string text_;
  Layout layout_;             // of the points in registers
  bool in_channels_ = false;  // within their loop
  bool in_tiles_ = false;     // within the loop over those of a block
  bool in_lap_ = false;       // within that over numbered laps
  bool guarded_ = false;      // within an `if`
  bool sides_ = false;        // within the loop over two butterflies
  bool first_ = false;        // nothing in it yet
  bool backwards_ = false;    // through the steps
  unsigned step_ = 0;         // the one under way
  unsigned round_ = 0;        // which is written
  unsigned begun_ = 0;        // steps whose comment is written
  unsigned done_ = 0;         // steps whose digits are frequencies
  unsigned exchanges_ = 0;
  op::TransformScale scale_;
};

}  // namespace sonoma
