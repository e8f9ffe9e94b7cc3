// The format of kernels made ahead of time.
#include "kernel_bundle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ahead.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/kernel_bundle.hpp"
#include "sonoma/resolve.hpp"
#include "support.hpp"
#include "words.hpp"

namespace sonoma::testing {
namespace {

const About about = {"sonoma 0", "NVRTC 1", {80, 90}, {90}, {"a request", "another one"}};

std::string key(char digit) { return std::string(64, digit); }

std::string some_bundle() {
  BundleWriter writer;
  for (const char digit : {'1', '3', '5', '7'}) {
    writer.add(BlobKind::cubin, key(digit), some_binary(1000).bytes + digit);
    writer.add(BlobKind::text, key(digit), std::string("text ") + digit);
  }
  writer.add(BlobKind::plan, key('3'), "");
  return writer.bundle(about);
}

TEST(KernelBundle, GivesBackWhatWasPutIn) {
  const std::string bytes = some_bundle();
  const KernelBundle bundle("a test", bytes);
  EXPECT_EQ(bundle.about(), about);
  EXPECT_EQ(bundle.blobs(), 10U);
  for (const char digit : {'1', '3', '5', '7'}) {
    EXPECT_EQ(bundle.find(BlobKind::cubin, key(digit)), some_binary(1000).bytes + digit);
    EXPECT_EQ(bundle.find(BlobKind::text, key(digit)), std::string("text ") + digit);
  }
  EXPECT_EQ(bundle.find(BlobKind::plan, key('3')), "");
  for (const char digit : {'0', '2', '4', '6', '8'}) {
    EXPECT_EQ(bundle.find(BlobKind::cubin, key(digit)), std::nullopt) << digit;
  }
  EXPECT_EQ(bundle.find(BlobKind::ptx, key('3')), std::nullopt);
}

TEST(KernelBundle, HasTheSameBytesInWhateverOrderItWasMade) {
  BundleWriter one, other;
  one.add(BlobKind::text, key('a'), "x"), one.add(BlobKind::ptx, key('b'), "y");
  other.add(BlobKind::ptx, key('b'), "y"), other.add(BlobKind::text, key('a'), "x");
  EXPECT_EQ(one.bundle(about), other.bundle(about));
}

// All that is in it, in `contents`.
std::string fault_of(const std::string& bytes, std::string& contents) {
  contents.clear();
  try {
    const KernelBundle bundle("a test", bytes);
    contents = bundle.about().made_by + bundle.about().requests.at(0);
    for (const char digit : {'1', '3', '5', '7'}) {
      for (const BlobKind kind : {BlobKind::cubin, BlobKind::text, BlobKind::plan}) {
        contents += bundle.find(kind, key(digit)).value_or("-");
      }
    }
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::cache);
    return error.message();
  }
  return {};
}

std::string fault_of(const std::string& bytes) {
  std::string contents;
  return fault_of(bytes, contents);
}

TEST(KernelBundle, SaysWhatIsWrong) {
  const std::string bytes = some_bundle();
  const auto says = [](const std::string& damaged, const std::string& part) {
    const std::string fault = fault_of(damaged);
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
    EXPECT_NE(fault.find("the kernels in a test cannot be used"), std::string::npos) << fault;
  };
  EXPECT_EQ(fault_of(bytes), "");
  says("", "no bundle of kernels");
  says("an ELF file\n", "no bundle of kernels");
  says("sonoma-kernels 999\n" + bytes.substr(17),
       "version 999, and this is " + std::to_string(bundle_version));
  says(bytes.substr(0, bytes.size() - 1), "bytes of");
  says(bytes + "x", "bytes of");
  std::string other = bytes;
  other[bytes.find("cubin ") + 8] ^= 1;
  says(other, "checksum of its index");
}

// Whatever byte is changed, and wherever it ends: an error, never a crash or other contents. (Some
// bits at the end of a packed blob say nothing.)
TEST(KernelBundle, EveryDamageIsFound) {
  const std::string bytes = some_bundle();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(fault_of(bytes.substr(0, size)), "") << size;
  }
  std::string whole;
  ASSERT_EQ(fault_of(bytes, whole), "");
  int harmless = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 0x10);
    std::string contents;
    if (fault_of(other, contents).empty()) {
      EXPECT_EQ(contents, whole) << i;
      ++harmless;
    }
  }
  EXPECT_LT(harmless, 20);
}

TEST(KernelBundle, FilesThatAreNoneAreErrors) {
  const TemporaryFolder folder;
  for (const std::filesystem::path& path : {folder.path() / "none", folder.path()}) {
    EXPECT_THROW(load_kernels(path), FftError) << path;
  }
}

TEST(KernelBundle, LinkedOnesThatCannotBeUsedAreLeftOut) {
  const std::string sound = some_bundle();
  Bundles bundles;
  bundles.add_linked("broken", "nothing");
  bundles.add_linked("sound", sound);
  const Log log(LogLevel::off);
  ASSERT_EQ(bundles.all(log).size(), 1U);
  EXPECT_EQ(bundles.all(log)[0]->name(), "sound");
}

std::string words_of(const Program& program) {
  WordWriter words;
  words.add(program);
  return words.text();
}

std::vector<Program> programs() {
  std::vector<FftProblem> problems;
  for (const std::int64_t n : {1, 16, 1000, 1009, 65536, 1 << 20}) {
    problems.push_back({.lengths = {n}, .scale = 1.0 / 3});
  }
  problems.push_back({.lengths = {512, 512}});
  problems.push_back({.lengths = {64, 1, 100}, .domain = Domain::r2c, .storage = Storage::f16});
  problems.push_back({.lengths = {100}, .domain = Domain::dct2});
  problems.push_back({.lengths = {4096}, .convolution = Convolution{.real = true}});
  problems.push_back({.lengths = {300},
                      .layout = {.in_stride = 3, .loops = {{3, 1, 300}}},
                      .ends = {.in_length = 200, .load_code = "value\n * 2 - +"}});
  std::vector<Program> made;
  for (const auto& problem : problems) {
    made.push_back(make_program(problem, target_for("sm_90"), {}));
  }
  return made;
}

TEST(Words, ProgramsComeBack) {
  for (const Program& program : programs()) {
    const std::string words = words_of(program);
    Program read;
    WordReader reader(words);
    reader.take(read);
    EXPECT_TRUE(reader.done()) << to_string(program);
    EXPECT_EQ(read, program) << words;
  }
}

TEST(Words, OthersAreRefused) {
  const std::string words = words_of(programs()[1]);
  for (std::size_t size = 0; size < words.size(); ++size) {
    Program read;
    WordReader reader(std::string_view(words).substr(0, size));
    reader.take(read);
    EXPECT_FALSE(reader.ok()) << size;
  }
  for (const char* bad : {"", " ", "x ", "99999999999999999999 ", "-", "1"}) {
    std::int64_t number = 7;
    WordReader reader(bad);
    reader.take(number);
    EXPECT_FALSE(reader.ok()) << bad;
    EXPECT_EQ(number, 7);
  }
  std::vector<std::string> many;
  WordReader reader("1000000000000 ");
  reader.take(many);
  EXPECT_FALSE(reader.ok());
}

// Bundles of one version mean the same. If this key changes, so must bundle_version: programs with
// linked-in kernels are built with one version of Sonoma and run with another.
TEST(Words, KeysAreThoseOfTheVersion) {
  ASSERT_EQ(bundle_version, 10);
  const FftProblem problem{.lengths = {4096}, .batch = 0};
  EXPECT_EQ(plan_key({problem, {}, WorkspacePolicy::fast, 90}),
            "c8a57394e27b819822691aab7ccc9bc5fa8266411216e87c13ac83da6d4d170c");
  const Launch launch = make_program({.lengths = {16}}, target_for("sm_90"), {}).launches[0];
  EXPECT_EQ(kernel_key(launch, 90),
            "f5fbee6283e1d95b91efde9be0a2e7d2352ee3e06009df4b5d0e1c8554e3c1f3");
}

TEST(Keys, RequestsThatSayTheSameHaveOne) {
  const AheadKey plain{{.lengths = {100}, .batch = 0}, {}, WorkspacePolicy::fast, 90};
  AheadKey same = plain;
  same.problem.layout.in_dist = 100, same.problem.layout.out_dist = 100;
  same.problem.out_storage = Storage::f32;
  EXPECT_EQ(plan_key(same), plan_key(plain));
  AheadKey other = plain;
  other.problem.layout.in_dist = 101;
  EXPECT_NE(plan_key(other), plan_key(plain));
  other = plain, other.problem.batch = 1;
  EXPECT_NE(plan_key(other), plan_key(plain));
  other = plain, other.arch = 80;
  EXPECT_NE(plan_key(other), plan_key(plain));
  other = plain, other.tuning.engine = Engine::simt;
  EXPECT_NE(plan_key(other), plan_key(plain));
  other = plain, other.problem.placement = Placement::in_place;
  EXPECT_NE(plan_key(other), plan_key(plain));
}

}  // namespace
}  // namespace sonoma::testing
