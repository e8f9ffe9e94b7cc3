#include "banks.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>

#include "markup.hpp"

namespace sonoma::cli::page {
namespace {

constexpr unsigned banks = 32, warp = 32;  // banks of 4 bytes

}  // namespace

std::vector<Wavefront> wavefronts_of(const SharedAccess& access, const Swizzle& swizzle) {
  const unsigned lanes = std::min(warp, access.positions.threads());
  const unsigned words = access.points * access.words_a_point, together = banks / words;
  std::vector<Wavefront> all;
  for (unsigned first = 0; first < lanes; first += together) {
    const std::size_t begin = all.size();
    std::set<std::uint32_t> moved;
    for (unsigned lane = first; lane < std::min(first + together, lanes); ++lane) {
      const std::uint32_t position = swizzle(access.positions.of_thread(lane));
      for (unsigned w = 0; w < words; ++w) {
        const std::uint32_t word = position * access.words_a_point + w;
        if (!moved.insert(word).second) continue;  // read for another lane
        std::size_t row = begin;
        while (row < all.size() && all[row].lanes[word % banks] != no_lane) ++row;
        if (row == all.size()) {
          all.emplace_back().lanes.fill(no_lane);
          all.back().conflict = row > begin;
        }
        all[row].lanes[word % banks] = static_cast<int>(lane);
      }
    }
  }
  return all;
}

std::string banks_svg(const std::vector<Wavefront>& wavefronts, const std::string& label) {
  constexpr double left = 96, cell = 22, height = 20, top = 22;
  std::string body = svg_text(0, 14, "small", "bank");
  for (unsigned bank = 0; bank < banks; bank += 2) {
    body += svg_text(left + bank * cell + cell / 2, 14, "small", fmt::format("{}", bank), "middle");
  }
  for (std::size_t row = 0; row < wavefronts.size(); ++row) {
    const double y = top + static_cast<double>(row) * height;
    const bool bad = wavefronts[row].conflict;
    body += svg_text(0, y + 14, bad ? "small bad" : "small", fmt::format("wavefront {}", row + 1));
    for (unsigned bank = 0; bank < banks; ++bank) {
      const int lane = wavefronts[row].lanes[bank];
      const double x = left + bank * cell;
      body += svg_rect(x, y, cell - 2, height - 2,
                       lane == no_lane ? "bank"
                       : bad           ? "bank busy bad"
                                       : "bank busy",
                       3);
      if (lane == no_lane) continue;
      body += svg_text(x + cell / 2 - 1, y + 13.5, "lane", fmt::format("{}", lane), "middle");
    }
  }
  return svg(left + banks * cell, top + static_cast<double>(wavefronts.size()) * height + 2, label,
             body);
}

}  // namespace sonoma::cli::page
