#include "sonoma/version.hpp"

#include "commit.hpp"

namespace sonoma {

const char* version() noexcept { return SONOMA_VERSION; }

const char* commit() noexcept { return source_commit; }

}  // namespace sonoma
