// The scale of a transform, complex words, and factors of the request.
#include <cmath>
#include <ios>

#include "expression.hpp"
#include "pass_text.hpp"
#include "table_sizes.hpp"
#include "trips.hpp"

namespace sonoma {

// Where the warps' maxima lie: behind the tile.
unsigned PassWriter::maxima() const {
  const unsigned warps = schedule_.launch.threads >> lane_bits;
  return schedule_.launch.shared_bytes - warps * maximum_bytes;
}

std::string PassWriter::largest(const op::TransformScale& op) const {
  if (op.warps == 1) return "largest";
  return "published_max<" + std::to_string(op.warps) + ">(" + std::to_string(maxima()) + ")";
}

// What words are made of says how their magnitudes are compared.
FunctionBody PassWriter::maximum_of(const op::FindMaximum& op,
                                    std::vector<std::string>& arguments) const {
  FunctionBody body{words() ? "WordTiles& w" : "Points& x", {}, "unsigned"};
  arguments = {words() ? "w" : "x"};
  body.statements.emplace_back(words() ? "unsigned largest = 0;" : "float largest = 0;");
  if (op.copied) {
    const SharedPlaces places = shared_places(op.layout, {});
    body.parameters = "unsigned place";
    arguments = {place_argument(places)};
    for (const auto& group : neighbours(places, words() ? 4 : 2)) {
      const unsigned reg = group.front();
      const std::string where =
          plus((words() ? "shared_word(" : "shared_point(") + places.flipped("place", reg) + ")",
               places.add[reg]);
      body.statements.push_back("largest = with_copied_" + (words() ? halves() : "pair") +
                                "(largest, " + where + ");");
    }
  } else if (words()) {
    for (unsigned tile = 0; tile < tiles(); ++tile) {
      body.statements.push_back("largest = with_" + halves() + "(largest, w[" +
                                std::to_string(tile) + "]);");
    }
  } else {
    for (unsigned reg = 0; reg < registers(); ++reg) {
      body.statements.push_back("largest = with_point(largest, " + at(reg) + ");");
    }
  }
  body.statements.push_back(words() ? "return bits_of_" + halves() + "(largest);"
                                    : "return bits_of(largest);");
  return body;
}

void PassWriter::operator()(const op::FindMaximum& op) {
  std::vector<std::string> arguments;
  const FunctionBody body = maximum_of(op, arguments);
  const std::string mine = name_of("largest_magnitude", body) + "(" + arguments.front() + ")";
  comment("The largest magnitude of the transform gives its scale");
  if (op.warps > 1) {
    line("publish_max(" + std::to_string(maxima()) + ", " + mine + ");");
  } else {
    line("const unsigned largest = warp_max(" + mine + ");");
  }
}

void PassWriter::operator()(const op::TransformScale& op) {
  line("const float scale = transform_scale<" + std::to_string(op.target) + ", " +
       std::to_string(op.most) + ">(" + largest(op) + ");");
  scale_ = op;
}

void PassWriter::operator()(const op::ScaleWords&) {
  for (unsigned tile = 0; tile < tiles(); ++tile) {
    line("scale_" + halves() + "(w[" + std::to_string(tile) + "], scale);");
  }
}

void PassWriter::operator()(const op::UnpackWords&) {
  for (unsigned tile = 0; tile < tiles(); ++tile) {
    const std::string number = std::to_string(tile);
    line(concat("x[", number, "] = unpack_words(w[", number, "]);"));
  }
}

void PassWriter::operator()(const op::PackWords& op) {
  const std::string number = std::to_string(op.tile);
  line("w[" + number + "] = pack_words(x[" + number + (op.scaled ? "], scale);" : "]);"));
}

void PassWriter::multiply_all(const std::string& factor, const char* function) {
  FunctionBody body{"Points& x, float factor", {}};
  for (unsigned reg = 0; reg < registers(); ++reg) {
    body.statements.push_back(at(reg) + " = " + function + "(" + at(reg) + ", factor);");
  }
  call("multiply", body, {"x", factor});
}

void PassWriter::operator()(const op::Unscale&) {
  comment("The scale undone");  // found again, not kept: a register less all the way
  multiply_all("transform_undo<" + std::to_string(scale_.target) + ", " +
               std::to_string(scale_.most) + ", " + std::to_string(scale_.undo) + ">(" +
               largest(scale_) + ")");
}

// What spectrum_undo() undoes.
std::string made_smaller(const Schedule& schedule) {
  if (schedule.whole_chirp()) return "the half that the last chirp leaves";
  const int spectrum = spectrum_exponent(schedule);
  std::string all = chirp_exponent(schedule, false) == 0 ? "" : "two halves of the chirp";
  if (spectrum == 0) return all;
  if (!all.empty()) all += " and ";
  return all + (spectrum == -2 ? "the quarter of the spectrum" : "the eighth of the spectrum");
}

void PassWriter::operator()(const op::Multiply& op) {
  const double undo = spectrum_undo(schedule_);
  const bool packed = schedule_.pass.packed.has_value(), first = packed && begun_ == 0;
  comment(std::string(first ? "A part of the factor of the request" : "The factor of the request") +
          (undo == 1 ? ""
                     : ", times " + std::to_string(std::lround(undo)) + " for " +
                           made_smaller(schedule_)));
  multiply_all(hex(op.factor), packed && !first ? "widely_scaled" : "scaled");
}

}  // namespace sonoma
