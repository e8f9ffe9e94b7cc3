// Tables as numbers of a .cu.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/launch_kernel.hpp"

namespace sonoma {

/// "TYPE NAME[2] = {...};", 16 bytes a line, or nothing for no tables.
[[nodiscard]] std::string table_text(const std::string& type, const std::string& name,
                                     const std::vector<std::uint32_t>& table);

/// Of the i-th launch; empty where it takes none.
[[nodiscard]] std::string table_name(const std::string& form,
                                     const std::vector<LaunchKernel>& kernels, std::size_t i);

/// Those of all launches, in device memory and known by their names.
[[nodiscard]] std::string tables_text(const std::string& form,
                                      const std::vector<LaunchKernel>& kernels);

}  // namespace sonoma
