// Primitives and kernels as one translation unit.
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "embedded/templates.hpp"
#include "kernel_text.hpp"
#include "prune.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

TextPart layer(std::string_view name) {
  for (const auto& file : embedded::templates) {
    if (file.name == name) return {file.name, file.text};
  }
  throw InternalError("emit: no template " + std::string(name));
}

// The products of mma_ptx.cuh where mma_m16n8k16 is missing.
const std::string& products_by_m16n8k8() {
  static const std::string text = [] {
    constexpr std::string_view missing = "mma_m16n8k16(", taken = "two_mma_m16n8k8(";
    std::string products(layer("mma_ptx.cuh").text);
    for (std::size_t at = 0; (at = products.find(missing, at)) != std::string::npos;) {
      products.replace(at, missing.size(), taken), at += taken.size();
    }
    return products;
  }();
  return text;
}

// Of two points at once.
TextPart packed_butterflies() {
  static const std::string text = [] {
    std::string all(layer("butterflies.cuh").text);
    for (const auto& [of_one, of_two] :
         {std::pair{"make_float2", "make_point_pair"}, std::pair{"float2", "PointPair"}}) {
      const std::string_view old = of_one;
      for (std::size_t at = 0; (at = all.find(old, at)) != std::string::npos;) {
        all.replace(at, old.size(), of_two), at += std::string_view(of_two).size();
      }
    }
    return all;
  }();
  TextPart part = layer("butterflies.cuh");
  part.text = text;
  return part;
}

bool is_packed(const KernelIr* ir) { return ir->schedule.pass.packed.has_value(); }

std::vector<TextPart> packed_layers() {
  return {layer("instructions.cuh"), layer("global.cuh"),  layer("turns.cuh"),
          layer("packed.cuh"),       packed_butterflies(), layer("roots.cuh")};
}

// The files of templates/ that may be called, lowest first.
std::vector<TextPart> layers(const std::vector<const KernelIr*>& irs, const Target& target) {
  if (std::ranges::all_of(irs, is_packed)) return packed_layers();
  std::set<Storage> storages;
  bool fp64 = false;
  for (const KernelIr* ir : irs) {
    fp64 = fp64 || ir->schedule.shape.sums != Sums::fp32;
    storages.insert({ir->schedule.pass.in.storage, ir->schedule.pass.out.storage});
    if (ir->schedule.pass.filter) storages.insert(Storage::f32);
  }
  std::vector<const char*> names = {"instructions.cuh", "global.cuh", "turns.cuh", "tiles.cuh"};
  if (storages.contains(Storage::f32)) names.push_back("storage_32.cuh");
  if (storages != std::set{Storage::f32}) names.push_back("storage_16.cuh");
  names.insert(names.end(), {"storage_int16.cuh",
                             "storage_shared_exponent.cuh",
                             "points.cuh",
                             "storage_real.cuh",
                             "fold.cuh",
                             "split.cuh",
                             "mma_m16n8k8.cuh",
                             "mma_ptx.cuh",
                             "words.cuh",
                             "word_products.cuh",
                             "butterflies.cuh",
                             "fused_butterflies.cuh",
                             "roots.cuh",
                             "rader.cuh",
                             "mirrored.cuh",
                             "mirrored_rows.cuh",
                             "mirrored_cluster.cuh",
                             "opposite.cuh",
                             "parted.cuh",
                             "trigonometric.cuh",
                             "mirrored_numbers.cuh",
                             "filter.cuh"});
  if (fp64) names.push_back("fp64.cuh");
  std::vector<TextPart> parts;
  for (const std::string_view name : names) {
    parts.push_back(layer(name));
    if (target.has_mma_m16n8k16() || name != "mma_ptx.cuh") continue;
    parts.back().text = products_by_m16n8k8();
  }
  return parts;
}

}  // namespace

std::string primitives_text(const std::vector<const KernelIr*>& irs, const Target& target,
                            const std::string& called) {
  return prune(layers(irs, target), called);
}

KernelText of_axis(KernelText kernel, std::size_t axis, const std::vector<std::int64_t>& lengths) {
  const std::string number = std::to_string(axis);
  const std::size_t declared = kernel.kernel.find("\n" + kernel.name + "(");
  if (declared == std::string::npos) throw InternalError("emit: no kernel " + kernel.name);
  kernel.kernel.insert(declared + 1 + kernel.name.size(), "_axis" + number);
  kernel.name += "_axis" + number;
  kernel.axis = "axis " + number + " of " + to_shape(lengths);
  return kernel;
}

std::string unit_text(const std::vector<KernelText>& kernels) {
  std::string heads, called, text;
  std::vector<const KernelIr*> irs;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelText& one = kernels[i];
    const bool several = kernels.size() > 1;
    const std::string name = several ? "launch_" + std::to_string(i + 1) : "";
    if (several) {
      const std::string axis = one.axis.empty() ? "" : ": " + one.axis;
      heads += "// ===== launch " + std::to_string(i + 1) + axis + " =====\n";
    }
    heads += one.head + "\n";
    if (several) text += "namespace " + name + " {\n";
    text += "// ===== this plan =====\n" + one.plan + "\n// ===== the kernel =====\n" + one.kernel;
    if (several) text += "}  // namespace " + name + "\n\n";
    called += one.plan + one.kernel;
    irs.insert(irs.end(), one.irs.begin(), one.irs.end());
  }
  return heads + primitives_text(irs, kernels.front().target, called) + text;
}

}  // namespace sonoma
