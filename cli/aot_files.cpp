#include "aot_files.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "sonoma/wisdom.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* registry =
    R"(// Made by `sonoma aot`: makes the kernels in kernels.sonoma a part of a program, whose make_plan()
// then finds them. Compile it where that file lies, or say where it is:
// -DSONOMA_KERNELS_FILE='"/path/to/kernels.sonoma"'. Without -flto, which assembler text does not
// bear.
#include <sonoma/kernel_bundle.hpp>

#ifndef SONOMA_KERNELS_FILE
#define SONOMA_KERNELS_FILE "kernels.sonoma"
#endif
#ifndef SONOMA_KERNELS_NAME  // for messages
#define SONOMA_KERNELS_NAME "this program"
#endif

// Labels of this file alone, so that a program may have several such files.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    "sonoma_kernels_begin:\n"
    ".incbin \"" SONOMA_KERNELS_FILE "\"\n"
    "sonoma_kernels_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" __attribute__((visibility("hidden"))) const unsigned char sonoma_kernels_begin[];
extern "C" __attribute__((visibility("hidden"))) const unsigned char sonoma_kernels_end[];

namespace {
const sonoma::LinkedKernels linked(SONOMA_KERNELS_NAME, sonoma_kernels_begin, sonoma_kernels_end);
}  // namespace
)";

std::string table_file(const CudaSource& source, const Target& target) {
  return "tables/" + source.name + "_" + arch_name(target) + "_" + kernels_of({source}) + ".bin";
}

std::string bytes_of(const std::vector<std::uint32_t>& tables) {
  return {reinterpret_cast<const char*>(tables.data()), tables.size() * sizeof tables[0]};
}

// Blocks of a launch over `batch` transforms: LaunchShape::blocks().
ordered_json grid_of(const LaunchShape& launch) {
  if (launch.stays != 0) return {{"blocks_that_stay", launch.stays}};
  if (launch.blocks_per_batch != 0) {
    return {{"blocks_for_each_of_the_batch", launch.blocks_per_batch},
            {"more_blocks", launch.more_blocks}};
  }
  return {{"transforms_of_a_cluster", launch.transforms_per_block},
          {"blocks_of_a_cluster", launch.cluster}};
}

ordered_json binary_of(const AheadKernel& kernel) {
  return {{"cubin_bytes", kernel.cubin.bytes.size()},
          {"ptx_bytes", kernel.ptx.size()},
          {"registers", kernel.cubin.registers},
          {"local_bytes", kernel.cubin.local_bytes},
          {"static_shared_bytes", kernel.cubin.static_shared_bytes}};
}

ordered_json launch_of(const Launch& launch, const AheadKernel& kernel, const Target& target) {
  const CudaSource& source = kernel.source;
  ordered_json made = {{"kernel", source.name},
                       {"source", source_file(source, target)},
                       {"reads", to_string(launch.from)},
                       {"writes", to_string(launch.to)},
                       {"grid", grid_of(source.launch)},
                       {"threads", source.launch.threads},
                       {"shared_bytes", source.launch.shared_bytes},
                       {"cluster", source.launch.cluster},
                       {"counter_bytes", source.launch.counter_bytes},
                       {"may_begin_early", source.launch.follows}};
  if (source.launch.carveout > 0) {
    made["shared_memory_carveout"] = {{"percent", source.launch.carveout},
                                      {"above_blocks", source.launch.most_blocks}};
  }
  if (!source.tables.empty()) {
    made["tables"] = {{"file", table_file(source, target)},
                      {"bytes", source.tables.size() * sizeof source.tables[0]}};
  }
  if (!kernel.cubin.bytes.empty()) made["binary"] = binary_of(kernel);
  return made;
}

ordered_json program_of(const AotProgram& program) {
  const AheadProgram& made = program.made;
  const AheadRequest& request = program.asked.request;
  const FftProblem& problem = request.problem;
  ordered_json launches = ordered_json::array();
  ErrorEstimate error;
  for (std::size_t i = 0; i < made.kernels.size(); ++i) {
    launches.push_back(launch_of(made.program.launches[i], made.kernels[i], made.target));
    error += made.kernels[i].error;
  }
  ordered_json batch = problem.batch;
  if (request.any_batch) batch = "any";
  return {{"request", to_string(problem)},
          {"problem", json_of(problem)},
          {"batch", batch},
          {"arch", arch_name(made.target)},
          {"tuning", json_of(made.choice.tuning)},
          {"because", made.choice.reason},
          {"error_bound", error.bound},
          {"expected_error", error.expected()},
          {"workspace_bytes", made.program.workspace_bytes(problem.batch)},
          {"launches", launches}};
}

std::string manifest(const std::vector<AotProgram>& programs, const std::string& bundle) {
  std::set<std::string> ptx;
  ordered_json list = ordered_json::array();
  for (const AotProgram& program : programs) {
    list.push_back(program_of(program));
    for (const AheadKernel& kernel : program.made.kernels) {
      if (!kernel.ptx.empty()) ptx.insert(arch_name(program.made.target));
    }
  }
  ordered_json all = {{"made_by", AheadOfTime::made_by()}};
  if (!bundle.empty()) {
    all["compiler"] = AheadOfTime::compiler();
    all["bundle"] = {{"file", "kernels.sonoma"}, {"bytes", bundle.size()}, {"ptx", ptx}};
  }
  all["programs"] = list;
  return all.dump(2) + "\n";
}

}  // namespace

std::string source_file(const CudaSource& source, const Target& target) {
  return "sources/" + source.name + "_" + arch_name(target) + "_" + kernels_of({source}) + ".cu";
}

AotFiles aot_files(const std::vector<AotProgram>& programs, const std::string& bundle) {
  AotFiles files;
  for (const AotProgram& program : programs) {
    for (const AheadKernel& kernel : program.made.kernels) {
      const CudaSource& source = kernel.source;
      files[source_file(source, program.made.target)] = source.text;
      if (source.tables.empty()) continue;
      files[table_file(source, program.made.target)] = bytes_of(source.tables);
    }
  }
  files["manifest.json"] = manifest(programs, bundle);
  if (bundle.empty()) return files;
  files["kernels.sonoma"] = bundle;
  files["kernels.cpp"] = registry;
  return files;
}

}  // namespace sonoma::cli
