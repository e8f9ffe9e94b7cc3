// How a test gets at fake_driver.cpp, which the runtime opens as any driver.
#pragma once

#include <filesystem>
#include <stdexcept>

#include "dynamic_library.hpp"
#include "fake_driver.hpp"
#include "sonoma/config.hpp"

namespace sonoma::testing {

/// Opens the driver in the file FAKE_DRIVER, as it was in the beginning.
inline FakeDriverState* reset_fake_driver() {
  static const std::vector<std::string> names = {FAKE_DRIVER};
  std::string searched;
  const auto library = DynamicLibrary::open(names, searched);
  if (!library) throw std::runtime_error(searched);
  FakeDriverState* state = library->find<FakeDriverStateFunction>("sonoma_fake_driver_state")();
  *state = {};
  return state;
}

/// Of a process whose environment says nothing: that driver, and a cache in `folder`.
inline Config fake_gpu_config(const std::filesystem::path& folder) {
  Config config = Config::from_environment([](const char*) { return nullptr; });
  config.cache_dir = folder / "cache";
  config.driver_libraries = {FAKE_DRIVER};
  return config;
}

}  // namespace sonoma::testing
