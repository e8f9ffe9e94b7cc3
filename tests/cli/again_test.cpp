// What is made of wisdom that is measured again.
#include "again.hpp"

#include <gtest/gtest.h>

namespace sonoma::bench {
namespace {

Tuning with_registers(unsigned registers) {
  Tuning tuning;
  tuning.registers = registers;
  return tuning;
}

std::vector<unsigned> registers_of(const std::vector<Tuning>& tunings) {
  std::vector<unsigned> registers;
  for (const Tuning& tuning : tunings) registers.push_back(tuning.registers.value());
  return registers;
}

using Registers = std::vector<unsigned>;

// Those of fewer than `enough` registers spill; those of `refused` cannot be made.
Registers measured_again(const Registers& known, unsigned enough, unsigned refused = 0) {
  std::vector<Tuning> tunings;
  for (const unsigned registers : known) tunings.push_back(with_registers(registers));
  const auto make = [&](const Tuning& tuning) -> std::optional<Made> {
    if (tuning.registers == refused) return std::nullopt;
    return Made{*tuning.registers, *tuning.registers < enough ? 8u : 0u};
  };
  return registers_of(tunings_again(tunings, make, [] { return with_registers(100); }));
}

TEST(TunedAgain, WhatIsKnownAlone) {
  EXPECT_EQ(measured_again({64}, 64), Registers{64});
  EXPECT_EQ(measured_again({64, 80}, 64), (Registers{64, 80}));
}

TEST(TunedAgain, WhatSpillsBesideMoreRegistersAndTheDefaults) {
  EXPECT_EQ(measured_again({64}, 70), (Registers{64, 72, 80, 96, 100}));
  EXPECT_EQ(measured_again({64}, 200), (Registers{64, 72, 80, 96, 100})) << "some spill less";
  EXPECT_EQ(measured_again({240}, 256), (Registers{240, 248, 255, 100}));
  EXPECT_EQ(measured_again({255}, 256), (Registers{255, 100}));
  EXPECT_EQ(measured_again({64, 72}, 70), (Registers{64, 72, 80, 96, 100})) << "each once";
}

TEST(TunedAgain, WhatIsRefusedBesideTheDefaults) {
  EXPECT_EQ(measured_again({64}, 32, 64), (Registers{64, 100})) << "its refusal is told";
  EXPECT_EQ(measured_again({64}, 70, 80), (Registers{64, 72, 96, 100}));
  EXPECT_EQ(measured_again({64}, 70, 100), (Registers{64, 72, 80, 96}));
}

}  // namespace
}  // namespace sonoma::bench
