#include "emitted.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "generator_build.hpp"
#include "launch_key.hpp"
#include "sonoma/launch_kernel.hpp"

namespace sonoma {
namespace {

// The numbers of an entry: of the launch, the bits of its error, and sizes of what follows.
using Numbers = std::array<std::uint64_t, 17>;

Numbers numbers_of(const Emitted& emitted) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  const auto& [name, text, launch, tables] = emitted.source;
  const auto& [threads, shared_bytes, transforms_per_block, cluster, blocks_per_batch, more_blocks,
               stays, counter_bytes, follows, most_blocks, carveout] = launch;
  return {threads,
          shared_bytes,
          transforms_per_block,
          cluster,
          blocks_per_batch,
          more_blocks,
          stays,
          counter_bytes,
          follows ? 1u : 0u,
          most_blocks,
          carveout,
          bits(emitted.error.bound),
          bits(emitted.error.mean_square),
          bits(emitted.error.bias),
          name.size(),
          text.size(),
          tables.size()};
}

LaunchShape shape_of(const Numbers& numbers) {
  const auto small = [&](std::size_t i) { return static_cast<unsigned>(numbers[i]); };
  return {small(0),   small(1), small(2),        small(3), numbers[4], numbers[5],
          numbers[6], small(7), numbers[8] != 0, small(9), small(10)};
}

bool take_number(std::string_view& bytes, std::uint64_t& number) {
  const auto [stop, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), number);
  const auto size = static_cast<std::size_t>(stop - bytes.data());
  if (error != std::errc{} || size == bytes.size() || *stop != '\n') return false;
  bytes.remove_prefix(size + 1);
  return true;
}

std::string_view take(std::string_view& bytes, std::size_t size) {
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(taken.size());
  return taken;
}

}  // namespace

std::string encode(const Emitted& emitted) {
  std::string bytes;
  for (const std::uint64_t number : numbers_of(emitted)) {
    bytes.append(std::to_string(number)).push_back('\n');
  }
  const auto& [name, text, launch, tables] = emitted.source;
  bytes.append(name).append(text);
  bytes.append(reinterpret_cast<const char*>(tables.data()), tables.size() * sizeof tables[0]);
  return bytes;
}

std::optional<Emitted> decode_emitted(std::string_view bytes) {
  Numbers numbers{};
  for (std::uint64_t& number : numbers) {
    if (!take_number(bytes, number)) return std::nullopt;
  }
  const std::uint64_t name = numbers[14], text = numbers[15], words = numbers[16];
  const std::size_t size = bytes.size();
  if (name > size || text > size || words > size || name + text + 4 * words != size) {
    return std::nullopt;
  }
  Emitted emitted;
  emitted.source.name = take(bytes, name);
  emitted.source.text = take(bytes, text);
  emitted.source.launch = shape_of(numbers);
  emitted.source.tables.resize(words);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(emitted.source.tables.data()));
  const auto value = [&](std::size_t i) { return std::bit_cast<double>(numbers[i]); };
  emitted.error = {value(11), value(12), value(13)};
  return emitted;
}

CompileInputs emitted_inputs(const Launch& launch, const Target& target) {
  CompileInputs inputs;
  inputs.kind = "text";
  inputs.name = "n=" + std::to_string(launch.pass.n());
  inputs.arch = arch_name(target);
  inputs.compiler = std::string("generator ") + generator_build;
  inputs.source = launch_key(launch, target);
  return inputs;
}

Emitted emit(const Launch& launch, const Target& target) {
  LaunchKernel kernel = generate(launch, target);
  Emitted emitted{std::move(kernel.source), {}};
  for (const Generated& pass : kernel.passes) emitted.error += pass.error;
  return emitted;
}

Emitted find_or_emit(const DiskCache& cache, const Launch& launch, const Target& target) {
  const CompileInputs inputs = emitted_inputs(launch, target);
  if (const auto found = cache.load(inputs)) {
    if (auto emitted = decode_emitted(found->bytes)) return *std::move(emitted);
    cache.remove(inputs);
  }
  Emitted emitted = emit(launch, target);
  cache.store(inputs, {encode(emitted), {}});
  return emitted;
}

}  // namespace sonoma
