//===-- services/mpi/host/engine.h - Calls that are under way ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread makes all calls of the MPI library. gpuexec's threads put the
// program's calls into a queue; the thread begins each of them, and tests those
// whose answer takes longer until it is there. So a blocking function of MPI is
// a non-blocking one whose caller waits.
//
// The state lock protects everything here. The thread holds it except while it
// waits for calls and while the library may block.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_MPI_HOST_ENGINE_H
#define GPUEXEC_SERVICES_MPI_HOST_ENGINE_H

#include "rpc/include/gpuexec_service.h"
#include "services/mpi/host/library.h"
#include <pthread.h>
#include <stdbool.h>

typedef struct mpi_engine mpi_engine;
typedef struct mpi_op mpi_op;
typedef struct mpi_flight mpi_flight;

//===-- Objects -----------------------------------------------------------===//

typedef struct {
  int64_t true_lb, true_extent, extent, size;
} mpi_type_facts;

/// What a handle of the device stands for.
typedef struct {
  uint64_t native;
  uint16_t generation;
  bool is_used;
  bool has_facts;
  union {
    mpi_type_facts type;
    int32_t comm[MPI_FACTS];
    mpi_flight *flight; ///< of a request
    int slot;           ///< of an operation of the program, else -1
  };
} mpi_object;

enum { MPI_MOST_OBJECTS = 1 << 16 };
typedef struct {
  mpi_object **objects; ///< MPI_MOST_OBJECTS pointers, null behind `count`
  uint32_t count, next_free;
} mpi_objects;

/// The object of a handle, or null. `native` gets the library's handle; a
/// predefined handle has an object of its own, too.
mpi_object *mpi_find(mpi_engine *, mpi_kind, uint64_t handle, uint64_t *native);
/// A new object; returns its handle, or 0.
uint64_t mpi_add(mpi_engine *, mpi_kind, uint64_t native, mpi_object **object);
void mpi_remove(mpi_engine *, mpi_kind, uint64_t handle);
/// The handle of what the library has returned: predefined or a new object. 0
/// if there are too many.
uint64_t mpi_handle_of(mpi_engine *, mpi_kind, uint64_t native);
/// The handle of what the program has made, by the library's; 0: there is none.
uint64_t mpi_find_made(mpi_engine *, mpi_kind, uint64_t native);
uint64_t mpi_null_handle(mpi_kind);

void mpi_free_objects(mpi_engine *);

/// The facts of a datatype; 0 or an error class.
int mpi_facts_of_type(mpi_engine *, mpi_object *, uint64_t native,
                      mpi_type_facts *);
/// The facts of a communicator, MPI_FACT_*; 0 or an error class.
int mpi_facts_of_comm(mpi_engine *, mpi_object *, uint64_t native,
                      const int32_t **facts);

//===-- Buffers -----------------------------------------------------------===//

/// A buffer of the program that the library uses.
typedef struct {
  uint64_t address; ///< of the first byte
  uint64_t size;
  unsigned char *copy;   ///< null: the library works on the program's memory
  unsigned char *before; ///< what was copied, of a buffer that is written
  bool has_gaps;         ///< bytes between those of the datatype
} mpi_staged;

enum { MPI_MOST_STAGED = 3, MPI_MOST_MEMORY = MPI_MOST_ARGUMENTS };

/// A native request and what it uses; of a request of the program or of a
/// blocking call.
struct mpi_flight {
  uint64_t native[2]; ///< requests
  unsigned natives;
  unsigned status_of; ///< the native request whose status counts
  bool is_persistent, is_active, is_done;
  bool is_null;   ///< it receives from MPI_PROC_NULL
  bool is_wanted; ///< false: freed by the program, not complete
  int error;
  uint64_t comm; ///< the communicator's handle, or 0
  int32_t status[2 * MPI_STATUS_WORDS];
  mpi_staged staged[MPI_MOST_STAGED];
  unsigned staged_count;
  void *memory[MPI_MOST_MEMORY];
  unsigned memory_count;
  uint64_t buffered; ///< bytes of the program's attached buffer
  bool is_buffered;  ///< MPI_Bsend_init: each start is a buffered send
  uint64_t again[6]; ///< its arguments
  mpi_flight *next;  ///< of those that no caller waits for
};

//===-- Calls -------------------------------------------------------------===//

/// The call of a wave: its lanes are answered together.
typedef struct mpi_group {
  struct mpi_group *next, **at; ///< `at`: where the list points to it
  gpuexec_call *call;           ///< null: cancelled
  unsigned left;                ///< lanes without an answer
  mpi_op *ops[GPUEXEC_MAX_LANES];
} mpi_group;

/// The call of a lane.
struct mpi_op {
  mpi_op *next;
  mpi_group *group; ///< null: the device will call Continue with `token`
  unsigned lane;
  uint64_t token;
  const mpi_function *function;
  mpi_call_number number;
  bool is_of_version; ///< the device's functions are those of this table
  uint64_t *words;    ///< the arguments, and the bytes of arrays
  uint64_t word_count;
  /// Tests again; true if the answer is there. Null: not begun.
  bool (*poll)(mpi_engine *, mpi_op *);
  mpi_flight *flight;
  /// The arguments as the library takes them, and what it writes.
  uint64_t native[MPI_MOST_ARGUMENTS + 1];
  uint64_t slots[MPI_MOST_ARGUMENTS][4];
  uint64_t counts[MPI_MOST_ARGUMENTS]; ///< elements of written arrays
  bool has_flight_status;              ///< the status to answer is the flight's
  uint64_t made; ///< the handle of an object made before the call, or 0
  void *memory[MPI_MOST_MEMORY];
  unsigned memory_count;
  uint64_t *answer;
  uint32_t answer_count, answer_capacity;
};

struct mpi_engine {
  const gpuexec_host *host;
  mpi_library mpi;
  char argument[4096]; ///< of --service: the library, openmpi, mpich or a path
  bool copies;         ///< never lets the library work on the program's memory
  pthread_mutex_t state;
  pthread_cond_t changed;
  pthread_t thread;
  bool has_thread, ends, has_ended;
  bool is_initialized, is_finalized, is_multiple;
  bool is_unlocked; ///< the thread calls the library without the lock
  mpi_group *groups;
  mpi_op *arrived, **arrived_end;
  mpi_op *pending;
  mpi_flight *unwanted;
  mpi_op *current; ///< the call for which the library works
  uint64_t last_token;
  mpi_objects objects[MPI_HANDLE_KINDS];
  mpi_object predefined[ABI_HANDLE_END];
  uint64_t buffer_address, buffer_size, buffer_used;
};

/// Serves all calls until the engine ends.
void *mpi_run(void *engine);
/// Puts the calls of a wave into the queue.
int mpi_enqueue(mpi_engine *, gpuexec_call *);
/// Ends the calls that wait: the program has ended.
void mpi_cancel_all(mpi_engine *);

/// Frees what the calls and objects have, when the thread has ended.
void mpi_free_all(mpi_engine *);

/// Waits until the device has run a user's function for the current call. False
/// if the program ends instead.
bool mpi_call_device(mpi_engine *, const mpi_callback *);

/// Lets the library block: gives up the state lock during the call.
int mpi_native_blocking(mpi_engine *, mpi_call_number, const uint64_t *words);

//===-- Answers -----------------------------------------------------------===//

void mpi_answer_word(mpi_op *, uint64_t word);
void mpi_answer_bytes(mpi_op *, const void *bytes, uint64_t size);
/// The answer is an error class.
void mpi_answer_error(mpi_op *, int error);
/// The same, for a function that says whether the answer is there.
static inline bool mpi_refuse(mpi_op *op, int error) {
  mpi_answer_error(op, error);
  return true;
}
/// Memory that is freed with the call; null if there is none.
void *mpi_op_memory(mpi_op *, uint64_t size);

//===-- Parts of serving --------------------------------------------------===//

/// Begins the call. True if its answer is there, else op->poll is set.
bool mpi_begin_call(mpi_engine *, mpi_op *);
/// requests.c: functions for requests of the program, and buffered sends.
bool mpi_begin_complete(mpi_engine *, mpi_op *);
bool mpi_begin_buffered(mpi_engine *, mpi_op *);
bool mpi_begin_request_call(mpi_engine *, mpi_op *);
bool mpi_poll_buffer_use(mpi_engine *, mpi_op *);
/// Tests the flights that no caller waits for.
void mpi_test_unwanted(mpi_engine *, mpi_op *);
/// custom.c: calls that the table does not describe.
bool mpi_begin_custom(mpi_engine *, mpi_op *);

/// Translates the arguments; 0 or an error class.
int mpi_translate(mpi_engine *, mpi_op *);
/// Answers with what the library has written.
void mpi_translate_back(mpi_engine *, mpi_op *);
/// The bytes of an array that came with the call, or null.
const void *mpi_sent_array(const mpi_op *, unsigned argument, uint64_t *count);

/// Makes a buffer of the program reachable for the library, which gets
/// `*native`. `first` and `size`: its bytes, relative to the address.
int mpi_stage(mpi_engine *, mpi_op *, uint64_t address, int64_t first,
              uint64_t size, bool writes, bool has_gaps, uint64_t *native);
/// Writes what the library has written to the program's memory, for the call.
int mpi_unstage(mpi_engine *, mpi_op *, mpi_flight *);
/// Copies the buffers again, which the program may have changed.
int mpi_restage(mpi_engine *, mpi_op *, mpi_flight *);

mpi_flight *mpi_new_flight(mpi_op *);
void mpi_free_flight(mpi_flight *);
/// Ends the call when its flight is complete.
bool mpi_poll_flight(mpi_engine *, mpi_op *);
/// Tests the native requests. True if all are complete: then the buffers have
/// been written back.
bool mpi_test_flight(mpi_engine *, mpi_op *, mpi_flight *);
/// A request of the program for the flight of the call; its handle or 0.
uint64_t mpi_make_request(mpi_engine *, mpi_op *);

/// The operation of the library for a function of the program; 0 or a class.
int mpi_make_operation(mpi_engine *, uint64_t function, int commutes,
                       uint64_t *handle);
/// The program has freed it; reductions that are not complete go on with it.
void mpi_free_operation(int slot);

#endif
