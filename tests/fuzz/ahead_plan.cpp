// The words of a plan, and those of a kernel, in a sound bundle.
#include "ahead.hpp"
#include "fuzz.hpp"
#include "sonoma/fft_error.hpp"

namespace {

using namespace sonoma;

AheadKey some_key() {
  AheadKey key;
  key.problem.lengths = {256};
  key.arch = 90;
  return key;
}

// The words as a plan and as a text.
std::string bundle_of(const std::string& words, const Launch& launch) {
  BundleWriter writer;
  writer.add(BlobKind::plan, plan_key(some_key()), words);
  writer.add(BlobKind::text, kernel_key(launch, 90), words);
  return writer.bundle({"it", "nobody", {90}, {}, {}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string words(fuzz::text_of(data, size));
  const Config config;
  const Log log(LogLevel::off);
  const Launch launch;
  const std::string bytes = bundle_of(words, launch);
  Bundles bundles;
  bundles.add({"it", std::string_view(bytes)});
  Ahead ahead(config, log, bundles);
  const auto refused = [](const FftError& refusal) {
    fuzz::require(refusal.message().find("is damaged") != std::string::npos, "another refusal",
                  refusal.what());
  };
  try {
    (void)ahead.find_kernel(launch, 90, 0);
  } catch (const FftError& refusal) {
    refused(refusal);
  }
  try {
    const auto plan = ahead.find_plan(some_key(), target_for("sm_90"), false);
    fuzz::require(plan.has_value(), "a plan that is there is not found");
    const auto& [choice, program, few] = plan->planned;
    fuzz::require(encode(choice, program, {}).size() <= words.size() + 16, "more words than read");
  } catch (const FftError& refusal) {
    refused(refusal);
  }
  return 0;
}
