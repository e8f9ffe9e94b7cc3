#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/tuning.hpp"

namespace sonoma {

std::string to_list(const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (const std::int64_t length : lengths) {
    text += (text.empty() ? "" : ",") + std::to_string(length);
  }
  return text;
}

std::string to_step_list(unsigned mask) {
  std::string text;
  for (unsigned s = 0; mask >> s != 0; ++s) {
    if (mask >> s & 1u) text += (text.empty() ? "" : ",") + std::to_string(s + 1);
  }
  return text.empty() ? "none" : text;
}

std::string to_string(Method method) {
  static constexpr const char* names[] = {"radix", "bluestein", "rader"};
  return names[static_cast<int>(method)];
}
std::optional<Method> method_called(std::string_view name) {
  for (const Method method : {Method::radix, Method::bluestein, Method::rader}) {
    if (to_string(method) == name) return method;
  }
  return std::nullopt;
}
std::string to_string(Engine engine) { return engine == Engine::mma ? "mma" : "simt"; }
std::string to_string(Twiddles twiddles) {
  return twiddles == Twiddles::table ? "table" : "products";
}
std::string to_string(MmaForm form) { return form == MmaForm::ptx ? "ptx" : "wmma"; }

std::string to_string(const Tuning& tuning) {
  std::string text = tuning.engine ? "engine=" + to_string(*tuning.engine) : "engine=default";
  const auto number = [&](const char* name, const std::optional<unsigned>& value) {
    if (value) text += std::string(" ") + name + "=" + std::to_string(*value);
  };
  if (tuning.method) text += " method=" + to_string(*tuning.method);
  number("radix", tuning.radix);
  if (tuning.decomposition) text += " decomposition=" + to_string(*tuning.decomposition);
  if (tuning.mma_form) text += " mma_form=" + to_string(*tuning.mma_form);
  if (tuning.tensor_steps) text += " tensor_steps=" + to_step_list(*tuning.tensor_steps);
  number("products", tuning.products);
  number("points_per_thread", tuning.points_per_thread);
  number("block_points", tuning.block_points);
  number("registers", tuning.registers);
  const auto flag = [&](const char* name, const std::optional<bool>& value) {
    if (value) text += std::string(" ") + name + (*value ? "=true" : "=false");
  };
  flag("stage_load", tuning.stage_load);
  flag("stage_store", tuning.stage_store);
  if (tuning.pass_lengths) text += " pass_lengths=" + to_list(*tuning.pass_lengths);
  number("columns", tuning.columns);
  if (tuning.workspace_points) {
    text += " workspace_points=" + std::to_string(*tuning.workspace_points);
  }
  if (tuning.cluster.value_or(1) > 1) number("cluster", tuning.cluster);
  if (tuning.rounds.value_or(1) > 1) number("rounds", tuning.rounds);
  if (tuning.twiddles == Twiddles::products) text += " twiddles=products";
  flag("fused", tuning.fused);
  return text;
}

}  // namespace sonoma
