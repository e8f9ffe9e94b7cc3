#include "contender.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "sonoma/device_buffer.hpp"
#include "statistics.hpp"

namespace sonoma::bench {
namespace {

constexpr int warm_up_repetitions = 3;

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

/// Enqueues one repetition; marks[c] and marks[c + 1] enclose contender c.
void enqueue_all(const std::vector<Contender>& contenders, int launches, const GpuStream& stream,
                 std::vector<GpuEvent>& marks) {
  marks[0].record(stream.get());
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    for (int i = 0; i < launches; ++i) contenders[c].enqueue();
    marks[c + 1].record(stream.get());
  }
}

template <class Action>
double host_milliseconds(Action&& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

std::vector<double> time_contenders(const std::vector<Contender>& contenders,
                                    const GpuStream& stream, const Repetitions& repetitions) {
  Delay delay(stream);
  std::vector<GpuEvent> marks(contenders.size() + 1);
  for (int i = 0; i < warm_up_repetitions; ++i) {
    const double enqueueing =
        host_milliseconds([&] { enqueue_all(contenders, repetitions.launches, stream, marks); });
    delay.aim_for(1.5 * enqueueing);
    stream.synchronize();
  }
  std::vector<std::vector<double>> times(contenders.size());
  for (int i = 0; i < repetitions.count; ++i) {
    delay.enqueue();
    enqueue_all(contenders, repetitions.launches, stream, marks);
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      times[c].push_back(marks[c + 1].milliseconds_since(marks[c]) / repetitions.launches);
    }
  }
  std::vector<double> medians;
  for (auto& of_contender : times) medians.push_back(median(std::move(of_contender)));
  return medians;
}

}  // namespace sonoma::bench
