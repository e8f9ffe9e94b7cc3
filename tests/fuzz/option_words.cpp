#include "option_words.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "cli/request_words.hpp"
#include "fuzz.hpp"
#include "runtime/src/request_words.hpp"

namespace sonoma::fuzz {
namespace {

// The words that a shell makes of what request_words() prints: blanks part them, 'quotes' hold them
// together.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false, quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' && !quoted) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\'') {
      quoted = !quoted;
    } else {
      words.back() += c == '\\' && !quoted && i + 1 < line.size() ? line[++i] : c;
    }
  }
  return words;
}

}  // namespace

void require_round_trip(const FftProblem& problem, const Tuning& tuning) {
  const std::string printed = request_words(problem, tuning);
  if (printed.find("--array ...") != std::string::npos || printed.starts_with("--array")) return;
  try {
    const auto read = cli::parse_request(shell_words(printed), "what was printed").options;
    require_equal(request_words(cli::problem_asked(read), cli::tuning_of(read)), printed,
                  "a request prints, is read and prints as another one");
  } catch (const std::invalid_argument& refused) {  // BadArgument, UnsupportedProblem
    fail("what is printed of an accepted request is refused", printed + "\n" + refused.what());
  }
}

}  // namespace sonoma::fuzz
