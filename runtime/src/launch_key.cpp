#include "launch_key.hpp"

#include "words.hpp"

namespace sonoma {

std::string launch_key(const Launch& launch, const Target& target) {
  WordWriter key;
  key.add(target, launch);
  return key.text();
}

}  // namespace sonoma
