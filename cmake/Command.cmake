# What is installed with the command: manual pages, made of its help, and completion in shells.
find_program(HELP2MAN help2man)
if(HELP2MAN)
  set(manual ${PROJECT_BINARY_DIR}/man)
  file(MAKE_DIRECTORY ${manual})
  add_custom_command(
    OUTPUT ${manual}.stamp
    COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:sonoma> -DHELP2MAN=${HELP2MAN}
            "-DVERSION=sonoma ${PROJECT_VERSION}" -DFOLDER=${manual}
            -P ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${manual}.stamp
    DEPENDS sonoma ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
    COMMENT "Writing the manual pages"
    VERBATIM)
  add_custom_target(sonoma_manual ALL DEPENDS ${manual}.stamp)
  install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
else()
  message(STATUS "manual pages are left out; they need help2man")
endif()

# Where zsh looks differs: the preset debian says so.
set(SONOMA_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    CACHE STRING "folder for completion in zsh")
set(completions ${PROJECT_SOURCE_DIR}/cli/completions)
install(FILES ${completions}/sonoma.bash RENAME sonoma
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
install(FILES ${completions}/sonoma.zsh RENAME _sonoma DESTINATION ${SONOMA_ZSH_COMPLETIONS}
        COMPONENT command)
install(FILES ${completions}/sonoma.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
