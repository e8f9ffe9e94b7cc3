#include "function_text.hpp"

#include <sstream>

namespace sonoma {

std::string wrapped(const std::vector<std::string>& pieces, std::string_view indent) {
  std::string text, line;
  for (const std::string& piece : pieces) {
    if (!line.empty() && indent.size() + line.size() + 1 + piece.size() > text_width) {
      text += std::string(indent) + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + piece;
  }
  return line.empty() ? text : text + std::string(indent) + line + "\n";
}

std::string broken_comments(const std::string& lines) {
  std::istringstream stream(lines);
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = std::min(line.find_first_not_of("/ "), line.size());
    const std::string further = line.substr(0, begin) + "  ";
    while (line.size() > text_width) {
      const std::size_t end = line.rfind(' ', text_width);
      if (end == std::string::npos || end <= further.size()) break;
      text += line.substr(0, end) + "\n";
      line.replace(0, end + 1, further);
    }
    text += line + "\n";
  }
  return text;
}

std::vector<std::string> packed(const std::vector<std::string>& pieces) {
  std::vector<std::string> lines;
  for (const std::string& piece : pieces) {
    if (lines.empty() || 2 + lines.back().size() + 1 + piece.size() > text_width) {
      lines.push_back(piece);
    } else {
      lines.back() += " " + piece;
    }
  }
  return lines;
}

namespace {

std::vector<std::string> split_at(const std::string& text, const std::string& separator,
                                  std::size_t kept) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = text.find(separator, at)) != std::string::npos;) {
    pieces.push_back(text.substr(begin, at + kept - begin));
    begin = at + kept + 1;
    at += separator.size();
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

// "NAME(a, b, c" and what closes it, which begins with ')'.
std::string list_text(const std::string& begin, const std::vector<std::string>& list,
                      const std::string& end) {
  const std::string further(begin.size(), ' ');
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool last = i + 1 == list.size();
    const std::string piece = list[i] + (last ? end : list[i].ends_with(',') ? "" : ",");
    const bool fits = begin.size() + piece.size() <= text_width;
    const auto parts = fits ? std::vector{piece} : split_at(piece, " + ", 2);
    pieces.insert(pieces.end(), parts.begin(), parts.end());
  }
  if (pieces.empty()) pieces.push_back(end);
  std::string text = wrapped(pieces, further);
  return text.replace(0, begin.size(), begin);
}

}  // namespace

std::string statement_text(const std::string& statement, std::string_view indent) {
  const std::string text = std::string(indent) + statement;
  if (text.size() <= text_width || text.find('\n') != std::string::npos) return text + "\n";
  const std::size_t open = text.find('(') + 1;
  return list_text(text.substr(0, open), split_at(text.substr(open), ", ", 1), "");
}

std::string call_text(const std::string& name, const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += (text.empty() ? "" : ", ") + argument;
  return name + "(" + text + ");";
}

std::string Functions::name_of(const std::string& wish, const FunctionBody& body) {
  std::string statements;
  for (const std::string& one : body.statements) statements += statement_text(one, "  ");
  const std::string key = body.result + " " + wish + "(" + body.parameters + ")" + statements;
  const auto [known, added] = names_.emplace(key, wish);
  if (!added) return known->second;
  const unsigned number = ++called_[wish];
  if (number > 1) known->second += "_" + std::to_string(number);
  if (!body.of.empty()) text_ += "template <" + body.of + ">\n";
  text_ += list_text("DEVICE " + body.result + " " + known->second + "(",
                     split_at(body.parameters, ", ", 1), ") {") +
           statements + "}\n";
  return known->second;
}

}  // namespace sonoma
