#include <sstream>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {
namespace {

std::string form_name(StepForm form) {
  return form == StepForm::left ? "left" : form == StepForm::right ? "right" : "registers";
}

std::string hex(unsigned value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

std::string range(const TableRange& range) {
  return "table[" + std::to_string(range.offset) + ", " +
         std::to_string(range.offset + range.size) + ")";
}

std::string flag(bool set, const char* name) { return set ? std::string(" ") + name : ""; }

struct Printer {
  const std::vector<Digit>& digits;

  // "blocks=t3/4 "
  [[nodiscard]] std::string blocks(const std::vector<DigitId>& ids) const {
    return ids.empty() ? "" : "blocks=" + digits_text(digits, ids) + " ";
  }

  std::string operator()(const op::LoadMatrix& op) const {
    return "LoadMatrix radix=" + std::to_string(op.radix) + " " + form_name(op.form) +
           flag(op.words, "words") + " " + range(op.table);
  }
  std::string operator()(const op::WaitForLaunch&) const { return "WaitForLaunch"; }
  std::string operator()(const op::LoadTile& op) const {
    return "LoadTile " + to_string(op.layout, digits);
  }
  std::string operator()(const op::CopyAsync& op) const {
    return "CopyAsync " + to_string(op.layout, digits);
  }
  std::string operator()(const op::WaitAsync&) const { return "WaitAsync"; }
  std::string operator()(const op::FetchTile& op) const {
    return "FetchTile " + to_string(op.layout, digits) + flag(op.next, "next");
  }
  std::string operator()(const op::EachTile& op) const {
    return "EachTile apart=" + std::to_string(op.apart);
  }
  std::string operator()(const op::PrefetchTile& op) const {
    return "PrefetchTile transforms=" + std::to_string(op.transforms);
  }
  std::string operator()(const op::Barrier& op) const {
    static constexpr const char* scopes[] = {"warp", "block", "cluster"};
    return std::string("Barrier ") + scopes[static_cast<int>(op.scope)];
  }
  std::string operator()(const op::Round& op) const {
    return "Round " + std::to_string(op.number) + flag(op.turned, "turned");
  }
  static std::string half(op::Half half) {
    return half == op::Half::both ? " " : half == op::Half::one ? " half=1 " : " half=0 ";
  }
  std::string operator()(const op::WriteTurn& op) const {
    return "WriteTurn round=" + std::to_string(op.round) + half(op.half) +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::ReadTurn& op) const {
    return "ReadTurn round=" + std::to_string(op.round) + half(op.half) +
           to_string(op.layout, digits);
  }
  static std::string component(op::Component component) {
    return component == op::Component::real ? "real " : "imaginary ";
  }
  std::string operator()(const op::WriteParts& op) const {
    return "WriteParts quarter=" + std::to_string(op.quarter) + " " + component(op.component) +
           blocks(op.blocks) + to_string(op.layout, digits);
  }
  std::string operator()(const op::ReadParts& op) const {
    return "ReadParts quarter=" + std::to_string(op.quarter) + " " + component(op.component) +
           blocks(op.blocks) + to_string(op.layout, digits);
  }
  std::string operator()(const op::WriteShared& op) const {
    return "WriteShared " + blocks(op.blocks) + (op.residues ? "residues " : "") +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::ReadShared& op) const {
    return "ReadShared " + blocks(op.blocks) + (op.residues ? "residues " : "") +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::LoadInOrder&) const { return "LoadInOrder"; }
  std::string operator()(const op::StoreInOrder&) const { return "StoreInOrder"; }
  std::string operator()(const op::ReadPowers& op) const {
    return "ReadPowers root=" + std::to_string(op.root) + " " + range(op.table) + " " +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::WritePowers& op) const {
    return "WritePowers root=" + std::to_string(op.root) + " " + range(op.table) + " " +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::ReadInOrder& op) const {
    return "ReadInOrder row=" + std::to_string(op.row) + " " + to_string(op.layout, digits);
  }
  std::string operator()(const op::WriteInOrder& op) const {
    return "WriteInOrder row=" + std::to_string(op.row) + " " + to_string(op.layout, digits);
  }
  std::string operator()(const op::LoadMirrored& op) const {
    return "LoadMirrored row=" + std::to_string(op.row) + " " + range(op.table);
  }
  std::string operator()(const op::StoreMirrored& op) const {
    return "StoreMirrored row=" + std::to_string(op.row) + " " + range(op.table);
  }
  std::string operator()(const op::LoadOpposite& op) const {
    return "LoadOpposite " + range(op.table) + " " + to_string(op.layout, digits);
  }
  std::string operator()(const op::StoreOpposite& op) const {
    return "StoreOpposite " + range(op.table) + " " + to_string(op.layout, digits);
  }
  std::string operator()(const op::MirrorRows& op) const {
    return "MirrorRows row=" + std::to_string(op.row) + " " + range(op.table);
  }
  std::string operator()(const op::ZeroFrequency& op) const {
    std::ostringstream text;
    text << "ZeroFrequency " << std::hexfloat << op.factor << " ";
    return text.str() + to_string(op.layout, digits);
  }
  std::string operator()(const op::FindMaximum& op) const {
    return "FindMaximum warps=" + std::to_string(op.warps) + flag(op.copied, "copied") + " " +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::TransformScale& op) const {
    return "TransformScale warps=" + std::to_string(op.warps) +
           " target=" + std::to_string(op.target) + " undo=" + std::to_string(op.undo) +
           " most=" + std::to_string(op.most);
  }
  std::string operator()(const op::Join& op) const {
    return "Join tile=" + std::to_string(op.tile);
  }
  std::string operator()(const op::ScaleWords&) const { return "ScaleWords"; }
  std::string operator()(const op::UnpackWords&) const { return "UnpackWords"; }
  std::string operator()(const op::PackWords& op) const {
    return "PackWords tile=" + std::to_string(op.tile) + flag(op.scaled, "scaled");
  }
  std::string operator()(const op::WordProduct& op) const {
    return "WordProduct tile=" + std::to_string(op.tile) + " step=" + std::to_string(op.step + 1) +
           " " + form_name(op.form);
  }
  std::string operator()(const op::Unscale&) const { return "Unscale"; }
  std::string operator()(const op::Fold& op) const {
    return "Fold tile=" + std::to_string(op.tile) + " " + form_name(op.form) +
           flag(op.scaled, "scaled");
  }
  std::string operator()(const op::Scale& op) const {
    return "Scale tile=" + std::to_string(op.tile) + " registers=" + hex(op.register_mask) +
           " lanes=" + hex(op.lane_mask) + flag(op.contained, "contained");
  }
  std::string operator()(const op::Split& op) const {
    return "Split tile=" + std::to_string(op.tile) + " parts=" + std::to_string(op.parts) +
           flag(op.contained, "contained") + flag(op.scale == op::SplitScale::transform, "scaled") +
           flag(op.scale == op::SplitScale::none, "unscaled");
  }
  std::string operator()(const op::Mma& op) const {
    return "Mma tile=" + std::to_string(op.tile) + " step=" + std::to_string(op.step + 1) +
           " radix=" + std::to_string(op.radix) + " " + form_name(op.form);
  }
  std::string operator()(const op::Combine& op) const {
    return "Combine tile=" + std::to_string(op.tile) + " " + form_name(op.form) +
           flag(op.contained, "contained") + flag(op.uniform, "uniform");
  }
  std::string operator()(const op::Butterfly& op) const {
    return "Butterfly step=" + std::to_string(op.step + 1) + " radix=" + std::to_string(op.radix) +
           " registers=" + hex(op.register_mask) + flag(op.fp64, "fp64") +
           flag(op.form == ButterflyForm::halved, "halves") +
           flag(op.form == ButterflyForm::fused, "fused");
  }
  std::string operator()(const op::Twiddle& op) const {
    return "Twiddle step=" + std::to_string(op.step + 1) +
           flag(op.factors == op::StepFactors::centre, "centre") +
           " registers=" + hex(op.register_mask) + " unity=" + hex(op.unity_mask) + "," +
           hex(op.unity_time_mask) + " stride=" + std::to_string(op.stride) +
           flag(op.from != Twiddles::table, to_string(op.from).c_str()) +
           (op.exponent != 0 ? " exponent=" + std::to_string(op.exponent) : "") + " " +
           range(op.table);
  }
  std::string operator()(const op::PassTwiddle& op) const {
    return "PassTwiddle" + flag(op.before, "before") + " " + to_string(op.layout, digits);
  }
  std::string operator()(const op::Chirp& op) const {
    return "Chirp" + flag(op.last, "last") +
           (op.table.size != 0 ? " " + range(op.table) : " " + to_string(op.layout, digits));
  }
  std::string operator()(const op::Spectrum& op) const {
    return "Spectrum registers=" + hex(op.register_mask) + " stride=" + std::to_string(op.stride) +
           (op.tiles > 1 ? " tiles=" + std::to_string(op.tiles) : "") +
           (op.exponent != 0 ? " exponent=" + std::to_string(op.exponent) : "") + " " +
           range(op.table);
  }
  std::string operator()(const op::Filter& op) const {
    return "Filter " + to_string(op.layout, digits);
  }
  std::string operator()(const op::FilterPairs& op) const {
    return "FilterPairs row=" + std::to_string(op.row) + " " + range(op.table);
  }
  std::string operator()(const op::FilterOpposite& op) const {
    return "FilterOpposite " + range(op.table) + " " + to_string(op.layout, digits);
  }
  std::string operator()(const op::EachChannel& op) const {
    return "EachChannel count=" + std::to_string(op.count);
  }
  std::string operator()(const op::SumChannels& op) const {
    return "SumChannels " + to_string(op.layout, digits);
  }
  std::string operator()(const op::Conjugate&) const { return "Conjugate"; }
  std::string operator()(const op::JoinHalves& op) const {
    return "JoinHalves " + to_string(op.layout, digits);
  }
  std::string operator()(const op::Multiply& op) const {
    std::ostringstream text;
    text << "Multiply " << std::hexfloat << op.factor;
    return text.str();
  }
  std::string operator()(const op::CallerCode& op) const {
    return std::string("CallerCode ") + (op.store ? "store_code " : "load_code ") +
           to_string(op.layout, digits);
  }
  std::string operator()(const op::StoreTile& op) const {
    return "StoreTile " + to_string(op.layout, digits);
  }
};

}  // namespace

std::string to_string(const Op& op, const std::vector<Digit>& digits) {
  return std::visit(Printer{digits}, op);
}

std::string to_string(const KernelIr& ir) {
  std::string text;
  for (const Op& op : ir.ops) text += to_string(op, ir.schedule.digits) + "\n";
  return text;
}

}  // namespace sonoma
