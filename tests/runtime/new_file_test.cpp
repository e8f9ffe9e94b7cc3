// A file that takes another one's place.
#include "new_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

#include "../temporary_folder.hpp"

namespace sonoma::testing {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class NewFiles : public ::testing::Test {
 protected:
  fs::path left_by(const std::string& writer, std::chrono::minutes ago) const {
    const fs::path left = path_.string() + ".new." + writer;
    std::ofstream(left) << "half";
    fs::last_write_time(left, fs::file_time_type::clock::now() - ago);
    return left;
  }
  bool replace(const std::string& text) const {
    NewFile fresh(path_);
    return fresh && fresh.write(text) && fresh.sync() && fresh.take_place();
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "kept.json";
};

TEST_F(NewFiles, OldTextIsThereUntilTheNewOneTakesItsPlace) {
  ASSERT_TRUE(replace("old"));
  NewFile fresh(path_);
  ASSERT_TRUE(fresh && fresh.write("new"));
  EXPECT_EQ(text_of(path_), "old");
  ASSERT_TRUE(fresh.take_place());
  EXPECT_EQ(text_of(path_), "new");
}

TEST_F(NewFiles, OneThatIsGivenUpLeavesNothing) {
  {
    NewFile fresh(path_);
    ASSERT_TRUE(fresh && fresh.write("new"));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(NewFiles, HasTheModeThatIsAskedFor) {
  {
    NewFile fresh(path_, mode_t{0600});
    ASSERT_TRUE(fresh && fresh.take_place());
  }
  struct stat facts {};
  ASSERT_EQ(::stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, mode_t{0600});
}

TEST_F(NewFiles, WhatAKilledWriterLeftGoesWithTheNextOne) {
  const fs::path old = left_by("4711", std::chrono::minutes(11));
  const fs::path recent = left_by("4712", std::chrono::minutes(9));
  const fs::path other = left_by("notes", std::chrono::minutes(60));
  ASSERT_TRUE(replace("new"));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(recent)) << "its writer may be at work";
  EXPECT_TRUE(fs::exists(other)) << "no writer's";
}

TEST_F(NewFiles, SaysThatItCannotBeMade) {
  const fs::path nowhere = folder_.path() / "missing" / "kept.json";
  EXPECT_FALSE(NewFile(nowhere));
  EXPECT_EQ(last_error(), "No such file or directory");
}

}  // namespace
}  // namespace sonoma::testing
