#include "forms_support.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>

#include "sonoma/plan.hpp"

namespace sonoma::tests {
namespace {

namespace fs = std::filesystem;

FftProblem problem(std::vector<std::int64_t> lengths, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = std::move(lengths);
  problem.batch = batch;
  return problem;
}

FormCase in_parts() {
  FormCase one{"parts", "--n 4096 --pass-lengths 64,64 --workspace-points 8192",
               problem({4096}, 5)};
  one.tuning.pass_lengths = {64, 64};
  one.tuning.workspace_points = 8192;
  return one;
}

FormCase fused() {
  FormCase one{"fused_passes", "--n 4096 --pass-lengths 64,64 --fused 1", problem({4096}, 5)};
  one.tuning.pass_lengths = {64, 64};
  one.tuning.fused = true;
  return one;
}

FormCase in_place() {
  FormCase one{"in_place", "--n 360 --in-place --inverse --scale 0.5", problem({360}, 3)};
  one.problem.placement = Placement::in_place;
  one.problem.direction = Direction::inverse;
  one.problem.scale = 0.5;
  return one;
}

FormCase real_plane() {
  FormCase one{"real_plane", "--shape 48x600 --domain r2c", problem({48, 600}, 2)};
  one.problem.domain = Domain::r2c;
  return one;
}

// Of passes too: then what lies between axes is behind what lies between passes.
FormCase filter_plane(bool passes) {
  FormCase one{"filter_plane", "--shape 96x400 --convolution real", problem({96, 400}, 2)};
  if (passes)
    one = {"filter_passes", "--shape 2x100000 --convolution real", problem({2, 100000}, 1)};
  one.problem.convolution.emplace().real = true;
  return one;
}

FormCase with_code() {
  FormCase one{"with_code",
               "--n 256 --load-code 'make_float2(value.x * static_cast<const float*>(user)[index], "
               "value.y)'",
               problem({256}, 3)};
  one.problem.ends.load_code =
      "make_float2(value.x * static_cast<const float*>(user)[index], value.y)";
  return one;
}

// 264 blocks stay for two tiles each, 269 tiles are left: a grid that is no multiple of the batch.
FormCase persistent() {
  FormCase one{"persistent",
               "--n 1000 --engine simt --decomposition '(gs 10 (gs 10 (dft 10)))' "
               "--points-per-thread 10 --block-points 1000 --registers 255 --stage-load 0 "
               "--stage-store 0 --prefetch persistent",
               problem({1000}, 797)};
  one.tuning.engine = Engine::simt;
  one.tuning.decomposition = parse_decomposition("(gs 10 (gs 10 (dft 10)))");
  one.tuning.points_per_thread = 10, one.tuning.block_points = 1000;
  one.tuning.registers = 255;
  one.tuning.stage_load = one.tuning.stage_store = false;
  one.tuning.prefetch = Prefetch::persistent;
  return one;
}

FormCase cluster(unsigned blocks) {
  const std::string number = std::to_string(blocks);
  FormCase one{"cluster_" + number,
               "--n 16384 --engine simt --block-points 16384 --cluster " + number,
               problem({16384}, 2)};
  one.tuning.engine = Engine::simt;
  one.tuning.block_points = 16384;
  one.tuning.cluster = blocks;
  return one;
}

// Numbers that any of the storages takes for such.
std::string random_floats(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::string text(bytes / sizeof(float) * sizeof(float), '\0');
  for (std::size_t at = 0; at < text.size(); at += sizeof(float)) {
    const float x = normal(random);
    text.replace(at, sizeof x, reinterpret_cast<const char*>(&x), sizeof x);
  }
  return text;
}

std::size_t bytes_of(const FftProblem& problem, bool input) {
  const std::int64_t points = input ? problem.in_points() : problem.out_points();
  return static_cast<std::size_t>(points) * problem.bytes_of_point(input);
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const FormCase& one) { return stream << one.name; }

std::vector<FormCase> launcher_cases() {
  return {{"one_kernel", "--n 1024 --engine mma", problem({1024}, 3),
           [] {
             Tuning mma;
             mma.engine = Engine::mma;
             return mma;
           }()},
          {"small", "--n 12", problem({12}, 50)},
          {"prime", "--n 1009", problem({1009}, 2)},
          {"plane", "--shape 3x40000", problem({3, 40000}, 2)},
          in_parts(),
          fused(),
          in_place(),
          real_plane(),
          filter_plane(false),
          filter_plane(true),
          with_code(),
          persistent(),
          cluster(4),
          cluster(16)};
}

void emit(const std::string& arguments) {
  const CommandResult result = run_command({"/bin/sh", "-c", SONOMA_COMMAND " emit " + arguments});
  EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
}

void write_launcher(const FormCase& one, const TemporaryFolder& folder) {
  emit(one.arguments + " --arch sm_90 --batch " + std::to_string(one.problem.batch) +
       " --form launcher --name " + one.name + " --out " + folder.path().string());
  const bool filter = one.problem.convolution.has_value();
  std::ostringstream use;
  use << "#include \"" << one.name << ".hpp\"\nnamespace form = " << one.name
      << ";\n#define IN_PLACE " << (one.problem.placement == Placement::in_place)
      << "\n#define MORE " << (one.has_user() ? ", user" : "") << (filter ? ", spectrum" : "")
      << "\n#include \"use_launcher.inc\"\n";
  write_text(folder.path() / "use.cu", use.str());
  fs::copy_file(FORMS_FOLDER "/use_launcher.inc", folder.path() / "use_launcher.inc");
  write_text(folder.path() / "input", random_floats(bytes_of(one.problem, true), 1));
  write_text(folder.path() / "user", random_floats(4 * 4096, 2));
  const std::size_t spectrum =
      filter ? 8 * static_cast<std::size_t>(spectrum_points(one.problem)) : 16;
  write_text(folder.path() / "spectrum", random_floats(spectrum, 3));
}

std::vector<std::string> use_arguments(const FormCase& one, const std::string& module,
                                       const TemporaryFolder& folder) {
  return {module,
          folder.file("input"),
          folder.file("output"),
          std::to_string(one.problem.batch),
          folder.file("user"),
          folder.file("spectrum")};
}

std::string expected_output(const FormCase& one, const TemporaryFolder& folder) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning = one.tuning;
  options.target = target_for("sm_90");
  const Plan plan = make_plan(one.problem, options);
  // As far apart as device memory is aligned.
  const auto aligned = [](const std::string& text) {
    std::vector<std::max_align_t> memory(text.size() / sizeof(std::max_align_t) + 1);
    std::memcpy(memory.data(), text.data(), text.size());
    return memory;
  };
  auto in = aligned(read_text(folder.path() / "input"));
  auto out = aligned(std::string(bytes_of(one.problem, false), '\0'));
  const auto user = aligned(read_text(folder.path() / "user"));
  const auto spectrum = aligned(read_text(folder.path() / "spectrum"));
  const bool in_place = one.problem.placement == Placement::in_place;
  ExecuteOptions given;
  given.user = user.data();
  if (one.problem.convolution) given.spectrum = spectrum.data();
  const void* const from = in.data();
  void* const to = in_place ? in.data() : out.data();
  plan.execute(from, to, given);
  return {static_cast<const char*>(to), bytes_of(one.problem, false)};
}

std::vector<std::string> snippets_of_docs(const std::string& language) {
  const std::string text = read_text(DOCS "/forms.md"), begin = "```" + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    found.push_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

void run_commands_of_docs(bool on_gpu) {
  const TemporaryFolder folder;
  fs::create_directory_symlink(EXAMPLES, folder.path() / "examples");
  const std::string programs = fs::path(SONOMA_COMMAND).parent_path().string() + ":" +
                               fs::path(*find_nvcc()).parent_path().string();
  const std::string place = "cd " + folder.path().string() + " && PATH=" + programs + ":$PATH && ";
  unsigned count = 0;
  for (const std::string& snippet : snippets_of_docs("sh")) {
    std::istringstream lines(snippet);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("./") && !on_gpu) continue;
      const CommandResult result = run_command({"/bin/sh", "-c", place + line});
      EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.out << result.err;
      ++count;
    }
  }
  EXPECT_GE(count, 6u);
}

std::optional<std::string> find_nvcc() {
  const char* given = std::getenv("SONOMA_NVCC");
  const char* home = std::getenv("CUDA_HOME");
  std::vector<std::string> places;
  if (given != nullptr) places.emplace_back(given);
  if (home != nullptr) places.push_back(std::string(home) + "/bin/nvcc");
  std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) places.push_back(folder + "/nvcc");
  places.emplace_back("/usr/local/cuda/bin/nvcc");
  for (const std::string& place : places) {
    if (fs::exists(place)) return place;
  }
  return std::nullopt;
}

}  // namespace sonoma::tests
