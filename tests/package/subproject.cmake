# Sonoma as a part of another project: the library alone, by add_subdirectory and FetchContent. To
# build that compiles all of it again, which is done where SONOMA_WHOLE_SUBPROJECT is set (the nightly
# preset).
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)
file(REMOVE_RECURSE ${SCRATCH}/fetched-OFF ${SCRATCH}/fetched-ON)

# Without NVIDIA's headers it says what is missing, and where to get it.
file(REMOVE_RECURSE ${SCRATCH}/without-headers)
fails("no cuda.h no nvrtc.h" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/subproject
      -B ${SCRATCH}/without-headers -D SONOMA=${SOURCE} -D FETCHED=OFF -D PROGRAM=${CONSUMER}/consumer.cpp
      -D CMAKE_CXX_COMPILER=${CXX} -D SONOMA_CUDA_INCLUDE_DIR=/nowhere)
file(MAKE_DIRECTORY ${SCRATCH}/old-headers)
file(WRITE ${SCRATCH}/old-headers/cuda.h "#define CUDA_VERSION 12020\n")
file(WRITE ${SCRATCH}/old-headers/nvrtc.h "")
fails("too old, of CUDA 12.2" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/subproject
      -B ${SCRATCH}/without-headers -D SONOMA=${SOURCE} -D FETCHED=OFF -D PROGRAM=${CONSUMER}/consumer.cpp
      -D CMAKE_CXX_COMPILER=${CXX} -D SONOMA_CUDA_INCLUDE_DIR=${SCRATCH}/old-headers)

foreach(fetched OFF ON)
  set(build ${SCRATCH}/fetched-${fetched})
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${build}
      -D SONOMA=${SOURCE} -D FETCHED=${fetched} -D PROGRAM=${CONSUMER}/consumer.cpp
      -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
  file(READ ${build}/compile_commands.json commands)
  if(NOT commands MATCHES "${SOURCE}/runtime/src/plan\\.cpp")
    message(FATAL_ERROR "the library is not built: ${commands}")
  endif()
  if(commands MATCHES "-Werror|${SOURCE}/(cli|bench|verify|examples|tests/transform)/")
    message(FATAL_ERROR "more than the library is built, or warnings are errors: ${CMAKE_MATCH_0}")
  endif()
  output_of(tests ${CMAKE_CTEST_COMMAND} --test-dir ${build} -N)
  if(NOT tests MATCHES "Total Tests: 0")
    message(FATAL_ERROR "Sonoma's tests are among those of the project: ${tests}")
  endif()
  if(DEFINED ENV{SONOMA_WHOLE_SUBPROJECT})
    run(${CMAKE_COMMAND} --build ${build} --target program)
    run(${build}/program)
  endif()
endforeach()
