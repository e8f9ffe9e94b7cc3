// Writes what the library makes as the first inputs of the fuzz targets:
// build/tests/bin/write_fuzz_seeds tests/fuzz/corpus
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>

#include "ahead.hpp"
#include "cache_entry.hpp"
#include "deflate.hpp"
#include "every_kind.hpp"
#include "fuzz.hpp"
#include "npy.hpp"
#include "runtime/src/request_words.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/overrides.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/tuning_fields.hpp"

namespace {

using namespace sonoma;
namespace fs = std::filesystem;

fs::path corpus;

void write(const std::string& target, const std::string& name, const std::string& bytes) {
  fs::create_directories(corpus / target);
  std::ofstream(corpus / target / name, std::ios::binary) << bytes;
}

// Every few of each kind.
std::vector<test::Request> some_requests() {
  std::vector<test::Request> some;
  for (const auto& kind : test::requests_by_kind()) {
    for (std::size_t i = 0; i < kind.size(); i += kind.size() / 6) some.push_back(kind[i]);
  }
  FftProblem laid_out;
  laid_out.lengths = {60, 100};
  laid_out.batch = 7;
  laid_out.layout = {2, 3, 20000, 30000, {{3, 70000, 80000}}};
  laid_out.ends = {90, 80, "", "make_float2(value.x, 'a' * value.y)", {50}, {40}};
  laid_out.ends.store_code = "make_float2(value.x * 2, value.y)";
  some.push_back({"laid_out", laid_out});
  FftProblem integers;
  integers.lengths = {240};
  integers.storage = Storage::i16;
  integers.scale = 0.125;
  some.push_back({"integers", integers});
  return some;
}

std::string tuning_lines(const Tuning& tuning) {
  std::string lines;
  for (const TuningField& field : tuning_fields()) {
    if (const auto text = text_of(field, tuning)) lines += field.name + ("=" + *text) + "\n";
  }
  return lines;
}

std::string plan_words(const test::Request& request) {
  const Target target = target_for("sm_90");
  const Planned planned = plan(request.problem, target, {}, {}, request.tuning);
  std::vector<Emitted> kernels;
  return encode(planned.choice, planned.program, kernels);
}

void write_requests() {
  int tree = 0;
  for (const test::Request& request : some_requests()) {
    const fuzz::Request asked{"sm_90", request.problem, request.tuning};
    write("request", request.name, fuzz::to_words({"sm_90", request.problem, {}}));
    write("plan", request.name, fuzz::to_words(asked));
    const std::string words = request_words(request.problem, request.tuning);
    if (words.find("...") == std::string::npos) write("command_line", request.name, words);
    const std::string lines = tuning_lines(request.tuning);
    if (!lines.empty()) write("tuning", request.name, lines);
    if (++tree % 4 == 0) write("ahead_plan", request.name, plan_words(request));
  }
  write("command_line", "array", "--array 8x64x48x3 --axes 1,2 --domain r2c --norm ortho");
  write("command_line", "code", "--n 256 --load-code \"make_float2(value.x, 0)\" --arch sm_80");
  write("command_line", "lists", "--n 100,2..8192 --precision f16 --device cpu --batch 7");
  for (const std::int64_t n : {2, 30, 256, 4096, 5005, 67'108'864}) {
    write("decomposition", std::to_string(n), to_string(decompose(n)));
  }
  write("spec", "of_the_manual", R"({"archs": ["sm_80", "sm_90"], "requests": [
  {"n": [256, 4096], "inverse": [false, true]}, {"n": "2..64", "precision": "f16"},
  {"shape": "64x64", "domain": ["r2c"], "batch": 1},
  {"n": 1000, "in-place": true, "scale": 0.001, "archs": ["sm_90"], "workspace": "minimal"}]})");
}

void write_wisdom() {
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{2}, {60}, {101}, {4096}, {65536}, {64, 64}}) {
    const Wisdom all = shipped_wisdom_of(lengths, {Storage::f32});
    Wisdom few;
    for (const WisdomEntry& entry : all.entries()) {
      if (few.entries().size() < 3) few.add(entry);
    }
    write("wisdom", to_shape(lengths), to_json_text(few));
  }
}

// Without the lines that the target writes.
std::string body_of(const CacheEntry& entry) {
  const std::string bytes = encode(entry);
  return bytes.substr(bytes.find('\n', bytes.find('\n') + 1) + 1);
}

Emitted some_text() {
  Emitted emitted;
  emitted.source = {"kernel", "extern \"C\" __global__ void kernel() {}\n", {}, {1, 2, 3}};
  emitted.error.bound = 1e-7;
  return emitted;
}

void write_kept() {
  const CacheEntry cubin{
      {"cubin", "kernel", "sm_90", "some compiler", {"--one", "--two=2"}, "__global__ ..."},
      {std::string("\x7f"
                   "ELF\0\1",
                   6),
       "a log"}};
  const CacheEntry text{{"text", "n=8", "sm_90", "generator 1", {}, "words"},
                        {encode(some_text()), ""}};
  write("cache_entry", "cubin", body_of(cubin));
  write("cache_entry", "text", body_of(text));
  std::string packed = "sonoma-cache-bundle 1\nentries 2\n";
  for (const CacheEntry& entry : {cubin, text}) {
    const std::string bytes = encode(entry), deflated_bytes = deflated(bytes);
    packed += cache_key(entry.inputs) + " " + std::to_string(bytes.size()) + " " +
              std::to_string(deflated_bytes.size()) + "\n" + deflated_bytes + "\n";
  }
  write("cache_bundle", "two", packed);
  write("ahead_plan", "text", std::string(64, '-') + encode(some_text()));
  BundleWriter writer;
  add_kernel(writer, kernel_key({}, 90), some_text());
  writer.add(BlobKind::cubin, kernel_key({}, 90), "a cubin");
  write("bundle", "kernel", writer.bundle({"sonoma", "a compiler", {80, 90}, {70}, {"--n 8"}}));
  write("bundle", "empty", BundleWriter().bundle({}));
}

void write_override() {
  const fs::path folder = fs::temp_directory_path() / "sonoma-fuzz-seeds";
  Override kept;
  kept.kernel = "sonoma_fft_8", kept.arch = "sm_90";
  kept.launch = std::string(64, 'a'), kept.original = std::string(64, 'b');
  kept.text = "__global__ void sonoma_fft_8() {}\n", kept.request = "--n 8";
  kept.verified_on = "emulated device", kept.date = "2026-11-24", kept.rel_l2 = 1e-7;
  save_override(folder, kept);
  for (const auto& item : fs::directory_iterator(folder)) {
    fs::create_directories(corpus / "override");
    fs::copy_file(item, corpus / "override" / "one", fs::copy_options::overwrite_existing);
  }
  fs::remove_all(folder);
}

void write_arrays() {
  const std::vector<std::complex<float>> data = {{1, 0}, {2, 0}, {-3.5f, 0}, {4, 0}};
  for (const auto& [name, storage, values] :
       {std::tuple{"complex", Storage::f32, Values::complex},
        std::tuple{"real", Storage::f32, Values::real},
        std::tuple{"integers", Storage::i16, Values::complex}}) {
    std::ostringstream stream;
    cli::write_npy(stream, {{2, 2}, data, storage, values});
    write("npy", name, stream.str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("write_fuzz_seeds FOLDER\n", stderr), 2;
  try {
    corpus = argv[1];
    write_requests();
    write_wisdom();
    write_kept();
    write_override();
    write_arrays();
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
  return 0;
}
