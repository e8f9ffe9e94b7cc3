// All of Sonoma's public interface.
#pragma once

#include "sonoma/cache.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/config.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/next_fast_size.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/point_type.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/wisdom_file.hpp"
