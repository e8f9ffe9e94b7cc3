// What `sonoma bench` prints: a table line by line as rows come, or a JSON document of them all.
#pragma once

#include <string>
#include <vector>

#include "plan_result.hpp"
#include "result.hpp"

namespace sonoma::cli {

/// Prints to standard output; a heading where the machine changes. Rows are all of one kind.
class BenchTable {
 public:
  void print(const bench::Row& row);
  void print(const bench::PlanRow& row);

 private:
  bool machine_changed(const bench::Machine& machine);

  bench::Machine machine_;
};

/// What is measured, in few words.
[[nodiscard]] std::string name_of(const bench::Result& result);
[[nodiscard]] std::string name_of(const bench::PlanResult& result);

/// {"results": [...]}, each row with all columns of the CSV file and what follows from them.
[[nodiscard]] std::string to_json(const std::vector<bench::Row>& rows);
[[nodiscard]] std::string to_json(const std::vector<bench::PlanRow>& rows);

}  // namespace sonoma::cli
