#include "flow.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "markup.hpp"

namespace sonoma::cli::page {
namespace {

constexpr double first_box = 190, row_height = 82, cell_height = 30, cell = 42, gap = 30, top = 26;

double width_of(const Digit& digit) {
  return cell * std::max(1.0, std::sqrt(std::log2(static_cast<double>(digit.count))));
}

bool is_frequency(const Digit& digit, unsigned done) {
  return digit.step >= 0 && static_cast<unsigned>(digit.step) < done;
}

class Flow {
 public:
  Flow(const Schedule& schedule, const std::vector<Stop>& stops)
      : digits_(schedule.digits), stops_(stops), schedule_(schedule) {
    place_columns();
    place_digits();
  }

  FlowPicture picture() const {
    std::string body;
    for (std::size_t row = 1; row < stops_.size(); ++row) body += ribbons(row);
    for (std::size_t row = 0; row < stops_.size(); ++row) body += stop_text(row);
    const double height = top + static_cast<double>(stops_.size()) * row_height - 20;
    return {svg(width_, height,
                "Where the digits of the index are, from global memory to global memory", body),
            width_};
  }

 private:
  double width_of_box(const Box& box) const {
    double width = 0;
    for (const DigitId id : box.digits) width += width_of(digits_[id]);
    return std::max(width, cell);
  }
  double y_of(std::size_t row) const { return top + static_cast<double>(row) * row_height; }

  // Boxes of registers stand below each other.
  void place_columns() {
    std::vector<std::string> names;
    std::map<std::string, double> widths;
    for (const Stop& stop : stops_) {
      if (stop.where != Where::registers) continue;
      for (const Box& box : stop.boxes) {
        if (std::ranges::find(names, box.name) == names.end()) names.push_back(box.name);
        widths[box.name] = std::max(widths[box.name], width_of_box(box));
      }
    }
    double x = first_box;
    for (const std::string& name : names) columns_[name] = x, x += widths[name] + gap;
    width_ = x;
  }
  void place_digits() {
    places_.resize(stops_.size());
    for (std::size_t row = 0; row < stops_.size(); ++row) {
      double next = first_box;
      for (const Box& box : stops_[row].boxes) {
        const auto column = columns_.find(box.name);
        double x = column == columns_.end() ? next : column->second;
        for (const DigitId id : box.digits) places_[row][id] = x, x += width_of(digits_[id]);
        next = x + gap;
        width_ = std::max(width_, x + 10);
      }
    }
  }

  std::string ribbons(std::size_t row) const {
    std::string text;
    for (const auto& [id, to] : places_[row]) {
      const auto from = places_[row - 1].find(id);
      if (from == places_[row - 1].end()) continue;
      const double a = from->second, w = width_of(digits_[id]);
      const double y0 = y_of(row - 1) + cell_height, y1 = y_of(row), middle = (y0 + y1) / 2;
      const bool changed = stops_[row].step >= 0 && digits_[id].step == stops_[row].step;
      text += fmt::format(
          "<path class=\"ribbon {} d{}{}\" d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} "
          "{:.0f}h{:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}z\"/>\n",
          colour_of(digits_[id].step), id, changed ? " hot" : "", a, y0, a, middle, to, middle, to,
          y1, w, to + w, middle, a + w, middle, a + w, y0);
    }
    return text;
  }

  std::string box_text(std::size_t row, const Box& box) const {
    const Stop& stop = stops_[row];
    const auto column = columns_.find(box.name);
    const double y = y_of(row);
    const double x = !box.digits.empty()        ? places_[row].at(box.digits.front())
                     : column == columns_.end() ? first_box
                                                : column->second;
    std::string text = svg_text(x - 2, y - 8, "boxname", box.name) +
                       svg_rect(x - 4, y - 4, width_of_box(box) + 8, cell_height + 8,
                                stop.where == Where::registers ? "box" : "box memory", 5);
    if (box.digits.empty()) return text + svg_text(x + cell / 2, y + 20, "digit", "1", "middle");
    for (const DigitId id : box.digits) {
      const bool k = is_frequency(digits_[id], stop.done);
      text +=
          svg_rect(places_[row].at(id), y, width_of(digits_[id]), cell_height,
                   fmt::format("cell {} d{}{}", colour_of(digits_[id].step), id, k ? " k" : ""));
    }
    return text + labels(row, box);
  }
  // One for each run of neighbouring digits of a step.
  std::string labels(std::size_t row, const Box& box) const {
    std::string text;
    for (std::size_t i = 0; i < box.digits.size();) {
      std::vector<DigitId> run = {box.digits[i++]};
      while (i < box.digits.size() &&
             digits_text(digits_, {run.back(), box.digits[i]}).find(' ') == std::string::npos) {
        run.push_back(box.digits[i++]);
      }
      const double left = places_[row].at(run.front());
      const double right = places_[row].at(run.back()) + width_of(digits_[run.back()]);
      text += svg_text((left + right) / 2, y_of(row) + 20, "digit",
                       digits_text(digits_, run, stops_[row].done), "middle");
    }
    return text;
  }

  std::string below_title(const Stop& stop) const {
    unsigned extra = 0;
    for (const ExchangeAccess& one : stop.accesses) {
      const Wavefronts fronts = count_wavefronts(one.access, one.swizzle);
      extra += fronts.total - fronts.minimum;
    }
    if (!stop.accesses.empty()) {
      return extra == 0 ? "no bank conflicts" : fmt::format("{} extra wavefronts", extra);
    }
    if (stop.step >= 0) {
      unsigned radix = 1;
      for (const Digit& digit : digits_) radix *= digit.step == stop.step ? digit.count : 1;
      return fmt::format("radix {}", radix);
    }
    if (stop.where == Where::global) {
      return fmt::format("{} bytes a point",
                         schedule_.pass.bytes_of_point(stop.part == Part::memory));
    }
    return "";
  }
  std::string stop_text(std::size_t row) const {
    const Stop& stop = stops_[row];
    const double y = y_of(row);
    std::string text = fmt::format("<g class=\"row\" data-stop=\"{}\">", row);
    text += svg_rect(0, y - 20, width_, row_height - 26, "hit");
    text += svg_text(4, y + 13, "title", fmt::format("{}  {}", row + 1, stop.title));
    text += svg_text(22, y + 29, "small", below_title(stop));
    for (const Box& box : stop.boxes) text += box_text(row, box);
    if (stop.boxes.empty()) {
      text +=
          svg_rect(first_box - 4, y - 4, width_ - first_box - 6, cell_height + 8, "box memory", 5) +
          svg_text(first_box + 8, y + 16, "small", stop.notes.empty() ? "" : stop.notes.front());
    }
    return text + "</g>\n";
  }

  const std::vector<Digit>& digits_;
  const std::vector<Stop>& stops_;
  const Schedule& schedule_;
  std::map<std::string, double> columns_;
  std::vector<std::map<DigitId, double>> places_;
  double width_ = 0;
};

}  // namespace

FlowPicture flow_of(const Schedule& schedule, const std::vector<Stop>& stops) {
  return Flow(schedule, stops).picture();
}

}  // namespace sonoma::cli::page
