# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles our device code (startup/, libc-shim/) to LLVM bitcode, once per triple, with the compiler that gpucc runs and
# only the headers of our sysroot.

set(GPUEXEC_TRIPLES amdgcn-amd-amdhsa nvptx64-nvidia-cuda)
set(GPUEXEC_DEVICE_ROOT ${PROJECT_BINARY_DIR}/lib/gpuexec)      # what is installed
set(GPUEXEC_DEVICE_WORK ${PROJECT_BINARY_DIR}/device)           # what is not
set(GPUEXEC_NEWLIB ${GPUEXEC_DEVICE_WORK}/newlib-3.3.0/newlib)

find_program(GPUEXEC_CLANG NAMES clang-22 REQUIRED)
find_program(GPUEXEC_LLVM_AR NAMES llvm-ar-22 REQUIRED)
set(GPUEXEC_NEWLIB_ARCHIVE /usr/src/newlib/newlib-3.3.0.tar.xz CACHE FILEPATH
  "newlib's sources, as Debian's package newlib-source has them")

# The inliner's thresholds, as in config/<triple>.cfg. Bitcode for NVPTX must run on the oldest supported processor.
set(GPUEXEC_INLINING -mllvm -inline-threshold=21 -mllvm -inlinehint-threshold=30 -mllvm -amdgpu-inline-arg-alloca-cost=0)
set(GPUEXEC_FLAGS_amdgcn-amd-amdhsa ${GPUEXEC_INLINING})
set(GPUEXEC_FLAGS_nvptx64-nvidia-cuda ${GPUEXEC_INLINING} -march=sm_70 --cuda-feature=+ptx63)

# gpuexec_device_objects(variable triple source...): bitcode objects of C or C++ files of the current folder, or of the build's. They are
# compiled after GPUEXEC_GENERATED_HEADERS, where that is set, and find headers in GPUEXEC_DEVICE_INCLUDES.
function(gpuexec_device_objects variable triple)
  set(objects)
  set(includes ${GPUEXEC_DEVICE_INCLUDES})
  list(TRANSFORM includes PREPEND -I)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE file)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${file} is_generated)
    set(root ${PROJECT_SOURCE_DIR})
    if(is_generated)
      set(root ${PROJECT_BINARY_DIR})
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${root} OUTPUT_VARIABLE name)
    set(object ${GPUEXEC_DEVICE_WORK}/${triple}/${name}.o)
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    if(name MATCHES "\\.cpp$")
      set(language -std=gnu++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics
        -isystem ${PROJECT_SOURCE_DIR}/libc-shim/include/c++)
    else()
      set(language -std=gnu11)
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${GPUEXEC_CCACHE} ${GPUEXEC_CLANG} --target=${triple} ${GPUEXEC_FLAGS_${triple}} ${language}
        -O2 -g0 -flto -nogpulib -nostdlibinc -fno-builtin -fmath-errno -ffp-contract=off -fvisibility=hidden
        -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -I ${PROJECT_SOURCE_DIR} ${includes}
        -isystem ${PROJECT_SOURCE_DIR}/libc-shim/include -isystem ${PROJECT_SOURCE_DIR}/toolchain/newlib/config
        -isystem ${GPUEXEC_NEWLIB}/libc/include -MD -MF ${object}.d -c ${file} -o ${object}
      DEPENDS ${file} ${GPUEXEC_DEVICE_WORK}/newlib.stamp ${GPUEXEC_GENERATED_HEADERS}
      DEPFILE ${object}.d
      COMMENT "Compiling ${name} for ${triple}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# gpuexec_device_library(target NAMES name... HEADERS file... SOURCES file...): for each triple a library of the sources, by each of the
# names, and headers, which programs include and the sources too.
function(gpuexec_device_library target)
  cmake_parse_arguments(LIBRARY "" "" "NAMES;HEADERS;SOURCES" ${ARGN})
  set(products)
  foreach(header ${LIBRARY_HEADERS})
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET header FILENAME name)
    set(copy ${GPUEXEC_DEVICE_ROOT}/include/gpuexec/${name})
    add_custom_command(OUTPUT ${copy}
      COMMAND ${CMAKE_COMMAND} -E copy ${header} ${copy}
      DEPENDS ${header} ${GPUEXEC_DEVICE_WORK}/headers.stamp VERBATIM)
    list(APPEND products ${copy})
    list(APPEND GPUEXEC_GENERATED_HEADERS ${header})
  endforeach()
  list(POP_FRONT LIBRARY_NAMES first)
  foreach(triple ${GPUEXEC_TRIPLES})
    gpuexec_device_objects(objects ${triple} ${LIBRARY_SOURCES})
    set(library ${GPUEXEC_DEVICE_ROOT}/${triple}/lib${first}.a)
    set(links)
    foreach(name ${LIBRARY_NAMES})
      list(APPEND links COMMAND ${CMAKE_COMMAND} -E create_symlink lib${first}.a ${GPUEXEC_DEVICE_ROOT}/${triple}/lib${name}.a)
    endforeach()
    add_custom_command(OUTPUT ${library}
      COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
      COMMAND ${GPUEXEC_LLVM_AR} rcs ${library} ${objects}
      ${links}
      DEPENDS ${objects}
      COMMENT "Assembling lib${first} for ${triple}" VERBATIM)
    list(APPEND products ${library})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${products})
  set_property(GLOBAL APPEND PROPERTY GPUEXEC_PRODUCTS ${target})
endfunction()
