// Before sm_80, in the place of mma_m16n8k16: a fragment of m16n8k16 is two of m16n8k8.
DEVICE void two_mma_m16n8k8(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                            unsigned b0, unsigned b1) {
  mma_m16n8k8(d, a0, a1, b0);
  mma_m16n8k8(d, a2, a3, b1);
}
