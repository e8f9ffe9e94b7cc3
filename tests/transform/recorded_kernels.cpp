#include "recorded_kernels.hpp"

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "accuracy_cases.hpp"
#include "host_execution.hpp"
#include "sonoma/cuda_source.hpp"

namespace {

using sonoma::test::RecordedValue;

// As many as the payload of a NaN tells apart.
constexpr std::uint32_t most_values = 1u << 24;

struct Record {
  std::unique_ptr<RecordedValue[]> values =
      std::make_unique_for_overwrite<RecordedValue[]>(most_values);
  std::atomic<std::uint32_t> next{1};
  std::atomic<const char*> fault{nullptr};
};
Record* record = nullptr;  // of the kernels that run, which find it by the functions below

}  // namespace

extern "C" __attribute__((visibility("default"))) unsigned sonoma_record(unsigned a, double fa,
                                                                         unsigned b, double fb,
                                                                         bool rounded) {
  const std::uint32_t value = record->next++;
  if (value >= most_values) {
    record->fault = "more values than a NaN tells apart";
    return 1;
  }
  record->values[value] = {a, b, rounded, fa, fb};
  return value;
}

extern "C" __attribute__((visibility("default"))) void sonoma_record_fault(const char* why) {
  record->fault = why;
}

namespace sonoma::test {
namespace {

// As in recorded_numbers.hpp.
constexpr std::uint32_t exponent = 0x7f800000u, payload = 0x7fffffu;

std::uint32_t bits_of_value(std::uint32_t value) {
  return exponent + (value & payload) + (value > payload ? 0x80000000u : 0);
}
std::uint32_t value_of_bits(std::uint32_t bits) {
  if ((bits & 0x7fffffffu) <= exponent) return 0;  // a constant: 0, of a linear program
  return (bits & payload) + (bits >> 31 != 0 ? payload + 1 : 0);
}

std::optional<std::string> recording(const CudaSource& source) {
  return "#include \"" RECORDED_NUMBERS "\"\n" + source.text;
}

}  // namespace

RecordedKernels::RecordedKernels(const Request& request) {
  if (request.problem.storage != Storage::f32 || request.problem.result_storage() != Storage::f32) {
    throw std::logic_error(request.name + ": a storage that is not FP32");
  }
  const Plan plan = plan_of(request, Device::cpu, 1, recording);
  const FftProblem& problem = plan.problem();
  bound_ = plan.error_bound();
  const auto batch = static_cast<std::size_t>(problem.batch);
  std::vector<std::byte> in(bytes_of(problem, true)), out(bytes_of(problem, false));
  inputs_ = in.size() / batch / sizeof(float);
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Record own;
  record = &own;
  for (std::size_t i = 0; i < inputs_; ++i) {
    const std::uint32_t bits = bits_of_value(sonoma_record(0, 0, 0, 0, false));
    std::memcpy(in.data() + sizeof bits * i, &bits, sizeof bits);
  }
  cli::execute_on_host_data(plan, in, out);
  record = nullptr;
  if (own.fault != nullptr) throw std::logic_error(request.name + ": " + own.fault.load());
  values_.assign(own.values.get(), own.values.get() + own.next);
  values_[0] = {};
  // Threads without points compute with what memory happens to hold, numbers of another record
  // among it; nothing is stored of that.
  for (std::size_t i = 1; i < values_.size(); ++i) {
    if (values_[i].a >= i || values_[i].b >= i) values_[i] = {};
  }
  for (std::size_t i = 0; i < out.size() / batch / sizeof(float); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, out.data() + sizeof bits * i, sizeof bits);
    results_.push_back(value_of_bits(bits));
  }
}

RecordedKernels::Numbers RecordedKernels::forwards(Numbers added) const {
  for (std::size_t i = inputs_ + 1; i < added.size(); ++i) {
    const RecordedValue& v = values_[i];
    added[i] += v.fa * added[v.a] + v.fb * added[v.b];
  }
  return added;
}

RecordedKernels::Numbers RecordedKernels::backwards(Numbers weights) const {
  for (std::size_t i = weights.size(); --i > inputs_;) {
    const RecordedValue& v = values_[i];
    weights[v.a] += v.fa * weights[i], weights[v.b] += v.fb * weights[i];
  }
  weights[0] = 0;
  return weights;
}

RecordedKernels::Numbers RecordedKernels::exact(std::span<const double> input) const {
  Numbers values(values_.size());
  std::copy(input.begin(), input.end(), values.begin() + 1);
  return forwards(std::move(values));
}

RecordedKernels::Numbers RecordedKernels::results(const Numbers& of_values) const {
  Numbers results;
  for (const std::uint32_t value : results_) results.push_back(of_values[value]);
  return results;
}

RecordedKernels::Numbers RecordedKernels::carried(const Numbers& errors) const {
  return results(forwards(errors));
}

RecordedKernels::Numbers RecordedKernels::effects(const Numbers& direction) const {
  Numbers weights(values_.size());
  for (std::size_t i = 0; i < results_.size(); ++i) weights[results_[i]] += direction[i];
  return backwards(std::move(weights));
}

RecordedKernels::Numbers RecordedKernels::gradient(const Numbers& weights) const {
  const Numbers all = backwards(weights);
  return {all.begin() + 1, all.begin() + 1 + static_cast<std::ptrdiff_t>(inputs_)};
}

}  // namespace sonoma::test
