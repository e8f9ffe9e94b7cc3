#include "contender.hpp"

#include <algorithm>

namespace sonoma::bench {
namespace {

constexpr int warm_up_repetitions = 3;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

std::vector<double> time_contenders(const std::vector<Contender>& contenders,
                                    const GpuStream& stream, int repetitions) {
  for (int i = 0; i < warm_up_repetitions; ++i) {
    for (const auto& contender : contenders) contender.enqueue();
  }
  std::vector<GpuEvent> marks(contenders.size() + 1);
  std::vector<std::vector<double>> times(contenders.size());
  for (int i = 0; i < repetitions; ++i) {
    marks[0].record(stream.get());
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      contenders[c].enqueue();
      marks[c + 1].record(stream.get());
    }
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      times[c].push_back(marks[c + 1].milliseconds_since(marks[c]));
    }
  }
  std::vector<double> medians;
  for (auto& of_contender : times) medians.push_back(median(std::move(of_contender)));
  return medians;
}

}  // namespace sonoma::bench
