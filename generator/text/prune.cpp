#include "prune.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace sonoma {
namespace {

enum class Kind { keep, heading, declaration };

struct Chunk {
  Kind kind = Kind::keep;
  std::string text;
  std::string name;                  // of the declaration
  std::set<std::string> uses;        // identifiers in it
  std::set<std::string> parameters;  // those of its parameters
  bool used = false;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string without_comment(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}

std::set<std::string> identifiers(std::string_view text) {
  std::set<std::string> words;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::string word;
    for (const char c : without_comment(line) + ' ') {
      if (is_word(c)) {
        word += c;
      } else if (!word.empty()) {
        words.insert(std::move(word));
        word.clear();
      }
    }
  }
  return words;
}

// The word that ends right before `end`.
std::string word_before(const std::string& text, std::size_t end) {
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t first = end;
  while (first > 0 && is_word(text[first - 1])) --first;
  return text.substr(first, end - first);
}

// The name a declaration introduces: after struct, enum class, using or constexpr, or before the
// first parenthesis of a function.
std::string declared_name(const std::string& code) {
  std::string text = code;
  if (text.starts_with("template")) {
    const std::size_t end = text.find(">\n");
    text = text.substr(end == std::string::npos ? 0 : end + 2);
  }
  if (text.starts_with("DEVICE")) return word_before(text, text.find('('));
  return word_before(text, text.find_first_of("<{=;"));
}

std::string parameters_of(const std::string& code) {
  const std::size_t open = code.find('(');
  return open == std::string::npos ? "" : code.substr(open, code.find(')', open) - open);
}

class Splitter {
 public:
  std::vector<Chunk> split(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) take(line);
    flush(Kind::keep);
    return std::move(chunks_);
  }

 private:
  void flush(Kind kind) {
    if (pending_.empty()) return;
    Chunk chunk{kind, pending_, {}, {}, {}, false};
    if (kind == Kind::declaration) {
      chunk.name = declared_name(code_);
      if (code_.find("operator") != std::string::npos) chunk.kind = Kind::keep;
      chunk.uses = identifiers(code_);
      chunk.parameters = identifiers(parameters_of(code_));
    }
    chunks_.push_back(std::move(chunk));
    pending_.clear();
    code_.clear();
  }

  void take(const std::string& line) {
    const std::string code = without_comment(line);
    const bool outside = depth_ == 0 && code_.empty();
    if (outside && line.empty()) {
      pending_ += '\n';
      return flush(Kind::keep);
    }
    if (outside && line.starts_with("// ---")) {
      flush(Kind::keep);
      pending_ = line + '\n';
      return flush(Kind::heading);
    }
    pending_ += line + '\n';
    if (outside && line.starts_with("#") && !line.starts_with("#pragma")) return flush(Kind::keep);
    if (code.empty()) return;  // a comment line
    code_ += code + '\n';
    for (const char c : code) depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
    const bool complete = code.back() == ';' || code.back() == '}';
    if (depth_ == 0 && complete && !line.starts_with("#")) flush(Kind::declaration);
  }

  std::vector<Chunk> chunks_;
  std::string pending_, code_;
  int depth_ = 0;
};

using Parts = std::vector<std::vector<Chunk>>;

template <class Visit>
void for_each_declaration(Parts& parts, Visit visit) {
  for (auto& part : parts) {
    for (Chunk& chunk : part) {
      if (chunk.kind == Kind::declaration) visit(chunk);
    }
  }
}

// Of functions of one name those are needed whose parameters have types that are.
void mark_used(Parts& parts, std::set<std::string> wanted) {
  std::map<std::string, unsigned> declared;
  std::set<std::string> types;
  for_each_declaration(parts, [&](const Chunk& chunk) {
    ++declared[chunk.name];
    if (chunk.text.find("\nstruct ") != chunk.text.npos || chunk.text.starts_with("struct ")) {
      types.insert(chunk.name);
    }
  });
  const auto needed = [&](const Chunk& chunk) {
    if (!wanted.contains(chunk.name)) return false;
    if (declared[chunk.name] == 1 || types.contains(chunk.name)) return true;
    return std::all_of(chunk.parameters.begin(), chunk.parameters.end(), [&](const auto& word) {
      return !types.contains(word) || wanted.contains(word);
    });
  };
  for (bool grown = true; grown;) {
    grown = false;
    for_each_declaration(parts, [&](Chunk& chunk) {
      if (chunk.used || !needed(chunk)) return;
      chunk.used = grown = true;
      wanted.insert(chunk.uses.begin(), chunk.uses.end());
    });
  }
}

std::string join(const std::vector<Chunk>& part) {
  std::string text, heading;
  for (const Chunk& chunk : part) {
    if (chunk.kind == Kind::heading) heading = chunk.text;
    const bool blank = chunk.text == "\n";
    if (chunk.kind == Kind::heading || (chunk.kind == Kind::declaration && !chunk.used)) continue;
    if (chunk.kind == Kind::declaration) text += std::exchange(heading, {});
    if (blank && (text.empty() || text.ends_with("\n\n"))) continue;
    text += chunk.text;
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

std::string prune(const std::vector<TextPart>& parts, std::string_view kernel) {
  Parts chunks;
  std::set<std::string> wanted = identifiers(kernel);
  for (const TextPart& part : parts) {
    chunks.push_back(Splitter().split(part.text));
    for (const Chunk& chunk : chunks.back()) {
      if (chunk.kind != Kind::keep) continue;
      const std::set<std::string> words = identifiers(chunk.text);
      wanted.insert(words.begin(), words.end());
    }
  }
  mark_used(chunks, std::move(wanted));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::none_of(chunks[i].begin(), chunks[i].end(), [](const Chunk& c) { return c.used; })) {
      continue;
    }
    text += "// ===== " + std::string(parts[i].title) + " =====\n" + join(chunks[i]) + "\n";
  }
  return text;
}

}  // namespace sonoma
