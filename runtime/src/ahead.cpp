#include "ahead.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <utility>

#include "request_words.hpp"
#include "sha256.hpp"
#include "sonoma/fft_error.hpp"
#include "words.hpp"

namespace sonoma {
namespace {

// What is kept of a choice: what was measured is told in its reason.
struct KeptChoice {
  Tuning tuning;
  std::string reason;
  std::vector<KeptChoice> axes;
};

template <Is<KeptChoice> T, class Take>
void fields(T& value, Take&& take) {
  auto& [tuning, reason, axes] = value;
  take(tuning, reason, axes);
}

KeptChoice kept(const Choice& choice) {
  KeptChoice made{choice.tuning, choice.reason, {}};
  for (const Choice& axis : choice.axes) made.axes.push_back(kept(axis));
  return made;
}

Choice choice_of(KeptChoice kept) {
  Choice choice{std::move(kept.tuning), std::move(kept.reason), {}, {}};
  for (KeptChoice& axis : kept.axes) choice.axes.push_back(choice_of(std::move(axis)));
  return choice;
}

// What a GPU must have for all kernels of a plan.
struct Needs {
  unsigned shared_bytes = 0, cluster = 1;
};

bool fits(const Needs& needs, const Target& target) {
  return needs.shared_bytes <= static_cast<unsigned>(target.shared_bytes) &&
         (needs.cluster == 1 || target.has_clusters());
}

std::optional<std::pair<Needs, Planned>> decode_plan(std::string_view bytes) {
  Needs needs;
  KeptChoice choice;
  Program program;
  WordReader reader(bytes);
  reader.take(needs.shared_bytes, needs.cluster, choice, program);
  if (!reader.done()) return std::nullopt;
  return std::pair(needs, Planned{choice_of(std::move(choice)), std::move(program), {}});
}

// In front of a text the key of its tables, which several architectures share.
const std::string no_table(64, '-');

std::optional<Emitted> emitted_of(const KernelBundle& bundle, std::string_view text) {
  const std::string_view table = text.substr(0, no_table.size());
  auto emitted = decode_emitted(text.substr(table.size()));
  if (!emitted || table == no_table) return emitted;
  const auto bytes = bundle.find(BlobKind::table, table);
  if (!bytes || bytes->size() % sizeof(std::uint32_t) != 0) return std::nullopt;
  auto& tables = emitted->source.tables;
  tables.resize(bytes->size() / sizeof(std::uint32_t));
  std::memcpy(tables.data(), bytes->data(), bytes->size());
  return emitted;
}

// Architectures whose kernels may serve `target`, the best one first.
std::vector<int> candidates(const Bundles::List& bundles, int target, bool on_gpu) {
  std::set<int, std::greater<>> cubins, ptx;
  for (const auto& bundle : bundles) {
    cubins.insert(bundle->about().archs.begin(), bundle->about().archs.end());
    ptx.insert(bundle->about().ptx.begin(), bundle->about().ptx.end());
  }
  std::vector<int> found;
  for (const int arch : cubins) {
    if (on_gpu ? runs_on(arch, target) : arch <= target) found.push_back(arch);
  }
  for (const int arch : cubins) {  // the emulated device takes any text
    if (!on_gpu && arch > target) found.push_back(arch);
  }
  for (const int arch : ptx) {
    if (on_gpu && arch <= target) found.push_back(arch);
  }
  return found;
}

}  // namespace

void add_kernel(BundleWriter& writer, const std::string& key, Emitted emitted) {
  auto& tables = emitted.source.tables;
  std::string bytes(reinterpret_cast<const char*>(tables.data()), tables.size() * sizeof tables[0]);
  const std::string table = tables.empty() ? no_table : sha256(bytes);
  if (!tables.empty()) writer.add(BlobKind::table, table, std::move(bytes));
  tables.clear();
  writer.add(BlobKind::text, key, table + encode(emitted));
}

// Problems that say the same in other words have one key.
std::string plan_key(const AheadKey& key) {
  FftProblem problem = key.problem;
  problem.batch = std::max<std::int64_t>(problem.batch, 1);
  problem.layout.in_dist = problem.in_dist(), problem.layout.out_dist = problem.out_dist();
  problem.batch = key.problem.batch;
  problem.out_storage = problem.result_storage();
  problem.scale = static_cast<float>(problem.scale);
  WordWriter words;
  words.add(std::string("plan"), key.arch, key.policy, key.tuning, problem);
  return sha256(words.text());
}

std::string kernel_key(Launch launch, int arch) {
  launch.from = Buffer::input, launch.to = Buffer::output;
  WordWriter words;
  words.add(std::string("kernel"), arch, launch);
  return sha256(words.text());
}

std::string encode(const Choice& choice, const Program& program,
                   const std::vector<Emitted>& kernels) {
  Needs needs;
  for (const Emitted& kernel : kernels) {
    needs.shared_bytes = std::max(needs.shared_bytes, kernel.source.launch.shared_bytes);
    needs.cluster = std::max(needs.cluster, kernel.source.launch.cluster);
  }
  WordWriter words;
  words.add(needs.shared_bytes, needs.cluster, kept(choice), program);
  return words.text();
}

Ahead::Ahead(const Config& config, const Log& log, Bundles& bundles)
    : config_(config), log_(log), bundles_(bundles) {}

Bundles::List Ahead::all() {
  Bundles::List list = bundles_.all(log_);
  const std::lock_guard lock(mutex_);
  if (!loaded_) {
    own_.clear();
    for (const auto& file : config_.kernel_bundles) {
      own_.push_back(std::make_shared<const KernelBundle>(KernelBundle::read(file.string())));
    }
    loaded_ = true;
  }
  list.insert(list.end(), own_.begin(), own_.end());
  return list;
}

std::optional<AheadPlan> Ahead::find_plan(AheadKey key, const Target& target, bool on_gpu) {
  const Bundles::List bundles = all();
  if (bundles.empty()) return std::nullopt;
  const std::int64_t batch = key.problem.batch;
  for (const int arch : candidates(bundles, target.arch, on_gpu)) {
    for (const std::int64_t count : {batch, std::int64_t{0}}) {
      key.arch = arch, key.problem.batch = count;
      const std::string name = plan_key(key);
      for (const auto& bundle : bundles) {
        const auto bytes = bundle->find(BlobKind::plan, name);
        if (!bytes) continue;
        auto plan = decode_plan(*bytes);
        if (!plan) {
          throw FftError(Stage::cache, "the kernels in " + bundle->name() +
                                           " cannot be used: a plan in them is damaged");
        }
        if (on_gpu && !fits(plan->first, target)) continue;
        return AheadPlan{std::move(plan->second), arch};
      }
    }
  }
  return std::nullopt;
}

std::optional<FoundKernel> Ahead::find_kernel(const Launch& launch, int arch, int device) {
  const Bundles::List bundles = all();
  if (bundles.empty()) return std::nullopt;
  const std::string key = kernel_key(launch, arch);
  for (const auto& bundle : bundles) {
    FoundKernel found;
    if (device != 0) {
      const BlobKind kind = runs_on(arch, device) ? BlobKind::cubin : BlobKind::ptx;
      auto binary = bundle->find(kind, key);
      if (!binary) continue;
      found.binary = *std::move(binary);
    }
    auto text = bundle->find(BlobKind::text, key);
    if (!text) continue;
    auto emitted = emitted_of(*bundle, *text);
    if (!emitted) {
      throw FftError(Stage::cache, "the kernels in " + bundle->name() +
                                       " cannot be used: a text in them is damaged");
    }
    found.emitted = *std::move(emitted);
    return found;
  }
  return std::nullopt;
}

std::string Ahead::list() {
  std::string text;
  for (const auto& bundle : all()) {
    const About& about = bundle->about();
    text += text.empty() ? "" : "; ";
    text += bundle->name() + " for";
    for (const int arch : about.archs) text += " sm_" + std::to_string(arch);
    text += " (" + std::to_string(about.requests.size()) + " requests)";
  }
  return text.empty() ? "none are linked in, and none were loaded" : "there are " + text;
}

std::string not_made_ahead(const AheadKey& key, const std::string& list) {
  FftProblem any_batch = key.problem;
  any_batch.batch = 1;
  const std::string arch = "sm_" + std::to_string(key.arch);
  const bool minimal = key.policy == WorkspacePolicy::minimal;
  return "no kernels were made ahead of time for " + to_string(key.problem) +
         (minimal ? ", with a minimal workspace," : "") + " on " + arch +
         ", and only such may be used (SONOMA_AOT_ONLY, Config::aot_only or "
         "PlanOptions::aot_only); " +
         list + ". This makes them: sonoma aot " + request_words(any_batch, key.tuning) +
         (minimal ? " --workspace minimal" : "") + " --arch " + arch +
         " --out kernels; load_kernels() or SONOMA_KERNELS=kernels/kernels.sonoma loads them";
}

}  // namespace sonoma
