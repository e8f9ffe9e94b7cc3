# What Sonoma uses of CUDA: headers, and NVRTC, which the runtime opens when it first compiles.
#
# SONOMA_CUDA_INCLUDE_DIR  folder of cuda.h, nvrtc.h, cuda_fp16.h and mma.h, or ...-NOTFOUND
# SONOMA_NVRTC_LIBRARY     path of libnvrtc.so, or ...-NOTFOUND
#
# Looked for in SONOMA_CUDA_PATH, then an installed toolkit, then build/cuda, which ./dev setup fills
# from PyPI where there is none. Neither is needed to build, nor for the emulated device.
set(SONOMA_CUDA_PATH "" CACHE PATH "CUDA toolkit to prefer over an installed one")

file(GLOB installed_toolkits /usr/local/cuda-*)
list(SORT installed_toolkits COMPARE NATURAL ORDER DESCENDING)
set(places ${SONOMA_CUDA_PATH} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda ${installed_toolkits}
           ${PROJECT_SOURCE_DIR}/build/cuda/nvidia/cu13)
find_path(SONOMA_CUDA_INCLUDE_DIR cuda_fp16.h HINTS ${places}
          PATH_SUFFIXES include targets/x86_64-linux/include)
find_library(SONOMA_NVRTC_LIBRARY NAMES nvrtc libnvrtc.so.13 libnvrtc.so.12 HINTS ${places}
             PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
foreach(piece SONOMA_CUDA_INCLUDE_DIR SONOMA_NVRTC_LIBRARY)
  if(${piece})
    message(STATUS "${piece}: ${${piece}}")
  else()
    message(WARNING "${piece} not found: without CUDA's headers and NVRTC nothing can be compiled "
                    "for a GPU. ./dev setup gets both, or set SONOMA_CUDA_PATH to a toolkit.")
  endif()
endforeach()
