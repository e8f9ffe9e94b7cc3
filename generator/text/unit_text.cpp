// Primitives and kernels as one translation unit.
#include <algorithm>
#include <set>
#include <string_view>

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

bool takes_wmma(const KernelIr& ir) {
  return ir.schedule.engine() == Engine::mma && ir.schedule.shape.mma_form == MmaForm::wmma;
}

// The files of templates/ that may be called, lowest first. The two forms of products have
// functions of the same names.
std::vector<TextPart> layers(const std::vector<const KernelIr*>& irs) {
  std::set<Storage> storages;
  bool wmma = false;
  for (const KernelIr* ir : irs) {
    storages.insert({ir->schedule.pass.in.storage, ir->schedule.pass.out.storage});
    wmma = wmma || takes_wmma(*ir);
  }
  std::vector<const char*> names = {"instructions.cuh", "global.cuh", "turns.cuh"};
  if (storages.contains(Storage::f32)) names.push_back("storage_32.cuh");
  if (storages != std::set{Storage::f32}) names.push_back("storage_16.cuh");
  names.insert(names.end(),
               {"storage_int16.cuh", "storage_shared_exponent.cuh", "points.cuh", "fold.cuh",
                "split.cuh", wmma ? "mma_wmma.cuh" : "mma_ptx.cuh", "words.cuh",
                "word_products.cuh", "butterflies.cuh", "roots.cuh", "rader.cuh"});
  std::vector<TextPart> parts;
  for (const char* name : names) parts.push_back(layer(name));
  return parts;
}

}  // namespace

std::string unit_text(const std::vector<KernelText>& kernels) {
  std::string heads, called, text;
  std::vector<const KernelIr*> irs;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelText& one = kernels[i];
    const bool several = kernels.size() > 1;
    const std::string name = several ? "launch_" + std::to_string(i + 1) : "";
    if (several) heads += "// ===== launch " + std::to_string(i + 1) + " =====\n";
    heads += one.head + "\n";
    if (several) text += "namespace " + name + " {\n";
    text += "// ===== this plan =====\n" + one.plan + "\n// ===== the kernel =====\n" + one.kernel;
    if (several) text += "}  // namespace " + name + "\n\n";
    called += one.plan + one.kernel;
    irs.insert(irs.end(), one.irs.begin(), one.irs.end());
  }
  const bool wmma =
      std::any_of(irs.begin(), irs.end(), [](const auto* ir) { return takes_wmma(*ir); });
  return heads + (wmma ? "#ifndef SONOMA_EMULATED\n#include <mma.h>\n#endif\n" : "") +
         prune(layers(irs), called) + text;
}

}  // namespace sonoma
