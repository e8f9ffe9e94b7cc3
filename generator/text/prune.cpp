#include "prune.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sonoma {
namespace {

enum class Kind { keep, heading, declaration };

using Words = std::vector<std::string_view>;  // parts of a text that outlives them

struct Chunk {
  Kind kind = Kind::keep;
  std::string_view text;
  std::string name;  // of the declaration
  std::string parameters;
  bool used = false;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view without_comment(std::string_view line) {
  const std::string_view code = line.substr(0, line.find("//"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}

// Takes the first line, without its end, from the front of a text.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

Words identifiers(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::string_view code = without_comment(next_line(text));
    for (std::size_t at = 0; at < code.size(); ++at) {
      const std::size_t first = at;
      while (at < code.size() && is_word(code[at])) ++at;
      if (at > first) words.push_back(code.substr(first, at - first));
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
  std::vector<Chunk> split(std::string_view text) {
    pending_ = text.substr(0, 0);
    while (!text.empty()) take(next_line(text));
    flush(Kind::keep);
    return std::move(chunks_);
  }

 private:
  void flush(Kind kind) {
    if (pending_.empty()) return;
    Chunk chunk{kind, pending_, {}, {}, false};
    pending_.remove_prefix(pending_.size());
    if (kind == Kind::declaration) {
      chunk.name = declared_name(code_);
      if (code_.find("operator") != std::string::npos) chunk.kind = Kind::keep;
      chunk.parameters = parameters_of(code_);
    }
    chunks_.push_back(std::move(chunk));
    code_.clear();
  }

  // Adds a line, which follows what is pending in the text, and its end.
  void append(std::string_view line) {
    pending_ = {pending_.data(), pending_.size() + line.size() + 1};
  }

  void take(std::string_view line) {
    const std::string_view code = without_comment(line);
    const bool outside = depth_ == 0 && code_.empty();
    if (outside && line.empty()) {
      append(line);
      return flush(Kind::keep);
    }
    if (outside && line.starts_with("// ---")) {
      flush(Kind::keep);
      append(line);
      return flush(Kind::heading);
    }
    append(line);
    if (outside && line.starts_with("#") && !line.starts_with("#pragma")) return flush(Kind::keep);
    if (code.empty()) return;  // a comment line
    code_.append(code).append("\n");
    for (const char c : code) depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
    const bool complete = code.back() == ';' || code.back() == '}';
    if (depth_ == 0 && complete && !line.starts_with("#")) flush(Kind::declaration);
  }

  std::vector<Chunk> chunks_;
  std::string_view pending_;
  std::string code_;
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
void mark_used(Parts& parts, std::unordered_set<std::string_view> wanted) {
  std::unordered_map<std::string_view, unsigned> declared;
  std::unordered_set<std::string_view> types;
  for_each_declaration(parts, [&](const Chunk& chunk) {
    ++declared[chunk.name];
    if (chunk.text.find("\nstruct ") != chunk.text.npos || chunk.text.starts_with("struct ")) {
      types.insert(chunk.name);
    }
  });
  const auto needed = [&](const Chunk& chunk) {
    if (!wanted.contains(chunk.name)) return false;
    if (declared[chunk.name] == 1 || types.contains(chunk.name)) return true;
    return std::ranges::all_of(identifiers(chunk.parameters), [&](std::string_view word) {
      return !types.contains(word) || wanted.contains(word);
    });
  };
  for (bool grown = true; grown;) {
    grown = false;
    for_each_declaration(parts, [&](Chunk& chunk) {
      if (chunk.used || !needed(chunk)) return;
      chunk.used = grown = true;
      const Words uses = identifiers(chunk.text);
      wanted.insert(uses.begin(), uses.end());
    });
  }
}

std::string join(const std::vector<Chunk>& part) {
  std::string text;
  std::string_view heading;
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
  const Words called = identifiers(kernel);
  std::unordered_set<std::string_view> wanted(called.begin(), called.end());
  for (const TextPart& part : parts) {
    chunks.push_back(Splitter().split(part.text));
    for (const Chunk& chunk : chunks.back()) {
      if (chunk.kind != Kind::keep) continue;
      const Words words = identifiers(chunk.text);
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
