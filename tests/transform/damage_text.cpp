#include "damage_text.hpp"

#include <regex>
#include <sstream>
#include <stdexcept>

namespace sonoma::test {
namespace {

// A function's body, from behind its opening brace to its closing one.
struct Body {
  std::string name;
  std::size_t begin = 0, size = 0;
};

Body body_from(const std::string& text, std::size_t name, const std::string& called) {
  const std::size_t begin = text.find("{\n", name) + 2;
  return {called, begin, text.find("\n}\n", begin) + 1 - begin};
}

Body body_of(const std::string& text, const std::string& name) {
  const std::regex definition("(^|[ \\n])" + name + "\\((\\n|[^;]*\\{\\n)");
  std::smatch match;
  if (!std::regex_search(text, match, definition)) throw std::invalid_argument("no " + name);
  return body_from(text, static_cast<std::size_t>(match.position()), name);
}

std::vector<Body> plan_functions(const std::string& text) {
  std::vector<Body> bodies;
  const std::regex definition("\nDEVICE [a-z0-9]+ ([a-z0-9_]+)\\([^;]*?\\{\n");
  const std::size_t begin = text.find("// ===== this plan ====="),
                    end = text.find("// ===== the kernel =====");
  const auto first = text.cbegin() + static_cast<std::ptrdiff_t>(begin),
             last = text.cbegin() + static_cast<std::ptrdiff_t>(end);
  for (std::sregex_iterator m(first, last, definition), none; m != none; ++m) {
    const std::size_t at = begin + static_cast<std::size_t>(m->position());
    bodies.push_back(body_from(text, at + 1, (*m)[1]));
  }
  return bodies;
}

// Statements of one line that declare nothing. A line behind a comma goes on with a declaration.
std::vector<std::string> statements_of(const std::string& text, const Body& body) {
  std::istringstream lines(text.substr(body.begin, body.size));
  const std::regex statement(
      "  (?!const|float|unsigned|return|\\w+ \\w+;|.*; (?:const|float|unsigned))[a-z_].*;");
  std::vector<std::string> found;
  bool begins = true;
  for (std::string line; std::getline(lines, line); begins = !line.ends_with(',')) {
    if (begins && std::regex_match(line, statement)) found.push_back(line);
  }
  return found;
}

Damage at(const std::string& text, const Body& body, std::size_t place, std::size_t size,
          const std::string& to) {
  Damage damage{body.name + ": " + text.substr(place, size) + " -> " + to, text};
  damage.text.replace(place, size, to);
  return damage;
}

}  // namespace

Damage replaced(const std::string& text, const std::string& from, const std::string& to) {
  Damage damage{from + " -> " + to, text};
  std::size_t found = text.find(from);
  if (found == std::string::npos) throw std::invalid_argument("no " + from);
  for (; found != std::string::npos; found = damage.text.find(from, found + to.size())) {
    damage.text.replace(found, from.size(), to);
  }
  return damage;
}

Damage in_function(const std::string& text, const std::string& name, const std::string& pattern,
                   const std::string& to) {
  const Body body = body_of(text, name);
  const std::string was = text.substr(body.begin, body.size);
  const std::string is = std::regex_replace(was, std::regex(pattern), to);
  if (was == is) throw std::invalid_argument("no " + pattern + " in " + name);
  Damage damage{name + ": " + pattern + " -> " + to, text};
  damage.text.replace(body.begin, body.size, is);
  return damage;
}

std::vector<Damage> each_in_function(const std::string& text, const std::string& name,
                                     const std::string& pattern, const std::string& to) {
  const Body body = body_of(text, name);
  const std::string was = text.substr(body.begin, body.size);
  const std::regex regex(pattern);
  std::vector<Damage> damages;
  for (std::sregex_iterator m(was.begin(), was.end(), regex), end; m != end; ++m) {
    damages.push_back(at(text, body, body.begin + static_cast<std::size_t>(m->position()),
                         static_cast<std::size_t>(m->length()), m->format(to)));
  }
  if (damages.empty()) throw std::invalid_argument("no " + pattern + " in " + name);
  return damages;
}

std::vector<Damage> without_statements(const std::string& text) {
  std::vector<Damage> damages;
  for (const Body& body : plan_functions(text)) {
    const std::vector<std::string> statements = statements_of(text, body);
    // A scale has room for a point that the maximum has missed.
    if (statements.empty() || body.name == "largest_magnitude") continue;
    const std::string& one = statements[(statements.size() - 1) / 4];
    damages.push_back(at(text, body, text.find(one, body.begin), one.size(), "  ;"));
  }
  return damages;
}

std::vector<Damage> off_by_one(const std::string& text) {
  // But of columns, whose limit a batch may not come near, and of the numbers of a column's points,
  // of which only the last one is at their limit.
  static const std::regex number("([+^] |, )(\\d+)(?! < (?:columns|end))(?=[u),;} ])");
  std::vector<Damage> damages;
  for (const Body& body : plan_functions(text)) {
    const std::string was = text.substr(body.begin, body.size);
    std::vector<std::smatch> matches;
    for (std::sregex_iterator m(was.begin(), was.end(), number), end; m != end; ++m) {
      matches.push_back(*m);
    }
    if (matches.empty()) continue;
    const std::smatch& one = matches[matches.size() / 2];
    damages.push_back(at(text, body, body.begin + static_cast<std::size_t>(one.position(2)),
                         static_cast<std::size_t>(one.length(2)),
                         std::to_string(std::stoull(one[2]) + 1)));
  }
  return damages;
}

}  // namespace sonoma::test
