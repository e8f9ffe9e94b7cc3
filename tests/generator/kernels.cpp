#include "kernels.hpp"

namespace sonoma::test {

FftProblem Request::problem() const {
  FftProblem problem;
  problem.lengths = {n};
  problem.direction = direction;
  problem.scale = scale;
  problem.storage = storage;
  return problem;
}

Tuning Request::tuning() const {
  Tuning tuning;
  tuning.engine = engine;
  tuning.radix = radix;
  tuning.products = products;
  if (cluster > 1 || rounds > 1) {
    tuning.cluster = cluster, tuning.rounds = rounds;
    tuning.block_points = static_cast<unsigned>(n);
  }
  return tuning;
}

Generated Request::generated() const { return generate(problem(), target_for("sm_90"), tuning()); }

std::string name(const Request& request) {
  std::string text = "n=" + std::to_string(request.n) + " " + to_string(request.engine);
  if (request.radix) text += " radix=" + std::to_string(*request.radix);
  if (request.products) text += " products=" + std::to_string(*request.products);
  if (request.cluster > 1) text += " cluster=" + std::to_string(request.cluster);
  if (request.rounds > 1) text += " rounds=" + std::to_string(request.rounds);
  return text + " " + to_string(request.storage) + " " + to_string(request.direction);
}

std::vector<Request> all_requests() {
  std::vector<Request> all;
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    for (const unsigned radix : {2u, 4u, 8u, 16u}) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        all.push_back({n, Engine::mma, radix, direction});
        all.push_back({n, Engine::simt, radix, direction});
      }
    }
  }
  return all;
}

std::vector<Request> sample_requests() {
  std::vector<Request> requests;
  for (const std::int64_t n : {2, 8, 16, 256, 1024, 8192}) {
    requests.push_back({n, Engine::mma, {}});
    requests.push_back({n, Engine::simt, {}, Direction::inverse, 1.0 / 3});
  }
  // Complex words: loaded as such, exchanged and multiplied; between FP32 storage multiplied only.
  for (const Storage storage : {Storage::f16, Storage::bf16, Storage::f32}) {
    for (const std::int64_t n : {256, 1024, 4096}) {
      requests.push_back({n, Engine::mma, {}, Direction::forward, 1.0, 1, storage});
    }
  }
  for (const unsigned cluster : {2u, 8u}) {
    requests.push_back({8192, Engine::simt, {}});
    requests.back().cluster = cluster;
  }
  for (const unsigned cluster : {1u, 4u}) {  // four phases: exchanges before the turn and after it
    requests.push_back({8192, Engine::simt, 8});
    requests.back().cluster = cluster, requests.back().rounds = 2;
    requests.push_back({2048, Engine::simt, {}, Direction::inverse, 0.5});
    requests.back().rounds = 2;
  }
  for (const unsigned radix : {2u, 4u, 8u}) {
    requests.push_back({512, Engine::mma, radix});
    requests.push_back({512, Engine::mma, radix, Direction::inverse, 0.125});
    requests.push_back({512, Engine::simt, radix});
  }
  return requests;
}

}  // namespace sonoma::test
