// Blocks that stay for a tile after the other: the loop over these, the copy of the next one, and
// laps in which all threads can meet.
#include <utility>

#include "expression.hpp"
#include "pass_text.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

void PassWriter::operator()(const op::FetchTile& op) {
  const auto apart = static_cast<std::int64_t>(schedule_.launch.stays);
  if (!op.next) {
    enter(op.layout);
    comment("The first tile, without waiting, to shared memory: " + layout_text(op.layout));
    copy("fetch", op.layout, "in");
    return leave();
  }
  end_part();
  line("block_barrier();");
  line(concat("const bool another = transform + ", number(apart), " < tiles.end;"));
  begin_part(op.layout, "another");
  comment("The next tile, without waiting, to shared memory: " + to_string(op.layout, digits_, 0));
  copy("fetch", op.layout, "in + " + number(apart * schedule_.pass.in.dist) + "ull");
  end_part();
  begin_part(layout_);
}

void PassWriter::operator()(const op::EachTile& op) {
  const std::string apart = std::to_string(op.apart);
  const auto points = [&](const PassSide& side) {
    return number(static_cast<std::int64_t>(op.apart) * side.dist) + "ull";
  };
  text_ += "\n#pragma unroll 1\n";
  line("for (unsigned long long transform = tiles.first; transform < tiles.end;");
  line(concat("     transform += ", apart, ", in += ", points(schedule_.pass.in),
              ", out += ", points(schedule_.pass.out), ") {"));
  in_tiles_ = first_ = true;
}

bool PassWriter::is_of_tiles(const Layout& layout) const {
  return schedule_.stays() &&
         (layout == schedule_.load.layout || layout == schedule_.result_layout());
}

void PassWriter::begin_numbered_laps(const Layout& layout) {
  if (in_lap_) return;
  text_ += "\n";
  if (const unsigned laps = schedule_.laps(layout); laps > 1) {
    text_ += "#pragma unroll 1\n";
    line("for (unsigned lap = 0; lap < " + std::to_string(laps) + "; ++lap) {");
    in_lap_ = true;
  }
  begin_part(layout);
}

void PassWriter::begin_part(const Layout& layout, const std::string& condition) {
  const unsigned laps = schedule_.laps(layout), threads = schedule_.lap_threads(layout),
                 items = schedule_.work_items(layout);
  std::vector<std::string> conditions;
  if (threads < schedule_.launch.threads) {
    conditions.push_back("thread_index() < " + std::to_string(threads));
  }
  if (items != laps * threads) conditions.push_back("thread < " + std::to_string(items));
  if (!condition.empty()) conditions.push_back(condition);
  const std::string declared =
      !schedule_.has_laps()
          ? ""
          : concat("const unsigned thread = ",
                   laps > 1 ? concat("lap * ", std::to_string(threads), " + ") : std::string(),
                   "thread_index();");
  if (conditions.empty() && declared.empty()) return;
  std::string all;
  for (const std::string& one : conditions) all += (all.empty() ? "" : " && ") + one;
  const std::string begin = declared.empty() ? "" : declared + " ";
  line(all.empty() ? "{" : "if (" + begin + all + ") {");
  guarded_ = first_ = true;
  if (all.empty()) line(declared);
}

void PassWriter::end_part() {
  if (std::exchange(guarded_, false)) text_ += indent() + "}\n";
}

}  // namespace sonoma
