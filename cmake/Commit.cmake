# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the header OUTPUT, which defines GPUEXEC_COMMIT as the commit of the repository in the folder SOURCE, or as ""
# if that is no repository. Does not touch a header that is already right, so that nothing is compiled again.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  set(commit "")
endif()
set(text "#define GPUEXEC_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
