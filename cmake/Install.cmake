# The package: find_package(sonoma) gives sonoma::sonoma; `pkg-config sonoma` gives the same.
include(CMakePackageConfigHelpers)

set(libraries sonoma_generator sonoma_planner sonoma_emulator sonoma_runtime)
# In the tree each folder has its own include/; installed, the public headers share one.
foreach(library IN LISTS libraries)
  get_target_property(folders ${library} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders AND NOT folders MATCHES INSTALL_INTERFACE)
    set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
      "$<BUILD_INTERFACE:${folders}>;$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  endif()
endforeach()
set_target_properties(sonoma_runtime PROPERTIES EXPORT_NAME sonoma)

install(TARGETS ${libraries} sonoma_warnings EXPORT sonoma)
file(GLOB header_folders ${PROJECT_SOURCE_DIR}/generator/*/include)
list(TRANSFORM header_folders APPEND /)
install(DIRECTORY ${header_folders} ${PROJECT_SOURCE_DIR}/planner/include/
                  ${PROJECT_SOURCE_DIR}/runtime/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET sonoma)
  install(TARGETS sonoma)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sonoma)
install(EXPORT sonoma NAMESPACE sonoma:: FILE sonoma-targets.cmake DESTINATION ${package_folder})
configure_package_config_file(cmake/sonoma-config.cmake.in sonoma-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(sonoma-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sonoma-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/sonoma-config-version.cmake
        DESTINATION ${package_folder})
# The folder of sonoma.pc tells it the prefix, wherever the tree is installed or moved to.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sonoma.pc.in sonoma.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sonoma.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
