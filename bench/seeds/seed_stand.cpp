#include "seed_stand.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "in_parallel.hpp"
#include "sonoma/storage.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

using Complex = std::complex<float>;

FftProblem in_fp16(FftProblem problem) {
  problem.storage = Storage::f16;
  return problem;
}

}  // namespace

std::vector<Variant> seed_variants(unsigned radix) {
  Variant tensor_cores{"sonoma-mma", {}};
  tensor_cores.tuning.engine = Engine::mma;
  tensor_cores.tuning.radix = radix;
  return {tensor_cores, {"sonoma", {}}};
}

FftProblem problem_within(const SeedRow& row, std::int64_t points) {
  FftProblem problem = row.problem();
  problem.batch = std::clamp<std::int64_t>(points / problem.n(), 1, row.batch);
  return problem;
}

SeedStand::SeedStand(Device device, const std::vector<SeedRow>& rows, std::int64_t most_points,
                     int repetitions)
    : device_(device), rows_(rows), most_points_(most_points), repetitions_(repetitions) {
  if (device_ == Device::cpu) return;
  stream_.emplace();
  cufft_.emplace();
}

void SeedStand::make_kernels() const {
  std::set<std::pair<FftProblem, Tuning>> wanted;
  for (const auto& row : rows_) {
    for (const auto& variant : seed_variants(row.radix)) {
      wanted.emplace(problem_within(row, most_points_), variant.tuning);
    }
  }
  const std::vector all(wanted.begin(), wanted.end());
  for_each_in_parallel(all.size(), [&](std::size_t i) {
    try {
      PlanOptions options;
      options.device = device_;
      options.tuning = all[i].second;
      options.workspace_owner = WorkspaceOwner::caller;
      (void)make_plan(all[i].first, options);
    } catch (const std::exception&) {  // run() meets it again
    }
  });
}

const SeedStand::Data& SeedStand::data_of(double norm) {
  const auto [at, is_new] = data_.try_emplace(norm);
  if (!is_new) return at->second;
  std::int64_t points = 0;
  for (const auto& row : rows_) {
    if (row.norm == norm) points = std::max(points, points_of(problem_within(row, most_points_)));
  }
  const auto make = [&](Storage storage) {
    return std::make_unique<const Workload>(device_, storage, static_cast<std::size_t>(points),
                                            static_cast<float>(norm));
  };
  at->second.wide = make(Storage::f32);
  if (device_ != Device::cpu) at->second.narrow = make(Storage::f16);
  return at->second;
}

std::vector<SeedStand::Asked> SeedStand::line_up(const SeedRow& row, const FftProblem& problem,
                                                 const Note& note) {
  const Data& data = data_of(row.norm);
  const Stream stream = stream_ ? stream_->get() : nullptr;
  std::vector<Asked> asked;
  const auto add = [&](const std::string& name, const Workload& workload, auto&& make) {
    try {
      asked.push_back({make(), &workload});
      asked.back().contender.name = name;
    } catch (const UnsupportedProblem& error) {
      note(name + ": " + error.what());
    }
  };
  for (const auto& variant : seed_variants(row.radix)) {
    add(variant.name, *data.wide,
        [&] { return sonoma_contender(variant, problem, *data.wide, stream); });
  }
  if (!cufft_) return asked;
  add("cufft32", *data.wide, [&] { return cufft_contender(*cufft_, problem, *data.wide, stream); });
  add("cufft16", *data.narrow,
      [&] { return cufft_contender(*cufft_, in_fp16(problem), *data.narrow, stream); });
  return asked;
}

// Of the copy and all that are asked; zeros on the emulated device.
std::vector<double> SeedStand::time(const std::vector<Asked>& asked,
                                    const FftProblem& problem) const {
  if (!stream_) return std::vector<double>(asked.size() + 1);
  std::vector<Contender> contenders = {
      copy_contender(problem, *asked.front().workload, stream_->get())};
  for (const auto& one : asked) contenders.push_back(one.contender);
  return time_contenders(contenders, *stream_, {repetitions_, launches_of(problem)});
}

std::vector<Complex> SeedStand::output_of(const Asked& asked, std::size_t points) const {
  const Workload& workload = *asked.workload;
  std::vector<std::byte> bytes(points * point_bytes(workload.storage()));
  if (stream_) {  // nobody is judged by what another has left
    copy_on_device(workload.out(), workload.in(), bytes.size(), stream_->get());
  }
  asked.contender.enqueue();
  if (stream_) stream_->synchronize();
  workload.output().download(bytes.data(), bytes.size());
  return unpack(workload.storage(), bytes);
}

std::vector<SeedMeasurement> SeedStand::run(const SeedRow& row, const Note& note) {
  const FftProblem problem = problem_within(row, most_points_);
  const std::vector<Asked> asked = line_up(row, problem, note);
  if (asked.empty()) return {};
  const std::vector<double> ms = time(asked, problem);
  const auto points = static_cast<std::size_t>(points_of(problem));
  std::vector<std::vector<Complex>> outputs;
  for (const auto& one : asked) outputs.push_back(output_of(one, points));
  const auto& input = data_of(row.norm).wide->host();
  const auto errors = seed_errors(row, std::span(input).first(points), outputs);
  std::vector<SeedMeasurement> measured;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    measured.push_back({row.table, row.row, dims_of(problem), problem.batch, row.radix, row.norm,
                        asked[i].contender.name, errors[i], ms[i + 1], ms[0]});
  }
  return measured;
}

}  // namespace sonoma::bench
