#include "plan_result.hpp"

#include "csv.hpp"
#include "result.hpp"

namespace sonoma::bench {

std::string plan_csv_header() {
  return csv_line({"n", "type", "batch", "place", "cold_ms", "nvrtc_ms", "warm_ms", "launches",
                   "kernels", "gpu", "cuda", "commit", "date"});
}

std::string to_csv(const PlanRow& row) {
  const PlanResult& r = row.result;
  const Machine& m = row.machine;
  return csv_line({std::to_string(r.n), r.type, std::to_string(r.batch), r.place,
                   five_digits(r.cold_ms), five_digits(r.nvrtc_ms), five_digits(r.warm_ms),
                   std::to_string(r.launches), std::to_string(r.kernels), m.gpu, m.cuda, m.commit,
                   m.date});
}

}  // namespace sonoma::bench
