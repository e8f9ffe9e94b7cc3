#include "sonoma/program.hpp"

#include <algorithm>

#include "sonoma/error_limit.hpp"

namespace sonoma {
namespace {

// In the order in which they run.
template <class Visit>
void for_each_pass(const Program& program, Visit visit) {
  for (const Launch& launch : program.launches) {
    visit(launch.pass, launch.shape);
    if (launch.fusion) visit(launch.fusion->pass, launch.fusion->shape);
  }
}

}  // namespace

Roundings roundings_of(const Program& program) {
  const Launch& first = program.launches.front();
  if (!first.pass.part) return roundings_of(first.shape);
  Roundings all{.arithmetic = first.shape.arithmetic};
  if (first.pass.part->convolution) {
    all.convolution_points = first.pass.part->points();
    all.products = 3;
  }
  for_each_pass(program, [&](const Pass& pass, const Shape& shape) {
    const Roundings one = roundings_of(shape);
    const unsigned ways = pass.convolves() ? 2 : 1;
    all.half_data += ways * one.half_data;
    all.half_matrices += ways * one.half_matrices;
    for (std::int64_t& behind : all.behind_boundaries) behind *= pass.n();
    if (pass.out.storage == Storage::c12e8) all.behind_boundaries.push_back(1);
  });
  return all;
}

double error_limit(const Program& program) {
  return error_limit(program.problem, roundings_of(program));
}

unsigned counter_bytes(unsigned slots) {
  constexpr unsigned ticket_bytes = 128;  // counters of different blocks' business lie so far apart
  const unsigned bytes = ticket_bytes + 2 * slots * 4;
  return (bytes + 255) / 256 * 256;
}

std::string check(const Fusion& fusion, std::uint64_t tiles) {
  if (fusion.slots < 2) return "a ring of fewer than two slots";
  if (fusion.lag < tiles) return "a tile of the second pass before the first pass of its transform";
  if (fusion.lag > (fusion.slots - 1) * tiles) {
    return "a tile of the first pass before the second pass has left its slot";
  }
  return {};
}

std::int64_t Program::together(std::int64_t batch) const {
  return transforms_together == 0 ? batch : std::min(batch, transforms_together);
}

std::uint64_t Program::workspace_bytes(std::int64_t batch) const {
  std::uint64_t transforms = static_cast<std::uint64_t>(together(batch)), counters = 0;
  if (const auto& fusion = launches.front().fusion) {
    transforms = std::min<std::uint64_t>(transforms, fusion->slots);
    counters = counter_bytes(fusion->slots);
  }
  return counters + static_cast<std::uint64_t>(workspace_points) * transforms *
                        point_bytes(launches.front().pass.out.storage);
}

std::int64_t Program::place_of(std::int64_t k) const {
  const auto& part = launches.front().pass.part;
  if (problem.order == Order::natural || !part || part->convolution) return k;
  std::int64_t place = 0;
  for (const std::int64_t length : part->lengths) {
    place = place * length + k % length;
    k /= length;
  }
  return place;
}

std::string to_string(Buffer buffer) {
  static constexpr const char* names[] = {"input", "workspace", "output"};
  return names[static_cast<int>(buffer)];
}

std::string to_string(const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Launch& launch = program.launches[i];
    text += "launch " + std::to_string(i + 1) + ": " + to_string(launch.from) + " to " +
            to_string(launch.to) + ", " + to_string(launch.pass) + "\n  " +
            to_string(tuning_of(launch.shape)) + "\n";
    if (const auto& fusion = launch.fusion) {
      text += "  in turns with " + to_string(fusion->pass) + "\n  " +
              to_string(tuning_of(fusion->shape)) + "\n  through a ring of " +
              std::to_string(fusion->slots) + " transforms, " + std::to_string(fusion->lag) +
              " tiles behind\n";
    }
  }
  return text;
}

}  // namespace sonoma
