#include "primitives.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "host_compiler.hpp"

namespace sonoma::test {

std::string primitive(const std::string& file) {
  std::ifstream stream(std::filesystem::path(TEMPLATES) / file, std::ios::binary);
  if (!stream) throw std::runtime_error("no template " + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string primitives(const std::vector<std::string>& files, const std::string& storage) {
  std::string text;
  std::vector<std::string> all = {"global.cuh", storage, "points.cuh"};
  all.insert(all.end(), files.begin(), files.end());
  for (const std::string& name : all) text += primitive(name);
  return text;
}

CudaSource kernel(const std::string& primitives, const std::string& body, unsigned threads,
                  unsigned shared_bytes) {
  CudaSource source;
  source.name = "primitive_under_test";
  source.text = primitives +
                "extern \"C\" __global__ void primitive_under_test(const float2* in, float2* out,\n"
                "    const uint4* tables, unsigned long long batch) {\n"
                "  const unsigned thread = thread_index();\n" +
                body + "\n}\n";
  source.launch = {threads, shared_bytes, 1};
  return source;
}

Points run(const CudaSource& source, const Points& in, std::size_t out_size,
           const std::vector<std::uint32_t>& tables, std::uint64_t blocks) {
  const EmulatedKernel kernel(compiled(source), source);
  Points out(out_size, {-1.0f, -1.0f});
  (void)kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)), tables,
                      blocks, {.check_races = true, .host_threads = 1});
  return out;
}

std::string compile_error(const CudaSource& source) {
  try {
    (void)compiled(source);
  } catch (const EmulationError& error) {
    return error.log();
  }
  return "compiles";
}

Points random_points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Points points(count);
  for (auto& point : points) point = {normal(random), normal(random)};
  return points;
}

}  // namespace sonoma::test
