// A PNG is drawn by cairo, which is opened at run time: only who plots one needs it.
#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <numbers>
#include <stdexcept>
#include <system_error>

#include "canvas.hpp"

namespace sonoma::bench {
namespace {

constexpr int format_rgb24 = 1;
constexpr int line_cap_butt = 0, line_cap_round = 1, line_join_round = 1;
constexpr const char* file_name = "libcairo.so.2";

/// cairo_text_extents_t
struct TextExtents {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
};

// Signatures and constants: cairo 1.16 API Reference. Surfaces and contexts are opaque to us.
struct Cairo {
  void* (*image_surface_create)(int format, int width, int height) = nullptr;
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

  Cairo();
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
        "plotting a PNG needs libcairo.so.2 (Debian: libcairo2), which cannot be opened; a plot to "
        "a "
        "file.svg needs nothing");
  }
  return library;
}

Cairo::Cairo() {
  const boost::dll::shared_library library = open_cairo();
  const auto find = [&library]<class Function>(const char* name, Function*& function) {
    if (!library.has(name)) throw std::runtime_error(std::string(file_name) + " has no " + name);
    function = &library.get<Function>(name);
  };
  find("cairo_image_surface_create", image_surface_create);
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

const Cairo& cairo() {
  static const Cairo opened;
  return opened;
}

class PngCanvas : public Canvas {
 public:
  PngCanvas(int width, int height)
      : surface_(cairo().image_surface_create(format_rgb24, width, height)),
        context_(cairo().create(surface_)) {
    cairo().set_source_rgb(context_, 1, 1, 1);
    cairo().paint(context_);
    cairo().set_line_join(context_, line_join_round);
    cairo().select_font_face(context_, "sans-serif", 0, 0);
  }
  ~PngCanvas() override {
    cairo().destroy(context_);
    cairo().surface_destroy(surface_);
  }
  PngCanvas(const PngCanvas&) = delete;
  PngCanvas& operator=(const PngCanvas&) = delete;

  void line(const std::vector<Spot>& spots, Color color, double width, bool dashed) override {
    const double dash[] = {4 * width, 3 * width};
    cairo().set_dash(context_, dash, dashed ? 2 : 0, 0);
    set(color, width);
    cairo().new_path(context_);  // text leaves its end as a first spot
    for (const Spot& spot : spots) cairo().line_to(context_, spot.x, spot.y);
    cairo().stroke(context_);
  }

  void dots(const std::vector<Spot>& spots, double radius, Color color) override {
    cairo().set_dash(context_, nullptr, 0, 0);
    set(color, 2 * radius);
    cairo().set_line_cap(context_, line_cap_round);
    cairo().new_path(context_);
    for (const Spot& spot : spots) {
      cairo().move_to(context_, spot.x, spot.y), cairo().line_to(context_, spot.x, spot.y);
    }
    cairo().stroke(context_);
    cairo().set_line_cap(context_, line_cap_butt);
  }

  void text(Spot at, const std::string& words, double size, Align align, bool upward) override {
    cairo().save(context_);
    cairo().set_source_rgb(context_, 0.1, 0.1, 0.1);
    cairo().set_font_size(context_, size);
    TextExtents extents{};
    cairo().text_extents(context_, words.c_str(), &extents);
    cairo().translate(context_, at.x, at.y);
    if (upward) cairo().rotate(context_, -std::numbers::pi / 2);
    const double share = align == Align::left ? 0 : align == Align::center ? 0.5 : 1;
    cairo().move_to(context_, -share * extents.x_advance, 0);
    cairo().show_text(context_, words.c_str());
    cairo().restore(context_);
  }

  void write(const std::string& path) override {
    int status = cairo().surface_status(surface_);
    if (status == 0) status = cairo().surface_write_to_png(surface_, path.c_str());
    if (status == 0) return;
    throw std::runtime_error(path +
                             ": the plot cannot be written: " + cairo().status_to_string(status));
  }

 private:
  void set(Color color, double width) {
    cairo().set_source_rgb(context_, color.red, color.green, color.blue);
    cairo().set_line_width(context_, width);
  }

  void* surface_;
  void* context_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(int width, int height) {
  return std::make_unique<PngCanvas>(width, height);
}

void require_png_canvas() { (void)cairo(); }

}  // namespace sonoma::bench
