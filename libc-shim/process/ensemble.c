//===-- libc-shim/process/ensemble.c - Instances of an ensemble -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc -fensemble links this file: each wave of the grid then is an instance
// of the program, with its own variables, mailbox, arguments and end. The
// loader fills in __gpuexec_ensemble before it launches the grid.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/ensemble.h"
#include "gpu/pass_runtime.h"
#include "gpu/start_up.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/shared.h"
#include <gpuintrin.h>
#include <string.h>

#define FOR_LOADER __attribute__((used, retain, visibility("protected")))
/// The pass lower_thread_locals sets its initial value.
FOR_LOADER gpuexec_instance_layout __gpuexec_instance_layout;

#ifdef __AMDGPU__ // for NVIDIA gpucc refuses the option
FOR_LOADER gpuexec_ensemble __gpuexec_ensemble;

// So that the linker takes the file: the pass adds the calls.
__attribute__((used,
               visibility("hidden"))) __typeof__(__gpuexec_begin_thread_locals)
    *const __gpuexec_uses_thread_locals = __gpuexec_begin_thread_locals;

static bool is_ensemble(void) { return __gpuexec_ensemble.instances; }

static const gpuexec_instance *this_instance(void) {
  return (const gpuexec_instance *)__gpuexec_ensemble.instances +
         __gpu_block_id_x();
}

char *__gpuexec_instance_block(void) {
  return is_ensemble() ? (char *)__gpuexec_ensemble.blocks +
                             __gpu_block_id_x() * __gpuexec_instance_layout.size
                       : NULL;
}

void __gpuexec_fill_instance_block(char *block) {
  const gpuexec_instance_layout layout = __gpuexec_instance_layout;
  uint64_t client = layout.loaders_client, more = layout.loaders_extensions;
  if (is_ensemble()) {
    client = this_instance()->client;
    more = this_instance()->extensions;
  }
  memcpy(block + layout.client, (const void *)client, sizeof(rpc_client22));
  memcpy(block + layout.extensions, (const void *)more, sizeof(rpc_extensions));
}

void __gpuexec_prepare_instance(void) {
  if (__gpuexec_store_addresses)
    __gpuexec_store_addresses();
}

bool __gpuexec_begin_instance(int *argc, char ***argv, char ***envp) {
  if (!is_ensemble())
    return false;
  const gpuexec_instance *mine = this_instance();
  *argc = (int)mine->argc;
  *argv = (char **)mine->argv;
  *envp = (char **)mine->envp;
  return true;
}
#endif
