// The dictionary literal at the head of a .npy file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sonoma::cli {

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Accepts the Python literals numpy writes: {'descr': '<c8', 'fortran_order': False,
/// 'shape': (3, 4), } with the keys in any order and free white space. Throws NpyError.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text);

[[nodiscard]] std::string to_string(const NpyHeader& header);

}  // namespace sonoma::cli
