#include "error_model.hpp"

#include <cmath>
#include <numbers>

#include "butterfly_error.hpp"
#include "chirp.hpp"
#include "factor_error.hpp"
#include "product_error.hpp"
#include "scaling.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

// Points as c12e8 are off by half a unit in either part, the larger one being at least 1023.75
// units before it is rounded. Of two normal parts the larger one has (1 / 2 + 1 / pi) of the square
// of both.
ErrorShare shared_exponent_share() {
  const double unit = 1 / (1023.75 * u);
  const double larger = 0.5 + std::numbers::inv_pi;
  return {std::numbers::sqrt2 / 2 * unit, unit * unit / 6 * mean_inverse_square * larger, 0};
}

// How much larger, relative to the result, an error within a convolution with the chirp is than
// that of its transforms: see chirp.hpp. On average |B|^2 is 2 n - 1, and of the m points n count.
struct Gain {
  double worst = 1, square = 1;
};
Gain gain_of(const Schedule& schedule) {
  if (schedule.method() != Method::bluestein) return {};
  std::int64_t m = schedule.shape.tree.decomposition.n();
  const Pass& pass = schedule.pass;
  if (pass.part) {
    m = 1;
    for (const std::int64_t length : pass.part->lengths) m *= length;
  }
  const std::int64_t n = pass.convolved_points();
  // Where results are real, and no pairs of them are points, half of the errors go with the
  // imaginary parts.
  const bool real =
      !pass.mirrors() && (pass.domain() == Domain::c2r || is_trigonometric(pass.domain()));
  return {chirp_gain(n, m),
          (real ? 0.5 : 1) * static_cast<double>(2 * n - 1) / static_cast<double>(m)};
}

/// One operation after the other, each for all tiles, rounds and channels once.
class Walk {
 public:
  Walk(const KernelIr& ir, const Target& target) : ir_(ir), target_(target) {}

  ErrorEstimate run() {
    for (const Op& op : ir_.ops) {
      if (const auto* round = std::get_if<op::Round>(&op)) again_ = round->number != 0;
      if (!again_) std::visit(*this, op);
    }
    const FftProblem& whole = pass_.whole();
    // Half of the frequencies of real numbers have at least half of the square of all; of the
    // numbers of cosine and sine transforms see trigonometric.hpp.
    if (pass_.domain() == Domain::r2c || is_trigonometric(whole.domain)) {
      of_transform_.worst *= std::numbers::sqrt2;
    }
    ErrorShare all = of_transform_;
    all += of_storage_;
    if (gives_back()) all.bias = 0;
    const double worst = u * all.worst;
    return {worst * (1 + worst), u * u * all.mean_square, u * all.bias};
  }

  /// After run().
  [[nodiscard]] double given_back() const { return gives_back() ? -u * of_transform_.bias : 0; }

  void operator()(const op::LoadMatrix&) {}
  void operator()(const op::WaitForLaunch&) {}
  void operator()(const op::LoadTile&) { side(true); }
  void operator()(const op::CopyAsync&) {}
  void operator()(const op::WaitAsync&) {}
  void operator()(const op::FetchTile&) {}
  void operator()(const op::EachTile&) {}
  void operator()(const op::PrefetchTile&) {}
  void operator()(const op::Barrier&) {}
  void operator()(const op::Round&) {}
  void operator()(const op::WriteTurn&) {}
  void operator()(const op::ReadTurn&) {}
  void operator()(const op::WriteParts&) {}
  void operator()(const op::ReadParts&) {}
  void operator()(const op::WriteShared&) {}
  void operator()(const op::ReadShared&) {}
  void operator()(const op::LoadInOrder&) {}
  void operator()(const op::StoreInOrder&) { store(); }
  void operator()(const op::ReadPowers&) {}
  void operator()(const op::WritePowers&) {}
  void operator()(const op::ReadInOrder&) {}
  void operator()(const op::WriteInOrder&) {}
  void operator()(const op::LoadMirrored&) { add(mirrored_share(pass_)), orthogonal_ends(true); }
  void operator()(const op::StoreMirrored&) {
    add(mirrored_share(pass_)), orthogonal_ends(false), store();
  }
  // Of rows of all points a sum, of those with frequency 0 of the last axis.
  void operator()(const op::MirrorRows&) {
    add(pass_.row_length() != 0 ? ErrorShare{sum_share.worst, 0, 0} : mirrored_share(pass_));
  }
  void operator()(const op::LoadOpposite&) { add(mirrored_share(pass_)), add(opposite_share); }
  void operator()(const op::StoreOpposite&) {
    add(mirrored_share(pass_)), add(opposite_share), store();
  }
  // Two sums, and the product of frequency 0, one of many.
  void operator()(const op::ZeroFrequency&) { add({2, 0, 0}); }
  void operator()(const op::FindMaximum&) {}
  void operator()(const op::TransformScale&) {}
  void operator()(const op::Fold& op) { step(op.tile, sum_share); }
  void operator()(const op::Scale&) {}
  void operator()(const op::Split& op) {
    if (op.scale == op::SplitScale::group) return step(op.tile, split_share(op.parts));
    const int target = plan_scales(ir_.schedule).target;
    step(op.tile, split_share(op.parts, ir_.schedule.shape.length(), target));
  }
  void operator()(const op::Mma& op) {
    step(op.tile, mma_share(op.radix, ir_.schedule.products(), target_));
  }
  void operator()(const op::Combine& op) { joined(op.tile); }
  void operator()(const op::Join& op) { joined(op.tile); }
  void operator()(const op::ScaleWords&) {}
  void operator()(const op::UnpackWords&) {}
  void operator()(const op::PackWords& op) { step(op.tile, split_share(1)); }
  void operator()(const op::WordProduct& op) { step(op.tile, word_product_share(target_)); }
  void operator()(const op::Unscale&) {}
  void operator()(const op::Butterfly& op) {
    add(op.fp64 ? fp64_butterfly_share : butterfly_share(op.radix, precision_of(pass_), op.form));
  }
  void operator()(const op::JoinHalves&) { add(in_fp16(joined_share)), add({root_worst, 0, 0}); }
  void operator()(const op::Twiddle& op) { add(twiddle_share(ir_, op)); }
  void operator()(const op::PassTwiddle& op) { add(pass_twiddle_share(ir_.schedule, op.before)); }
  // All that lies between the two chirps of a convolution is enlarged.
  void operator()(const op::Chirp& op) {
    if (op.last) gain_ = {};
    const Gain gain = gain_;
    gain_ = {};
    add(chirp_share(op));
    if (!op.last) gain_ = gain;
  }
  // Its table is rounded part by part.
  void operator()(const op::Spectrum&) { add(product_share), add({1, rounding_square, 0}); }
  void operator()(const op::Filter&) { add(product_share); }
  // Sum and difference of both spectra, products with either, and their sum.
  void operator()(const op::FilterPairs&) { filter_pairs(); }
  void operator()(const op::FilterOpposite&) { filter_pairs(), add(opposite_share); }
  void operator()(const op::EachChannel&) {}
  // One sum after the other, of 2, 3, ... of the channels.
  void operator()(const op::SumChannels&) {
    const auto sums = static_cast<double>(pass_.channels() - 1);
    add(roundings(sums, sums / 2));
  }
  void operator()(const op::Conjugate&) {}
  // Factor and product are rounded, but for powers of two.
  void operator()(const op::Multiply& op) {
    int exponent = 0;
    if (std::fabs(std::frexp(op.factor, &exponent)) == 0.5f) return;
    add(pass_.packed ? in_fp16(roundings(1, 0.5)) : roundings(2, 1));
  }
  void operator()(const op::CallerCode&) {}
  void operator()(const op::StoreTile&) { side(false), store(); }

 private:
  void add(const ErrorShare& share) {
    of_transform_ += {gain_.worst * share.worst, gain_.square * share.mean_square, share.bias};
  }
  // Of the tiles of a step one stands for all.
  void step(unsigned tile, const ErrorShare& share) {
    if (tile == 0) add(share);
  }
  void joined(unsigned tile) {
    if (ir_.schedule.products() > 1) step(tile, sum_share);
  }
  void filter_pairs() {
    add(sum_share), add(product_share), add(root_product_share), add(sum_share);
  }
  void orthogonal_ends(bool input) {
    if (pass_.whole().orthogonal && pass_.side(input).end) add({1 + root_worst, 0, 0});
  }
  [[nodiscard]] bool gives_back() const {
    return ir_.schedule.shape.convolves() && ir_.schedule.whole_convolution() && !pass_.filter;
  }
  void side(bool input) {
    if (!is_trigonometric(pass_.whole().domain)) return;
    add(trigonometric_share(pass_, input)), orthogonal_ends(input);
  }
  void store() {
    const Storage storage = pass_.out.storage;
    if (is_half(storage) && !pass_.packed)
      of_storage_ += storage_share(format_of(storage).unit_roundoff);
    if (storage == Storage::c12e8) of_storage_ += shared_exponent_share();
  }

  const KernelIr& ir_;
  const Target& target_;
  const Pass& pass_ = ir_.schedule.pass;
  bool again_ = false;  // in another round
  Gain gain_ = gain_of(ir_.schedule);
  ErrorShare of_transform_, of_storage_;
};

}  // namespace

ErrorEstimate error_of(const KernelIr& ir, const Target& target) { return Walk(ir, target).run(); }

double given_back_by_spectrum(const KernelIr& ir, const Target& target) {
  Walk walk(ir, target);
  (void)walk.run();
  return walk.given_back();
}

}  // namespace sonoma
