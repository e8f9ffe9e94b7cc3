// Half of the way of a convolution: spectra, filters, and the signals that a result sums.
#include <utility>

#include "lowering.hpp"
#include "sonoma/mirrored.hpp"
#include "table_sizes.hpp"

namespace sonoma {

void Lowering::convolve(const Layout& layout) {
  if (schedule_.pass.filter) return filter(layout);
  if (schedule_.pass.by_powers) add(op::ZeroFrequency{layout, factor_});
  op::Spectrum op = spectrum_of(schedule_, layout);
  op.table = take(op.tiles * spectrum_units(schedule_.digits, op));
  add(std::move(op));
}

void Lowering::filter(const Layout& layout) {
  if (!schedule_.pass.filter->pairs) return add(op::Filter{layout});
  if (schedule_.shape.opposite) {
    return add(op::FilterOpposite{layout, take(mirrored_units(schedule_))});
  }
  before_write(layout, {}, TileOrder::memory);
  const std::uint32_t row = mirrored_row(schedule_);
  add(op::WriteInOrder{layout, row});
  before_read({}, {}, TileOrder::mirrored);
  add(op::FilterPairs{row, take(mirrored_units(schedule_))});
  accesses_.written(TileOrder::mirrored);
  before_read(layout, {}, TileOrder::memory);
  add(op::ReadInOrder{layout, row, true});
}

// Matrices are the same for all of them.
void Lowering::each_channel() {
  const std::int64_t channels = schedule_.pass.channels();
  if (channels == 1) return;
  for (const Phase& phase : schedule_.phases) {
    for (const Step& step : phase.steps) {
      if (step.form != StepForm::registers) load_matrix(step);
    }
  }
  add(op::EachChannel{channels});
}

// The next one writes to the shared memory that this one has read.
void Lowering::sum_channels(const Layout& layout) {
  if (schedule_.pass.channels() == 1) return;
  const bool cluster = schedule_.shape.shares.cluster > 1;
  if (!accesses_.none()) {
    add(op::Barrier{cluster ? op::Barrier::Scope::cluster : op::Barrier::Scope::block});
  }
  accesses_.forget();
  add(op::SumChannels{layout});
}

}  // namespace sonoma
