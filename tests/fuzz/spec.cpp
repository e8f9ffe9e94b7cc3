// The file of requests that `sonoma aot` and `sonoma compile` take.
#include "aot_spec.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sonoma;
  try {
    const auto requests =
        cli::requests_of_spec("spec.json", std::string(fuzz::text_of(data, size)), {});
    for (const cli::AotRequest& one : requests) {
      fuzz::require(!one.targets.empty(), "a request for no architecture", one.where);
      validate(one.request.problem);
    }
  } catch (const cli::BadSpec& refusal) {
    fuzz::require(std::string_view(refusal.what()).starts_with("spec.json: "),
                  "a file that is not named", refusal.what());
  }
  return 0;
}
