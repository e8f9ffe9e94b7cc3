// All of Sonoma's public interface, but what inspect.hpp looks into.
#pragma once

#include "sonoma/cache.hpp"
#include "sonoma/cache_bundle.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/config.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/gpu_function.hpp"
#include "sonoma/kernel_bundle.hpp"
#include "sonoma/next_fast_size.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/point_type.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/wisdom_file.hpp"
#include "sonoma/workspace_bytes.hpp"
