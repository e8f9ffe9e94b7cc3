# What Sonoma uses of CUDA: NVRTC, which the runtime opens when it first compiles.
#
# SONOMA_NVRTC_LIBRARY  path of libnvrtc.so, or ...-NOTFOUND
#
# Looked for in SONOMA_CUDA_PATH, then an installed toolkit, then build/cuda, which ./dev setup fills
# from PyPI where there is none. It is not needed to build, nor for the emulated device.
set(SONOMA_CUDA_PATH "" CACHE PATH "CUDA toolkit to prefer over an installed one")

file(GLOB installed_toolkits /usr/local/cuda-*)
list(SORT installed_toolkits COMPARE NATURAL ORDER DESCENDING)
set(places ${SONOMA_CUDA_PATH} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda ${installed_toolkits}
           ${PROJECT_SOURCE_DIR}/build/cuda/nvidia/cu13)
find_library(SONOMA_NVRTC_LIBRARY NAMES nvrtc libnvrtc.so.13 libnvrtc.so.12 HINTS ${places}
             PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
if(SONOMA_NVRTC_LIBRARY)
  message(STATUS "SONOMA_NVRTC_LIBRARY: ${SONOMA_NVRTC_LIBRARY}")
else()
  message(WARNING "SONOMA_NVRTC_LIBRARY not found: without NVRTC nothing can be compiled for a GPU. "
                  "./dev setup gets it, or set SONOMA_CUDA_PATH to a toolkit.")
endif()
