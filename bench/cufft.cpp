#include "cufft.hpp"

#include <cufftXt.h>
#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "sonoma/config.hpp"
#include "suite.hpp"

namespace sonoma::bench {

using boost::dll::shared_library;

struct Cufft::Functions {
  decltype(&cufftCreate) create;
  decltype(&cufftMakePlanMany) make_plan_many;
  decltype(&cufftXtMakePlanMany) xt_make_plan_many;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftExecC2C) execute_c2c;
  decltype(&cufftExecR2C) execute_r2c;
  decltype(&cufftExecC2R) execute_c2r;
  decltype(&cufftXtExec) xt_execute;
  decltype(&cufftGetSize) get_size;
  decltype(&cufftDestroy) destroy;
};

namespace {

cufftType type_of_plan(Domain domain) {
  static constexpr cufftType types[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R};
  return types[static_cast<int>(domain)];
}

cudaDataType type_of_data(Storage storage, Values values) {
  const bool real = values == Values::real;
  if (storage == Storage::f16) return real ? CUDA_R_16F : CUDA_C_16F;
  return real ? CUDA_R_16BF : CUDA_C_16BF;
}

// It is never unloaded: cuFFT registers its kernels with the driver until the process ends.
shared_library open_library(const std::vector<std::string>& paths) {
  namespace load_mode = boost::dll::load_mode;
  const auto mode = load_mode::rtld_now | load_mode::search_system_folders |
                    static_cast<load_mode::type>(RTLD_NODELETE);
  for (const auto& path : paths) {
    shared_library library;
    std::error_code error;
    library.load(path, mode, error);
    if (!error) return library;
  }
  throw FftError(Stage::load_library,
                 "cuFFT: neither libcufft.so.12 nor libcufft.so.11 can be opened; install it with "
                 "the CUDA toolkit and set CUDA_PATH or LD_LIBRARY_PATH, or ask for --vs copy");
}

template <class Function>
Function* find(const shared_library& library, const char* name) {
  if (library.has(name)) return &library.get<Function>(name);
  throw FftError(Stage::load_library, std::string("cuFFT: the library has no ") + name);
}

// Name and type from one word; nothing is linked.
#define SONOMA_FIND(library, function) find<decltype(::function)>(library, #function)

int as_int(std::int64_t value) {
  if (value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
  throw UnsupportedProblem("layout", std::to_string(value),
                           "at most 2^31 - 1 in cuFFT's plans of f32");
}

// What it has no plans for at all.
void require_servable(const FftProblem& problem) {
  if (problem.convolution) {
    throw UnsupportedProblem("problem", to_string(problem), "cuFFT has no convolutions");
  }
  const bool converts = problem.result_storage() != problem.storage;
  if (!converts && problem.storage != Storage::i16 && problem.ends == Ends{}) return;
  throw UnsupportedProblem("problem", to_string(problem),
                           "cuFFT neither pads nor crops nor converts, and has no integers");
}

void check(cufftResult result, const char* call) {
  if (result == CUFFT_SUCCESS) return;
  throw FftError(Stage::launch,
                 std::string("cuFFT: ") + call + " returned error " + std::to_string(result));
}

}  // namespace

std::vector<std::string> Cufft::default_paths() {
  const std::vector<std::string> names = {"libcufft.so.12", "libcufft.so.11"};
  std::vector<std::string> paths = names;
  std::vector<std::filesystem::path> roots = config().cuda_roots;
  if (!config().cuda_path.empty()) roots.insert(roots.begin(), config().cuda_path);
  for (const auto& root : roots) {
    for (const char* folder : {"lib64", "lib"}) {
      for (const auto& name : names) paths.push_back((root / folder / name).string());
    }
  }
  return paths;
}

Cufft::Cufft(const std::vector<std::string>& paths) {
  const shared_library library = open_library(paths);
  functions_ = std::make_unique<const Functions>(
      Functions{.create = SONOMA_FIND(library, cufftCreate),
                .make_plan_many = SONOMA_FIND(library, cufftMakePlanMany),
                .xt_make_plan_many = SONOMA_FIND(library, cufftXtMakePlanMany),
                .set_stream = SONOMA_FIND(library, cufftSetStream),
                .execute_c2c = SONOMA_FIND(library, cufftExecC2C),
                .execute_r2c = SONOMA_FIND(library, cufftExecR2C),
                .execute_c2r = SONOMA_FIND(library, cufftExecC2R),
                .xt_execute = SONOMA_FIND(library, cufftXtExec),
                .get_size = SONOMA_FIND(library, cufftGetSize),
                .destroy = SONOMA_FIND(library, cufftDestroy)});
}

Cufft::~Cufft() = default;

Cufft::Plan::Plan(const Cufft& library, const FftProblem& problem, Stream stream)
    : library_(library),
      storage_(problem.storage),
      domain_(problem.domain),
      direction_(problem.direction == Direction::forward ? CUFFT_FORWARD : CUFFT_INVERSE) {
  require_servable(problem);
  check(library_.functions_->create(&handle_), "cufftCreate");
  try {
    make(problem);
    check(library_.functions_->set_stream(handle_, stream), "cufftSetStream");
  } catch (...) {
    library_.functions_->destroy(handle_);
    throw;
  }
}

namespace {

// The shape of the array that the points of a side are taken from: how often the stride of an axis
// goes into that of the axis before it. What is before the first axis the distances say.
std::vector<std::int64_t> embedding_of(const FftProblem& problem, bool input) {
  const std::vector<Axis> axes = problem.axes();
  std::vector<std::int64_t> embedding = {axes.front().length(input)};
  for (std::size_t a = 1; a < axes.size(); ++a) {
    const std::int64_t outer = axes[a - 1].stride(input), inner = axes[a].stride(input);
    if (outer % inner != 0 || outer / inner < axes[a].length(input)) {
      throw UnsupportedProblem("layout", to_string(problem.layout),
                               "axes of an array in C order, in cuFFT's plans");
    }
    embedding.push_back(outer / inner);
  }
  return embedding;
}

template <class Integer>
std::vector<Integer> as(const std::vector<std::int64_t>& values) {
  if constexpr (sizeof(Integer) < sizeof(std::int64_t)) {
    for (const std::int64_t value : values) (void)as_int(value);
  }
  return {values.begin(), values.end()};
}

}  // namespace

void Cufft::Plan::find_starts(const FftProblem& problem) {
  const std::vector<Loop>& loops = problem.layout.loops;
  const std::int64_t step = loops.empty() ? transforms_of(problem) : loops.front().count;
  for (std::int64_t first = 0; first < transforms_of(problem); first += step) {
    starts_.push_back(
        {static_cast<std::size_t>(start_of_input(problem, first)) * problem.bytes_of_point(true),
         static_cast<std::size_t>(start_of_output(problem, first)) *
             problem.bytes_of_point(false)});
  }
}

void Cufft::Plan::make(const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  find_starts(problem);
  const int rank = static_cast<int>(problem.lengths.size());
  Loop taken{problem.batch, problem.in_dist(), problem.out_dist()};
  if (!layout.loops.empty()) taken = layout.loops.front();
  const auto& [batch, in_dist, out_dist, in_index, out_index] = taken;
  const auto in_shape = embedding_of(problem, true), out_shape = embedding_of(problem, false);
  std::size_t work_size = 0;
  cufftResult result = CUFFT_SUCCESS;
  if (storage_ == Storage::f32) {
    auto lengths = as<int>(problem.lengths), inembed = as<int>(in_shape),
         onembed = as<int>(out_shape);
    result = library_.functions_->make_plan_many(
        handle_, rank, lengths.data(), inembed.data(), as_int(layout.in_stride), as_int(in_dist),
        onembed.data(), as_int(layout.out_stride), as_int(out_dist), type_of_plan(domain_),
        as_int(batch), &work_size);
  } else {
    auto lengths = as<long long>(problem.lengths), inembed = as<long long>(in_shape),
         onembed = as<long long>(out_shape);
    const auto type = [&](bool input) { return type_of_data(storage_, problem.values(input)); };
    result = library_.functions_->xt_make_plan_many(
        handle_, rank, lengths.data(), inembed.data(), layout.in_stride, in_dist, type(true),
        onembed.data(), layout.out_stride, out_dist, type(false), batch, &work_size,
        type_of_data(storage_, Values::complex));
  }
  if (result == CUFFT_SUCCESS) return;
  throw UnsupportedProblem("problem", to_string(problem),
                           "cuFFT makes no such plan (error " + std::to_string(result) + ")");
}

Cufft::Plan::~Plan() { library_.functions_->destroy(handle_); }

cufftResult Cufft::Plan::execute_once(void* in, void* out) const {
  const Functions& functions = *library_.functions_;
  if (storage_ != Storage::f32) return functions.xt_execute(handle_, in, out, direction_);
  auto *complex_in = static_cast<cufftComplex*>(in), *complex_out = static_cast<cufftComplex*>(out);
  if (domain_ == Domain::r2c) {
    return functions.execute_r2c(handle_, static_cast<cufftReal*>(in), complex_out);
  }
  if (domain_ == Domain::c2r) {
    return functions.execute_c2r(handle_, complex_in, static_cast<cufftReal*>(out));
  }
  return functions.execute_c2c(handle_, complex_in, complex_out, direction_);
}

// cuFFT takes its input as not const.
void Cufft::Plan::execute(const void* in, void* out) const {
  auto* from = static_cast<std::byte*>(const_cast<void*>(in));
  auto* to = static_cast<std::byte*>(out);
  for (const Start& start : starts_) {
    check(execute_once(from + start.in_bytes, to + start.out_bytes), "the execution");
  }
}

std::size_t Cufft::Plan::workspace_bytes() const {
  std::size_t bytes = 0;
  check(library_.functions_->get_size(handle_, &bytes), "cufftGetSize");
  return bytes;
}

}  // namespace sonoma::bench
