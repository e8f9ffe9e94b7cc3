#include "asked_problems.hpp"

#include <utility>

#include "arguments.hpp"
#include "array_axes.hpp"

namespace sonoma::cli {

std::vector<std::optional<std::string>> values_of(const std::optional<std::string>& list) {
  if (!list) return {std::nullopt};
  std::vector<std::optional<std::string>> values;
  std::size_t start = 0;
  for (std::size_t comma = 0; comma != std::string::npos; start = comma + 1) {
    comma = list->find(',', start);
    values.emplace_back(list->substr(start, comma - start));
  }
  return values;
}

std::vector<RequestOptions> one_by_one(const RequestOptions& options, const LengthsTaken& taken) {
  using Member = std::optional<std::string> RequestOptions::*;
  std::vector<RequestOptions> all;
  const auto append = [&](Member member, const std::string& value) {
    all.push_back(options);
    all.back().*member = value;
  };
  const Member shape = options.array ? &RequestOptions::array : &RequestOptions::shape;
  if (options.*shape) {
    const char* name = options.array ? "--array" : "--shape";
    for (const auto& one : parse_shapes(name, *(options.*shape))) append(shape, to_shape(one));
    return all;
  }
  if (!options.n) return {options};
  for (const std::int64_t n : parse_lengths("--n", *options.n, taken.longest, taken.allowed)) {
    append(&RequestOptions::n, std::to_string(n));
  }
  return all;
}

namespace {

// What --array says.
void check_beside_array(const RequestOptions& options) {
  using Given = std::pair<const char*, const std::optional<std::string>*>;
  for (const auto& [name, text] :
       {Given{"--in-stride", &options.in_stride}, Given{"--in-dist", &options.in_dist},
        Given{"--out-stride", &options.out_stride}, Given{"--out-dist", &options.out_dist},
        Given{"--loops", &options.loops}, Given{"--channels", &options.channels}}) {
    if (!*text) continue;
    throw BadArgument(name, **text,
                      "goes with --n or --shape; where points lie --array says: leave one of the "
                      "two out");
  }
}

}  // namespace

FftProblem problem_asked(const RequestOptions& options) {
  if (options.array) {
    check_beside_array(options);
    const std::vector<std::int64_t> shape = parse_shape("--array", *options.array);
    return problem_of_array({options, "the array", shape}).problem;
  }
  if (options.axes) {
    throw BadArgument("--axes", *options.axes,
                      "goes with --array, the shape of what they are the axes of, e.g. --array "
                      "8x256x256x3 --axes 1,2");
  }
  return problem_of(options, lengths_of(options));
}

}  // namespace sonoma::cli
