#include "bundles.hpp"

#include "sonoma/fft_error.hpp"
#include "sonoma/kernel_bundle.hpp"

namespace sonoma {

Bundles& Bundles::process() {
  static auto* const bundles = new Bundles;
  return *bundles;
}

void Bundles::add(KernelBundle bundle) {
  auto shared = std::make_shared<const KernelBundle>(std::move(bundle));
  const std::lock_guard lock(mutex_);
  list_.push_back(std::move(shared));
  ++version_;
}

void Bundles::add_linked(std::string name, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  linked_.emplace_back(std::move(name), bytes);
  ++version_;
}

std::size_t Bundles::version() {
  const std::lock_guard lock(mutex_);
  return version_;
}

Bundles::List Bundles::all(const Log& log) {
  const std::lock_guard lock(mutex_);
  for (auto& [name, bytes] : std::exchange(linked_, {})) {
    try {
      list_.push_back(std::make_shared<const KernelBundle>(std::move(name), bytes));
    } catch (const FftError& error) {
      log.warn(error.message());
    }
  }
  return list_;
}

void load_kernels(const std::filesystem::path& file) {
  Bundles::process().add(KernelBundle::read(file.string()));
}

LinkedKernels::LinkedKernels(const char* name, const unsigned char* begin,
                             const unsigned char* end) noexcept {
  Bundles::process().add_linked(
      name, {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)});
}

}  // namespace sonoma
