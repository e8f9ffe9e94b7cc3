#include "sonoma/accuracy.hpp"

#include <sstream>

namespace sonoma {

std::string to_string(Arithmetic arithmetic) {
  static constexpr const char* names[] = {"split3", "split4", "half", "simt", "simt64", "packed"};
  return names[static_cast<int>(arithmetic)];
}

std::string to_string(const Accuracy& accuracy) {
  if (accuracy.arithmetic) return to_string(*accuracy.arithmetic);
  if (!accuracy.max_rel_l2) return "default";
  std::ostringstream text;
  text << "max_rel_l2=" << *accuracy.max_rel_l2;
  return text.str();
}

}  // namespace sonoma
