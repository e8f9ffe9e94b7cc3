#include "goldens.hpp"

#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

FftProblem forward(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

FftProblem inverse(std::int64_t n, double scale = 1.0) {
  FftProblem problem = forward(n);
  problem.direction = Direction::inverse;
  problem.scale = scale;
  return problem;
}

FftProblem plane(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n, n};
  return problem;
}

Tuning engine(Engine engine) {
  Tuning tuning;
  tuning.engine = engine;
  return tuning;
}

Tuning in_fp64() {
  Tuning tuning;
  tuning.sums = Sums::fp64;
  return tuning;
}

Tuning rounds(unsigned rounds) {
  Tuning tuning = engine(Engine::simt);
  tuning.rounds = rounds;
  return tuning;
}

Tuning mma_radix(unsigned radix) {
  Tuning tuning = engine(Engine::mma);
  tuning.radix = radix;
  return tuning;
}

FftProblem in_f16(std::int64_t n) {
  FftProblem problem = forward(n);
  problem.storage = Storage::f16;
  return problem;
}

FftProblem packed(std::int64_t n) {
  FftProblem problem = in_f16(n);
  problem.accuracy.arithmetic = Arithmetic::packed;
  return problem;
}

Tuning by(Method method, std::optional<unsigned> registers = std::nullopt) {
  Tuning tuning;
  tuning.method = method, tuning.registers = registers;
  return tuning;
}

Tuning fused() {
  Tuning tuning;
  tuning.fused = true;
  tuning.points_per_thread = 16;  // of 32, sm_100 spills 16 bytes
  return tuning;
}

Tuning clusters(unsigned blocks, std::int64_t n) {
  Tuning tuning = engine(Engine::simt);
  tuning.cluster = blocks;
  tuning.block_points = static_cast<unsigned>(n);
  return tuning;
}

FftProblem forward_real(std::int64_t n) {
  FftProblem problem = forward(n);
  problem.domain = Domain::r2c;
  return problem;
}

Tuning opposite(unsigned blocks = 1) {
  Tuning tuning = engine(Engine::simt);
  tuning.opposite = true;
  if (blocks > 1) tuning.cluster = blocks;
  return tuning;
}

FftProblem forward_cosines(std::int64_t n) {
  FftProblem problem = forward(n);
  problem.domain = Domain::dct2;
  return problem;
}

FftProblem inverse_real(std::int64_t n) {
  FftProblem problem = inverse(n);
  problem.domain = Domain::c2r;
  return problem;
}

Tuning sections() {
  Tuning tuning = engine(Engine::simt);
  tuning.decomposition = Decomposition{{16, 16, 16, 16}};
  tuning.pass_lengths = {256, 256};
  tuning.columns = 4;
  return tuning;
}

}  // namespace

LaunchKernel Golden::generated(const Target& target) const {
  const bool real = problem.domain != Domain::c2c;
  if (takes_passes(problem, target, tuning) || problem.lengths.size() > 1 || real) {
    return generate(make_program(problem, target, tuning).launches.at(0), target);
  }
  LaunchKernel kernel{{generate(problem, target, tuning)}, {}, {}};
  kernel.source = kernel.passes[0].source;
  return kernel;
}

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> list = {
      {"n4096_mma_sm_90", forward(4096), engine(Engine::mma), "sm_90"},
      {"n4096_simt_sm_90", forward(4096), engine(Engine::simt), "sm_90"},
      {"n256_mma_sm_90", forward(256), engine(Engine::mma), "sm_90"},
      {"n8192_inverse_mma_sm_90", inverse(8192), engine(Engine::mma), "sm_90"},
      // The radix of half-precision tensor-core FFTs before this one.
      {"n1024_radix_4_mma_sm_90", forward(1024), mma_radix(4), "sm_90"},
      {"n4096_mma_sm_75", forward(4096), engine(Engine::mma), "sm_75"},
      {"n16_simt_sm_90", forward(16), engine(Engine::simt), "sm_90"},
      {"n1000_simt_sm_90", forward(1000), engine(Engine::simt), "sm_90"},
      // Steps of radix 31 and 17; butterflies in FP64.
      {"n527_simt_sm_90", forward(527), engine(Engine::simt), "sm_90"},
      {"n49_simt64_sm_90", forward(49), in_fp64(), "sm_90"},
      {"n2_mma_sm_90", forward(2), engine(Engine::mma), "sm_90"},
      // A prime, by Rader's algorithm and by Bluestein's.
      {"n1009_rader_simt_sm_90", forward(1009), by(Method::rader, 72), "sm_90"},
      {"n1009_bluestein_simt_sm_90", forward(1009), by(Method::bluestein), "sm_90"},
      // Two rounds.
      {"n4096_rounds_simt_sm_90", forward(4096), rounds(2), "sm_90"},
      {"n1024_inverse_scaled_simt_sm_80", inverse(1024, 1.0 / 1024), engine(Engine::simt), "sm_80"},
      {"n1024_f16_mma_sm_90", in_f16(1024), engine(Engine::mma), "sm_90"},
      {"n1024_f16_packed_sm_90", packed(1024), engine(Engine::simt), "sm_90"},
      // Eight blocks together; two passes in one launch.
      {"n32768_cluster_simt_sm_90", forward(32768), clusters(8, 32768), "sm_90"},
      {"n262144_fused_simt_sm_90", forward(262144), fused(), "sm_90"},
      // Two axes in one launch.
      {"n64x64_simt_sm_90", plane(64), engine(Engine::simt), "sm_90"},
      // Real numbers in pairs, and an odd number of them.
      {"n2048_r2c_simt_sm_90", forward_real(2048), engine(Engine::simt), "sm_90"},
      {"n1000_c2r_simt_sm_90", inverse_real(1000), engine(Engine::simt), "sm_90"},
      // A thread takes butterflies q and -q, of one block and of three.
      {"n3000_r2c_opposite_simt_sm_90", forward_real(3000), opposite(), "sm_90"},
      {"n3000_r2c_cluster_simt_sm_90", forward_real(3000), opposite(3), "sm_90"},
      {"n45_c2r_simt_sm_90", inverse_real(45), engine(Engine::simt), "sm_90"},
      // Cosines, by half as many points.
      {"n64_dct2_simt_sm_90", forward_cosines(64), engine(Engine::simt), "sm_90"},
      // The first of two passes that are sections of one tree.
      {"n65536_section_simt_sm_90", forward(65536), sections(), "sm_90"},
  };
  return list;
}

std::ostream& operator<<(std::ostream& stream, const Golden& golden) {
  return stream << golden.name;
}

}  // namespace sonoma::test
