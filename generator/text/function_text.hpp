// Functions of a plan: what an operation does to the points of a thread, every line straight.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sonoma {

/// Columns of the emitted text, at most, as far as its pieces allow that.
constexpr std::size_t text_width = 100;

/// `pieces` one after the other, as many in a line as fit, each line after `indent`.
[[nodiscard]] std::string wrapped(const std::vector<std::string>& pieces, std::string_view indent);

/// The same as statements of a function, one for each line.
[[nodiscard]] std::vector<std::string> packed(const std::vector<std::string>& pieces);

/// Comments, the lines that are too long broken between words.
[[nodiscard]] std::string broken_comments(const std::string& lines);

/// A statement; a long one of one line, which is a call, broken after commas.
[[nodiscard]] std::string statement_text(const std::string& statement, std::string_view indent);

/// "NAME(a, b, c);"
[[nodiscard]] std::string call_text(const std::string& name,
                                    const std::vector<std::string>& arguments);

/// What a function does: "float2* p, unsigned column", and statements that end in ';'.
struct FunctionBody {
  std::string parameters;
  std::vector<std::string> statements;
  std::string result = "void";
  std::string of = {};  ///< of a template: "class Load"
};

/// Each distinct function once, in the order in which they are needed first.
class Functions {
 public:
  /// The name of a function that does this: `wish`, or `wish`_2, `wish`_3, ... where there are
  /// others of that name.
  std::string name_of(const std::string& wish, const FunctionBody& body);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::map<std::string, std::string> names_;  // by all that follows the name
  std::map<std::string, unsigned> called_;    // how many have a name
  std::string text_;
};

}  // namespace sonoma
