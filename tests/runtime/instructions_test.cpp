// Listings of nvdisasm -c -gi.
#include <gtest/gtest.h>

#include "sonoma/machine_code.hpp"

namespace sonoma {
namespace {

using Lines = std::vector<unsigned>;

constexpr const char* listing = R"(	.section	.text.k,"ax",@progbits
k:
.text.k:
	//## File "/tmp/k.cu", line 324
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/tmp/k.cu", line 41 inlined at "/tmp/k.cu", line 326
	//## File "/tmp/k.cu", line 326
        /*0010*/              @!P0 S2R R34, SR_TID.X ;
        /*0020*/                   CS2R R16, SRZ ;
	//## File "/usr/include/sm_30.hpp", line 7 inlined at "/tmp/k.cu", line 12
	//## File "/tmp/k.cu", line 12 inlined at "/tmp/k.cu", line 333
	//## File "/tmp/k.cu", line 333
        /*0030*/                   EXIT ;
.L_x_1:
	//## File "/tmp/other_k.cu", line 9
        /*0f40*/                   BRA `(.L_x_1);
        /*0f50*/                   NOP;
        /*0f60*/                   NOP;
)";

TEST(InstructionsOf, KnowTheirLines) {
  const std::vector<Instruction> code = instructions_of(listing, "k.cu");
  ASSERT_EQ(code.size(), 5u);  // no padding
  EXPECT_EQ(code[0], (Instruction{0, "LDC R1, c[0x0][0x28]", {324}}));
  EXPECT_EQ(code[1], (Instruction{0x10, "@!P0 S2R R34, SR_TID.X", {41, 326}}));
  EXPECT_EQ(code[2].lines, (Lines{41, 326}));  // as the one before
  EXPECT_EQ(code[3].lines, (Lines{12, 333}));  // not of another file
  EXPECT_EQ(code[4], (Instruction{0xf40, "BRA `(.L_x_1)", {}}));
}

TEST(InstructionsOf, OtherTextsHaveNone) {
  EXPECT_TRUE(instructions_of("", "k.cu").empty());
  EXPECT_TRUE(instructions_of("nvdisasm fatal   : no such file", "k.cu").empty());
  EXPECT_TRUE(instructions_of("/*xyz*/ FADD ;\n/*0010 FADD ;", "k.cu").empty());
  EXPECT_EQ(instructions_of("//## File \"k.cu\", line x\n/*0010*/ FADD ;", "k.cu").size(), 1u);
}

}  // namespace
}  // namespace sonoma
