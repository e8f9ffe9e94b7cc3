// What a program takes: its passes, each of which the cost model knows, one after the other or in
// turns of one launch.
#include <algorithm>

#include "columns.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/cost_model.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {
namespace {

// Rows of complex numbers in passes, whose length is no power of two.
bool are_mixed_rows(const Program& program) {
  const FftProblem& problem = program.problem;
  const auto& part = program.launches.front().pass.part;
  return problem.lengths.size() == 1 && problem.domain == Domain::c2c &&
         !is_power_of_two(problem.n()) && part && !part->convolution;
}

// Of the passes' own times.
double share_of_passes(const Program& program, const Speeds& speeds) {
  const bool mixed = are_mixed_rows(program);
  if (!program.launches.front().fusion) return mixed ? speeds.of_mixed_apart : 1;
  return mixed ? speeds.of_mixed_in_one_launch.of_passes : speeds.in_one_launch;
}

// What tiles of both passes take beside that: see OneLaunch.
double waits_of(const Program& program, unsigned blocks, const Speeds& speeds) {
  const Launch& launch = program.launches.front();
  if (!launch.fusion || !are_mixed_rows(program)) return 0;
  const auto column_of_tile = [](const Pass& pass, const Shape& shape) {
    return static_cast<double>(pass.n()) / shape.block_points;
  };
  const auto& rules = speeds.of_mixed_in_one_launch;
  return rules.of_blocks / std::max(1u, blocks) +
         rules.of_columns * (column_of_tile(launch.pass, launch.shape) +
                             column_of_tile(launch.fusion->pass, launch.fusion->shape));
}

// For each column those sectors that another block moves too. Frequencies of real transforms begin
// with no sector, and pairs of numbers are in rows that need not. 100 lengths on an H200
// (bench/results/2026-11-29-h200-tune-long-real.csv.gz): the first choice of 18 to 20 loses 9 (c2r)
// and 8 % (r2c), and without either 10 and 13 %.
double sectors_of_two(const Pass& pass, unsigned columns) {
  constexpr ColumnWeights weights{.crowding = 0};
  const auto n = static_cast<unsigned>(pass.n());
  SideBySide all = side_by_side(pass);
  all.begins_sector = pass.hermitian_rows() == 0 && pass.values(true) != Values::hermitian;
  double sectors = waste_of_columns(n, all, columns, weights) - 1;
  if (pass.values(true) == Values::real) {
    sectors += waste_of_columns(n, {all.columns, pass.in.stride, false}, columns, weights) - 1;
  }
  return sectors;
}

// Of passes of one axis: few columns share many sectors.
double times_of_columns(const Pass& pass, const Shape& shape, const Target& target) {
  if (!pass.part || pass.whole().lengths.size() > 1 || pass.loops.empty()) return 1;
  const unsigned columns = std::max(1u, shape.block_points / static_cast<unsigned>(pass.n()));
  return 1 + profile_of(target).speeds.sectors_of_columns * sectors_of_two(pass, columns);
}

}  // namespace

CostEstimate estimate_cost(const Program& program, const Target& target) {
  const Speeds& speeds = profile_of(target).speeds;
  const double share = share_of_passes(program, speeds);
  CostEstimate cost;
  unsigned blocks = 0;
  const auto add = [&](const Pass& pass, const Shape& shape) {
    const CostEstimate own = estimate_cost(schedule(pass, target, shape), target);
    if (cost.copy == 0) cost.copy = own.copy;  // the first pass reads the type of the request
    cost.memory += own.memory, cost.issue += own.issue;
    cost.shared += own.shared, cost.tensor += own.tensor;
    cost.blocks = own.blocks;
    blocks = blocks == 0 ? own.blocks : std::min(blocks, own.blocks);
    cost.loading_warps = own.loading_warps, cost.each_lap = own.each_lap;
    cost.factors += own.factors, cost.crowded = own.crowded;
    cost.missing_registers = std::max(cost.missing_registers, own.missing_registers);
    cost.total += share * own.total * times_of_columns(pass, shape, target);
  };
  for (const Launch& launch : program.launches) {
    add(launch.pass, launch.shape);
    if (launch.fusion) add(launch.fusion->pass, launch.fusion->shape);
  }
  cost.total += waits_of(program, blocks, speeds);
  return cost;
}

}  // namespace sonoma
