// Factors: between steps, between passes, of convolutions.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "expression.hpp"
#include "kernel_text.hpp"
#include "made_factors.hpp"
#include "pass_text.hpp"
#include "point_types.hpp"
#include "table_sizes.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// The roots between passes that a thread takes, each declared once.
class Roots {
 public:
  /// `function`: of an angle and a column; "": by the bits of angles. `odd`: of packed columns that
  /// of the odd ones.
  struct Functions {
    std::string even, odd;
    bool packed = false;
  };
  Roots(const SumPlaces& column, int sign, std::int64_t length, Functions functions)
      : column_(column),
        negative_(sign < 0),
        shift_(32 - std::countr_zero(static_cast<std::uint64_t>(length))),
        functions_(std::move(functions)),
        one_step_(std::set(column.offset.begin(), column.offset.end()).size() == 1) {}

  /// The name of the root of this angle times the column of a register.
  std::string of(const std::string& name, const std::string& angle, unsigned reg) {
    const std::string column = plus("column", column_.offset[reg]);
    const bool bits = functions_.even.empty();
    const std::string even =
        bits ? by_bits(angle, column) : concat(functions_.even, "(", angle, ", ", column, ")");
    if (!functions_.packed) return named(name, "float2", even);
    const std::string odd =
        bits ? odd_by_bits(angle, column)
             : concat(functions_.odd, "(", angle, ", 2 * ", as_factor(column), " + 1)");
    return named(name, "PointPair", concat("root_pair(", even, ", ", odd, ")"));
  }
  std::vector<std::string> take() { return std::move(declarations_); }

 private:
  std::string step_of(const std::string& column) {
    const std::string c = as_factor(column);
    return named("step", "unsigned",
                 concat(negative_ ? concat("(0u - ", c, ")") : c, " << ", number(shift_)));
  }
  std::string by_bits(const std::string& angle, const std::string& column) {
    return concat("unit_root(", as_factor(angle), " * ", step_of(column), ")");
  }
  // Half a column on.
  std::string odd_by_bits(const std::string& angle, const std::string& column) {
    const std::string half = number(std::int64_t{1} << (shift_ - 1));
    const std::string step = concat(step_of(column), negative_ ? " - " : " + ", half, "u");
    return concat("unit_root(", as_factor(angle), " * ", named("odd", "unsigned", step), ")");
  }

  // NAME, or NAME0, NAME1, ..., of what `text` says: declared where it is not known.
  std::string named(const std::string& name, const std::string& type, const std::string& text) {
    auto& known = names_[name];
    const bool alone = (name == "step" || name == "odd") && one_step_;
    const auto count = static_cast<std::int64_t>(known.size());
    const auto [at, added] = known.emplace(text, alone ? name : name + number(count));
    if (added) declarations_.push_back(concat("const ", type, " ", at->second, " = ", text, ";"));
    return at->second;
  }

  const SumPlaces& column_;
  bool negative_;
  int shift_;
  Functions functions_;
  bool one_step_;
  std::map<std::string, std::map<std::string, std::string>> names_;  // by name, by text
  std::vector<std::string> declarations_;
};

// Where a convolution's block finds its part of the spectrum.
std::string spectrum_tile(const op::Spectrum& op) {
  if (op.tiles == 1) return "0";
  return "block % " + number(op.tiles) + "u * " + number(op.table.size / op.tiles) + "u";
}

}  // namespace

std::string PassWriter::table_place(const Layout& layout,
                                    const std::vector<std::uint32_t>& strides) const {
  std::vector<ThreadDigit> digits;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    digits.push_back({digits_[layout.threads[i]].count, strides[i]});
  }
  return sum_text(digits, numbering(layout));
}

std::string PassWriter::read_unit(int unit, std::uint32_t stride) const {
  const char* load = schedule_.pass.convolves() ? "load_factors" : "load_table";
  return concat("const Factors w", number(unit), " = factors_of(", load, "(",
                plus("f", unit * std::int64_t{stride}), "));");
}

// Registers times the entries of their thread, none where an entry is negative.
void PassWriter::times_table(const std::string& name, const TableRange& table,
                             const std::vector<int>& entries, std::uint32_t stride,
                             const std::string& where, bool conjugated) {
  FunctionBody body{"Points& x, const uint4* f", {}};
  const int last = *std::max_element(entries.begin(), entries.end());
  for (int unit = 0; unit <= last / 2; ++unit) {
    std::vector<std::string> lines;
    for (unsigned reg = 0; reg < entries.size(); ++reg) {
      if (entries[reg] < 0 || entries[reg] / 2 != unit) continue;
      const std::string product = times(at(reg), factor_of(entries[reg]));
      lines.push_back(at(reg) + " = " + (conjugated ? "conjugate(" + product + ")" : product) +
                      ";");
    }
    if (lines.empty()) continue;
    body.statements.push_back(read_unit(unit, stride));
    body.statements.insert(body.statements.end(), lines.begin(), lines.end());
  }
  call(name, body, {"x", plus(plus("tables", table.offset), where)});
}

void PassWriter::twiddle_by_products(const op::Twiddle& op, const std::vector<int>& entries,
                                     const std::string& where) {
  const std::vector<FactorParts> parts = twiddle_parts(digits_, op);
  const int last = *std::max_element(entries.begin(), entries.end());
  FunctionBody body{last < 0 ? "Points& x" : "Points& x, const uint4* f", {}};
  for (int unit = 0; 2 * unit <= last; ++unit) {
    body.statements.push_back(read_unit(unit, op.stride));
  }
  const bool constants = std::ranges::any_of(
      parts, [](const FactorParts& of) { return of.near_constant >= 0 || of.far_constant >= 0; });
  if (constants) {
    comment(last < 0 ? "Factors w^(k t): t is all in registers, so they are constants"
                     : "Factors w^(k t): of one butterfly, and of others these times constants");
  }
  MadeFactors made(body.statements,
                   constants ? register_factors(ir_, op) : std::vector<std::complex<float>>{},
                   point_in_registers(schedule_.pass));
  for (unsigned reg = 0; reg < entries.size(); ++reg) {
    const FactorParts& of = parts[reg];
    if (op.from == Twiddles::cosines && of.near >= 0 && of.far >= 0) {
      const std::string factor = made.by_cosine(of.near, of.k % 4, of.far, of.k / 4 * 4);
      body.statements.push_back(at(reg) + " = " + times(at(reg), factor) + ";");
      continue;
    }
    const std::string near = made.of(of.near, of.near_constant, of.power),
                      far = made.of(of.far, of.far_constant);
    if (near.empty() && far.empty()) continue;
    const std::string factor = near.empty() ? far : far.empty() ? near : times(near, far);
    body.statements.push_back(at(reg) + " = " + times(at(reg), factor) + ";");
  }
  std::vector<std::string> arguments = {"x"};
  if (last >= 0) arguments.push_back(plus(plus("tables", op.table.offset), where));
  call("twiddle_" + number(op.step + 1), body, arguments);
}

void PassWriter::operator()(const op::Twiddle& op) {
  if (backwards_) begin_step(op.step);
  std::string where = table_place(op.layout, op.thread_bits);
  if (schedule_.pass.tree_columns() > 1) where = plus("column", where);
  where = way_back(where);
  const std::vector<int> entries = twiddle_entries(digits_, op);
  if (op.from != Twiddles::table) return twiddle_by_products(op, entries, where);
  times_table("twiddle_" + number(op.step + 1), op.table, entries, op.stride, where, false);
}

// Of half as many rows point k beyond the middle is the conjugate of point n - k, and takes the
// conjugate of its factor: that of k - n.
bool PassWriter::of_half_rows(const op::PassTwiddle& op) const {
  return op.before && schedule_.pass.in.half;
}

// The sections of k = `near` (what of it is less than one) and what lies before them.
std::string PassWriter::sections(const op::PassTwiddle& op, const std::string& k,
                                 const std::string& thread_part, std::uint32_t offset) const {
  const auto n = static_cast<std::uint32_t>(schedule_.pass.problem.lengths.front());
  const std::uint32_t section = root_section(schedule_, op.before);
  const std::uint32_t before = offset / section * section;
  std::string all = plus(thread_part, before);
  const bool known = thread_part == "0" && (before != n / 2 || offset > before);
  if (!of_half_rows(op) || (known && before < n / 2)) return all;
  if (known) return concat("0u - ", number(n - before));
  return concat("quarters_of_half<", number(n), "u>(", plus(k, offset), ")");
}

// Of the registers k, the number of the point, and the column, from the tile's first one on.
std::pair<SumPlaces, SumPlaces> PassWriter::places_between_passes(const op::PassTwiddle& op) const {
  std::vector<std::uint32_t> k, column;
  const Pass& pass = schedule_.pass;
  const auto behind = static_cast<std::uint32_t>(pass.n() / pass.problem.lengths.front());
  for (const Digit& digit : digits_) {
    const bool own = digit.step >= 0 && digit.axis == 0;
    k.push_back(!own ? 0 : (op.before ? digit.time_stride : digit.freq_stride) / behind);
    column.push_back(digit.step >= 0 ? 0 : digit.weight);
  }
  return {sums(op.layout, k), sums(op.layout, column)};
}

// Of an angle that is no multiple of a power of two of a turn. `odd`: of packed columns.
std::string PassWriter::root_function(const op::PassTwiddle& op, bool odd) const {
  if (!schedule_.mixed()) return {};
  const auto length = static_cast<std::uint64_t>((odd ? 2 : 1) * schedule_.pass.twiddle_length());
  const std::string half = "root_of_half<" + number(schedule_.pass.n()) + "u, ";
  return concat(of_half_rows(op) ? half : "root_of_product<", number(sign()), ", ",
                std::to_string(turn_of_one(length)), "ull>");
}

// A factor is always the product of two roots, that of k modulo a section of the pass and that of
// the sections before, so that it does not depend on which thread computes it; few of either differ
// within a thread.
void PassWriter::operator()(const op::PassTwiddle& op) {
  comment(std::string("Between passes: times w^(k column), w = exp(") + sign_text() + "2 pi i / " +
          number(schedule_.pass.twiddle_length()) + ")" +
          (schedule_.pass.packed ? ", of the other half k (column + 1/2)" : ""));
  const auto places = places_between_passes(op);
  const SumPlaces &own = places.first, &column = places.second;
  const std::uint32_t section = root_section(schedule_, op.before);
  FunctionBody body{"Points& x", {}};
  std::vector<std::string> arguments = {"x"};
  add_places("k", own, "0", body, arguments);
  body.parameters += ", unsigned column";
  arguments.push_back(plus("column", column.bases.front()));
  Roots roots(column, sign(), schedule_.pass.twiddle_length(),
              {root_function(op), root_function(op, true), schedule_.pass.packed.has_value()});
  std::vector<std::string> lines;
  for (std::uint32_t reg = 0; reg < own.offset.size(); ++reg) {
    const std::uint32_t offset = own.offset[reg];
    // Where the thread's own part is less than a section, it is all of what is near.
    const bool within = own.last[own.base[reg]] < section;
    const std::string k = base_name("k", own, own.base[reg]), of = number(section);
    const std::string near_part = within ? k : concat(k, " % ", of),
                      far_part = within ? "0" : concat(k, " / ", of, " * ", of);
    std::string factor = roots.of("near", plus(near_part, offset % section), reg);
    if (!within || offset >= section) {  // beyond the first one
      factor = times(factor, roots.of("far", sections(op, k, far_part, offset), reg));
    }
    lines.push_back(concat(at(reg), " = ", times(at(reg), factor), ";"));
  }
  body.statements = roots.take();
  body.statements.insert(body.statements.end(), lines.begin(), lines.end());
  call("twiddle_between_passes", body, arguments);
}

std::string chirp_power(const Schedule& schedule, bool last) {
  const int exponent = chirp_exponent(schedule, last);
  if (exponent == 0) return "";
  if (exponent < 0) return exponent == -1 ? ", half of it" : ", a quarter of it";
  return ", times " + number(std::int64_t{1} << exponent);
}

void PassWriter::operator()(const op::Chirp& op) {
  const std::int64_t n = schedule_.pass.convolved_points();
  comment(std::string("Times the chirp w(t) = exp(") + sign_text() + "pi i t^2 / " + number(n) +
          ")" + chirp_power(schedule_, op.last) + (op.last ? ", of the conjugate" : ""));
  const Side side = side_of(op.layout, !op.last);
  const bool exact = op.table.size == 0;
  FunctionBody body{exact ? "Points& x" : "Points& x, const uint4* f", {}};
  std::vector<std::string> arguments = {"x"};
  if (!exact) arguments.push_back(plus("tables", op.table.offset));
  add_places("t", side.index, first_number(side.access.loops), body, arguments);
  for (unsigned reg = 0; reg < side.index.offset.size(); ++reg) {
    if (condition(side, reg) == "false") continue;  // zero, or dropped
    const std::string t =
        plus(base_name("t", side.index, side.index.base[reg]), side.index.offset[reg]);
    const std::string point = op.last ? "conjugate(" + at(reg) + ")" : at(reg);
    const std::string factor =
        exact ? "exact_chirp<" + number(sign()) + ", " + number(n) + ">(" + t + ")"
              : "factor_at(f, " + t + ")";
    body.statements.push_back(at(reg) + " = " + times(point, factor) + ";");
  }
  call("times_chirp", body, arguments);
}

void PassWriter::operator()(const op::Spectrum& op) {
  const std::string of = schedule_.pass.by_powers ? "w^(g^-q)" : "the conjugate chirp";
  const std::string part = op.exponent == 0    ? ""
                           : op.exponent == -2 ? " a quarter of it,"
                                               : " an eighth of it,";
  comment("The convolution: times the spectrum of " + of + "," + part + " and back");
  const std::string where = plus(spectrum_tile(op), table_place(op.layout, op.thread_bits));
  times_table("times_spectrum", op.table, spectrum_entries(digits_, op), op.stride, where,
              !schedule_.pass.by_powers);
  backwards_ = true, begun_ = 0;
}

}  // namespace sonoma
