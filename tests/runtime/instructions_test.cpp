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

TEST(PtxInstructionsOf, KnowTheirLines) {
  const std::vector<Instruction> code = ptx_instructions_of(R"(.target sm_90
.visible .entry kernel(
	.param .u64 kernel_param_0
)
.maxntid 32, 1, 1
{
	.reg .pred 	%p<3>;
	.loc	1 324 0
	ld.param.u64 	%rd1, [kernel_param_0];
	.loc	1 333 3
	.loc	1 265 3, function_name $L__info_string3, inlined_at 1 333 3
$L__tmp0:
	.loc	1 88 13, function_name $L__info_string6, inlined_at 1 265 3
	// begin inline asm
	{ .reg .pred p; ld.global.b32 %r1, [%rd1]; }
	// end inline asm
	.loc	2 12 3
	@%p1 bra 	$L__BB0_2;
	ret;
}
	.file	1 "k.cu"
)");
  ASSERT_EQ(code.size(), 4u);
  EXPECT_EQ(code[0], (Instruction{0, "ld.param.u64 \t%rd1, [kernel_param_0]", {324}}));
  EXPECT_EQ(code[1].lines, (Lines{88, 265, 333}));
  EXPECT_EQ(code[2], (Instruction{2, "@%p1 bra \t$L__BB0_2", {}}));  // of another file
  EXPECT_EQ(code[3].text, "ret");
  EXPECT_TRUE(ptx_instructions_of("").empty());
  EXPECT_TRUE(ptx_instructions_of("{\n.loc 1 x\n}").empty());
}

TEST(InstructionsOf, OtherTextsHaveNone) {
  EXPECT_TRUE(instructions_of("", "k.cu").empty());
  EXPECT_TRUE(instructions_of("nvdisasm fatal   : no such file", "k.cu").empty());
  EXPECT_TRUE(instructions_of("/*xyz*/ FADD ;\n/*0010 FADD ;", "k.cu").empty());
  EXPECT_EQ(instructions_of("//## File \"k.cu\", line x\n/*0010*/ FADD ;", "k.cu").size(), 1u);
}

}  // namespace
}  // namespace sonoma
