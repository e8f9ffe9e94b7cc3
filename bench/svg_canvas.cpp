// An SVG is written as text. Its words are text too: whoever shows it has the letters.
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "canvas.hpp"

namespace sonoma::bench {
namespace {

constexpr const char* anchors[] = {"start", "middle", "end"};

// With at most two digits behind the point.
std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed, 2).ptr;
  std::string digits(text.begin(), end);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits == "-0" ? "0" : digits;
}

std::string hexadecimal(Color color) {
  std::string text = "#";
  for (const double part : {color.red, color.green, color.blue}) {
    const auto level = static_cast<unsigned>(std::lround(255 * part));
    text += {"0123456789abcdef"[level / 16], "0123456789abcdef"[level % 16]};
  }
  return text;
}

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    text += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string{c};
  }
  return text;
}

std::string pair(Spot at) { return number(at.x) + " " + number(at.y); }

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(int width, int height) {
    const std::string w = std::to_string(width), h = std::to_string(height);
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h +
           "\" viewBox=\"0 0 " + w + " " + h +
           "\" font-family=\"sans-serif\" fill=\"none\" stroke-linejoin=\"round\">\n"
           "<rect width=\"" +
           w + "\" height=\"" + h + "\" fill=\"white\"/>\n";
  }

  void line(const std::vector<Spot>& spots, Color color, double width, bool dashed) override {
    std::string path;
    for (const Spot& spot : spots) path += (path.empty() ? "M" : " L") + pair(spot);
    const std::string dash =
        dashed ? " stroke-dasharray=\"" + number(4 * width) + " " + number(3 * width) + "\"" : "";
    add_path(path, color, width, dash);
  }

  // Lines of no length with round caps: one path, in place of as many circles.
  void dots(const std::vector<Spot>& spots, double radius, Color color) override {
    std::string path;
    for (const Spot& spot : spots) path += (path.empty() ? "M" : " M") + pair(spot) + "h0";
    add_path(path, color, 2 * radius, " stroke-linecap=\"round\"");
  }

  void text(Spot at, const std::string& words, double size, Align align, bool upward) override {
    const std::string turn = upward ? " transform=\"rotate(-90 " + pair(at) + ")\"" : "";
    const std::string anchor = align == Align::left ? ""
                                                    : std::string(" text-anchor=\"") +
                                                          anchors[static_cast<int>(align)] + "\"";
    svg_ += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" font-size=\"" +
            number(size) + "\" fill=\"#1a1a1a\"" + anchor + turn + ">" + escaped(words) +
            "</text>\n";
  }

  void write(const std::string& path) override {
    svg_ += "</svg>\n";
    if ((std::ofstream(path, std::ios::binary) << svg_ << std::flush).good()) return;
    throw std::runtime_error(path + ": the plot cannot be written");
  }

 private:
  void add_path(const std::string& path, Color color, double width, const std::string& more) {
    svg_ += "<path d=\"" + path + "\" stroke=\"" + hexadecimal(color) + "\" stroke-width=\"" +
            number(width) + "\"" + more + "/>\n";
  }

  std::string svg_;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(int width, int height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace sonoma::bench
