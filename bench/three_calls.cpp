#include "three_calls.hpp"

#include <cstdio>
#include <string>

namespace sonoma::bench {
namespace {

constexpr unsigned threads = 256, vectors_of_thread = 4;

// VECTOR: float2 or float4, one point or two; ROW: so many of them are a spectrum. A block takes
// neighbouring ones, a thread every 256th of these.
constexpr const char* product_text = R"(
__device__ float2 product(float2 x, float2 s) {
  s.y *= SIGN;
  return make_float2(SCALE * (x.x * s.x - x.y * s.y), SCALE * (x.x * s.y + x.y * s.x));
}
__device__ float4 product(float4 x, float4 s) {
  const float2 a = product(make_float2(x.x, x.y), make_float2(s.x, s.y));
  const float2 b = product(make_float2(x.z, x.w), make_float2(s.z, s.w));
  return make_float4(a.x, a.y, b.x, b.y);
}
extern "C" __global__ void __launch_bounds__(256)
spectrum_product(const VECTOR* in, VECTOR* out, unsigned long long count, const VECTOR* spectrum) {
  const INDEX first = blockIdx.x * static_cast<INDEX>(256 * EACH) + threadIdx.x;
  VECTOR x[EACH], s[EACH];
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
    const INDEX at = first + i * 256;
    if (at < count) x[i] = in[at], s[i] = __ldg(spectrum + at % ROW);
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
    const INDEX at = first + i * 256;
    if (at < count) out[at] = product(x[i], s[i]);
  }
}
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
  }
  return text;
}

std::string exact_float(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%af", static_cast<double>(static_cast<float>(value)));
  return text;
}

CudaSource product_of(const FftProblem& problem, std::int64_t spectrum, std::int64_t each) {
  const bool few = problem.batch * spectrum < std::int64_t{1} << 31;
  std::string text = product_text;
  text = replaced(text, "VECTOR", each == 2 ? "float4" : "float2");
  text = replaced(text, "INDEX", few ? "unsigned" : "unsigned long long");
  text = replaced(text, "SCALE", exact_float(problem.scale));
  text = replaced(text, "SIGN", problem.convolution->correlate ? "-1.0f" : "1.0f");
  text = replaced(text, "EACH", std::to_string(vectors_of_thread));
  text = replaced(text, "ROW", std::to_string(spectrum / each) + "u");
  CudaSource source;
  source.name = "spectrum_product";
  source.text = text;
  source.launch.threads = threads;
  return source;
}

bool is_plain(const Convolution& convolution) {
  return convolution == Convolution{convolution.real, convolution.correlate};
}

const FftProblem& servable(const FftProblem& problem) {
  if (problem.convolution && is_plain(*problem.convolution) && problem.storage == Storage::f32 &&
      problem.result_storage() == Storage::f32 && problem.placement == Placement::out_of_place &&
      problem.layout == DataLayout{} && problem.ends == Ends{}) {
    return problem;
  }
  throw UnsupportedProblem("problem", to_string(problem),
                           "convolutions in f32 of whole signals that follow each other, of one "
                           "channel, in the three calls with cuFFT");
}

FftProblem transform_of(const FftProblem& problem, bool forward) {
  FftProblem transform;
  transform.lengths = problem.lengths, transform.batch = problem.batch;
  transform.direction = forward ? Direction::forward : Direction::inverse;
  if (problem.convolution && problem.convolution->real) {
    transform.domain = forward ? Domain::r2c : Domain::c2r;
  }
  return transform;
}

// The row of the last axis whose indices are those of `row`, negated.
std::int64_t mirrored_row(const FftProblem& problem, std::int64_t row) {
  std::int64_t mirror = 0, rows = 1;
  for (std::size_t a = problem.lengths.size() - 1; a-- > 0;) {
    const std::int64_t n = problem.lengths[a];
    mirror += (n - row % n) % n * rows;
    row /= n, rows *= n;
  }
  return mirror;
}

}  // namespace

ThreeCalls::ThreeCalls(const FftProblem& problem)
    : forward(transform_of(servable(problem), true)),
      inverse(transform_of(problem, false)),
      spectrum(forward.out_length()),
      product(product_of(problem, spectrum, points_of_vector())) {}

std::vector<std::complex<float>> hermitian(const FftProblem& problem,
                                           std::vector<std::complex<float>> spectrum) {
  if (!problem.convolution->real) return spectrum;
  const std::int64_t last = problem.lengths.back(), stored = last / 2 + 1;
  const auto at = [&](std::int64_t row, std::int64_t k) -> auto& {
    return spectrum[static_cast<std::size_t>(row * stored + k)];
  };
  for (std::int64_t row = 0; row < problem.points() / last; ++row) {
    const std::int64_t mirror = mirrored_row(problem, row);
    for (std::int64_t k = 0; k <= last / 2; k += last % 2 == 0 ? last / 2 : last) {
      const std::complex<float> mean = (at(row, k) + std::conj(at(mirror, k))) * 0.5f;
      at(row, k) = mean, at(mirror, k) = std::conj(mean);
    }
  }
  return spectrum;
}

ThreeCallConvolution::ThreeCallConvolution(const Cufft& library, const FftProblem& problem,
                                           const std::vector<std::complex<float>>& spectrum,
                                           Stream stream)
    : calls_(problem),
      forward_(library, calls_.forward, stream),
      inverse_(library, calls_.inverse, stream),
      product_(calls_.product),
      spectrum_(Device::gpu, spectrum.size() * sizeof spectrum[0]),
      between_(Device::gpu, static_cast<std::size_t>(calls_.spectrum * problem.batch) *
                                point_bytes(Storage::f32)),
      stream_(stream) {
  spectrum_.upload(hermitian(problem, spectrum).data(), spectrum_.bytes());
}

void ThreeCallConvolution::execute(const void* in, void* out) const {
  constexpr unsigned of_block = threads * vectors_of_thread;
  void *between = between_.data(), *spectrum = spectrum_.data();
  auto count = static_cast<unsigned long long>(calls_.spectrum * calls_.forward.batch /
                                               calls_.points_of_vector());
  void* arguments[] = {&between, &between, &count, &spectrum};
  forward_.execute(in, between);
  product_.launch(static_cast<unsigned>((count + of_block - 1) / of_block), arguments, stream_);
  inverse_.execute(between, out);
}

std::size_t ThreeCallConvolution::workspace_bytes() const {
  return forward_.workspace_bytes() + inverse_.workspace_bytes() + between_.bytes();
}

}  // namespace sonoma::bench
