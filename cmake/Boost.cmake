# Boost.Context, and Boost.DLL by its headers: sonoma_boost_dll is for who opens a library at run time.
#
# The compiled library and the headers are enough: distributions do not all ship BoostConfig.cmake.
find_path(SONOMA_BOOST_INCLUDE_DIR boost/context/detail/fcontext.hpp DOC "Folder of Boost's headers")
find_library(SONOMA_BOOST_CONTEXT_LIBRARY NAMES boost_context DOC "The library of Boost.Context")
if(NOT SONOMA_BOOST_INCLUDE_DIR OR NOT SONOMA_BOOST_CONTEXT_LIBRARY
   OR NOT EXISTS ${SONOMA_BOOST_INCLUDE_DIR}/boost/dll/shared_library.hpp)
  message(FATAL_ERROR
    "Boost.Context and Boost.DLL were not found (headers: ${SONOMA_BOOST_INCLUDE_DIR}, library: "
    "${SONOMA_BOOST_CONTEXT_LIBRARY}). Install libboost-context-dev, or give "
    "-DSONOMA_BOOST_INCLUDE_DIR=... and -DSONOMA_BOOST_CONTEXT_LIBRARY=...")
endif()

add_library(sonoma_boost_dll INTERFACE)
target_include_directories(sonoma_boost_dll SYSTEM INTERFACE ${SONOMA_BOOST_INCLUDE_DIR})
target_compile_definitions(sonoma_boost_dll INTERFACE BOOST_DLL_USE_STD_FS)  # nothing of Boost is linked for it
target_link_libraries(sonoma_boost_dll INTERFACE ${CMAKE_DL_LIBS})
