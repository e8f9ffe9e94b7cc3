# The reference of the public headers, by Doxygen where that is installed: the target `docs` makes
# build/docs/html. A test makes it too, and fails where something public is not documented.
find_program(DOXYGEN doxygen)
if(NOT DOXYGEN)
  message(STATUS "doxygen is not installed: the target docs is left out")
  return()
endif()
include(${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.cmake)

set(headers ${CMAKE_CURRENT_LIST_DIR}/main.dox)
set(folders "")
foreach(name IN LISTS interface_headers)
  file(GLOB found ${PROJECT_SOURCE_DIR}/generator/*/include/sonoma/${name}.hpp
                  ${PROJECT_SOURCE_DIR}/*/include/sonoma/${name}.hpp)
  list(APPEND headers ${found})
  foreach(header IN LISTS found)
    cmake_path(SET folder NORMALIZE ${header}/../..)
    list(APPEND folders ${folder})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES folders)
list(JOIN headers " " SONOMA_REFERENCE_INPUT)
list(JOIN folders " " SONOMA_REFERENCE_FOLDERS)

set(SONOMA_REFERENCE_STRICT NO)
set(SONOMA_REFERENCE_OUTPUT ${PROJECT_BINARY_DIR}/docs/reference)
configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${PROJECT_BINARY_DIR}/docs/Doxyfile @ONLY)
add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E make_directory ${SONOMA_REFERENCE_OUTPUT}
                  COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/docs/Doxyfile
                  COMMENT "Reference: ${SONOMA_REFERENCE_OUTPUT}/html/index.html")

set(SONOMA_REFERENCE_STRICT FAIL_ON_WARNINGS)
set(SONOMA_REFERENCE_OUTPUT ${PROJECT_BINARY_DIR}/docs/checked)
file(MAKE_DIRECTORY ${SONOMA_REFERENCE_OUTPUT})
configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${PROJECT_BINARY_DIR}/docs/Doxyfile.checked @ONLY)
add_test(NAME docs_reference_test COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/docs/Doxyfile.checked)
set_tests_properties(docs_reference_test PROPERTIES LABELS cpu TIMEOUT 120)
