// How much memory a plan may take beside in and out.
#pragma once

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// fast: as much as the fastest execution takes. minimal: one transform at a time, and nothing
/// where one launch serves.
enum class WorkspacePolicy { fast, minimal };

}  // namespace sonoma
