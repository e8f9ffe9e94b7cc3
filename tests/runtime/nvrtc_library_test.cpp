// Which NVRTC is found, by files alone. Any shared library of this machine stands for it.
#include "nvrtc_library.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "support.hpp"

namespace sonoma::testing {
namespace {

namespace fs = std::filesystem;

std::string bytes_of_library(const std::string& name) {
  std::string searched;
  const auto library = DynamicLibrary::open(std::array{name}, searched);
  return library ? read_file(library->path()) : std::string();
}

class FindNvrtc : public ::testing::Test {
 protected:
  // Its folder comes before the loader's own.
  FindNvrtc() {
    config_.cuda_path = folder_.path();
    fs::create_directory(lib_);
  }

  std::optional<NvrtcIdentity> found_here() const {
    const auto found = find_nvrtc(config_);
    return found && found->path.parent_path() == lib_ ? found : std::nullopt;
  }

  TemporaryFolder folder_;
  fs::path lib_ = folder_.path() / "lib64";
  Config config_;
};

TEST_F(FindNvrtc, InAWheelByTheDeviceLibraryBeside) {
  write_file(lib_ / "libnvrtc.so.13", bytes_of_library("libc.so.6"));
  EXPECT_FALSE(found_here());
  write_file(lib_ / "libnvrtc-builtins.so.13.0", "device library");
  write_file(lib_ / "libnvrtc-builtins.so.12.9", "another toolkit's");
  ASSERT_TRUE(found_here());
  EXPECT_EQ(found_here()->version(), 13000);
  EXPECT_EQ(to_string(*found_here()),
            "NVRTC 13.0 build " + *build_id_of(lib_ / "libnvrtc.so.13") + " builtins 14");
  write_file(lib_ / "libnvrtc-builtins.so.13.1", "which of the two?");
  EXPECT_FALSE(found_here());
}

TEST_F(FindNvrtc, InAToolkitByTheNameOfTheFile) {
  write_file(lib_ / "libnvrtc.so.12.4.127", bytes_of_library("libc.so.6"));
  fs::create_symlink("libnvrtc.so.12.4.127", lib_ / "libnvrtc.so.12");
  ASSERT_TRUE(found_here());
  EXPECT_EQ(found_here()->version(), 12004);
  EXPECT_EQ(found_here()->path, lib_ / "libnvrtc.so.12");
}

TEST_F(FindNvrtc, AnotherBuildOrDeviceLibraryIsAnotherCompiler) {
  write_file(lib_ / "libnvrtc.so.13", bytes_of_library("libc.so.6"));
  write_file(lib_ / "libnvrtc-builtins.so.13.0", "device library");
  const auto before = found_here();
  ASSERT_TRUE(before);
  const std::string text = to_string(*before);
  EXPECT_EQ(found_here(), before);
  write_file(lib_ / "libnvrtc-builtins.so.13.0", "device library, newer");
  EXPECT_NE(to_string(*found_here()), text);
  write_file(lib_ / "libnvrtc-builtins.so.13.0", "device library");
  write_file(lib_ / "libnvrtc.so.13", bytes_of_library("libstdc++.so.6"));
  ASSERT_TRUE(found_here());
  EXPECT_NE(to_string(*found_here()), text);
}

TEST_F(FindNvrtc, WhatIsNoLibraryOfThisMachineIsPassedOver) {
  const std::string library = bytes_of_library("libc.so.6");
  write_file(lib_ / "libnvrtc-builtins.so.13.0", "device library");
  for (const std::string& bytes :
       {std::string("no library"), library.substr(0, 70), library.substr(0, 20) + "\x01"}) {
    write_file(lib_ / "libnvrtc.so.13", bytes);
    EXPECT_EQ(build_id_of(lib_ / "libnvrtc.so.13"), std::nullopt);
    EXPECT_FALSE(found_here());
  }
  std::string foreign = library;
  foreign[18] = '\x02';  // e_machine: SPARC
  write_file(lib_ / "libnvrtc.so.13", foreign);
  EXPECT_FALSE(found_here());
}

TEST(LoaderFolders, HoldTheSystemsLibraries) {
  bool libc = false;
  for (const auto& folder : loader_folders()) libc = libc || fs::exists(folder / "libc.so.6");
  EXPECT_TRUE(libc);
}

}  // namespace
}  // namespace sonoma::testing
