//===-- services/common/fuzz/program.h - A hostile program, for fuzzers of services -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An input of the fuzzer is bytes, of which the request and the program's
// memory are made. The service is the one that is linked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_FUZZ_PROGRAM_H
#define GPUEXEC_SERVICES_COMMON_FUZZ_PROGRAM_H

#include "rpc/include/gpuexec_service.h"

/// Where the host can see the program's memory. Elsewhere, up to FUZZ_LAST, it
/// reads and writes copies; there is no other memory.
enum { FUZZ_VISIBLE = 0x1000, FUZZ_LAST = 0x4000 };

/// The fuzzer's: what the program has at the address.
void fuzz_fill(void *memory, size_t size, uint64_t address);

void fuzz_begin(const uint8_t *input, size_t size);
/// The next byte of the input; 1 behind its end.
uint8_t fuzz_next_byte(void);

/// Opens the service where it is not, and sends it the request of one lane.
/// Then the memory of fuzz_malloc() is freed.
void fuzz_send(uint32_t opcode, const void *request, size_t size);
void fuzz_close(void);

#endif
