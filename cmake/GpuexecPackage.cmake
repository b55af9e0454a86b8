# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# All that `cmake --install` and `cpack` take, and no test: `cmake --build build --target products` comes first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
get_property(libraries GLOBAL PROPERTY GPUEXEC_PRODUCTS) # services, and the device's parts of them
add_custom_target(products DEPENDS gpuexec gpuexec-info gpu-replay gpucc hsa-emulator gpuexec-emulator-jit device-sysroot gpuexec-offload-blas ${libraries})
if(TARGET gpuexec-relay) # built where OpenSSL is
  add_dependencies(products gpuexec-relay)
endif()

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)

# `cpack` in the build folder makes a Debian package of what `cmake --install` installs.
set(CPACK_PACKAGE_NAME gpuexec)
set(CPACK_PACKAGE_VENDOR "gpuexec")
set(CPACK_PACKAGE_CONTACT "gpuexec <gpuexec@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The loader and the emulator need what they are linked with (dpkg-shlibdeps finds it); gpucc needs the compiler.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# llvm-22 has llvm-ar, for archives of what gpucc makes: the CMake toolchain files call it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-22, lld-22, clang-tools-22, llvm-22")
# gpucc-port: itself, and what most libraries need to be fetched and built; then what a few need.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.11), dpkg-dev, make, cmake, pkg-config")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "llvm-22-tools, libhsa-runtime64-1, autoconf, automake, libtool, tcl")
# Registers GPU programs with the kernel, and takes that back.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/cmake/package/debian/postinst;${PROJECT_SOURCE_DIR}/cmake/package/debian/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
