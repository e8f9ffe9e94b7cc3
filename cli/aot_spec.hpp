// What `sonoma aot` is asked for: by its options, or by a file that lists requests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"
#include "sonoma/ahead_of_time.hpp"

namespace sonoma::cli {

/// A spec that cannot be served. what() begins with the file and the field.
class BadSpec : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct AotRequest {
  std::string where;  ///< "spec.json: requests[2]", or of the options empty
  AheadRequest request;
  std::vector<Target> targets;  ///< ascending, each once
};

/// The architectures of a list, "sm_80,sm_90".
[[nodiscard]] std::vector<Target> parse_archs(const std::string& list);

/// The options of a request: those of `emit`, but for --arch, and --workspace.
struct AotRequestOptions {
  RequestOptions request;
  std::optional<std::string> workspace;

  void add_to(CLI::App& command, const std::string& n_help);
};

/// Of --n, --shape or --array (with lists of each), and the options beside it. Where --batch or
/// --array is given the batch is that one, else any.
[[nodiscard]] std::vector<AheadRequest> requests_asked(const AotRequestOptions& options);

/// Those of a spec. `archs`: those of --arch, which come before the spec's; empty: not given.
/// `name`: of the file, for errors. Throws BadSpec. The format: docs/ahead-of-time.md.
[[nodiscard]] std::vector<AotRequest> requests_of_spec(const std::string& name,
                                                       const std::string& text,
                                                       const std::vector<Target>& archs);

}  // namespace sonoma::cli
