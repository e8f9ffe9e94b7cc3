#include "canvas.hpp"

#include <stdexcept>

namespace sonoma::bench {

PictureFormat format_of(const std::string& path) {
  if (path.ends_with(".png")) return PictureFormat::png;
  if (path.ends_with(".svg")) return PictureFormat::svg;
  throw std::invalid_argument("--plot " + path + ": a plot is a file.png or a file.svg");
}

std::unique_ptr<Canvas> make_canvas(int width, int height, PictureFormat format) {
  return (format == PictureFormat::png ? make_png_canvas : make_svg_canvas)(width, height);
}

void require_canvas(PictureFormat format) {
  if (format == PictureFormat::png) require_png_canvas();
}

void Canvas::power(Spot at, int base, int exponent, double size, Align align) {
  const std::string low = std::to_string(base), raised = std::to_string(exponent);
  const double digit = 0.56 * size, small = 0.72 * size;
  const double low_width = digit * static_cast<double>(low.size());
  const double width = low_width + 0.56 * small * static_cast<double>(raised.size());
  const double left = at.x - (align == Align::right ? width : align == Align::left ? 0 : width / 2);
  text({left, at.y}, low, size);
  text({left + low_width + 0.15 * digit, at.y - 0.4 * size}, raised, small);
}

}  // namespace sonoma::bench
