# What Sonoma uses of CUDA: headers, and NVRTC, which the runtime opens when it first compiles.
#
# SONOMA_CUDA_INCLUDE_DIR  folder of cuda.h, nvrtc.h, cuda_fp16.h and mma.h, or ...-NOTFOUND
# SONOMA_NVRTC_LIBRARY     path of libnvrtc.so, or ...-NOTFOUND
#
# SONOMA_CUDA_WHEELS       folder that ./dev setup fills from PyPI on a machine without a toolkit
#
# Looked for in SONOMA_CUDA_PATH, then an installed toolkit, then the wheels. Neither is needed to
# build, nor for the emulated device.
set(SONOMA_CUDA_PATH "" CACHE PATH "CUDA toolkit to prefer over an installed one")

set(SONOMA_CUDA_WHEELS ${PROJECT_SOURCE_DIR}/build/cuda)
file(GLOB installed_toolkits /usr/local/cuda-*)
list(SORT installed_toolkits COMPARE NATURAL ORDER DESCENDING)
set(places ${SONOMA_CUDA_PATH} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda ${installed_toolkits}
           ${SONOMA_CUDA_WHEELS}/nvidia/cu13)
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
