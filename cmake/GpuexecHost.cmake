# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Settings and functions for all host targets: language level, warnings, sanitizers, and LLVM linked statically (loading
# the shared libLLVM would take longer than the whole start of the loader may).

find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)

add_library(gpuexec-host-options INTERFACE)
target_compile_features(gpuexec-host-options INTERFACE cxx_std_20)
target_compile_options(gpuexec-host-options INTERFACE -Wall -Wextra -Wno-unused-parameter -Wimplicit-fallthrough
  -fno-exceptions -fvisibility=hidden -fvisibility-inlines-hidden -ffunction-sections -fdata-sections)
target_link_options(gpuexec-host-options INTERFACE -fuse-ld=lld -Wl,--gc-sections -Wl,-z,relro)
target_include_directories(gpuexec-host-options INTERFACE ${PROJECT_SOURCE_DIR})
target_include_directories(gpuexec-host-options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(gpuexec-host-options INTERFACE ${LLVM_DEFINITIONS_LIST})

option(GPUEXEC_PORTABLE "for machines with glibc 2.31 or later: cmake/portable/build.sh, which gives the flags too" OFF)
if(NOT GPUEXEC_PORTABLE) # packed relative relocations need glibc 2.36
  target_link_options(gpuexec-host-options INTERFACE -Wl,-z,pack-relative-relocs)
endif()

set(GPUEXEC_SANITIZE "" CACHE STRING "sanitizers for the host code, as in -fsanitize= (address,undefined or thread)")
if(GPUEXEC_SANITIZE)
  target_compile_options(gpuexec-host-options INTERFACE -fsanitize=${GPUEXEC_SANITIZE} -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer -g1)
  target_link_options(gpuexec-host-options INTERFACE -fsanitize=${GPUEXEC_SANITIZE})
endif()

# gpuexec_link_llvm(target PUBLIC|PRIVATE component...): static LLVM libraries, named as llvm-config names them.
function(gpuexec_link_llvm target scope)
  llvm_map_components_to_libnames(libraries ${ARGN})
  target_link_libraries(${target} ${scope} ${libraries})
endfunction()

# gpuexec_link_archives(target name...): links an installed program statically with the C++ library and, where the
# system has lib<name>.a, with the named libraries: each shared library would cost 0.05 ms at every start. The archives
# come first on the command line, so that the linker drops the shared libraries that LLVM's own list names. Call it
# before other libraries are linked.
function(gpuexec_link_archives target)
  foreach(name ${ARGN})
    find_library(GPUEXEC_ARCHIVE_${name} lib${name}.a)
    if(GPUEXEC_ARCHIVE_${name})
      target_link_libraries(${target} PRIVATE ${GPUEXEC_ARCHIVE_${name}})
    endif()
  endforeach()
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)
endfunction()

# Half of the time that a source takes is spent on headers of LLVM, GoogleTest and the standard library. gpuexec_precompile(target KIND) gives the
# C++ sources of a target those headers precompiled, once for each kind of flags: `library`, `emulator` (flags of emulator/amdgpu), `test`
# (programs, with GoogleTest) and `fuzzer` (with sanitizers). A source still includes what it uses: with ccache, which does not cache such sources, nothing is precompiled.
option(GPUEXEC_PRECOMPILE "precompile headers of LLVM and GoogleTest" ON)
function(gpuexec_precompile target kind)
  if(NOT GPUEXEC_PRECOMPILE OR GPUEXEC_CCACHE)
    return()
  endif()
  set(owner gpuexec-precompiled-${kind})
  if(NOT TARGET ${owner})
    set(source ${PROJECT_BINARY_DIR}/precompiled/${kind}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// The owner of the precompiled headers of one kind.\n")
    add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${source})
    set(headers <algorithm> <array> <atomic> <cstring> <functional> <map> <memory> <mutex> <optional> <string> <thread> <vector>
      <llvm/ADT/ArrayRef.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringRef.h> <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h>
      <llvm/Support/raw_ostream.h>)
    target_link_libraries(${owner} PRIVATE gpuexec-host-options)
    if(kind STREQUAL test)
      list(APPEND headers <gmock/gmock.h> <gtest/gtest.h>)
      target_link_libraries(${owner} PRIVATE GTest::gmock)
      target_compile_options(${owner} PRIVATE -O1) # as gpuexec_add_unit_test
    elseif(kind STREQUAL fuzzer)
      target_compile_options(${owner} PRIVATE ${GPUEXEC_FUZZ_OPTIONS})
    elseif(kind STREQUAL emulator)
      target_compile_options(${owner} PRIVATE -fno-rtti -ffp-contract=off)
    endif()
    if(kind STREQUAL test OR kind STREQUAL fuzzer) # the flags with which CMake compiles programs, not libraries
      set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${owner} PRIVATE -fPIE)
    endif()
    target_precompile_headers(${owner} PRIVATE ${headers})
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.c$")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# gpuexec_add_unit_test(name source... LIBS lib...): a GoogleTest binary in build/test/unit, and a test of ctest with
# its name. The name must end with -test: check.py runs no other file in that folder.
function(gpuexec_add_unit_test name)
  cmake_parse_arguments(TEST "" "" "LIBS" ${ARGN})
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE gpuexec-host-options ${TEST_LIBS} GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O1) # what is tested is compiled as users get it, the tests themselves sooner
  gpuexec_precompile(${name} test)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  set_property(GLOBAL APPEND PROPERTY GPUEXEC_UNIT_TESTS ${name})
endfunction()

# gpuexec_add_service(name source... [LIBS library...] [INSTALL]): lib/gpuexec/services/libgpuexec-<name>.so, for --service. INSTALL: a
# service of services/services.def.
function(gpuexec_add_service name)
  cmake_parse_arguments(SERVICE "INSTALL" "" "LIBS" ${ARGN})
  add_library(gpuexec-${name} MODULE ${SERVICE_UNPARSED_ARGUMENTS})
  target_include_directories(gpuexec-${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(gpuexec-${name} PRIVATE -Wall -Wextra -fvisibility=hidden)
  target_link_libraries(gpuexec-${name} PRIVATE ${SERVICE_LIBS})
  set_target_properties(gpuexec-${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/gpuexec/services)
  set_property(GLOBAL APPEND PROPERTY GPUEXEC_PRODUCTS gpuexec-${name})
  if(SERVICE_INSTALL)
    install(TARGETS gpuexec-${name} DESTINATION lib/gpuexec/services)
  endif()
endfunction()

# gpuexec_add_fuzz_objects(name source...): compiles sources that several fuzzers test once for all of them. Each fuzzer
# has $<TARGET_OBJECTS:name> among its sources. -O1: sanitizers make code that takes long to optimise.
set(GPUEXEC_FUZZ_OPTIONS -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
  -fno-sanitize=vptr,function -fno-omit-frame-pointer -g1)
function(gpuexec_add_fuzz_objects name)
  if(NOT GPUEXEC_SANITIZE)
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${ARGN})
    target_link_libraries(${name} PRIVATE gpuexec-host-options)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF) # they are linked into programs alone
    target_compile_options(${name} PRIVATE -fPIE ${GPUEXEC_FUZZ_OPTIONS})
    gpuexec_precompile(${name} fuzzer)
  endif()
endfunction()

# gpuexec_add_fuzzer(name source... [LIBS lib...] [CORPUS folder] [OPTIONS libfuzzer-option...]): a libFuzzer binary
# build/test/fuzz/name under the address and undefined-behaviour sanitizers, and a lit test of ./check --fuzz that runs it
# on the kept corpus for %fuzz-seconds. The target `fuzzers` builds all; ./check compiles none (a third of its time went into
# them), and test/cli/fuzzers.test sees that each one's own source still fits what it calls. With OPTIONS ${GPUEXEC_FUZZ_MEMORY} the fuzzer reports a small input that takes
# much memory: for code that reads files and messages from elsewhere. Name the sources under test, too: a library built
# for release is not instrumented.
add_custom_target(fuzzers)
set(GPUEXEC_FUZZ_MEMORY -malloc_limit_mb=512 -rss_limit_mb=2048)
function(gpuexec_add_fuzzer name)
  cmake_parse_arguments(FUZZ "" "CORPUS" "LIBS;OPTIONS" ${ARGN})
  if(GPUEXEC_SANITIZE)
    return() # a fuzzer has sanitizers of its own
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${FUZZ_UNPARSED_ARGUMENTS})
  add_dependencies(fuzzers ${name})
  # What is generated for its own source: test/cli/fuzzers.test compiles that where the fuzzer is not built.
  set(generated ${FUZZ_UNPARSED_ARGUMENTS})
  list(FILTER generated INCLUDE REGEX "[.]inc$")
  if(generated)
    add_custom_target(${name}-headers ALL DEPENDS ${generated})
    add_dependencies(${name} ${name}-headers)
  endif()
  target_link_libraries(${name} PRIVATE gpuexec-host-options ${FUZZ_LIBS})
  target_compile_options(${name} PRIVATE ${GPUEXEC_FUZZ_OPTIONS})
  gpuexec_precompile(${name} fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/fuzz)
  string(JOIN " " options ${FUZZ_OPTIONS})
  if(FUZZ_CORPUS)
    get_filename_component(corpus ${FUZZ_CORPUS} ABSOLUTE)
  endif()
  # libFuzzer only reads the kept corpus: it writes new inputs to %t, which is in the build folder.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test/fuzz/${name}.test @ONLY CONTENT
"RUN: rm -rf %t && mkdir -p %t
RUN: %build/test/fuzz/${name} -seed=%fuzz-seed -max_total_time=%fuzz-seconds -rss_limit_mb=4096 -timeout=20 -verbosity=0 -print_final_stats=1 -artifact_prefix=%t/ ${options} %t ${corpus}
")
endfunction()
