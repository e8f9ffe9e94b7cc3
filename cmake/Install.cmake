# The package: find_package(sonoma) gives sonoma::sonoma; `pkg-config sonoma` gives the same. In
# components, which are Debian's packages: runtime (the shared library), development, command.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sonoma)

foreach(library IN LISTS libraries)
  string(REPLACE sonoma_ "" kind ${library})
  install(TARGETS ${library} EXPORT sonoma-${kind}
          LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
          ARCHIVE COMPONENT development)
  install(EXPORT sonoma-${kind} NAMESPACE sonoma:: FILE sonoma-${kind}-targets.cmake
          DESTINATION ${package_folder} COMPONENT development)
endforeach()
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sonoma
        COMPONENT development)

configure_package_config_file(cmake/sonoma-config.cmake.in sonoma-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(sonoma-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sonoma-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/sonoma-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/SonomaKernels.cmake
        DESTINATION ${package_folder} COMPONENT development)

# What the static library needs. Where there is only that, nobody should have to say --static.
set(private_libraries -lboost_context)
get_target_property(spdlog_type spdlog::spdlog TYPE)
get_target_property(spdlog_uses spdlog::spdlog INTERFACE_LINK_LIBRARIES)
if(NOT spdlog_type STREQUAL INTERFACE_LIBRARY)
  list(PREPEND private_libraries -lspdlog)
endif()
if(spdlog_uses MATCHES fmt::fmt)
  list(APPEND private_libraries -lfmt)
endif()
list(APPEND private_libraries -lnettle -lz -ldl -pthread)
list(JOIN private_libraries " " private_libraries)
set(always_libraries "")
if(NOT TARGET sonoma_shared)
  set(always_libraries " ${private_libraries}")
endif()
# The folder of sonoma.pc tells it the prefix, wherever the tree is installed or moved to.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sonoma.pc.in sonoma.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sonoma.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

if(TARGET sonoma)
  install(TARGETS sonoma COMPONENT command)
  include(cmake/Command.cmake)
endif()
if(PROJECT_IS_TOP_LEVEL)
  include(cmake/Package.cmake)
endif()
