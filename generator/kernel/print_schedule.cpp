#include "sonoma/schedule.hpp"

namespace sonoma {
namespace {

std::string describe(const Step& step) {
  static constexpr const char* forms[] = {"left (DFT matrix x tile)", "right (tile x DFT matrix)",
                                          "butterflies in registers"};
  return "step " + std::to_string(step.index + 1) + (step.back ? " backwards" : "") + ": radix " +
         std::to_string(step.radix) + ", " + forms[static_cast<int>(step.form)];
}

std::string describe(const Transfer& transfer, const char* verb, const std::vector<Digit>& digits,
                     unsigned done) {
  return std::string(verb) + (transfer.staged ? " through shared memory: " : " direct: ") +
         to_string(transfer.layout, digits, done) + "\n";
}

// " t2 + 10 t1 + 103 b": the digits times their strides.
std::string places(const Schedule& schedule) {
  const auto blocks = schedule.block_digits(schedule.phases.front().in);
  const auto strides = shared_strides(schedule.digits, schedule.places.points.pads, blocks).place;
  std::string text;
  for (DigitId id = 0; id < schedule.digits.size();) {
    if (strides[id] == 0) {  // of a block
      ++id;
      continue;
    }
    std::vector<DigitId> run;
    text += (text.empty() ? " " : " + ") + (strides[id] > 1 ? std::to_string(strides[id]) : "");
    const int step = schedule.digits[id].step;
    do {
      run.push_back(id++);
    } while (id < schedule.digits.size() && schedule.digits[id].step == step &&
             strides[id] == strides[id - 1] * schedule.digits[id - 1].count);
    text += (strides[run.front()] > 1 ? " " : "") + digits_text(schedule.digits, run);
  }
  return text;
}

// What a block does for the tile that comes after its own.
std::string describe_next_tile(const Schedule& schedule) {
  const LaunchShape& launch = schedule.launch;
  if (schedule.stays()) {
    return "the first " + std::to_string(launch.stays) +
           " blocks stay: each takes one tile after the other, the rest of the tiles a block each; "
           "after the first barrier the L2 cache is asked for the next tile, and that comes to "
           "shared memory as soon as the last phase has read what lies there\n";
  }
  if (schedule.transforms_ahead == 0) return "";
  const bool early = schedule.shape.prefetch == Prefetch::early;
  return "after the " + std::string(early ? "first" : "last") +
         " barrier the L2 cache is asked for the tile " +
         std::to_string(schedule.transforms_ahead) +
         " transforms on, which the block loads that follows on this SM\n";
}

// Engine, threads, and what a block is.
std::string describe_launch(const Schedule& schedule) {
  const LaunchShape& launch = schedule.launch;
  std::string text;
  text += "engine " + to_string(schedule.engine());
  text += ", " + std::to_string(launch.transforms_per_block) + " transform(s) a block, " +
          std::to_string(launch.threads) + " threads, " +
          std::to_string(schedule.points_per_thread()) + " points a thread, " +
          std::to_string(launch.shared_bytes) + " bytes shared, at least " +
          std::to_string(schedule.min_blocks) + " block(s) an SM\n";
  if (launch.cluster > 1) {
    text += "clusters of " + std::to_string(launch.cluster) +
            " blocks hold a tile together: the last digits of the threads number them\n";
  }
  if (schedule.shape.shares.rounds > 1) {
    text += std::to_string(schedule.shape.shares.rounds) +
            " rounds: a block goes through half of its tile at once; the last digit of the threads "
            "numbers them\n";
  }
  if (schedule.opposite_phase() != OppositePhase::none) {
    const bool last = schedule.opposite_phase() == OppositePhase::last;
    const std::size_t phase = last ? schedule.phases_there() : 1;
    text += "a thread takes butterflies q and -q in phase " + std::to_string(phase) +
            ": frequencies that mirror each other meet in registers\n";
  }
  if (schedule.coprime_phase > 0) {
    const auto& radices = schedule.shape.tree.decomposition.radices;
    text += "no factors between radix " + std::to_string(radices.end()[-2]) + " and " +
            std::to_string(radices.back()) +
            ", which have no common factor: from there on digits are remainders\n";
  }
  if (schedule.has_laps()) {
    text += "where a phase has more butterflies than threads, these go round in laps\n";
  }
  text += describe_next_tile(schedule);
  if (schedule.by_index()) text += "points find their places in memory by their index\n";
  return text;
}

std::string describe_places(const Schedule& schedule) {
  std::string text;
  if (schedule.launch.shared_bytes > 0 && schedule.mixed()) {
    text += "a point lies in shared memory at";
    text += places(schedule) + "\n";
    if (const std::uint32_t from = schedule.places.tile_from; from > 0) {
      text += "from " + std::to_string(from) + " on, behind the points in the order of memory\n";
    }
  } else if (schedule.launch.shared_bytes > 0) {
    text += "point p lies at " + to_string(schedule.places.points.swizzle) + " in shared memory\n";
    if (schedule.shape.shares.rounds > 1) {
      text += "its parts in an exchange of one round at " +
              to_string(schedule.places.parts.swizzle) + "\n";
    }
  }
  return text;
}

std::string describe_convolution(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  if (!pass.convolves()) return "";
  if (pass.by_powers) {
    return "Rader: load and store through shared memory, in the order of memory; all points but "
           "the\nfirst one by the powers of a root; all steps; X(0); times a spectrum; all steps "
           "backwards\n";
  }
  if (pass.filter) {
    return std::string("Convolution: all steps; times the spectrum of the caller's filter") +
           (pass.filter->pairs ? ", pairs that mirror each other together" : "") +
           "; all steps backwards\n";
  }
  const std::string points = std::to_string(schedule.shape.tree.decomposition.n());
  return "Bluestein: " +
         (pass.is_chirped(true) ? "times a chirp, padded to " + points + " points; " : "") +
         "all steps; times the chirp's spectrum; all steps backwards" +
         (pass.is_chirped(false) ? "; times the chirp\n" : "\n");
}

}  // namespace

std::string to_string(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  std::string text = describe_convolution(schedule) + describe_launch(schedule);
  if (!pass.by_powers) text += describe(schedule.load, "load", schedule.digits, 0);
  const bool mirrored = pass.convolves() && schedule.engine() == Engine::simt;
  const std::size_t phases = mirrored ? schedule.phases_there() : schedule.phases.size();
  for (std::size_t p = 0; p < phases; ++p) {
    const Phase& phase = schedule.phases[p];
    const Step &first = phase.steps.front(), &last = phase.steps.back();
    text += "phase " + std::to_string(p + 1) + ": " +
            to_string(phase.in, schedule.digits, first.index + (first.back ? 1 : 0)) + "\n";
    for (const Step& step : phase.steps) text += "  " + describe(step) + "\n";
    if (phase.out != phase.in) {
      text +=
          "  leaves: " + to_string(phase.out, schedule.digits, last.index + (last.back ? 0 : 1)) +
          "\n";
    }
  }
  const auto all = static_cast<unsigned>(schedule.shape.tree.decomposition.radices.size());
  const unsigned done = pass.convolves() ? 0 : all;
  if (!pass.by_powers) text += describe(schedule.store, "store", schedule.digits, done);
  if (schedule.engine() == Engine::mma) {
    text += schedule.scale_warps > 0
                ? "one scale a transform, found by " + std::to_string(schedule.scale_warps) +
                      " warp(s)\n"
                : std::string("a scale for each step and transform of a warp tile\n");
  }
  return text + describe_places(schedule);
}

}  // namespace sonoma
