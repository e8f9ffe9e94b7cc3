#include "stops.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "banks.hpp"
#include "kernel_lines.hpp"
#include "markup.hpp"

namespace sonoma::cli::page {
namespace {

template <class Number>
std::string list(const std::vector<Number>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

// A map from threads and registers, as the script of the page reads it.
std::string map_text(const LinearMap& map) {
  return fmt::format("{{\"t\":{},\"r\":{}}}", list(map.thread_bits), list(map.register_bits));
}

unsigned radix_of(const Schedule& schedule, int step) {
  unsigned radix = 1;
  for (const Digit& digit : schedule.digits) radix *= digit.step == step ? digit.count : 1;
  return radix;
}

// The step whose digit colours the points: the one that was done, or is next.
int step_shown(const Stop& stop, const Schedule& schedule) {
  if (stop.step >= 0) return stop.step;
  const auto steps = static_cast<unsigned>(schedule.shape.tree.decomposition.radices.size());
  return static_cast<int>(std::min(stop.done, steps - 1));
}

// All steps are done, and what follows is the store.
bool shows_frequencies(const Schedule& schedule, const Stop& stop) {
  return stop.done == schedule.shape.tree.decomposition.radices.size() &&
         !schedule.pass.convolves();
}

std::string grid(const Schedule& schedule, const Stop& stop) {
  const Layout& layout = *stop.layout;
  const int step = step_shown(stop, schedule);
  const LinearMap places = index_map(schedule.digits, layout, Side::time);
  const std::string frequencies =
      shows_frequencies(schedule, stop)
          ? ",\"f\":" + map_text(index_map(schedule.digits, layout, Side::frequency))
          : "";
  const std::string digit = digits_text(
      schedule.digits,
      [&] {
        std::vector<DigitId> ids;
        for (DigitId id = 0; id < schedule.digits.size(); ++id) {
          if (schedule.digits[id].step == step) ids.push_back(id);
        }
        return ids;
      }(),
      stop.done);
  return fmt::format(
      "<div class=\"grid\" data-grid='{{\"tc\":{},\"rc\":{},\"p\":{},\"v\":{},\"radix\":{},"
      "\"digit\":\"{}\",\"threads\":{}{}}}'></div>\n",
      list(places.thread_counts), list(places.register_counts), map_text(places),
      map_text(value_map(schedule.digits, layout, step)), radix_of(schedule, step), digit,
      std::min(places.threads(), schedule.launch.threads), frequencies);
}

std::string banks(const ExchangeAccess& one, bool mixed) {
  const Wavefronts fronts = count_wavefronts(one.access, one.swizzle);
  const char* verb = one.writes ? "Written" : "Read";
  const auto rows = wavefronts_of(one.access, one.swizzle);
  const auto plain = wavefronts_of(one.plain, Swizzle{});
  std::string text = fmt::format(
      "<figure><figcaption>{}, {} bytes a lane: {} wavefronts for all threads of the tile, at "
      "least "
      "{} are needed. The first access of the first warp:</figcaption>\n{}",
      verb, one.access.points * one.access.words_a_point * 4, fronts.total, fronts.minimum,
      banks_svg(rows, fmt::format("{}: lanes at the banks", verb)));
  if (plain.size() > rows.size()) {
    text += fmt::format(
        "<details><summary>Without the {} it would take {} wavefronts, not "
        "{}</summary>\n{}</details>\n",
        mixed ? "padding" : "swizzle", plain.size(), rows.size(),
        banks_svg(plain, fmt::format("{}: lanes at the banks, in the order of the points", verb)));
  }
  return text + "</figure>\n";
}

std::string boxes_text(const Schedule& schedule, const Stop& stop) {
  std::string text;
  for (const Box& box : stop.boxes) {
    const std::string digits =
        box.digits.empty() ? "-" : digits_text(schedule.digits, box.digits, stop.done);
    text += fmt::format("<span class=\"where\">{} <code>{}</code></span> ", box.name, digits);
  }
  return text;
}

std::string place_text(const Schedule& schedule) {
  if (schedule.mixed()) {
    return "Places are sums of digits times strides, with padding that spreads accesses over the "
           "banks.";
  }
  return fmt::format("Point p lies at place <code>{}</code>.",
                     escaped(to_string(schedule.places.points.swizzle)));
}

}  // namespace

std::string stops_text(const Schedule& schedule, const std::vector<Stop>& stops,
                       const std::vector<int>& stages) {
  std::string text;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const Stop& stop = stops[i];
    const std::string lines =
        stages[i] == no_stage
            ? ""
            : fmt::format(
                  " <button type=\"button\" class=\"chip\" data-g=\"{}\">its lines</button>",
                  stages[i]);
    text += fmt::format(
        "<details class=\"stop {}\" data-stop=\"{}\"{}><summary><b>{}</b> "
        "{}{}</summary>\n<p>{}{}</p>\n",
        stop.step >= 0 ? colour_of(stop.step) : "", i,
        stop.where == Where::global ? "" : " open=\"open\"", i + 1, escaped(stop.title), "",
        boxes_text(schedule, stop), lines);
    if (stop.where == Where::shared && !stop.accesses.empty()) {
      text += "<p>" + place_text(schedule) + "</p>\n";
    }
    for (const std::string& note : stop.notes) text += "<p>" + escaped(note) + "</p>\n";
    const bool as_before = i > 0 && stop.layout == stops[i - 1].layout;
    if (stop.layout && (!as_before || shows_frequencies(schedule, stop)))
      text += grid(schedule, stop);
    for (const ExchangeAccess& one : stop.accesses) text += banks(one, schedule.mixed());
    text += "</details>\n";
  }
  return text;
}

}  // namespace sonoma::cli::page
