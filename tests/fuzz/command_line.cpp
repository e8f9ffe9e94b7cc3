// The words of a request: of the second half of `sonoma compare`, of the command in an edited
// kernel, and of every subcommand that takes a transform.
#include <algorithm>
#include <limits>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "cli/request_words.hpp"
#include "fuzz.hpp"
#include "option_words.hpp"

namespace {

using namespace sonoma;

// Words that no quotes can hold are left out: the line has none for them.
void require_words(const std::vector<std::string>& words) {
  const bool plain = std::ranges::all_of(words, [](const std::string& word) {
    return word.find_first_of("\"\n") == std::string::npos;
  });
  if (plain) {
    fuzz::require(cli::words_of(cli::line_of(words)) == words, "other words", cli::line_of(words));
  }
}

// What they print as, as options again.
void require_round_trip(const cli::RequestOptions& options) {
  const std::vector<std::string> words = cli::words_of(options);
  require_words(words);
  fuzz::require_equal(cli::line_of(cli::words_of(cli::parse_request(words, "printed").options)),
                      cli::line_of(words), "other options");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line = fuzz::text_of(data, size);
  if (line.find('\0') != line.npos) return 0;  // no word of a shell has one
  const std::vector<std::string> words = cli::words_of(line);
  require_words(words);
  constexpr cli::LengthsTaken taken = {std::numeric_limits<std::int64_t>::max(), "anything"};
  try {
    const cli::RequestOptions options = cli::parse_request(words, "the input").options;
    require_round_trip(options);
    (void)cli::target_of(options);
    (void)cli::plan_options_of(options);
    (void)cli::one_by_one(options, taken);
    fuzz::require_round_trip(cli::problem_asked(options), cli::tuning_of(options));
  } catch (const UnsupportedProblem& refusal) {
    fuzz::require_named(refusal);
  } catch (const cli::BadArgument& refusal) {
    fuzz::require_message(refusal);
  }
  return 0;
}
