# A user's program against the installed package: by CMake and by pkg-config, shared and static.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)
set(cmake ${CMAKE_COMMAND} -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX}
          -D CMAKE_CXX_FLAGS=${flags} -D VERSION=${VERSION})

# linked(<program> <kind>): it needs libsonoma.so.0 where it is shared, and only then.
function(linked program kind)
  output_of(dynamic readelf -dW ${program})
  string(FIND "${dynamic}" "[libsonoma.so.0]" place)
  if((kind STREQUAL shared AND place EQUAL -1) OR (kind STREQUAL static AND NOT place EQUAL -1))
    message(FATAL_ERROR "${program} is not ${kind}: ${dynamic}")
  endif()
endfunction()

# A caller of the shared library needs nothing of what that is made of.
set(hidden -D CMAKE_DISABLE_FIND_PACKAGE_spdlog=ON -D CMAKE_DISABLE_FIND_PACKAGE_fmt=ON
           -D SONOMA_BOOST_CONTEXT_LIBRARY=SONOMA_BOOST_CONTEXT_LIBRARY-NOTFOUND
           -D SONOMA_NETTLE_LIBRARY=SONOMA_NETTLE_LIBRARY-NOTFOUND)
set(shared_options ${hidden})
set(static_options -D KIND=static)
foreach(kind shared static)
  set(build ${SCRATCH}/cmake-${kind})
  run(${cmake} -S ${CONSUMER} -B ${build} ${${kind}_options})
  run(${CMAKE_COMMAND} --build ${build})
  run(${build}/consumer)
  linked(${build}/consumer ${kind})
endforeach()

fails("one is allowed, shared or static" ${cmake} -S ${CONSUMER} -B ${SCRATCH}/wrong -D KIND=dynamic)
fails("spdlog" ${cmake} -S ${CONSUMER} -B ${SCRATCH}/no-spdlog -D KIND=static ${hidden})

foreach(name boost_context nettle)
  string(TOUPPER ${name} variable)
  fails("needs ${name}" ${cmake} -S ${CONSUMER} -B ${SCRATCH}/no-${name} -D KIND=static
        -D SONOMA_${variable}_LIBRARY=OFF)
endforeach()

find_program(PKG_CONFIG pkg-config)
if(NOT PKG_CONFIG)
  message("pkg-config is not installed: its half of this test is left out")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${libdir}/pkgconfig)
set(ENV{LD_LIBRARY_PATH} ${libdir})
output_of(shared_options ${PKG_CONFIG} --cflags --libs sonoma)
output_of(static_options ${PKG_CONFIG} --cflags --libs --static sonoma)
string(REPLACE -lsonoma -l:libsonoma.a static_options "${static_options}")
foreach(kind shared static)
  separate_arguments(options UNIX_COMMAND "${${kind}_options}")
  set(program ${SCRATCH}/pkg-config-${kind})
  run(${CXX} -std=c++20 ${flags} ${CONSUMER}/consumer.cpp -D VERSION="${VERSION}" ${options}
      -o ${program})
  run(${program})
  linked(${program} ${kind})
endforeach()
