// Factors: between steps, between passes, of convolutions.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "expression.hpp"
#include "pass_text.hpp"
#include "table_sizes.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// 2^64 / length, rounded: half a unit times k c < length is 2^-33 of a turn at most.
std::uint64_t turn_of_one(std::uint64_t length) {
  const std::uint64_t quotient = ~std::uint64_t{0} / length, rest = ~std::uint64_t{0} % length + 1;
  return quotient + (rest > length / 2 ? 1 : 0);
}

std::string times(const std::string& point, const std::string& factor) {
  return "complex_product(" + point + ", " + factor + ")";
}

// Two factors lie in each unit.
std::string factor_of(int entry) {
  return "w" + number(entry / 2) + (entry % 2 == 0 ? ".first" : ".second");
}

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
  return sum_text(digits);
}

// Registers times the entries of their thread, none where an entry is negative.
void PassWriter::times_table(const std::string& name, const TableRange& table,
                             const std::vector<int>& entries, std::uint32_t stride,
                             const std::string& where, bool conjugated) {
  const char* load = schedule_.convolves() ? "load_factors" : "load_table";
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
    body.statements.push_back("const Factors w" + number(unit) + " = factors_of(" + load + "(" +
                              plus("f", unit * std::int64_t{stride}) + "));");
    body.statements.insert(body.statements.end(), lines.begin(), lines.end());
  }
  call(name, body, {"x", plus(plus("tables", table.offset), where)});
}

void PassWriter::twiddle_by_products(const op::Twiddle& op, const std::vector<int>& entries,
                                     const std::string& where) {
  FunctionBody body{"Points& x, const uint4* f", {}};
  const std::vector<ProductOfTwo> products = twiddle_products(digits_, op);
  const int last = *std::max_element(entries.begin(), entries.end());
  for (int unit = 0; unit <= last / 2; ++unit) {
    body.statements.push_back("const Factors w" + number(unit) + " = factors_of(load_table(" +
                              plus("f", unit * std::int64_t{op.stride}) + "));");
  }
  for (unsigned reg = 0; reg < entries.size(); ++reg) {
    const auto [near, far] = products[reg];
    if (near < 0 && far < 0) continue;
    const std::string factor = near < 0  ? factor_of(far)
                               : far < 0 ? factor_of(near)
                                         : times(factor_of(near), factor_of(far));
    body.statements.push_back(at(reg) + " = " + times(at(reg), factor) + ";");
  }
  call("twiddle_" + number(op.step + 1), body, {"x", plus(plus("tables", op.table.offset), where)});
}

void PassWriter::operator()(const op::Twiddle& op) {
  if (backwards_) begin_step(op.step);
  std::string where = table_place(op.layout, op.thread_bits);
  if (schedule_.pass.tree_columns() > 1) where = plus("column", where);
  where = way_back(where);
  const std::vector<int> entries = twiddle_entries(digits_, op);
  if (op.products) return twiddle_by_products(op, entries, where);
  times_table("twiddle_" + number(op.step + 1), op.table, entries, op.stride, where, false);
}

void PassWriter::operator()(const op::PassTwiddle& op) {
  comment(std::string("Between passes: times w^(k column), w = exp(") + sign_text() + "2 pi i / " +
          number(schedule_.pass.twiddle_length) + ")");
  schedule_.mixed() ? between_passes(op) : between_passes_of_bits(op);
}

// A factor is always the product of two roots, that of k modulo a quarter of the pass and that of
// the quarters, so that it does not depend on which thread computes it; few of either differ within
// a thread.
void PassWriter::between_passes_of_bits(const op::PassTwiddle& op) {
  const LinearMap map =
      index_map(digits_, op.layout, op.before ? sonoma::Side::time : sonoma::Side::frequency);
  const LinearMap columns = column_map(digits_, op.layout);
  std::vector<ThreadDigit> own, column;
  std::uint32_t last = 0;
  for (std::size_t bit = 0; bit < map.thread_bits.size(); ++bit) {
    const std::uint32_t stride = columns.thread_bits[bit] != 0 ? 0 : map.thread_bits[bit];
    own.push_back({2, stride}), column.push_back({2, columns.thread_bits[bit]});
    last += stride;
  }
  const auto quarter = static_cast<std::uint32_t>(schedule_.pass.n() / 4);
  const int shift =
      32 - std::countr_zero(static_cast<std::uint64_t>(schedule_.pass.twiddle_length));
  FunctionBody body{"Points& x, unsigned k, unsigned column", {}};
  body.statements.push_back(std::string("const unsigned step = ") +
                            (sign() < 0 ? "(0u - column)" : "column") + " << " + number(shift) +
                            ";");
  std::map<std::uint32_t, std::string> near, far;
  std::vector<std::string> lines;
  // Where the thread's own part is less than a quarter, it is all of what is near.
  const bool within = last < quarter;
  const std::string own_near = within ? "k" : "k % " + number(quarter),
                    own_far = within ? "0" : "k / " + number(quarter) + " * " + number(quarter);
  const auto root = [&](std::map<std::uint32_t, std::string>& known, const std::string& name,
                        const std::string& part, std::uint32_t offset) {
    const auto [at, added] =
        known.emplace(offset, name + number(static_cast<std::int64_t>(known.size())));
    if (added) {
      body.statements.push_back("const float2 " + at->second + " = unit_root(" +
                                as_factor(plus(part, offset)) + " * step);");
    }
    return at->second;
  };
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    const std::uint32_t offset = map.of_register(reg);
    const std::string own_root = root(near, "near", own_near, offset % quarter);
    const bool one = within && offset < quarter;  // in the first quarter
    const std::string factor =
        one ? own_root : times(own_root, root(far, "far", own_far, offset / quarter * quarter));
    lines.push_back(at(reg) + " = " + times(at(reg), factor) + ";");
  }
  body.statements.insert(body.statements.end(), lines.begin(), lines.end());
  call("twiddle_between_passes", body, {"x", sum_text(own), plus("column", sum_text(column))});
}

void PassWriter::between_passes(const op::PassTwiddle& op) {
  std::vector<std::uint32_t> k, column;
  for (const Digit& digit : digits_) {
    const bool own = digit.step >= 0;
    k.push_back(!own ? 0 : op.before ? digit.time_stride : digit.freq_stride);
    column.push_back(own ? 0 : digit.weight);
  }
  const SumPlaces own = sum_places(digits_, op.layout, k);
  const SumPlaces columns = sum_places(digits_, op.layout, column);
  const auto length = static_cast<std::uint64_t>(schedule_.pass.twiddle_length);
  FunctionBody body{"Points& x, unsigned k, unsigned column", {}};
  for (unsigned reg = 0; reg < own.offset.size(); ++reg) {
    body.statements.push_back(at(reg) + " = " +
                              times(at(reg), "root_of_product<" + number(sign()) + ", " +
                                                 std::to_string(turn_of_one(length)) + "ull>(" +
                                                 plus("k", own.offset[reg]) + ", " +
                                                 plus("column", columns.offset[reg]) + ")") +
                              ";");
  }
  call("twiddle_between_passes", body,
       {"x", own.bases.front(), plus("column", columns.bases.front())});
}

void PassWriter::operator()(const op::Chirp& op) {
  const Pass& pass = schedule_.pass;
  const std::int64_t n = pass.convolution ? pass.convolution->n : pass.n();
  comment(std::string("Times the chirp w(t) = exp(") + sign_text() + "pi i t^2 / " + number(n) +
          ")" + (op.last ? ", of the conjugate" : ""));
  const Side side = side_of(op.layout, !op.last);
  const bool exact = !schedule_.padded();
  FunctionBody body{exact ? "Points& x, unsigned t" : "Points& x, const uint4* f, unsigned t", {}};
  std::vector<std::string> arguments = {"x"};
  if (!exact) arguments.push_back(plus("tables", op.table.offset));
  arguments.push_back(plus(first_index(side), side.index.bases.front()));
  for (unsigned reg = 0; reg < side.index.offset.size(); ++reg) {
    if (condition(side, reg) == "false") continue;  // zero, or dropped
    const std::string t = plus("t", side.index.offset[reg]);
    const std::string point = op.last ? "conjugate(" + at(reg) + ")" : at(reg);
    const std::string factor =
        exact ? "exact_chirp<" + number(sign()) + ", " + number(n) + ">(" + t + ")"
              : "factor_at(f, " + t + ")";
    body.statements.push_back(at(reg) + " = " + times(point, factor) + ";");
  }
  call("times_chirp", body, arguments);
}

void PassWriter::operator()(const op::Spectrum& op) {
  const std::string of = schedule_.rader() ? "w^(g^-q)" : "the conjugate chirp";
  const std::string part = op.exponent == 0    ? ""
                           : op.exponent == -2 ? " a quarter of it,"
                                               : " an eighth of it,";
  comment("The convolution: times the spectrum of " + of + "," + part + " and back");
  const std::string where = plus(spectrum_tile(op), table_place(op.layout, op.thread_bits));
  times_table("times_spectrum", op.table, spectrum_entries(digits_, op), op.stride, where,
              !schedule_.rader());
  backwards_ = true, begun_ = 0;
}

}  // namespace sonoma
