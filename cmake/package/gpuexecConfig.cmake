# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(gpuexec): compile programs for a GPU and run them as tests, in any CMake project.
#
#   gpuexec_add_executable(name source... [ARCH gfx942] [OPTIONS option...])
#       Compiles the sources with gpucc to the image ${CMAKE_CURRENT_BINARY_DIR}/name.gpu (target name, part of ALL).
#
#   gpuexec_add_test(NAME name [IMAGE target-or-file | SOURCES source...] [ARGS argument...] [THREADS n] [BLOCKS n]
#                    [DEVICE device] [TIMEOUT seconds] [STATUS n] [STDIN file] [ENVIRONMENT VAR=value...] [EXCLUSIVE])
#       A CTest test that runs the image with gpuexec: passed when it ends with STATUS (default 0). TIMEOUT (default 60) is
#       gpuexec's own limit, so that the report of a hang says where the program was. EXCLUSIVE tests never run beside each other.
#       The device is DEVICE, else what GPUEXEC_DEVICE says when the tests run, else the best one. The test carries the
#       label gpuexec; set_tests_properties adds what else CTest can check, such as PASS_REGULAR_EXPRESSION.
#
# Variables: GPUEXEC_EXECUTABLE, GPUEXEC_GPUCC, GPUEXEC_LIT_MODULE_DIR (for lit.cfg.py), GPUEXEC_ARCH (default: this machine's GPU, else gfx942).

get_filename_component(_gpuexec_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(GPUEXEC_EXECUTABLE gpuexec HINTS ${_gpuexec_prefix}/bin REQUIRED)
find_program(GPUEXEC_GPUCC gpucc HINTS ${_gpuexec_prefix}/bin REQUIRED)
find_path(GPUEXEC_LIT_MODULE_DIR gpuexec_lit.py HINTS ${_gpuexec_prefix}/share/gpuexec/lit)
set(GPUEXEC_ARCH "" CACHE STRING "the GPU that programs are compiled for, as gpucc's --arch; empty: gpucc's default")

function(gpuexec_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 GPU "" "ARCH" "OPTIONS")
  if(NOT GPU_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuexec_add_executable(${name}): no sources")
  endif()
  if(NOT GPU_ARCH)
    set(GPU_ARCH ${GPUEXEC_ARCH})
  endif()
  set(arch)
  if(GPU_ARCH)
    set(arch --arch=${GPU_ARCH})
  endif()
  set(sources)
  foreach(source ${GPU_UNPARSED_ARGUMENTS})
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
  endforeach()
  set(image ${CMAKE_CURRENT_BINARY_DIR}/${name}.gpu) # not the target's name: ninja has one name space
  if(GPU_OPTIONS)
    set(options ${GPU_OPTIONS})
  else()
    set(options -O2)
  endif()
  # With one source the compiler writes a dependency file; for several in one call it would write no common one.
  set(dependencies)
  list(LENGTH sources count)
  if(count EQUAL 1)
    list(APPEND options -MD -MF ${image}.d -MT ${image})
    set(dependencies DEPFILE ${image}.d)
  endif()
  add_custom_command(OUTPUT ${image}
    COMMAND ${GPUEXEC_GPUCC} ${arch} ${options} ${sources} -o ${image} -lm
    DEPENDS ${sources} ${GPUEXEC_GPUCC} ${dependencies}
    COMMENT "Compiling ${name} for the GPU" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${image})
  set_target_properties(${name} PROPERTIES GPUEXEC_IMAGE ${image})
endfunction()

function(gpuexec_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 GPU "EXCLUSIVE" "NAME;IMAGE;THREADS;BLOCKS;DEVICE;TIMEOUT;STATUS;STDIN"
    "SOURCES;ARGS;ENVIRONMENT")
  if(NOT GPU_NAME)
    message(FATAL_ERROR "gpuexec_add_test: NAME is missing")
  endif()
  if(GPU_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuexec_add_test(${GPU_NAME}): '${GPU_UNPARSED_ARGUMENTS}' is not understood")
  endif()
  if(GPU_SOURCES)
    gpuexec_add_executable(${GPU_NAME}.image ${GPU_SOURCES})
    set(GPU_IMAGE ${GPU_NAME}.image)
  endif()
  if(NOT GPU_IMAGE)
    message(FATAL_ERROR "gpuexec_add_test(${GPU_NAME}): IMAGE or SOURCES is missing")
  endif()
  set(image ${GPU_IMAGE})
  if(TARGET ${GPU_IMAGE})
    get_target_property(image ${GPU_IMAGE} GPUEXEC_IMAGE)
    if(NOT image)
      set(image $<TARGET_FILE:${GPU_IMAGE}>)
    endif()
  endif()
  if(NOT GPU_TIMEOUT)
    set(GPU_TIMEOUT 60)
  endif()
  set(command ${GPUEXEC_EXECUTABLE} --timeout ${GPU_TIMEOUT})
  foreach(option THREADS BLOCKS DEVICE)
    if(GPU_${option})
      string(TOLOWER ${option} flag)
      list(APPEND command --${flag} ${GPU_${option}})
    endif()
  endforeach()
  list(APPEND command ${image} ${GPU_ARGS})
  if(GPU_STATUS OR GPU_STDIN)
    # CTest itself can neither redirect standard input nor expect a status other than 0: a shell does it.
    if(NOT GPU_STATUS)
      set(GPU_STATUS 0)
    endif()
    if(GPU_STDIN)
      get_filename_component(GPU_STDIN ${GPU_STDIN} ABSOLUTE)
    else()
      set(GPU_STDIN /dev/null)
    endif()
    # The script has no semicolons: CMake would split it there.
    set(script "input=$1 want=$2\nshift 2\n\"$@\" <\"$input\"\ngot=$?\n[ $got = $want ] && exit\necho \"status $got, expected $want\"\nexit 1")
    set(command sh -c "${script}" sh ${GPU_STDIN} ${GPU_STATUS} ${command})
  endif()
  add_test(NAME ${GPU_NAME} COMMAND ${command})
  math(EXPR limit "${GPU_TIMEOUT} + 30") # gpuexec's own limit comes first; CTest's is for a machine that hangs
  set_tests_properties(${GPU_NAME} PROPERTIES LABELS gpuexec TIMEOUT ${limit})
  if(GPU_ENVIRONMENT)
    set_tests_properties(${GPU_NAME} PROPERTIES ENVIRONMENT "${GPU_ENVIRONMENT}")
  endif()
  if(GPU_EXCLUSIVE)
    set_tests_properties(${GPU_NAME} PROPERTIES RESOURCE_LOCK gpuexec-device)
  endif()
endfunction()

set(gpuexec_FOUND TRUE)
