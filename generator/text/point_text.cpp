// How the point of a register is loaded or stored: what memory has of it, and where.
#include "expression.hpp"
#include "pass_text.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// The first of the points that come backwards, or 0.
std::int64_t first_behind(const Access::Trigonometric& t) {
  if (t.numbers == Numbers::interleaved) return t.n - t.n / 2;
  return t.numbers == Numbers::extended ? (t.sine ? t.n + 2 : t.n) : 0;
}

}  // namespace

std::string PassWriter::address(const Side& side, unsigned reg) const {
  return plus(base_name("p", side.memory, side.memory.base[reg]), side.memory.offset[reg]);
}

std::string PassWriter::index_text(const Side& side, unsigned reg) const {
  return plus(base_name("index", side.index, side.index.base[reg]), side.index.offset[reg]);
}

std::string PassWriter::row_text(const Side& side, unsigned reg) const {
  return plus(base_name("row", side.column, side.column.base[reg]), side.column.offset[reg]);
}

// The largest index of a register, of all blocks.
std::int64_t PassWriter::last_index(const Side& side, unsigned reg) const {
  std::int64_t last = side.index.last_of(reg);
  for (std::size_t i = 0; i < side.access.loops.size(); ++i) {
    last += side.access.loops[i] * (schedule_.pass.loops[i].count - 1);
  }
  return last;
}

// Whether the point of a register may be its own conjugate: the first one, or that in the middle.
bool PassWriter::may_be_real(const Side& side, unsigned reg) const {
  // Between passes points are Hermitian after their twiddle.
  if (!side.access.hermitian || schedule_.pass.side(side.input).half) return false;
  const std::int64_t n = side.access.hermitian->n, own = side.index.offset[reg];
  return own == 0 || (n % 2 == 0 && own <= n / 2 && last_index(side, reg) >= n / 2);
}

// Whether the point of a register may be stored as that of its conjugate.
bool PassWriter::may_be_behind(const Side& side, unsigned reg) const {
  const auto& hermitian = side.access.hermitian;
  return hermitian && hermitian->rows != 0 && last_index(side, reg) > hermitian->n / 2;
}

// Whether the point of a register is one of them: ", true", ", index >= 5u", or nothing. Of pairs
// of points for either.
std::string PassWriter::behind_text(const Side& side, unsigned reg) const {
  const Access::Trigonometric& t = *side.access.trigonometric;
  const bool backwards = side.input || t.numbers == Numbers::interleaved;
  const std::int64_t first = backwards ? first_behind(t) : 0;
  if (first == 0) return {};
  if (!t.pairs) return from_text(side, reg, first);
  return from_text(side, reg, (first + 1) / 2) + from_text(side, reg, first / 2);
}

// Whether the point of a register is point `first` or behind it.
std::string PassWriter::from_text(const Side& side, unsigned reg, std::int64_t first) const {
  const std::int64_t own = side.index.offset[reg];
  if (own >= first) return ", true";
  if (!differs_by_block(side.access) && side.index.last_of(reg) < first) return ", false";
  return concat(", ", base_name("index", side.index, side.index.base[reg]),
                " >= ", number(first - own), "u");
}

// "load_turned<9u, 9u, 1, false, false>(p, index, 3", of a side of a cosine or sine transform.
std::string PassWriter::trigonometric_text(const Side& side, unsigned reg) const {
  const Access::Trigonometric& t = *side.access.trigonometric;
  const auto truth = [](bool value) { return value ? "true" : "false"; };
  return concat(side.input ? "load_" : "store_", to_string(t.numbers), t.pairs ? "_pair<" : "<",
                number(t.n), "u, ", number(t.stored), "u, ", number(t.stride), ", ", truth(t.sine),
                ", ", truth(t.orthogonal), ">(", address(side, reg),
                side.input ? "" : ", " + at(reg), ", ",
                base_name("index", side.index, side.index.base[reg]), ", ",
                number(side.index.offset[reg]), behind_text(side, reg));
}

// "load_point(p + 64, When{...})"
std::string PassWriter::load_text(const Side& side, unsigned reg, const std::string& access) const {
  if (side.access.trigonometric) return concat(trigonometric_text(side, reg), access, ")");
  const std::string where = address(side, reg);
  if (schedule_.pass.values(true) == Values::real) return concat("load_real(", where, access, ")");
  if (!side.access.hermitian) return concat("load_point(", where, access, ")");
  const auto& [n, stride, stored, rows] = *side.access.hermitian;
  const std::string index = index_text(side, reg);
  std::string load = concat("load_hermitian<", number(n), "u, ", number(stride), ">(", where, ", ",
                            index, access, ")");
  if (!may_be_real(side, reg)) return load;
  return concat("own_conjugates<", number(n), "u>(", load, ", ", index, ")");
}

// "_pair(", or, of packed points, "_joined_pair<4096>(".
std::string PassWriter::joined_text(const std::string& name) const {
  if (!schedule_.pass.joins()) return name + "(";
  return concat("_joined", name, "<", number(schedule_.pass.points_of_whole()), ">(");
}

// "store_point(p + 64, x[3], When{...});"
std::string PassWriter::store_text(const Side& side, unsigned reg,
                                   const std::string& access) const {
  if (side.access.trigonometric) return concat(trigonometric_text(side, reg), access, ");");
  const std::string further = concat(address(side, reg), ", ", at(reg));
  if (may_be_behind(side, reg)) {
    const auto& [n, stride, stored, rows] = *side.access.hermitian;
    return concat("store_hermitian<", number(n), "u, ", number(stride), ">(", further, ", ",
                  index_text(side, reg), access, ");");
  }
  if (schedule_.pass.joins()) return concat("store", joined_text(""), further, access, ");");
  const bool real = schedule_.pass.values(false) == Values::real;
  return concat(real ? "store_real(" : "store_point(", further, access, ");");
}

}  // namespace sonoma
