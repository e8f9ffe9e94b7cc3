# What Sonoma uses of CUDA. Its headers, for types and signatures; and NVRTC, which the runtime opens
# when it first compiles. Nothing of CUDA is linked.
#
# SONOMA_CUDA_INCLUDE_DIR  folder of cuda.h, nvrtc.h and, for the command, cufftXt.h: needed to build
# SONOMA_NVRTC_LIBRARY     path of libnvrtc.so, or ...-NOTFOUND: not needed to build, nor for the
#                          emulated device
#
# Looked for in SONOMA_CUDA_PATH, then an installed toolkit, then build/cuda, which ./dev setup fills
# from PyPI where there is none. Headers that are too old are passed over.
set(SONOMA_CUDA_PATH "" CACHE PATH "CUDA toolkit to prefer over an installed one")
set(oldest_cuda_headers 12.3)  # edges of graphs: CUgraphEdgeData

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

set(cuda_headers cuda.h nvrtc.h)
if(SONOMA_BUILD_COMMAND OR SONOMA_BUILD_TESTS)
  list(APPEND cuda_headers cufftXt.h)  # sonoma bench
endif()

# What of `cuda_headers` is missing in a folder, or that they are too old; "" if nothing.
function(sonoma_cuda_headers_lack folder result)
  set(lack "")
  foreach(header IN LISTS cuda_headers)
    if(NOT EXISTS ${folder}/${header})
      string(APPEND lack " no ${header}")
    endif()
  endforeach()
  if(EXISTS ${folder}/cuda.h)
    file(STRINGS ${folder}/cuda.h line REGEX "^#define CUDA_VERSION +[0-9]+")
    string(REGEX MATCH "[0-9]+$" number "${line}")
    math(EXPR major "${number} / 1000")
    math(EXPR minor "${number} % 1000 / 10")
    if("${major}.${minor}" VERSION_LESS oldest_cuda_headers)
      string(APPEND lack " too old, of CUDA ${major}.${minor}")
    endif()
  endif()
  set(${result} "${lack}" PARENT_SCOPE)
endfunction()

set(SONOMA_CUDA_INCLUDE_DIR "" CACHE PATH "Folder of cuda.h; empty: the first that serves")
set(cuda_include ${SONOMA_CUDA_INCLUDE_DIR})
if(NOT cuda_include)
  list(TRANSFORM places APPEND /include OUTPUT_VARIABLE cuda_include)
  list(APPEND cuda_include /usr/include)
endif()
set(tried "")
foreach(folder IN LISTS cuda_include)
  sonoma_cuda_headers_lack(${folder} lack)
  if(NOT lack)
    set(cuda_include ${folder})
    break()
  endif()
  string(APPEND tried "\n  ${folder}:${lack}")
endforeach()
if(lack)
  list(JOIN cuda_headers ", " wanted)
  message(FATAL_ERROR "NVIDIA's headers (${wanted}) of CUDA ${oldest_cuda_headers} or later are needed "
    "to build Sonoma; no library of CUDA is. ./dev setup gets them from PyPI into build/cuda; or "
    "install a CUDA toolkit and set SONOMA_CUDA_PATH to it, or SONOMA_CUDA_INCLUDE_DIR to their "
    "folder. Tried:${tried}")
endif()
message(STATUS "CUDA headers: ${cuda_include}")
add_library(sonoma_cuda_headers INTERFACE)
target_include_directories(sonoma_cuda_headers SYSTEM INTERFACE ${cuda_include})
