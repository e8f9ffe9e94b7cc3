#include <spdlog/fmt/fmt.h>

#include "flow.hpp"
#include "listing.hpp"
#include "markup.hpp"
#include "occupancy_picture.hpp"
#include "roofline.hpp"
#include "sections.hpp"
#include "stops.hpp"
#include "tree.hpp"

namespace sonoma::cli::page {
namespace {

// A wider picture of the digits is above the stops.
constexpr double widest_beside = 700;

constexpr std::string_view how_to_read =
    "<p>A point of the tile is numbered by digits: <code>t1</code>, <code>t2</code>, ... of its "
    "time, the most significant first, and <code>b</code>, which transform of the block it is of. "
    "A step turns its digit of time into one of frequency, <code>k1</code> of <code>t1</code>. "
    "What a kernel does is where it puts these digits: those in registers a thread can transform "
    "alone; an exchange through shared memory brings others there.</p>\n<p>Follow a colour down. "
    "In a box the digit that changes fastest comes first; a cell is a digit of its own, of two "
    "values where n is a power of two. <code>t1%4</code> and <code>t1/4</code> are remainder and "
    "quotient. Tables show what the first warp holds: a column is a lane, a row a register, a "
    "number the place of a point in the tile. Point at a digit or a place to find it at every "
    "stop.</p>\n";

std::string bytes(double value) { return number(value) + " bytes"; }

Rows costs_of(const Generated& pass) {
  const KernelCosts& costs = pass.costs;
  const LaunchShape& launch = pass.source.launch;
  return {
      {"a block",
       fmt::format(
           "{} threads, {} transforms{}", launch.threads, launch.transforms_per_block,
           launch.cluster > 1 ? fmt::format(", one of {} of a cluster", launch.cluster) : "")},
      {"dynamic shared memory", bytes(launch.shared_bytes)},
      {"moved, a transform", fmt::format("{}, {:.2f} times the minimum", bytes(costs.bytes_moved),
                                         costs.bytes_moved / costs.bytes_minimum)},
      {"tables, a transform", bytes(costs.table_bytes) + ", from the caches"},
      {"arithmetic, a transform",
       number(costs.nominal_flops) + " flops (5 n log2 n)" +
           (costs.mmas == 0 ? "" : ", " + number(costs.tensor_flops) + " on tensor cores")},
      {"trips through shared memory", number(costs.exchanges)},
      {"barriers of a block", number(costs.barriers)},
      {"wavefronts of a block", fmt::format("{}, at least {}", number(costs.shared_wavefronts),
                                            number(costs.shared_wavefronts_minimum))},
      {"error bound", fmt::format("{:.2f} u relative L2, u = 2^-24; of random input {:.2f} u",
                                  pass.error.bound * 0x1p24, pass.error.expected() * 0x1p24)}};
}

Rows binary_of(const Compiled& compiled) {
  Rows rows;
  if (!compiled.cubin) return rows;
  const Cubin& cubin = *compiled.cubin;
  rows.emplace_back("registers of a thread", number(cubin.registers));
  rows.emplace_back("spills", cubin.local_bytes == 0
                                  ? "none"
                                  : bytes(cubin.local_bytes) + " of local memory a thread");
  if (compiled.code.empty()) return rows;
  const InstructionCounts counts = count(compiled.code);
  rows.emplace_back("instructions of a thread", number(counts.all) + ", loops counted once");
  rows.emplace_back("of these FP32",
                    fmt::format("{} ({} fused), {} flops", counts.fused + counts.float32,
                                counts.fused, counts.flops()));
  if (counts.tensor > 0) rows.emplace_back("tensor cores", number(counts.tensor));
  rows.emplace_back("integers and addresses", number(counts.integer));
  rows.emplace_back("global, shared memory", fmt::format("{}, {}", counts.global, counts.shared));
  return rows;
}

std::string occupancy_text(const LaunchShape& launch, const Cubin& cubin, const Target& target) {
  const Occupancy occupancy =
      occupancy_of(launch, static_cast<unsigned>(cubin.registers),
                   static_cast<unsigned>(cubin.static_shared_bytes), target);
  return fmt::format(
             "<h4>Occupancy</h4>\n<p>An SM holds {} blocks at once, {} of at most {} warps. Each "
             "resource alone has room for so many blocks:</p>\n",
             occupancy.blocks, occupancy.warps, occupancy.most_warps) +
         occupancy_svg(occupancy);
}

std::string cost_section(const Generated& pass, const LaunchShape& launch, const Compiled& compiled,
                         std::optional<double> measured) {
  const CostEstimate estimate = estimate_cost(pass.schedule, pass.target);
  Rows rows = costs_of(pass);
  for (const auto& row : binary_of(compiled)) rows.push_back(row);
  std::string text = "<h3>Costs</h3>\n<div class=\"pair\">\n<div>" + table(rows);
  if (!compiled.cubin) {
    text += "<p class=\"missing\">" + escaped(compiled.why_no_code) + "</p>\n";
  }
  if (compiled.cubin) text += occupancy_text(launch, *compiled.cubin, pass.target);
  text += "</div>\n<div>\n";
  if (const auto roofs = roofs_of(pass.target)) {
    const double flops_of_byte = pass.costs.nominal_flops / pass.costs.bytes_moved;
    text += fmt::format(
        "<h4>Roofline, {}</h4>\n<p>{} nominal flops for each byte moved: {} bounds it.</p>\n{}",
        roofs->device, number(flops_of_byte, 2),
        flops_of_byte < roofs->float32 / roofs->copy ? "memory" : "arithmetic",
        roofline_svg(*roofs, {flops_of_byte, estimate.eff(), measured}));
  } else {
    text += "<p>No GPU of this architecture was measured: there is no roofline of it.</p>\n";
  }
  return text +
         fmt::format(
             "<h4>By the cost model</h4>\n<p>Cycles of an SM for a point, of each resource if "
             "it were alone, and of all together: {:.0f} % of the speed of a copy.</p>\n",
             100 * estimate.eff()) +
         cycles_svg(estimate) + "</div>\n</div>\n";
}

}  // namespace

std::string table(const Rows& rows) {
  std::string text = "<table class=\"facts\">\n";
  for (const auto& [name, value] : rows) {
    text += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name), escaped(value));
  }
  return text + "</table>\n";
}

std::string pass_text(const Generated& pass, const LaunchShape& launch,
                      const std::vector<int>& stages, const Compiled& compiled,
                      std::optional<double> measured, bool first) {
  const Schedule& schedule = pass.schedule;
  const std::vector<Stop> stops = walk(pass.ir);
  const FlowPicture flow = flow_of(schedule, stops);
  const char* rounds =
      schedule.shape.shares.rounds > 1
          ? "<p>A block goes through its tile in two rounds: here is the first one.</p>\n"
          : "";
  return fmt::format(
             "<h3>The tree</h3>\n<p><code>{}</code>: a transform falls apart into DFTs of the "
             "first "
             "radix, twiddle factors, and transforms of what is left (decimation in "
             "frequency).</p>\n{}",
             escaped(to_string(schedule.shape.tree.decomposition)), tree_svg(schedule)) +
         "<h3>The way of the digits</h3>\n" + std::string(first ? how_to_read : "") + rounds +
         (flow.width < widest_beside
              ? fmt::format("<div class=\"way beside\" style=\"--flow:{:.0f}px\">\n", flow.width)
              : "<div class=\"way\">\n") +
         "<div class=\"flow\">" + flow.svg + "</div>\n<div class=\"stops\">\n" +
         stops_text(schedule, stops, stages) + "</div>\n</div>\n" +
         cost_section(pass, launch, compiled, measured);
}

}  // namespace sonoma::cli::page
