// Convolutions with a filter of the caller's.
#include "expression.hpp"
#include "pass_text.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

// The numbers of a thread's frequencies, from that of the tile's first point on.
PassWriter::Frequencies PassWriter::frequencies(const Layout& layout) const {
  const Pass& pass = schedule_.pass;
  const std::size_t own = own_loops(pass);
  const std::int64_t each = pass.whole().convolution->spectrum_stride;
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : digits_) {
    const std::int64_t column = own > 0 ? digit.weight * pass.filter->loops.front() / each : 0;
    strides.push_back(static_cast<std::uint32_t>(
        digit.step < 0 ? column : digit.freq_stride * pass.filter->stride / each));
  }
  Frequencies result{sums(layout, strides), {}, 0};
  std::uint64_t below = 1;
  for (std::size_t i = 0; i < own; ++i) {
    const std::int64_t count = pass.loops[i].count, stride = pass.filter->loops[i] / each;
    const std::string index =
        i == 0 ? "column" : "block / " + std::to_string(below) + "u % " + number(count) + "u";
    result.first = plus(result.first.empty() ? "0" : result.first,
                        stride == 1 ? index : index + " * " + number(stride) + "u");
    result.most += (count - 1) * stride;
    below *= i == 0 ? tiles_of_row(pass, schedule_.launch.transforms_per_block)
                    : static_cast<std::uint64_t>(count);
  }
  if (result.first.empty()) result.first = "0";
  return result;
}

// The factor of a register: of a Hermitian spectrum memory has the first half.
std::string PassWriter::factor_text(const SumPlaces& places, const Frequencies& frequencies,
                                    unsigned reg, const std::string& access) const {
  const std::string where = plus(base_name("s", places, places.base[reg]), places.offset[reg]);
  const std::int64_t n = schedule_.pass.whole().n();
  const SumPlaces& k = frequencies.places;
  const std::int64_t own = k.offset[reg], last = k.last_of(reg) + frequencies.most;
  const bool hermitian = schedule_.pass.filter->values == Values::hermitian;
  const std::string index = plus(base_name("k", k, k.base[reg]), own);
  const std::int64_t each = schedule_.pass.whole().convolution->spectrum_stride;
  std::string factor = hermitian && last > n / 2
                           ? "load_hermitian<" + number(n) + "u, " + number(each) + ">(" + where +
                                 ", " + index + access + ")"
                           : "load_point(" + where + access + ")";
  const bool may_be_real = own == 0 || (n % 2 == 0 && own <= n / 2 && last >= n / 2);
  if (!hermitian || !may_be_real) return factor;
  return "own_conjugates<" + number(n) + "u>(" + factor + ", " + index + ")";
}

// From the spectrum of one transform of a block to the next; 0 where they share one.
std::int64_t PassWriter::apart_in_spectrum() const {
  const FilterSide& filter = *schedule_.pass.filter;
  return schedule_.pass.loops.empty() ? filter.dist : filter.loops.front();
}

// Of columns, of which the last tile may lack some.
bool PassWriter::has_spectra_of_columns() const {
  return apart_in_spectrum() != 0 && access_of(schedule_, true).columns_end;
}

void PassWriter::operator()(const op::Filter& op) {
  const FilterSide& filter = *schedule_.pass.filter;
  comment(std::string("The convolution: times the spectrum of the filter") +
          (filter.conjugated ? ", its conjugate" : "") + ", and back");
  const SumPlaces places = sums(op.layout, filter_strides(schedule_));
  const Frequencies known = frequencies(op.layout);
  FunctionBody body{"Points& x", {}};
  std::vector<std::string> arguments = {"x"};
  for (unsigned base = 0; base < places.bases.size(); ++base) {
    body.parameters += ", const float2* " + base_name("s", places, base);
    const std::string& where = places.bases[base];
    arguments.push_back(where == "0" ? "spectrum" : "spectrum + " + as_factor(where));
  }
  if (filter.values == Values::hermitian) {
    add_places("k", known.places, known.first, body, arguments);
  }
  const bool ends = has_spectra_of_columns();
  const SumPlaces columns = side_of(op.layout, true).column;
  if (ends) {
    add_places("column", columns, "0", body, arguments);
    body.parameters += ", unsigned columns";
    arguments.emplace_back("columns");
  }
  for (unsigned reg = 0; reg < places.offset.size(); ++reg) {
    const std::string there =
        plus(base_name("column", columns, columns.base[reg]), columns.offset[reg]) + " < columns";
    const std::string factor = factor_text(places, known, reg, ends ? ", When{" + there + "}" : "");
    const std::string product = filter.conjugated
                                    ? "complex_product(conjugate(" + at(reg) + "), " + factor + ")"
                                    : "conjugate(complex_product(" + at(reg) + ", " + factor + "))";
    body.statements.push_back(at(reg) + " = " + product + ";");
  }
  call("times_spectrum", body, arguments);
  backwards_ = true, begun_ = 0;
}

void PassWriter::operator()(const op::FilterPairs& op) {
  const FilterSide& filter = *schedule_.pass.filter;
  const Pass& pass = schedule_.pass;
  const unsigned count = schedule_.launch.transforms_per_block;
  comment(std::string("The convolution: of the pairs' frequencies those of the ") +
          number(pass.real_length()) + " real numbers, times the spectrum of the filter" +
          (filter.conjugated ? ", its conjugate" : "") + ", and back");
  const std::int64_t apart = apart_in_spectrum();
  backwards_ = true, begun_ = 0;
  line("filter_pairs<" + number(pass.n()) + ", " + number(count) + ", " + number(op.row) + ", " +
       number(apart) + ", " + number(schedule_.launch.threads) + ", " +
       (filter.conjugated ? "true" : "false") + ">(spectrum, " + plus("tables", op.table.offset) +
       ", " + way_back("thread") + ", " + (has_spectra_of_columns() ? "columns" : number(count)) +
       ");");
}

void PassWriter::operator()(const op::EachChannel& op) {
  comment(
      "Each channel in its turn, up to its product with its spectrum; what goes on is their sum");
  line("Points sum = {};");
  text_ += "#pragma unroll 1\n";
  line("for (unsigned channel = 0; channel < " + number(op.count) + "u; ++channel) {");
  in_channels_ = first_ = true;
}

void PassWriter::operator()(const op::SumChannels& op) {
  const Channels& channels = schedule_.pass.filter->channels;
  enter(op.layout);
  comment("To the sum");
  FunctionBody add{"Points& sum, const Points& x", {}}, take{"Points& x, const Points& sum", {}};
  for (unsigned reg = 0; reg < registers(); ++reg) {
    const std::string point = at(reg), of_sum = "sum" + point.substr(1);
    const std::string real = concat(of_sum, ".x + ", point, ".x"),
                      imaginary = concat(of_sum, ".y + ", point, ".y");
    add.statements.push_back(concat(of_sum, " = make_float2(", real, ", ", imaginary, ");"));
    take.statements.push_back(concat(point, " = ", of_sum, ";"));
  }
  call("add_to_sum", add, {"sum", "x"});
  leave();
  line("in += " + number(channels.in_dist) + "ull;");
  if (channels.spectrum_dist != 0) {
    line("spectrum += " + number(channels.spectrum_dist) + "ull;");
  }
  in_channels_ = false;
  line("}");
  call("take_sum", take, {"x", "sum"});
}

void PassWriter::operator()(const op::Conjugate&) {
  comment("Of the inverse transform: the conjugate of the forward one of conjugates");
  FunctionBody body{"Points& x", {}};
  for (unsigned reg = 0; reg < registers(); ++reg) {
    body.statements.push_back(at(reg) + " = conjugate(" + at(reg) + ");");
  }
  call("conjugate_all", body, {"x"});
}

}  // namespace sonoma
