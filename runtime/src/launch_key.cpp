#include "launch_key.hpp"

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace sonoma {
namespace {

// Words, each followed by a blank. Structs go in by structured bindings: with a member more they do
// not compile before it is here.
class Key {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (add_one(values), ...);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add_word(std::string_view word) { text_.append(word).push_back(' '); }

  template <std::integral T>
  void add_one(T value) {
    add_word(std::to_string(value));
  }
  template <class T>
  requires std::is_enum_v<T>
  void add_one(T value) { add_one(static_cast<std::int64_t>(value)); }
  // The shortest text that is read as this value.
  void add_one(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    add_word({text, end});
  }
  void add_one(const std::string& text) {
    add_one(text.size());
    add_word(text);
  }
  template <class T>
  void add_one(const std::optional<T>& value) {
    if (!value) return add_word("-");
    add_word("+"), add_one(*value);
  }
  template <class T>
  void add_one(const std::vector<T>& values) {
    add_one(values.size());
    for (const T& value : values) add_one(value);
  }

  void add_one(const Loop& loop) {
    const auto& [count, in_stride, out_stride, in_index, out_index] = loop;
    add(count, in_stride, out_stride, in_index, out_index);
  }
  void add_one(const DataLayout& layout) {
    const auto& [in_stride, out_stride, in_dist, out_dist, loops, in_strides, out_strides] = layout;
    add(in_stride, out_stride, in_dist, out_dist, loops, in_strides, out_strides);
  }
  void add_one(const Ends::Index& index) {
    const auto& [step, lengths] = index;
    add(step, lengths);
  }
  void add_one(const Ends& ends) {
    const auto& [in_length, out_length, load_code, store_code, in_lengths, out_lengths, in_index,
                 out_index] = ends;
    add(in_length, out_length, load_code, store_code, in_lengths, out_lengths, in_index, out_index);
  }
  void add_one(const Accuracy& accuracy) {
    const auto& [arithmetic, max_rel_l2] = accuracy;
    add(arithmetic, max_rel_l2);
  }
  void add_one(const Decomposition& decomposition) {
    const auto& [radices] = decomposition;
    add(radices);
  }
  void add_one(const FftProblem& problem) {
    const auto& [lengths, batch, direction, domain, storage, out_storage, placement, layout, ends,
                 order, scale, orthogonal, accuracy, convolution] = problem;
    add(lengths, batch, direction, domain, storage, out_storage, placement, layout, ends, order,
        scale, orthogonal, accuracy, convolution);
  }
  void add_one(const Convolution& convolution) {
    const auto& [real, correlate, spectrum_dist, spectrum_strides, spectrum_stride, channels] =
        convolution;
    add(real, correlate, spectrum_dist, spectrum_strides, spectrum_stride, channels);
  }
  void add_one(const Channels& channels) {
    const auto& [count, in_dist, spectrum_dist] = channels;
    add(count, in_dist, spectrum_dist);
  }
  void add_one(const FilterSide& side) {
    const auto& [stride, dist, loops, values, conjugated, pairs, channels] = side;
    add(stride, dist, loops, values, conjugated, pairs, channels);
  }
  void add_one(const Part& part) {
    const auto& [lengths, number, whole, tree, convolution] = part;
    add(lengths, number, whole, tree, convolution);
  }
  void add_one(const PassSide& side) {
    const auto& [storage, stride, dist, end, half, first_axis, first] = side;
    add(storage, stride, dist, end, half, first_axis, first);
  }
  void add_one(const Factor& factor) {
    const auto& [kind, length] = factor;
    add(kind, length);
  }
  void add_one(const Pass& pass) {
    const auto& [problem, in, out, loops, before, between, after, by_powers, filter, part,
                 pairs_of] = pass;
    add(problem, in, out, loops, before, between, after, by_powers, filter, part, pairs_of);
  }
  void add_one(const Tree& tree) {
    const auto& [decomposition, tensor_steps] = tree;
    add(decomposition, tensor_steps);
  }
  void add_one(const Shares& shares) {
    const auto& [cluster, rounds] = shares;
    add(cluster, rounds);
  }
  void add_one(const Stagings& staging) {
    const auto& [load, store] = staging;
    add(load, store);
  }
  void add_one(const Shape& shape) {
    const auto& [method, tree, arithmetic, points_per_thread, block_points, registers, threads,
                 opposite, shares, twiddles, staging] = shape;
    add(method, tree, arithmetic, points_per_thread, block_points, registers, threads, opposite,
        shares, twiddles, staging);
  }
  void add_one(const Fusion& fusion) {
    const auto& [pass, shape, slots, lag] = fusion;
    add(pass, shape, slots, lag);
  }
  void add_one(const Launch& launch) {
    const auto& [pass, shape, from, to, fusion] = launch;
    add(pass, shape, from, to, fusion);
  }
  void add_one(const Target& target) {
    const auto& [arch, sms, shared_bytes, registers] = target;
    add(arch, sms, shared_bytes, registers);
  }

  std::string text_;
};

}  // namespace

std::string launch_key(const Launch& launch, const Target& target) {
  Key key;
  key.add(target, launch);
  return key.text();
}

}  // namespace sonoma
