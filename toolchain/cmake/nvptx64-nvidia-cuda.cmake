# CMake toolchain file: programs for NVIDIA GPUs, run with gpuexec, so that a project's own ctest runs on the device.
#   cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=.../nvptx64-nvidia-cuda.cmake [-DGPUEXEC_ARCH=sm_90]
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR nvptx64)

get_filename_component(GPUEXEC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(GPUEXEC_ARCH "sm_90" CACHE STRING "processor to compile for, as gpucc --arch= takes it")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GPUEXEC_ARCH)

set(CMAKE_C_COMPILER "${GPUEXEC_PREFIX}/bin/gpucc")
set(CMAKE_CXX_COMPILER "${GPUEXEC_PREFIX}/bin/gpuc++")
set(CMAKE_C_FLAGS_INIT "--arch=${GPUEXEC_ARCH}")
set(CMAKE_CXX_FLAGS_INIT "--arch=${GPUEXEC_ARCH}")
find_program(CMAKE_AR NAMES llvm-ar-22 llvm-ar REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-22 llvm-ranlib REQUIRED)
find_program(CMAKE_NM NAMES llvm-nm-22 llvm-nm)

set(CMAKE_CROSSCOMPILING_EMULATOR "${GPUEXEC_PREFIX}/bin/gpuexec")

# The host's headers and libraries are none of the device's.
set(CMAKE_FIND_ROOT_PATH "${GPUEXEC_PREFIX}/lib/gpuexec/nvptx64-nvidia-cuda")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
