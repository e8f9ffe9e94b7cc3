// What lies between the halves of a search: compiled kernels as files.
#include "tune_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "command.hpp"
#include "gzip.hpp"
#include "kernel_facts.hpp"
#include "sonoma/candidates.hpp"
#include "sonoma/resolve.hpp"
#include "tuning_options.hpp"

namespace sonoma::bench {
namespace {

namespace fs = std::filesystem;

const Target target = target_for("sm_90");

std::string random_bytes(std::size_t count, unsigned seed) {
  std::minstd_rand generator(seed);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(generator() >> 8);
  return bytes;
}

TEST(Gzip, GivesBackWhatItTook) {
  for (const auto& bytes :
       {std::string(), std::string("a"), std::string(1000000, 'x'), random_bytes(700000, 1)}) {
    EXPECT_EQ(gunzip(gzip(bytes)), bytes) << bytes.size();
  }
  EXPECT_LT(gzip(std::string(1000000, 'x')).size(), 2000u);
}

TEST(Gzip, SeesDamage) {
  const std::string whole = gzip(random_bytes(5000, 2));
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    EXPECT_EQ(gunzip(whole.substr(0, size)), std::nullopt) << size;
  }
  for (std::size_t at = 20; at < whole.size(); at += 301) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_EQ(gunzip(damaged), std::nullopt) << at;
  }
  EXPECT_EQ(gunzip(whole + "x"), std::nullopt);
  EXPECT_EQ(gunzip("no gzip"), std::nullopt);
}

FftProblem problem_with(const std::vector<std::int64_t>& lengths) {
  FftProblem problem;
  problem.lengths = lengths;
  return problem;
}

TEST(TuningOptions, AreReadAsTheTuningTheySay) {
  std::size_t several_passes = 0;
  for (const auto& [lengths, arithmetic] :
       std::vector<std::pair<std::vector<std::int64_t>, Arithmetic>>{
           {{256}, Arithmetic::split3},
           {{1000}, Arithmetic::simt},
           {{1009}, Arithmetic::simt},
           {{65536}, Arithmetic::simt},
           {{512, 512}, Arithmetic::simt}}) {
    const FftProblem problem = problem_with(lengths);
    for (const auto& one : candidates(problem, target, arithmetic, Effort::measure)) {
      const std::string options = options_of(one.tuning);
      EXPECT_EQ(tuning_of_options(options), one.tuning) << options;
      several_passes += one.tuning.pass_lengths.has_value();
    }
  }
  EXPECT_GT(several_passes, 3u);
  EXPECT_EQ(tuning_of_options(""), Tuning());
  EXPECT_THROW((void)tuning_of_options("--radix"), std::invalid_argument);
  EXPECT_THROW((void)tuning_of_options("--engine tensor"), std::invalid_argument);
  EXPECT_THROW((void)tuning_of_options("--speed 9"), std::invalid_argument);
}

// A kernel as it is, but for its cubin.
CompiledSubject some_subject(const Subject& of = Subject{{96}}) {
  CompiledSubject subject{90, of, 1 << 16, {}, {}};
  const auto found = candidates(subject.problem(), target, Arithmetic::simt, Effort::measure);
  for (const Candidate& candidate : found) {
    std::vector<CudaSource> sources;
    CompiledCandidate one{candidate.tuning, {}};
    for (const Launch& launch : make_program(subject.problem(), target, one.tuning).launches) {
      sources.push_back(generate(launch, target).source);
      one.modules.push_back(kernels_of(std::vector{sources.back()}));
    }
    one.kernels = kernels_of(sources);
    const auto i = static_cast<unsigned>(subject.modules.size());
    if (i == 4) break;
    if (subject.modules.contains(one.modules.front())) continue;
    subject.modules[one.modules.front()] = random_bytes(100 + 10 * i, i);
    one.facts.assign(fact_names().size(), 0.1 * i);
    subject.candidates.push_back(one);
  }
  subject.candidates.back().modules.clear(), subject.candidates.back().facts.clear();
  subject.candidates.back().failure = "the compiler says \"no\",\nat length";
  subject.modules.erase(subject.candidates.back().kernels);
  return subject;
}

TEST(CompiledSubject, IsReadAsItWasWritten) {
  Subject columns{{96}}, plane{{16, 6}}, filter{{96}};
  columns.side_by_side = 40, filter.convolution = Convolved::real;
  plane.domain = Domain::c2r, plane.storage = Storage::f16;
  std::set<std::string> names;
  for (const Subject& of : {Subject{{96}}, columns, filter}) {
    const CompiledSubject subject = some_subject(of);
    EXPECT_EQ(decode_subject(encode(subject)), subject);
    EXPECT_TRUE(names.insert(name_of(subject)).second) << name_of(subject);
  }
  EXPECT_TRUE(names.contains("sm_90-c2c-f32-simt-96-65536"));
  const CompiledSubject nothing{80, plane, 1 << 20, {}, {}};
  EXPECT_EQ(name_of(nothing), "sm_80-c2r-f16-simt-16x6-1048576");
}

TEST(CompiledSubject, NothingElseIsRead) {
  const std::string good = *gunzip(encode(some_subject()));
  EXPECT_EQ(decode_subject(gzip(good)), some_subject());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"sonoma-kernels 1", "sonoma-kernels 2"},
                                                        {"\"c2c\"", "\"c2d\""},
                                                        {"\"96\"", "\"9y\""},
                                                        {"\"launches\"", "\"starts\""},
                                                        {"--engine simt", "--engine simd"},
                                                        {"\"modules\":[", "\"modules\":[17,"},
                                                        {"\"arch\":90", "\"arch\":\"90\""}}) {
    std::string text = good;
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_THROW((void)decode_subject(gzip(text.replace(at, from.size(), to))),
                 std::invalid_argument)
        << to;
  }
  EXPECT_THROW((void)decode_subject(gzip(good + "x")), std::invalid_argument);
  EXPECT_THROW((void)decode_subject(gzip(good.substr(0, good.size() - 1))), std::invalid_argument);
  EXPECT_THROW((void)decode_subject(gzip("")), std::invalid_argument);
  EXPECT_THROW((void)decode_subject(""), std::invalid_argument);
}

class Folder : public testing::Test {
 protected:
  [[nodiscard]] fs::path only_file() const {
    return fs::directory_iterator(folder_.path() / "kernels")->path();
  }
  void expect_refused(const Target& gpu, const std::vector<std::string>& words) const {
    try {
      (void)kernels_.subjects(gpu);
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      for (const std::string& word : words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      }
    }
  }

  tests::TemporaryFolder folder_;
  TuneFolder kernels_{folder_.path()};
};

TEST_F(Folder, FindsWhatItSavedAndNothingDamaged) {
  const CompiledSubject subject = some_subject();
  EXPECT_EQ(kernels_.find(subject), std::nullopt);
  kernels_.save(subject);
  EXPECT_EQ(kernels_.find({90, subject.subject, subject.points, {}, {}}), subject);
  EXPECT_EQ(kernels_.find({80, subject.subject, subject.points, {}, {}}), std::nullopt);
  EXPECT_EQ(kernels_.load(subject), subject);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "kernels"), {}), 1)
      << "nothing half-written is left";
  fs::resize_file(only_file(), fs::file_size(only_file()) / 2);
  EXPECT_EQ(kernels_.find(subject), std::nullopt);
  expect_refused(target, {"it is not whole", "--compile-only"});
}

TEST_F(Folder, ListsOneStorageAfterTheOther) {
  Subject half{{4}};
  half.storage = Storage::f16;
  for (const Subject& of : {half, Subject{{250}}, Subject{{96}}}) {
    kernels_.save({90, of, 1 << 16, {}, {}});
  }
  kernels_.save({80, Subject{{96}}, 1 << 16, {}, {}});
  std::vector<std::string> names;
  for (const auto& one : kernels_.subjects(target)) names.push_back(name_of(one));
  EXPECT_EQ(names,
            (std::vector<std::string>{"sm_90-c2c-f32-simt-96-65536", "sm_90-c2c-f32-simt-250-65536",
                                      "sm_90-c2c-f16-simt-4-65536"}));
}

TEST_F(Folder, RefusesOtherArchitecturesAndOtherTexts) {
  expect_refused(target, {"holds no compiled kernels", "--compile-only"});
  CompiledSubject subject = some_subject();
  kernels_.save(subject);
  EXPECT_EQ(kernels_.subjects(target).size(), 1u);
  expect_refused(target_for("sm_80"), {"kernels of sm_90", "GPU is of sm_80", "--arch sm_80"});
  subject.candidates.front().kernels = "0123456789abcdef";
  kernels_.save(subject);
  expect_refused(target, {"another build of the generator", name_of(subject), "--compile-only",
                          "measurements of kernels that are the same are kept"});
}

double fact(const std::string& name, const std::vector<double>& facts) {
  const auto at = std::ranges::find(fact_names(), name) - fact_names().begin();
  return facts.at(static_cast<std::size_t>(at));
}

TEST(KernelFacts, AreThoseOfAllLaunches) {
  const auto facts_of = [](const FftProblem& problem, const Tuning& tuning) {
    const Program program = make_program(problem, target, tuning);
    std::vector<LaunchKernel> kernels;
    std::vector<Cubin> cubins;
    for (const Launch& launch : program.launches) {
      kernels.push_back(generate(launch, target));
      Cubin& cubin = cubins.emplace_back();
      cubin.registers = 40 + static_cast<int>(cubins.size()), cubin.code_bytes = 1600;
    }
    return kernel_facts(program, target, kernels, cubins);
  };
  Tuning one, two;
  one.engine = Engine::mma, one.products = 3;
  two.pass_lengths = {256, 256}, two.fused = false;
  const auto block = facts_of(problem_with({4096}), one);
  ASSERT_EQ(block.size(), fact_names().size());
  EXPECT_EQ(fact("launches", block), 1);
  EXPECT_EQ(fact("registers", block), 41);
  EXPECT_GT(fact("mmas", block), 0);
  EXPECT_GT(fact("exchanges", block), 0);
  EXPECT_EQ(fact("idle", block), 0) << "a power of two";
  EXPECT_EQ(fact("bytes_minimum", block), 2 * 8 * 4096);
  EXPECT_GE(fact("model_total", block), fact("model_copy", block));
  const auto passes = facts_of(problem_with({65536}), two);
  EXPECT_EQ(fact("launches", passes), 2);
  EXPECT_EQ(fact("passes", passes), 2);
  EXPECT_EQ(fact("registers", passes), 42) << "the most";
  EXPECT_EQ(fact("code_bytes", passes), 3200) << "the sum";
  EXPECT_EQ(fact("mmas", passes), 0);
}

}  // namespace
}  // namespace sonoma::bench
