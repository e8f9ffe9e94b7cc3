# Debian packages, by cpack: libsonoma0, libsonoma-dev and sonoma. The preset "debian" builds what
# belongs into them, for /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sonoma)
set(CPACK_PACKAGE_CONTACT "The Sonoma developers <sonoma@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime development command)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libsonoma0)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"Sonoma generates CUDA kernels for fast Fourier transforms, compiles them by NVRTC and launches them.
This package has the shared library. Kernels need NVIDIA's driver and NVRTC, or, on the emulated
device, a C++ compiler.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "g++")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsonoma-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers of Sonoma, its static library, and files for CMake and pkg-config. Who links the static
library needs spdlog, zlib, Nettle and Boost.Context.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libsonoma0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libspdlog-dev, libboost-context-dev, nettle-dev, zlib1g-dev")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sonoma)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
"The command of Sonoma prints, explains, runs, verifies, times and tunes kernels for fast Fourier
transforms. It verifies against FFTW, which it opens when it is asked to.")
# The emulated device compiles kernels; FFTW is the reference.
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "g++, libfftw3-double3")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "libcairo2, libfftw3-long3, libmpfr6")

install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsonoma0
        COMPONENT runtime)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsonoma-dev
        COMPONENT development)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sonoma
        COMPONENT command)
install(FILES CHANGELOG.md docs/install.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sonoma
        COMPONENT command)
include(CPack)
