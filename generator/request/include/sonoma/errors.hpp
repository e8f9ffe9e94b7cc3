// Errors of the generator. The runtime's are in sonoma/fft_error.hpp.
#pragma once

#include <stdexcept>
#include <string>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// A request that Sonoma does not (yet) serve. what() names the field, its value, what is allowed
/// and the way out.
class UnsupportedProblem : public std::invalid_argument {
 public:
  UnsupportedProblem(std::string field, std::string value, std::string allowed);

  [[nodiscard]] const std::string& field() const noexcept { return field_; }      ///< argument
  [[nodiscard]] const std::string& value() const noexcept { return value_; }      ///< of it
  [[nodiscard]] const std::string& allowed() const noexcept { return allowed_; }  ///< instead

 private:
  std::string field_, value_, allowed_;
};

/// A bug in the generator: an intermediate value that its own checker rejects. what() ends with
/// the dump of that value.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace sonoma
