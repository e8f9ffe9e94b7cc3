// Functions of the C library that CUDA has too, for code of the caller's.
extern "C" {
float fabsf(float) noexcept;
float sqrtf(float) noexcept;
float cbrtf(float) noexcept;
float hypotf(float, float) noexcept;
float sinf(float) noexcept;
float cosf(float) noexcept;
float tanf(float) noexcept;
float atan2f(float, float) noexcept;
float expf(float) noexcept;
float exp2f(float) noexcept;
float logf(float) noexcept;
float log2f(float) noexcept;
float log10f(float) noexcept;
float powf(float, float) noexcept;
float floorf(float) noexcept;
float ceilf(float) noexcept;
float truncf(float) noexcept;
float rintf(float) noexcept;
float roundf(float) noexcept;
float fmodf(float, float) noexcept;
float fminf(float, float) noexcept;
float fmaxf(float, float) noexcept;
float fmaf(float, float, float) noexcept;
}
