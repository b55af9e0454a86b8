// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- services/mpi/host/mpi_service.c - MPI for device programs ---------===*\
 * mpirun -n 8 gpuexec [--service libgpuexec-mpi.so,LIBRARY] program
 *
 * LIBRARY is openmpi, mpich or a path. With `copies` before it (copies,mpich)
 * the library never works on the program's memory itself, as on a GPU whose
 * memory the host does not see.
\*===----------------------------------------------------------------------===*/
#include "services/mpi/host/engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  (void)host;
  return mpi_enqueue(state, call);
}

static int open_mpi(const gpuexec_host *host, const char *argument,
                    void **state, char *error, size_t error_size) {
  mpi_engine *engine = calloc(1, sizeof *engine);
  if (!engine) {
    snprintf(error, error_size, "out of memory");
    return 1;
  }
  engine->host = host;
  engine->arrived_end = &engine->arrived;
  engine->copies = !strncmp(argument, "copies", 6);
  if (engine->copies)
    argument += argument[6] == ',' ? 7 : 6;
  snprintf(engine->argument, sizeof engine->argument, "%s", argument);
  pthread_mutex_init(&engine->state, NULL);
  pthread_cond_init(&engine->changed, NULL);
  *state = engine;
  return 0;
}

static void cancel(void *state, gpuexec_call *call) {
  (void)call; // the program has ended, and with it all its calls
  mpi_cancel_all(state);
}

/// The library is not finalized here: other ranks may never come to that. A
/// launcher ends the job if the program has not done it.
static void close_mpi(void *state) {
  mpi_engine *engine = state;
  mpi_cancel_all(engine);
  if (engine->is_initialized && !engine->is_finalized)
    fprintf(stderr, "gpuexec: MPI: the program has ended without "
                    "MPI_Finalize()\n");
  pthread_mutex_lock(&engine->state);
  const bool is_idle = engine->has_thread && !engine->is_unlocked;
  pthread_mutex_unlock(&engine->state);
  // A thread that the library keeps goes with the process.
  if (engine->has_thread && !is_idle)
    return;
  if (engine->has_thread)
    pthread_join(engine->thread, NULL);
  mpi_free_all(engine);
  free(engine);
}

static const gpuexec_operation operations[] = {
    {MPI_OPCODE, GPUEXEC_QUICK, "mpi", "bB", serve}};
static const gpuexec_service_description description = {sizeof description,
                                                        GPUEXEC_SERVICE_VERSION,
                                                        "mpi",
                                                        1,
                                                        operations,
                                                        open_mpi,
                                                        close_mpi,
                                                        cancel};
const gpuexec_service_description *gpuexec_service(void) {
  return &description;
}
