#include "contender.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

#include "sonoma/device_buffer.hpp"
#include "statistics.hpp"

namespace sonoma::bench {
namespace {

constexpr int warm_up_repetitions = 3;
constexpr int most_attempts = 3;  // at a repetition in which the host keeps ahead

/// Copies that keep the stream busy.
class Delay {
 public:
  explicit Delay(const GpuStream& stream) : stream_(stream) {
    for (int i = 0; i < 2; ++i) {  // the first is slower: it touches the memory first
      GpuEvent start, end;
      start.record(stream_.get());
      for (int copy = 0; copy < 8; ++copy) enqueue_copy();
      end.record(stream_.get());
      copy_ms_ = end.milliseconds_since(start) / 8;
    }
  }

  /// From now on enqueue() takes the device about this long, up to a limit.
  void aim_for(double milliseconds) {
    copies_ = static_cast<int>(std::clamp(std::ceil(milliseconds / copy_ms_), 1.0, 200.0));
  }

  void enqueue() {
    for (int i = 0; i < copies_; ++i) enqueue_copy();
  }

 private:
  void enqueue_copy() { copy_on_device(to_.data(), from_.data(), from_.bytes(), stream_.get()); }

  static constexpr std::size_t bytes = std::size_t{64} << 20;

  const GpuStream& stream_;
  DeviceBuffer from_{Device::gpu, bytes}, to_{Device::gpu, bytes};
  double copy_ms_ = 1;
  int copies_ = 1;
};

/// One repetition: every contender between two marks, behind a delay, in another order each time.
class Repetition {
 public:
  Repetition(const std::vector<Contender>& contenders, int launches, const GpuStream& stream)
      : contenders_(contenders),
        launches_(launches),
        stream_(stream),
        delay_(stream),
        marks_(contenders.size() + 1),
        order_(contenders.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  /// Returns when the device is done. False if the host was so slow that the device may have waited
  /// for it; the next delay is longer then.
  bool run() {
    const auto start = std::chrono::steady_clock::now();
    std::ranges::shuffle(order_, random_);
    for (const Contender& contender : contenders_) {
      if (contender.prepare) contender.prepare();
    }
    begin_.record(stream_.get());
    delay_.enqueue();
    marks_[0].record(stream_.get());
    for (std::size_t place = 0; place < order_.size(); ++place) {
      for (int i = 0; i < launches_; ++i) contenders_[order_[place]].enqueue();
      marks_[place + 1].record(stream_.get());
    }
    const std::chrono::duration<double, std::milli> enqueueing =
        std::chrono::steady_clock::now() - start;
    stream_.synchronize();
    if (enqueueing.count() <= marks_[0].milliseconds_since(begin_)) return true;
    delay_.aim_for(1.5 * enqueueing.count());
    return false;
  }

  /// Of a launch of contender c in the last run.
  [[nodiscard]] double milliseconds(std::size_t c) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(order_, c) - order_.begin());
    return marks_[place + 1].milliseconds_since(marks_[place]) / launches_;
  }

 private:
  const std::vector<Contender>& contenders_;
  int launches_;
  const GpuStream& stream_;
  Delay delay_;
  GpuEvent begin_;
  std::vector<GpuEvent> marks_;
  std::vector<std::size_t> order_;  // of the last run
  std::mt19937 random_;
};

}  // namespace

std::vector<std::vector<double>> sample_contenders(const std::vector<Contender>& contenders,
                                                   const GpuStream& stream,
                                                   const Repetitions& repetitions) {
  Repetition repetition(contenders, repetitions.launches, stream);
  for (int i = 0; i < warm_up_repetitions; ++i) (void)repetition.run();
  std::vector<std::vector<double>> times(contenders.size());
  for (int i = 0; i < repetitions.count; ++i) {
    for (int attempts = 1; !repetition.run() && attempts < most_attempts; ++attempts) {
    }
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      times[c].push_back(repetition.milliseconds(c));
    }
  }
  return times;
}

std::vector<double> time_contenders(const std::vector<Contender>& contenders,
                                    const GpuStream& stream, const Repetitions& repetitions) {
  std::vector<double> medians;
  for (auto& times : sample_contenders(contenders, stream, repetitions)) {
    medians.push_back(median(std::move(times)));
  }
  return medians;
}

}  // namespace sonoma::bench
