#include "plan_result.hpp"

#include "csv.hpp"
#include "result.hpp"

namespace sonoma::bench {

std::string plan_csv_header() {
  return csv_line({"lib", "type", "dims", "batch", "place", "cold_ms", "cold_next_ms", "warm_ms",
                   "warm_next_ms", "first_ms", "host_us", "gpu", "cuda", "commit", "date"});
}

std::string to_csv(const PlanRow& row) {
  const PlanResult& r = row.result;
  const Machine& m = row.machine;
  return csv_line({r.lib, r.type, r.dims, std::to_string(r.batch), r.place, five_digits(r.cold_ms),
                   five_digits(r.cold_next_ms), five_digits(r.warm_ms), five_digits(r.warm_next_ms),
                   five_digits(r.first_ms), five_digits(r.host_us), m.gpu, m.cuda, m.commit,
                   m.date});
}

}  // namespace sonoma::bench
