// Measuring what was compiled, on a stand whose times are made up: what is kept, and how an
// interrupted run goes on.
#include "measuring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "command.hpp"
#include "fake_stand.hpp"
#include "kernel_facts.hpp"
#include "sonoma/wisdom_file.hpp"

namespace sonoma::bench {
namespace {

namespace fs = std::filesystem;

MeasuringPlace place_of(const std::string& gpu) {
  return {{gpu, 90, "13.0"}, {gpu, "13.0", "abc1234", "2026-11-23"}, "580.1"};
}

// The kernels of so many registers, from 32 on.
CompiledSubject subject_of_kernels(unsigned count, const std::string& text = "k") {
  CompiledSubject subject;
  subject.subject = Subject{{256}};
  subject.points = 256 * 1024;
  for (const Tuning& tuning : some_candidates(count)) {
    const std::string name = text + std::to_string(*tuning.registers);
    subject.candidates.push_back(
        {tuning, name, {name}, std::vector<double>(fact_names().size(), 1.5)});
  }
  return subject;
}

class Measuring : public testing::Test {
 protected:
  // In a process of its own, as far as the files know.
  Outcome run(const CompiledSubject& subject, double seconds = for_ever) {
    Measurements rows(csv_, place_of(gpu_));
    const auto stand = [&](const CompiledSubject&) {
      auto made = std::make_unique<FakeStand>();
      made->ms = ms_, made->broken = broken_, made->wrong = wrong_, made->falling = falling_;
      made->takes_context = takes_context_, made->seconds_to_prepare = 1;
      stand_ = made.get();
      prepared_.clear();
      return std::make_unique<Borrowed>(std::move(made), prepared_);
    };
    Outcome outcome = measure(subject, rows, stand, seconds);
    WisdomKeeper(wisdom_, 0).add(outcome);
    return outcome;
  }

  // Keeps what was prepared when it is gone.
  class Borrowed : public TestStand {
   public:
    Borrowed(std::unique_ptr<FakeStand> stand, std::vector<Tuning>& prepared)
        : stand_(std::move(stand)), prepared_(prepared) {}
    ~Borrowed() override { prepared_ = stand_->prepared; }
    std::vector<std::optional<std::string>> prepare(const std::vector<Tuning>& k) override {
      return stand_->prepare(k);
    }
    Times time(const std::vector<Tuning>& k, int repetitions) override {
      return stand_->time(k, repetitions);
    }
    Error error(const Tuning& k) override { return stand_->error(k); }
    double seconds() override { return stand_->seconds(); }
    bool works() override { return stand_->works(); }

   private:
    std::unique_ptr<FakeStand> stand_;
    std::vector<Tuning>& prepared_;
  };

  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream file(csv_);
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  [[nodiscard]] std::size_t count(const std::string& word) const {
    const auto all = lines();
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const std::string& line) { return line.find(word) != std::string::npos; }));
  }
  [[nodiscard]] bool was_prepared(unsigned registers) const {
    return std::ranges::any_of(prepared_,
                               [&](const Tuning& t) { return t.registers == registers; });
  }

  tests::TemporaryFolder folder_;
  fs::path csv_ = folder_.path() / "measurements.csv", wisdom_ = folder_.path() / "wisdom.json";
  std::string gpu_ = "Some GPU";
  std::function<double(unsigned, int)> ms_ = [](unsigned registers, int) {
    return registers == 50 ? 1.25 : 2.0;
  };
  std::set<unsigned> broken_, wrong_, falling_;
  bool takes_context_ = false;
  FakeStand* stand_ = nullptr;  ///< while it is there
  std::vector<Tuning> prepared_;
};

TEST_F(Measuring, TheBestByTimeIsWhatTheWisdomHoldsAndEveryTimeIsARow) {
  const Outcome outcome = run(subject_of_kernels(40));
  EXPECT_TRUE(outcome.measured);
  EXPECT_EQ(outcome.entry.value().tuning.registers, 50u);
  const auto kept = load_wisdom(wisdom_).value().entries();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0], *outcome.entry);
  EXPECT_EQ(kept[0].eff, 0.8);
  EXPECT_EQ(count(",first,"), 40u);
  EXPECT_EQ(count(",final,"), 8u);
  EXPECT_EQ(count(",best,"), 1u);
  EXPECT_EQ(lines().size(), 1 + 40 + 8 + 1u);
  EXPECT_NE(lines()[0].find("tuning,kernels,round,repetitions,ms,copy_ms,eff,rel_l2"),
            std::string::npos);
  const std::string options =
      R"row(,"--method radix --decomposition ""(gs 16 (dft 16))"" --engine simt)row";
  EXPECT_NE(lines()[1].find(options), std::string::npos) << lines()[1];
}

TEST_F(Measuring, WhatIsMeasuredIsNotMeasuredAgain) {
  const auto subject = subject_of_kernels(40);
  const Outcome first = run(subject);
  const auto before = lines();
  fs::remove(wisdom_);
  stand_ = nullptr;
  const Outcome second = run(subject);
  EXPECT_EQ(stand_, nullptr) << "no stand is needed";
  EXPECT_FALSE(second.measured);
  EXPECT_EQ(second.entry, first.entry);
  EXPECT_EQ(lines(), before);
  EXPECT_EQ(load_wisdom(wisdom_).value().entries().size(), 1u) << "it is in the new file too";
}

TEST_F(Measuring, WhenTheTimeIsOverTheNextRunGoesOn) {
  const auto subject = subject_of_kernels(200);
  ms_ = [](unsigned registers, int) { return registers == 200 ? 1.0 : 2.0; };
  const Outcome first = run(subject, 3);  // a second for each 32 of them
  EXPECT_FALSE(first.search.complete);
  EXPECT_TRUE(first.entry) << "the best so far";
  const std::size_t timed = first.search.timed;
  EXPECT_LT(timed, 200u);
  EXPECT_EQ(count(",best,"), 0u) << "it is not known to be the best";
  const Outcome second = run(subject);
  EXPECT_EQ(second.search.timed, 200u);
  EXPECT_EQ(second.entry.value().tuning.registers, 200u);
  EXPECT_EQ(count(",first,"), 200u);
  EXPECT_LE(prepared_.size(), 200 - timed + 8) << "the rest, and the fastest";
  EXPECT_EQ(load_wisdom(wisdom_).value().entries().at(0).tuning.registers, 200u);
}

TEST_F(Measuring, ARowThatWasCutOffIsMeasuredAgain) {
  const auto subject = subject_of_kernels(40);
  (void)run(subject);
  auto kept = lines();
  std::string text;
  for (std::size_t i = 0; i < 31; ++i) text += kept[i] + '\n';  // the header, and 30 rows
  tests::write_text(csv_, text + kept[31].substr(0, 50));
  const Outcome outcome = run(subject);
  EXPECT_EQ(outcome.search.timed, 40u);
  EXPECT_EQ(count(",first,"), 40u);
  EXPECT_EQ(lines().size(), 1 + 40 + 8 + 1u);
  EXPECT_TRUE(was_prepared(32 + 30)) << "the one whose row was cut off";
  EXPECT_FALSE(was_prepared(32 + 20)) << "neither new nor fast";
}

TEST_F(Measuring, AModuleThatFailsIsARowAndNotTriedAgain) {
  const auto subject = subject_of_kernels(10);
  broken_ = {33}, falling_ = {34}, wrong_ = {35};
  ms_ = [](unsigned registers, int) { return registers * 0.1; };
  const Outcome first = run(subject);
  EXPECT_EQ(first.entry.value().tuning.registers, 32u);
  EXPECT_EQ(first.search.notes.size(), 2u) << "33 and 34; 35 is not the fastest";
  EXPECT_EQ(count(",failed,"), 2u);
  EXPECT_EQ(count("an illegal address"), 1u);
  broken_ = {}, falling_ = {};
  EXPECT_FALSE(run(subject).measured);
  auto more = subject_of_kernels(11);
  wrong_ = {32, 35};
  const Outcome second = run(more);
  EXPECT_EQ(second.entry.value().tuning.registers, 36u);
  EXPECT_FALSE(was_prepared(33));
  EXPECT_FALSE(was_prepared(34));
  EXPECT_EQ(count("above the limit"), 2u);
}

TEST_F(Measuring, AnotherTextIsAnotherKernel) {
  auto subject = subject_of_kernels(10);
  (void)run(subject);
  subject.candidates[3].kernels = "another";
  const Outcome outcome = run(subject);
  EXPECT_TRUE(outcome.measured);
  EXPECT_EQ(count(",first,"), 11u) << "that one alone";
}

TEST_F(Measuring, RowsOfAnotherGpuStayAndSayNothing) {
  const auto subject = subject_of_kernels(10);
  (void)run(subject);
  gpu_ = "Another GPU";
  EXPECT_TRUE(run(subject).measured);
  EXPECT_EQ(count(",first,"), 20u);
  gpu_ = "Some GPU";
  EXPECT_FALSE(run(subject).measured);
}

// 40 takes the context along: the process that comes next times alone what ran then.
TEST_F(Measuring, WhatEndsTheProcessIsFoundByTheNextOnes) {
  const auto subject = subject_of_kernels(20);
  falling_ = {40}, takes_context_ = true;
  EXPECT_THROW((void)run(subject), StandLost);
  EXPECT_EQ(count(",first,"), 0u);
  EXPECT_THROW((void)run(subject), StandLost);
  EXPECT_EQ(count(",first,"), 8u) << "those before it, alone";
  const Outcome outcome = run(subject);
  EXPECT_EQ(outcome.search.timed, 19u);
  EXPECT_TRUE(outcome.entry);
  EXPECT_EQ(count(",failed,"), 1u);
}

TEST_F(Measuring, WhatRanAloneWhenAProcessEndedTwiceHasFailed) {
  const auto subject = subject_of_kernels(5);
  const auto running = csv_.string() + ".running";
  tests::write_text(running, "k33 1\n");
  EXPECT_EQ(run(subject).search.timed, 5u) << "somebody may have ended it";
  EXPECT_FALSE(fs::exists(running));
  fs::remove(csv_);
  tests::write_text(running, "k33 2\n");
  EXPECT_EQ(run(subject).search.timed, 4u);
  EXPECT_EQ(count("processes ended while this kernel ran alone"), 1u);
}

// Others that are to be timed alone stay so while one of them ends a process.
TEST_F(Measuring, SuspectsAreNotForgotten) {
  const auto subject = subject_of_kernels(3);
  const auto running = csv_.string() + ".running";
  {
    Measurements rows(csv_, place_of(gpu_));
    rows.begin({"k32", "k33", "k34"});
  }
  for (int alone = 1; alone <= 2; ++alone) {
    Measurements rows(csv_, place_of(gpu_));
    EXPECT_EQ(rows.interrupted().size(), 3u);
    rows.begin({"k32"});
    EXPECT_EQ(tests::read_text(running), "k32 " + std::to_string(alone) + "\nk33 0\nk34 0\n");
  }
  falling_ = {32};
  EXPECT_EQ(run(subject).search.timed, 2u);
  EXPECT_FALSE(fs::exists(running));
}

TEST_F(Measuring, AFileOfSomethingElseIsRefused) {
  for (const char* text : {"a,b,c\n1,2,3\n", "no table\n"}) {
    tests::write_text(csv_, text);
    try {
      (void)run(subject_of_kernels(1));
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("measurements.csv: line 1"), std::string::npos) << what;
      EXPECT_NE(what.find("keep the file under another name"), std::string::npos) << what;
    }
    EXPECT_EQ(tests::read_text(csv_), text);
  }
}

TEST_F(Measuring, WithoutAFileRowsAreInMemory) {
  csv_.clear();
  EXPECT_EQ(run(subject_of_kernels(40)).entry.value().tuning.registers, 50u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "the wisdom alone";
}

}  // namespace
}  // namespace sonoma::bench
