# cmake -D PREFIX= -D SCRATCH= -D APPLICATION= -D CXX= -D GENERATOR= [-D SANITIZE=] -P use_kernels.cmake
set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Configures APPLICATION with these lines behind its own; what it says goes to `said`.
function(configure name lines result_variable)
  file(REMOVE_RECURSE ${SCRATCH}/${name})
  file(COPY ${APPLICATION}/ DESTINATION ${SCRATCH}/${name}/source)
  file(APPEND ${SCRATCH}/${name}/source/CMakeLists.txt "${lines}\n")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SCRATCH}/${name}/source -B ${SCRATCH}/${name}/build
            -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${flags}
    RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE out)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  set(said "${said}" PARENT_SCOPE)
  set(${result_variable} ${result} PARENT_SCOPE)
endfunction()

# As it stands; and kernels in a static library of the application's.
configure(plain "
add_library(part STATIC application.cpp)
target_compile_features(part PRIVATE cxx_std_20)
target_link_libraries(part PRIVATE sonoma::sonoma)
sonoma_add_kernels(part SHAPES 4096 PRECISION f32 DOMAINS c2c r2c ARCHS sm_90)
file(WRITE \${CMAKE_BINARY_DIR}/empty.cpp \"\")
add_executable(through_part \${CMAKE_BINARY_DIR}/empty.cpp)
target_link_libraries(through_part PRIVATE part sonoma::sonoma)" result)
if(result)
  message(FATAL_ERROR "${said}")
endif()
run(${CMAKE_COMMAND} --build ${SCRATCH}/plain/build)
foreach(program application through_part)
  execute_process(COMMAND ${SCRATCH}/plain/build/${program} OUTPUT_VARIABLE out COMMAND_ECHO STDOUT
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT out MATCHES "made ahead of time: 1, X.7. = 1\n")
    message(FATAL_ERROR "${program} says: ${out}")
  endif()
endforeach()

# Mistakes are named.
foreach(pair "sonoma_add_kernels(nobody LENGTHS 4 ARCHS sm_90)|there is no target of that name"
             "sonoma_add_kernels(application LENGTHS 4)|give ARCHS"
             "sonoma_add_kernels(application ARCHS sm_90)|give LENGTHS or SHAPES"
             "sonoma_add_kernels(application LENGTHS 4 ARCHS)|these have no values: ARCHS"
             "sonoma_add_kernels(application 4 LENGTHS 4 ARCHS sm_90)|not understood: 4"
             "sonoma_add_kernels(application SPEC s.json LENGTHS 4)|leave these out")
  string(REPLACE "|" ";" pair "${pair}")
  list(POP_FRONT pair lines expected)
  configure(wrong "${lines}" result)
  if(NOT result OR NOT said MATCHES "${expected}")
    message(FATAL_ERROR "${lines} says: ${said}")
  endif()
endforeach()
