# libsonoma: all that was compiled in generator/, planner/, emulator/ and runtime/, as one library.
# sonoma_shared and sonoma_static are made of the same objects; BUILD_SHARED_LIBS says which of them
# is sonoma::sonoma. The command, the tests and the bench link the folders themselves, whose
# functions the library hides.
include(${CMAKE_CURRENT_LIST_DIR}/PublicHeaders.cmake)
find_package(spdlog REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

get_property(parts GLOBAL PROPERTY SONOMA_LIBRARY_PARTS)
set_target_properties(${parts} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                          VISIBILITY_INLINES_HIDDEN ON)

set(public_headers "")
set(public_header_folders "")
foreach(name IN LISTS interface_headers inspection_headers)
  file(GLOB found ${PROJECT_SOURCE_DIR}/generator/*/include/sonoma/${name}.hpp
                  ${PROJECT_SOURCE_DIR}/*/include/sonoma/${name}.hpp)
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "cmake/PublicHeaders.cmake: ${count} headers are called ${name}.hpp: ${found}")
  endif()
  list(APPEND public_headers ${found})
  cmake_path(SET folder NORMALIZE ${found}/../..)
  list(APPEND public_header_folders ${folder})
endforeach()
list(REMOVE_DUPLICATES public_header_folders)

function(sonoma_add_library target kind)
  add_library(${target} ${kind})
  foreach(part IN LISTS parts)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${part}>)
  endforeach()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME sonoma LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 0
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${public_header_folders}>"
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Of the paths of Boost.Context and Nettle the package knows nothing: sonoma-config.cmake looks for them.
  target_link_libraries(${target} PRIVATE
    $<BUILD_INTERFACE:${SONOMA_BOOST_CONTEXT_LIBRARY}> $<INSTALL_INTERFACE:sonoma::boost_context>
    $<BUILD_INTERFACE:${SONOMA_NETTLE_LIBRARY}> $<INSTALL_INTERFACE:sonoma::nettle>
    spdlog::spdlog Threads::Threads ZLIB::ZLIB ${CMAKE_DL_LIBS})
endfunction()

set(libraries "")
if(BUILD_SHARED_LIBS OR SONOMA_BOTH_LIBRARIES)
  list(APPEND libraries sonoma_shared)
  sonoma_add_library(sonoma_shared SHARED)
  set(exported ${CMAKE_CURRENT_LIST_DIR}/libsonoma.map)
  target_link_options(sonoma_shared PRIVATE LINKER:--version-script=${exported})
  set_target_properties(sonoma_shared PROPERTIES LINK_DEPENDS ${exported})
endif()
if(NOT BUILD_SHARED_LIBS OR SONOMA_BOTH_LIBRARIES)
  list(APPEND libraries sonoma_static)
  sonoma_add_library(sonoma_static STATIC)
endif()
if(BUILD_SHARED_LIBS)
  add_library(sonoma::sonoma ALIAS sonoma_shared)
else()
  add_library(sonoma::sonoma ALIAS sonoma_static)
endif()
