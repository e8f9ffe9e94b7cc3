#include "canvas.hpp"

#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <system_error>

namespace sonoma::bench {
namespace {

constexpr int format_rgb24 = 1;
constexpr int line_cap_butt = 0, line_cap_round = 1, line_join_round = 1;
constexpr const char* file_name = "libcairo.so.2";

/// cairo_text_extents_t
struct TextExtents {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
};

boost::dll::shared_library open_cairo() {
  namespace load_mode = boost::dll::load_mode;
  const auto mode = load_mode::rtld_now | load_mode::search_system_folders |
                    static_cast<load_mode::type>(RTLD_NODELETE);  // as its fonts do, it stays
  boost::dll::shared_library library;
  std::error_code error;
  library.load(file_name, mode, error);
  if (error) {
    throw std::runtime_error(
        "plotting needs libcairo.so.2 (Debian: libcairo2), which cannot be opened; --csv keeps the "
        "rows, and --from draws them where it is installed");
  }
  return library;
}

}  // namespace

// Signatures and constants: cairo 1.16 API Reference. Surfaces and contexts are opaque to us.
struct Canvas::Library {
  void* (*image_surface_create)(int format, int width, int height) = nullptr;
  void* (*svg_surface_create_for_stream)(int (*write)(void*, const unsigned char*, unsigned),
                                         void* closure, double width, double height) = nullptr;
  void (*surface_finish)(void*) = nullptr;
  int (*surface_status)(void*) = nullptr;
  int (*surface_write_to_png)(void*, const char* path) = nullptr;
  void (*surface_destroy)(void*) = nullptr;
  void* (*create)(void* surface) = nullptr;
  void (*destroy)(void*) = nullptr;
  const char* (*status_to_string)(int) = nullptr;
  void (*save)(void*) = nullptr;
  void (*restore)(void*) = nullptr;
  void (*translate)(void*, double x, double y) = nullptr;
  void (*rotate)(void*, double radians) = nullptr;
  void (*set_source_rgb)(void*, double red, double green, double blue) = nullptr;
  void (*set_line_width)(void*, double) = nullptr;
  void (*set_line_cap)(void*, int) = nullptr;
  void (*set_line_join)(void*, int) = nullptr;
  void (*set_dash)(void*, const double* lengths, int count, double offset) = nullptr;
  void (*new_path)(void*) = nullptr;
  void (*move_to)(void*, double x, double y) = nullptr;
  void (*line_to)(void*, double x, double y) = nullptr;
  void (*stroke)(void*) = nullptr;
  void (*paint)(void*) = nullptr;
  void (*select_font_face)(void*, const char* family, int slant, int weight) = nullptr;
  void (*set_font_size)(void*, double) = nullptr;
  void (*text_extents)(void*, const char* words, TextExtents*) = nullptr;
  void (*show_text)(void*, const char* words) = nullptr;

  Library();
};

Canvas::Library::Library() {
  const boost::dll::shared_library library = open_cairo();
  const auto find = [&library]<class Function>(const char* name, Function*& function) {
    if (!library.has(name)) throw std::runtime_error(std::string(file_name) + " has no " + name);
    function = &library.get<Function>(name);
  };
  find("cairo_image_surface_create", image_surface_create);
  find("cairo_svg_surface_create_for_stream", svg_surface_create_for_stream);
  find("cairo_surface_finish", surface_finish);
  find("cairo_surface_status", surface_status);
  find("cairo_surface_write_to_png", surface_write_to_png);
  find("cairo_surface_destroy", surface_destroy);
  find("cairo_create", create);
  find("cairo_destroy", destroy);
  find("cairo_status_to_string", status_to_string);
  find("cairo_save", save);
  find("cairo_restore", restore);
  find("cairo_translate", translate);
  find("cairo_rotate", rotate);
  find("cairo_set_source_rgb", set_source_rgb);
  find("cairo_set_line_width", set_line_width);
  find("cairo_set_line_cap", set_line_cap);
  find("cairo_set_line_join", set_line_join);
  find("cairo_set_dash", set_dash);
  find("cairo_new_path", new_path);
  find("cairo_move_to", move_to);
  find("cairo_line_to", line_to);
  find("cairo_stroke", stroke);
  find("cairo_paint", paint);
  find("cairo_select_font_face", select_font_face);
  find("cairo_set_font_size", set_font_size);
  find("cairo_text_extents", text_extents);
  find("cairo_show_text", show_text);
}

const Canvas::Library& Canvas::library() {
  static const Library opened;
  return opened;
}

void Canvas::require_library() { (void)library(); }

PictureFormat format_of(const std::string& path) {
  if (path.ends_with(".png")) return PictureFormat::png;
  if (path.ends_with(".svg")) return PictureFormat::svg;
  throw std::invalid_argument("--plot " + path + ": a plot is a file.png or a file.svg");
}

namespace {

int append(void* text, const unsigned char* bytes, unsigned size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return 0;
}

}  // namespace

Canvas::Canvas(int width, int height, PictureFormat format)
    : cairo_(library()),
      format_(format),
      surface_(format == PictureFormat::png
                   ? cairo_.image_surface_create(format_rgb24, width, height)
                   : cairo_.svg_surface_create_for_stream(append, &svg_, width, height)),
      context_(cairo_.create(surface_)) {
  cairo_.set_source_rgb(context_, 1, 1, 1);
  cairo_.paint(context_);
  cairo_.set_line_join(context_, line_join_round);
  cairo_.select_font_face(context_, "sans-serif", 0, 0);
}

Canvas::~Canvas() {
  cairo_.destroy(context_);
  cairo_.surface_destroy(surface_);
}

void Canvas::line(const std::vector<Spot>& spots, Color color, double width, bool dashed) {
  const double dash[] = {4 * width, 3 * width};
  cairo_.set_dash(context_, dash, dashed ? 2 : 0, 0);
  cairo_.set_source_rgb(context_, color.red, color.green, color.blue);
  cairo_.set_line_width(context_, width);
  cairo_.new_path(context_);  // text leaves its end as a first spot
  for (const Spot& spot : spots) cairo_.line_to(context_, spot.x, spot.y);
  cairo_.stroke(context_);
}

// One path of lines that end where they begin, with round caps: in an SVG that is a tenth of
// circles.
void Canvas::dots(const std::vector<Spot>& spots, double radius, Color color) {
  cairo_.set_dash(context_, nullptr, 0, 0);
  cairo_.set_source_rgb(context_, color.red, color.green, color.blue);
  cairo_.set_line_width(context_, 2 * radius);
  cairo_.set_line_cap(context_, line_cap_round);
  cairo_.new_path(context_);
  for (const Spot& spot : spots) {
    cairo_.move_to(context_, spot.x, spot.y), cairo_.line_to(context_, spot.x, spot.y);
  }
  cairo_.stroke(context_);
  cairo_.set_line_cap(context_, line_cap_butt);
}

void Canvas::text(Spot at, const std::string& words, double size, Align align, bool upward) {
  cairo_.save(context_);
  cairo_.set_source_rgb(context_, 0.1, 0.1, 0.1);
  cairo_.set_font_size(context_, size);
  TextExtents extents{};
  cairo_.text_extents(context_, words.c_str(), &extents);
  cairo_.translate(context_, at.x, at.y);
  if (upward) cairo_.rotate(context_, -std::numbers::pi / 2);
  const double share = align == Align::left ? 0 : align == Align::center ? 0.5 : 1;
  cairo_.move_to(context_, -share * extents.x_advance, 0);
  cairo_.show_text(context_, words.c_str());
  cairo_.restore(context_);
}

void Canvas::power_of_two(Spot at, int exponent, double size) {
  const std::string raised = std::to_string(exponent);
  const double digit = 0.56 * size, small = 0.72 * size;
  const double width = digit + 0.56 * small * static_cast<double>(raised.size());
  text({at.x - width / 2, at.y}, "2", size);
  text({at.x - width / 2 + 1.15 * digit, at.y - 0.4 * size}, raised, small);
}

void Canvas::write(const std::string& path) {
  int status = cairo_.surface_status(surface_);
  if (status == 0 && format_ == PictureFormat::png) {
    status = cairo_.surface_write_to_png(surface_, path.c_str());
  } else if (status == 0) {
    cairo_.surface_finish(surface_);
    if ((std::ofstream(path, std::ios::binary) << svg_ << std::flush).good()) return;
    throw std::runtime_error(path + ": the plot cannot be written");
  }
  if (status == 0) return;
  throw std::runtime_error(path +
                           ": the plot cannot be written: " + cairo_.status_to_string(status));
}

}  // namespace sonoma::bench
