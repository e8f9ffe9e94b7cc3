# What the scripts of this folder share.
cmake_minimum_required(VERSION 3.25)

# Runs a command, and ends the test where it fails.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Its output, without the newline at the end.
function(output_of variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# fails(<text> <command>...): it must fail, and say so.
function(fails text)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE status OUTPUT_VARIABLE out
                  ERROR_VARIABLE out)
  string(REGEX REPLACE "[ \n]+" " " out "${out}")  # CMake breaks lines
  if(status EQUAL 0 OR NOT out MATCHES "${text}")
    message(FATAL_ERROR "expected to fail with '${text}', got status ${status}: ${out}")
  endif()
endfunction()

set(prefix ${SCRATCH}/prefix)
set(libdir ${prefix}/${LIBDIR})
set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()
