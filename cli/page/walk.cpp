#include "walk.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "sonoma/mirrored.hpp"

namespace sonoma::cli::page {
namespace {

// All digits whose strides are not 0, ascending.
std::vector<DigitId> by_stride(const std::vector<std::uint32_t>& strides) {
  std::vector<DigitId> ids;
  for (DigitId id = 0; id < strides.size(); ++id) {
    if (strides[id] != 0) ids.push_back(id);
  }
  std::ranges::stable_sort(ids, {}, [&](DigitId id) { return strides[id]; });
  return ids;
}

class Walker {
 public:
  explicit Walker(const KernelIr& ir) : schedule_(ir.schedule), digits_(schedule_.digits) {
    for (const Op& op : ir.ops) {
      if (const auto* round = std::get_if<op::Round>(&op)) skipped_ = round->number > 0;
      if (!skipped_) std::visit(*this, op);
    }
  }
  std::vector<Stop> stops;

  template <class Op>
  void operator()(const Op&) {}  // moves no points

  void operator()(const op::LoadTile& op) {
    global(true), registers(op.layout, Part::load, "Load");
  }
  void operator()(const op::CopyAsync& op) { copied(op.layout, 16); }
  void operator()(const op::FetchTile& op) {
    if (op.next) return note("From here on the next tile comes to where these points have been.");
    copied(op.layout, 8);
  }
  void operator()(const op::EachTile& op) {
    note(fmt::format("Blocks stay: each takes every {}th tile.", op.apart));
  }
  void operator()(const op::StoreTile& op) {
    registers(op.layout, Part::other, "Before the store");
    global(false);
  }
  void operator()(const op::WriteShared& op) {
    write(op.layout, op.blocks, op.residues);
    if (op.residues) note("Each point goes where the remainders of its number say.");
  }
  void operator()(const op::ReadShared& op) {
    read(op.layout, op.blocks, op.residues);
    if (op.residues) note("Each point comes from where the remainders of its number say.");
  }
  void operator()(const op::WriteParts& op) {
    if (op.component == op::Component::imaginary) return;
    shared(op.blocks, shared_place(op.blocks), "Exchange by parts");
    note("First all real parts, then all imaginary ones: in half of the room.");
  }
  void operator()(const op::ReadParts& op) {
    if (op.component == op::Component::real) registers(op.layout, Part::read, "To registers");
  }
  void operator()(const op::WriteTurn&) {
    if (turned_) return;  // the rest of it, later
    turned_ = true;
    shared(turn_of(schedule_).places, shared_place(turn_of(schedule_).places), "The turn");
    note("From one kind of rounds to the other; a quarter of the tile waits in registers.");
  }
  void operator()(const op::ReadTurn& op) {
    if (op.half != op::Half::one) registers(op.layout, Part::read, "To registers");
  }
  void operator()(const op::LoadInOrder&) {
    elsewhere(Where::global, "Global memory", "Points in the order of memory.");
    elsewhere(Where::shared, "Shared memory", "As they lie in global memory.");
  }
  void operator()(const op::StoreInOrder&) {
    elsewhere(Where::shared, "Shared memory", "As they will lie in global memory.");
    elsewhere(Where::global, "Global memory", "Points in the order of memory.");
  }
  void operator()(const op::ReadPowers& op) {
    registers(op.layout, Part::read, "To registers");
    note(
        fmt::format("Point q of the tile is x({}^q mod n): in this order a transform of a prime "
                    "length n is a convolution.",
                    op.root));
  }
  void operator()(const op::WritePowers& op) {
    elsewhere(Where::shared, "Shared memory",
              fmt::format("Each point goes back to the place of its power of {}.", op.root));
  }
  void operator()(const op::ReadInOrder& op) {
    if (stops.empty() || stops.back().where != Where::shared) in_order(op.row, !op.frequencies);
    registers(op.layout, Part::read, "To registers");
  }
  void operator()(const op::WriteInOrder& op) {
    registers(op.layout, Part::other, "Before the exchange");
    in_order(op.row, back_);
    note("In the order of their numbers, so that those that mirror each other can be found.");
  }
  void operator()(const op::LoadMirrored&) {
    mirrored(true);
    elsewhere(Where::shared, "Shared memory",
              "Of two that mirror each other the points of a transform of half the length.");
  }
  void operator()(const op::StoreMirrored&) { mirrored(false); }
  void operator()(const op::MirrorRows&) {
    note("Of two that mirror each other the frequencies of real numbers.");
  }
  void operator()(const op::LoadOpposite& op) {
    mirrored(true), registers(op.layout, Part::load, "Load");
    note("A thread takes butterflies q and -q, whose points mirror each other.");
  }
  void operator()(const op::StoreOpposite&) {
    note("A thread holds butterflies q and -q, whose points mirror each other.");
    mirrored(false);
  }
  void operator()(const op::Butterfly& op) {
    registers(op.layout, Part::other, "Before the step");
    step(op.step, op.layout, "butterflies in registers",
         "Every thread does it alone, with what its registers hold.");
  }
  void operator()(const op::Mma& op) { product(op.step); }
  void operator()(const op::WordProduct& op) { product(op.step); }
  void operator()(const op::Twiddle& op) {
    note(fmt::format("Twiddle factors of step {} from a table of {} bytes{}.", op.step + 1,
                     op.table.size * 16,
                     op.from != Twiddles::table ? ", and products of them" : ""));
  }
  void operator()(const op::PassTwiddle&) {
    note("Between passes: every point times the factor of its frequency and its column.");
  }
  void operator()(const op::Chirp& op) {
    note(op.last ? "Times the chirp." : "Times the chirp, and padded with zeros.");
  }
  void operator()(const op::Spectrum& op) { turn_back(op.layout, "Times the chirp's spectrum."); }
  void operator()(const op::Filter& op) { turn_back(op.layout, "Times the filter's spectrum."); }
  void operator()(const op::FilterPairs&) {
    back_ = true;
    note("Pairs that mirror each other times the filter's spectrum.");
  }
  void operator()(const op::FilterOpposite& op) {
    turn_back(op.layout, "Pairs that mirror each other times the filter's spectrum.");
  }
  void operator()(const op::EachChannel& op) {
    note(fmt::format("What follows is done for each of {} channels, up to their sum.", op.count));
  }
  void operator()(const op::SumChannels&) { note("Into the sum of the channels."); }
  void operator()(const op::Multiply&) { note("Times the factor of the request."); }
  void operator()(const op::CallerCode& op) {
    note(op.store ? "What the caller's code makes of each point is stored."
                  : "Each point becomes what the caller's code makes of it.");
  }
  void operator()(const op::Barrier& op) {
    static constexpr const char* texts[] = {
        "The threads of a warp wait for each other: no other warp has a part in it.",
        "All threads of the block wait for each other.",
        "All threads of the cluster wait for each other."};
    if (!stops.empty() && stops.back().where == Where::shared) {
      note(texts[static_cast<int>(op.scope)]);
    }
  }

 private:
  void note(std::string text) {
    if (stops.empty()) return;
    auto& notes = stops.back().notes;
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
  }
  Stop& add(Where where, Part part, std::string title, std::vector<Box> boxes) {
    Stop& stop = stops.emplace_back();
    stop.where = where, stop.part = part, stop.title = std::move(title);
    stop.boxes = std::move(boxes), stop.done = done_;
    return stop;
  }
  void copied(const Layout& layout, unsigned bytes) {
    global(true);
    Stop& stop = shared({}, shared_place({}), "Copied to shared memory");
    stop.part = Part::load;
    note(fmt::format("{} bytes a thread at a time, with no register between: cp.async.", bytes));
    access(layout, {}, true);
  }
  void elsewhere(Where where, const char* title, const std::string& text) {
    if (!stops.empty() && stops.back().title == title) return;
    add(where, where == Where::global ? Part::memory : Part::other, title, {});
    note(text);
  }
  void mirrored(bool input) {
    elsewhere(Where::global, "Global memory",
              input ? "Frequencies of real numbers: those behind the middle mirror the others."
                    : "Of two points that mirror each other two frequencies of real numbers.");
  }
  void global(bool input) {
    std::vector<std::uint32_t> strides;
    const bool times = input || schedule_.side_stored() == Side::time;
    for (const Digit& digit : digits_) {
      strides.push_back(times ? digit.in_stride : digit.out_stride);
    }
    Stop& stop =
        add(Where::global, input ? Part::memory : Part::store,
            input ? "Global memory: in" : "Global memory: out", {{"address", by_stride(strides)}});
    if (!input && schedule_.pass.convolves() && !schedule_.pass.filter) stop.done = 0;
  }
  void registers(const Layout& layout, Part part, const char* title) {
    const bool there = !stops.empty() && stops.back().where == Where::registers;
    if (there && stops.back().layout == layout) return;
    add(Where::registers, part, title, boxes_of(schedule_, layout)).layout = layout;
  }
  std::vector<std::uint32_t> shared_place(const std::vector<DigitId>& blocks) const {
    return shared_strides(digits_, schedule_.places.points.pads, blocks).place;
  }
  Stop& shared(const std::vector<DigitId>& blocks, const std::vector<std::uint32_t>& strides,
               const char* title) {
    std::vector<Box> boxes = {{"place", by_stride(strides)}};
    if (!blocks.empty()) boxes.push_back({"block", blocks});
    return add(Where::shared, Part::exchange, title, std::move(boxes));
  }
  void in_order(std::uint32_t row, bool times) {
    shared({}, strides_in_order(schedule_, row, times), "Shared memory");
  }
  void access(const Layout& layout, const std::vector<DigitId>& blocks, bool writes,
              bool residues = false) {
    Schedule plain = schedule_;
    plain.places.points.pads.clear();
    stops.back().accesses.push_back({writes, shared_access(schedule_, layout, blocks, residues),
                                     shared_access(plain, layout, blocks, residues),
                                     schedule_.places.points.swizzle});
  }
  void write(const Layout& layout, const std::vector<DigitId>& blocks, bool residues) {
    registers(layout, Part::other, "Before the exchange");
    shared(blocks, shared_place(blocks), "Exchange");
    access(layout, blocks, true, residues);
  }
  void read(const Layout& layout, const std::vector<DigitId>& blocks, bool residues) {
    if (!stops.empty() && stops.back().where == Where::shared)
      access(layout, blocks, false, residues);
    registers(layout, Part::read, "To registers");
  }
  // The phase that has it, and its place there.
  const Phase* phase_of(unsigned index, std::size_t& place) const {
    for (const Phase& phase : schedule_.phases) {
      for (place = 0; place < phase.steps.size(); ++place) {
        if (phase.steps[place].index == index && phase.steps[place].back == back_) return &phase;
      }
    }
    return nullptr;
  }
  void product(unsigned index) {
    std::size_t place = 0;
    const Phase* phase = phase_of(index, place);
    if (phase == nullptr || (!stops.empty() && stops.back().step == static_cast<int>(index)))
      return;
    const bool left = phase->steps[place].form == StepForm::left;
    registers(phase->layout_before(place), Part::other, "Before the step");
    if (!phase->layout_before(place).folded.empty()) {
      note(
          "Its digit is folded: values v and r - 1 - v are in neighbouring registers, for a "
          "product "
          "takes their sums and differences.");
    }
    step(index, phase->layout_before(place + 1),
         left ? "DFT matrix x tile, on tensor cores" : "tile x DFT matrix, on tensor cores",
         "A warp multiplies tiles of its points by the DFT matrix: its lanes hold the digit "
         "together.");
  }
  void step(unsigned index, const Layout& layout, const char* how, const char* who) {
    std::vector<DigitId> ids;
    unsigned radix = 1;
    for (DigitId id = 0; id < digits_.size(); ++id) {
      if (digits_[id].step == static_cast<int>(index))
        ids.push_back(id), radix *= digits_[id].count;
    }
    const std::string before = digits_text(digits_, ids, done_);
    done_ = back_ ? index : index + 1;
    Stop& stop = add(Where::registers, Part::step,
                     fmt::format("Step {}{}", index + 1, back_ ? " backwards" : ""),
                     boxes_of(schedule_, layout));
    stop.layout = layout, stop.step = static_cast<int>(index);
    note(fmt::format("DFTs of radix {} over {}, {}: {} becomes {}. {}", radix, before, how, before,
                     digits_text(digits_, ids, done_), who));
  }
  void turn_back(const Layout& layout, const char* text) {
    registers(layout, Part::other, "At the frequencies");
    note(text);
    note("From here on all steps run backwards.");
    back_ = true;
  }

  const Schedule& schedule_;
  const std::vector<Digit>& digits_;
  unsigned done_ = 0;
  bool back_ = false, skipped_ = false, turned_ = false;
};

}  // namespace

std::vector<Stop> walk(const KernelIr& ir) { return std::move(Walker(ir).stops); }

}  // namespace sonoma::cli::page
