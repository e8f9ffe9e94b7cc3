# cmake -D BUILD= -D SCRATCH= -D CONSUMER= -D CXX= -D GENERATOR= -D LIBDIR= [-D SANITIZE=] -P use_package.cmake
set(prefix ${SCRATCH}/prefix)
set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER} -B ${SCRATCH}/cmake -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${SCRATCH}/cmake)
run(${SCRATCH}/cmake/consumer)

find_program(PKG_CONFIG pkg-config)
if(NOT PKG_CONFIG)
  message("pkg-config is not installed: its half of this test is left out")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs sonoma OUTPUT_VARIABLE options
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(options UNIX_COMMAND "${options}")
run(${CXX} -std=c++20 ${flags} ${CONSUMER}/consumer.cpp ${options} -o ${SCRATCH}/with_pkg_config)
run(${SCRATCH}/with_pkg_config)
