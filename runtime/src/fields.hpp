// The members, in order, of every value that a launch is made of. What writes such values as words,
// or reads them back, goes through here. A struct with a member more does not compile before it is
// named here; a bundle of another version of this list is refused: see bundle_version.
#pragma once

#include <concepts>
#include <type_traits>

#include "sonoma/program.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

// Each calls take(member...) with references to all members.

template <Is<Loop> T, class Take>
void fields(T& value, Take&& take) {
  auto& [count, in_stride, out_stride, in_index, out_index] = value;
  take(count, in_stride, out_stride, in_index, out_index);
}
template <Is<DataLayout> T, class Take>
void fields(T& value, Take&& take) {
  auto& [in_stride, out_stride, in_dist, out_dist, loops, in_strides, out_strides] = value;
  take(in_stride, out_stride, in_dist, out_dist, loops, in_strides, out_strides);
}
template <Is<Ends::Index> T, class Take>
void fields(T& value, Take&& take) {
  auto& [step, lengths] = value;
  take(step, lengths);
}
template <Is<Ends> T, class Take>
void fields(T& value, Take&& take) {
  auto& [in_length, out_length, load_code, store_code, in_lengths, out_lengths, in_index,
         out_index] = value;
  take(in_length, out_length, load_code, store_code, in_lengths, out_lengths, in_index, out_index);
}
template <Is<Accuracy> T, class Take>
void fields(T& value, Take&& take) {
  auto& [arithmetic, max_rel_l2] = value;
  take(arithmetic, max_rel_l2);
}
template <Is<Decomposition> T, class Take>
void fields(T& value, Take&& take) {
  auto& [radices] = value;
  take(radices);
}
template <Is<Convolution> T, class Take>
void fields(T& value, Take&& take) {
  auto& [real, correlate, spectrum_dist, spectrum_strides, spectrum_stride, channels] = value;
  take(real, correlate, spectrum_dist, spectrum_strides, spectrum_stride, channels);
}
template <Is<Channels> T, class Take>
void fields(T& value, Take&& take) {
  auto& [count, in_dist, spectrum_dist] = value;
  take(count, in_dist, spectrum_dist);
}
template <Is<FftProblem> T, class Take>
void fields(T& value, Take&& take) {
  auto& [lengths, batch, direction, domain, storage, out_storage, placement, layout, ends,
         alignment, order, scale, orthogonal, accuracy, convolution] = value;
  take(lengths, batch, direction, domain, storage, out_storage, placement, layout, ends, alignment,
       order, scale, orthogonal, accuracy, convolution);
}
template <Is<FilterSide> T, class Take>
void fields(T& value, Take&& take) {
  auto& [stride, dist, loops, values, conjugated, pairs, channels] = value;
  take(stride, dist, loops, values, conjugated, pairs, channels);
}
template <Is<Part> T, class Take>
void fields(T& value, Take&& take) {
  auto& [lengths, number, whole, tree, convolution] = value;
  take(lengths, number, whole, tree, convolution);
}
template <Is<PassSide> T, class Take>
void fields(T& value, Take&& take) {
  auto& [storage, stride, dist, end, half, first_axis, first, mirror] = value;
  take(storage, stride, dist, end, half, first_axis, first, mirror);
}
template <Is<Mirror> T, class Take>
void fields(T& value, Take&& take) {
  auto& [kind, length] = value;
  take(kind, length);
}
template <Is<Factor> T, class Take>
void fields(T& value, Take&& take) {
  auto& [kind, length] = value;
  take(kind, length);
}
template <Is<Pass> T, class Take>
void fields(T& value, Take&& take) {
  auto& [problem, in, out, loops, before, between, after, by_powers, filter, part, pairs_of,
         packed] = value;
  take(problem, in, out, loops, before, between, after, by_powers, filter, part, pairs_of, packed);
}
template <Is<Tree> T, class Take>
void fields(T& value, Take&& take) {
  auto& [decomposition, tensor_steps] = value;
  take(decomposition, tensor_steps);
}
template <Is<Shares> T, class Take>
void fields(T& value, Take&& take) {
  auto& [cluster, rounds] = value;
  take(cluster, rounds);
}
template <Is<Stagings> T, class Take>
void fields(T& value, Take&& take) {
  auto& [load, store] = value;
  take(load, store);
}
template <Is<Shape> T, class Take>
void fields(T& value, Take&& take) {
  auto& [method, tree, arithmetic, sums, points_per_thread, block_points, registers, threads,
         opposite, shares, twiddles, staging, prefetch, rows] = value;
  take(method, tree, arithmetic, sums, points_per_thread, block_points, registers, threads,
       opposite, shares, twiddles, staging, prefetch, rows);
}
template <Is<Fusion::Asked> T, class Take>
void fields(T& value, Take&& take) {
  auto& [columns, points_per_thread, registers, threads, twiddles] = value;
  take(columns, points_per_thread, registers, threads, twiddles);
}
template <Is<Fusion> T, class Take>
void fields(T& value, Take&& take) {
  auto& [pass, shape, slots, lag, asked] = value;
  take(pass, shape, slots, lag, asked);
}
template <Is<Launch> T, class Take>
void fields(T& value, Take&& take) {
  auto& [pass, shape, from, to, fusion] = value;
  take(pass, shape, from, to, fusion);
}
template <Is<AxisLaunches> T, class Take>
void fields(T& value, Take&& take) {
  auto& [axis, problem, repeat, launches, transforms_together, workspace_points] = value;
  take(axis, problem, repeat, launches, transforms_together, workspace_points);
}
template <Is<Program> T, class Take>
void fields(T& value, Take&& take) {
  auto& [problem, launches, transforms_together, workspace_points, axes] = value;
  take(problem, launches, transforms_together, workspace_points, axes);
}
template <Is<Tuning> T, class Take>
void fields(T& value, Take&& take) {
  auto& [method, engine, radix, decomposition, tensor_steps, products, sums, points_per_thread,
         block_points, registers, threads, opposite, stage_load, stage_store, cluster, rounds,
         twiddles, prefetch, rows, pass_lengths, columns, workspace_points, fused] = value;
  take(method, engine, radix, decomposition, tensor_steps, products, sums, points_per_thread,
       block_points, registers, threads, opposite, stage_load, stage_store, cluster, rounds,
       twiddles, prefetch, rows, pass_lengths, columns, workspace_points, fused);
}
template <Is<Target> T, class Take>
void fields(T& value, Take&& take) {
  auto& [arch, sms, shared_bytes, registers] = value;
  take(arch, sms, shared_bytes, registers);
}

}  // namespace sonoma
