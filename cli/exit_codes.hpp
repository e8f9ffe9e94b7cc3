// What the process says to the shell. Documented in `sonoma --help`.
#pragma once

namespace sonoma::cli {

enum ExitCode : int {
  exit_ok = 0,
  exit_not_verified = 1,   ///< a transform (or a cache entry) failed its check
  exit_bad_argument = 2,   ///< the command line or the request is wrong
  exit_runtime_error = 3,  ///< compiler, device, files
};

}  // namespace sonoma::cli
