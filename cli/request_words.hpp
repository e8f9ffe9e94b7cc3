// Requests that are words: of a second set of options, or of the command in an emitted kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "request_options.hpp"

namespace sonoma::cli {

/// The words of a line: blanks part them, "quotes" hold them together.
[[nodiscard]] std::vector<std::string> words_of(std::string_view line);

/// The same in the other direction.
[[nodiscard]] std::string line_of(const std::vector<std::string>& words);

struct WordedRequest {
  RequestOptions options;
  std::optional<std::string> pass;  ///< --pass, as `emit` takes it
};

/// The options that `emit` takes of a request, and --device. `who`: who said them, for messages.
/// Throws BadArgument.
[[nodiscard]] WordedRequest parse_request(const std::vector<std::string>& words,
                                          const std::string& who);

/// The words of which parse_request() makes these options.
[[nodiscard]] std::vector<std::string> words_of(const RequestOptions& request);

/// `own`, where it says nothing about lengths, memory and the rest of a transform with what `other`
/// says; not its tuning.
[[nodiscard]] RequestOptions with_problem_of(RequestOptions own, const RequestOptions& other);
/// The same with the tuning, field by field; nothing where the two are of different transforms.
[[nodiscard]] RequestOptions with_all_of(RequestOptions own, const RequestOptions& other);

}  // namespace sonoma::cli
