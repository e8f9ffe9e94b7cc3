# The Debian packages: their names, what they depend on, what is in which.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)
find_program(DPKG_DEB dpkg-deb)
if(NOT DPKG_DEB)
  message("dpkg-deb is not installed: no Debian packages are made here")
  return()
endif()
set(folder ${SCRATCH}/debian)
file(REMOVE_RECURSE ${folder})
run(${CMAKE_CPACK_COMMAND} -G DEB -B ${folder} --config ${BUILD}/CPackConfig.cmake)

# one_package(<name> DEPENDS <regex>... HAS <regex>... LACKS <regex>...)
function(one_package name)
  cmake_parse_arguments(PARSE_ARGV 1 it "" "" "DEPENDS;HAS;LACKS")
  file(GLOB packages ${folder}/${name}_${VERSION}_*.deb)
  list(LENGTH packages count)
  if(NOT count EQUAL 1)
    file(GLOB all ${folder}/*)
    message(FATAL_ERROR "${count} packages ${name} of version ${VERSION}: ${all}")
  endif()
  output_of(depends ${DPKG_DEB} --field ${packages} Depends)
  output_of(contents ${DPKG_DEB} --contents ${packages})
  foreach(what IN LISTS it_DEPENDS)
    if(NOT depends MATCHES "${what}")
      message(FATAL_ERROR "${name} should depend on ${what}: ${depends}")
    endif()
  endforeach()
  foreach(what IN LISTS it_HAS)
    if(NOT contents MATCHES " \\./usr/${what}(\n| ->|$)")
      message(FATAL_ERROR "${name} should have ${what}: ${contents}")
    endif()
  endforeach()
  foreach(what fftw ${it_LACKS})
    if("${contents}${depends}" MATCHES "${what}")
      message(FATAL_ERROR "${name} should have nothing of ${what}: ${depends}\n${contents}")
    endif()
  endforeach()
endfunction()

one_package(libsonoma0 DEPENDS libstdc libspdlog libboost-context libnettle
            HAS "lib/[^\n]*libsonoma\\.so\\.0" share/doc/libsonoma0/copyright
            LACKS "/bin/" "\\.hpp" "\\.a\n" "/share/man")
one_package(libsonoma-dev DEPENDS "libsonoma0 \\(= ${VERSION}\\)"
            HAS include/sonoma/plan.hpp "lib/[^\n]*libsonoma\\.so" "lib/[^\n]*libsonoma\\.a"
                "lib/[^\n]*/sonoma-config\\.cmake" "lib/[^\n]*/sonoma\\.pc"
            LACKS "/bin/" "/libsonoma\\.so\\.0")
one_package(sonoma DEPENDS libstdc libspdlog
            HAS bin/sonoma share/bash-completion/completions/sonoma "share/zsh/[a-z-]+/_sonoma"
                "share/fish/vendor_completions\\.d/sonoma\\.fish" "share/doc/sonoma/CHANGELOG\\.md"
            LACKS "\\.hpp" "libsonoma\\.")
find_program(HELP2MAN help2man)
if(HELP2MAN)
  one_package(sonoma HAS "share/man/man1/sonoma\\.1" "share/man/man1/sonoma-emit\\.1")
endif()
