# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target `products` builds everything that `cmake --install` and `cpack` install, and no tests. Build it before
# these: `cmake --build build --target products`. c-products is the part that programs in C need, cuda-products the one of CUDA programs.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
get_property(libraries GLOBAL PROPERTY GPUEXEC_PRODUCTS) # services, and the device's parts of them
add_custom_target(c-products DEPENDS gpuexec gpuexec-info gpu-replay gpucc hsa-emulator gpuexec-emulator-jit device-sysroot gpuexec-offload-blas ${libraries})
if(TARGET gpuexec-relay) # only where OpenSSL is installed
  add_dependencies(c-products gpuexec-relay)
endif()
add_custom_target(cuda-products DEPENDS gpucc cuda-toolchain gpuexec-ptx cuda-driver cuda-runtime-11.0 cuda-runtime-12 cuda-runtime-13 cuda-curand cuda-cublas-11 cuda-cublas-12
  cuda-cublasLt-11 cuda-cublasLt-12 cuda-cufft-10 cuda-cufft-11 cuda-cusolver-11 cuda-nvml
  hsa-emulator gpuexec-emulator-jit $<TARGET_NAME_IF_EXISTS:cuda-driver-lent>)
add_custom_target(products DEPENDS c-products libstdcxx cuda-products)

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
# dpkg-shlibdeps finds the shared libraries that loader and emulator need; gpucc needs the compiler.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# llvm-22 has llvm-ar, which the CMake toolchain files call for archives of GPU code.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-22, lld-22, clang-tools-22, llvm-22")
# For gpucc-port. Recommended: what it needs itself, and to fetch and build most libraries. Suggested, among others:
# what a few libraries need. libstdc++-12-dev and libomp-22-dev are for the host's part of CUDA programs.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.11), dpkg-dev, make, cmake, pkg-config, libstdc++-12-dev, libomp-22-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "llvm-22-tools, libhsa-runtime64-1, autoconf, automake, libtool, tcl")
# These scripts register GPU programs with the kernel (binfmt_misc), and remove the registration.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/cmake/package/debian/postinst;${PROJECT_SOURCE_DIR}/cmake/package/debian/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
