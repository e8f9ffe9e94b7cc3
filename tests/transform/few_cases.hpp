// Few transforms beside many: other blocks, or other launches, and the same bits.
#pragma once

#include <ostream>

#include "real_cases.hpp"

namespace sonoma::test {

struct FewOf {
  Domain domain;
  Shape lengths;
  std::int64_t many;
};
void PrintTo(const FewOf& c, std::ostream* out);

/// The plan of one has other launches than that of many, and its result is the bits of their first.
void expect_bits_of_many(const FewOf& c);

}  // namespace sonoma::test
