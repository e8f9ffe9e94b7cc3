// Kernels whose text somebody has edited.
#include <utility>

#include "runtime.hpp"

namespace sonoma {

std::optional<Emitted> Runtime::edited(const Launch& launch, const Target& target,
                                       const Place& place) {
  if (!place.edit_kernel && !place.overrides) return std::nullopt;
  Emitted emitted = find_or_emit(disk_, launch, target);
  auto text = place.edit_kernel ? place.edit_kernel(emitted.source)
                                : overriding(launch, target, emitted.source);
  if (!text || *text == emitted.source.text) return std::nullopt;
  emitted.source.text = *std::move(text);
  return emitted;
}

std::optional<std::string> Runtime::overriding(const Launch& launch, const Target& target,
                                               const CudaSource& source) {
  const auto all = overrides_.get([this] {
    auto found = std::make_shared<Overrides>(load_overrides(config_.overrides_dir));
    for (const std::string& problem : found->problems) log_.warn(problem + "; it is left out");
    return found;
  });
  const std::string made_of = text_id(source), made_for = launch_id(launch, target);
  for (const Override& one : all->entries) {
    if (one.launch != made_for) continue;
    if (one.original == made_of) return one.text;
    log_.warn(
        "the override of " + one.kernel + " of " + one.date +
        " is stale: this generator emits another text; it is left out. `sonoma override list` "
        "shows it");
  }
  return std::nullopt;
}

}  // namespace sonoma
