// Functions of the C library that CUDA has too, for code of the caller's.
extern "C" {
float fabsf(float);
float sqrtf(float);
float cbrtf(float);
float hypotf(float, float);
float sinf(float);
float cosf(float);
float tanf(float);
float atan2f(float, float);
float expf(float);
float exp2f(float);
float logf(float);
float log2f(float);
float log10f(float);
float powf(float, float);
float floorf(float);
float ceilf(float);
float truncf(float);
float rintf(float);
float roundf(float);
float fmodf(float, float);
float fminf(float, float);
float fmaxf(float, float);
float fmaf(float, float, float);
}
