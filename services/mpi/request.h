//===-- services/mpi/request.h - A call of MPI, from the device to the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request consists of words of 64 bits: the function's number
// (mpi_call_number), one word for each argument in the order of C, then the
// bytes of the arrays that the function reads, in the same order, each padded
// to whole words.
//
// The word of an argument: a number or a handle itself; of a buffer, its
// address; of an array, how many elements follow, or an MPI_ABSENT value; of
// something that the function writes, 1 if the program wants it.
//
// The answer: a word with an mpi_answer_kind in its upper half and an error
// class in its lower; after MPI_DONE without an error, what the function
// writes, in the order of its arguments: a number or a handle takes a word, a
// status MPI_STATUS_WORDS, an array whole words.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_MPI_REQUEST_H
#define GPUEXEC_SERVICES_MPI_REQUEST_H

#include <stdint.h>

#include "mpi_version.inc"

enum { MPI_OPCODE = 0x47001803, MPI_STATUS_WORDS = 4, MPI_MOST_ARGUMENTS = 13 };

typedef enum {
#define MPI_CALL(NAME) MPI_CALL_##NAME,
#include "mpi_calls.inc"
#undef MPI_CALL
  MPI_CALLS
} mpi_call_number;

/// In the place of a number of elements.
#define MPI_ABSENT UINT64_MAX ///< a null pointer, or an array without a meaning
#define MPI_ABSENT_UNWEIGHTED (UINT64_MAX - 1) ///< the pointer MPI_UNWEIGHTED
#define MPI_ABSENT_WEIGHTS_EMPTY                                               \
  (UINT64_MAX - 2) ///< the pointer MPI_WEIGHTS_EMPTY

typedef enum {
  MPI_DONE,
  /// The device calls a user's function (mpi_callback follows) and then makes
  /// the call Continue with the token.
  MPI_CALLBACK,
  /// The device makes the call Continue with the token, which is the next word.
  MPI_AGAIN,
} mpi_answer_kind;

/// A call of an MPI_User_function, whose arrays are in memory of the device.
typedef struct {
  uint64_t token, function, in, inout, count, type;
} mpi_callback;

/// What a communicator is, for the device: the words of Comm_facts.
enum {
  MPI_FACT_MEMBERS, ///< ranks of the (local) group
  MPI_FACT_RANK,
  MPI_FACT_PEERS, ///< ranks of the group with which collectives exchange data
  MPI_FACT_IS_INTER,
  MPI_FACT_SOURCES, ///< neighbours in its topology
  MPI_FACT_TARGETS,
  MPI_FACT_DIMS, ///< of a Cartesian grid
  MPI_FACTS = 8
};

/// What a datatype is: the words of Type_facts.
enum { MPI_TYPE_TRUE_LB, MPI_TYPE_TRUE_EXTENT, MPI_TYPE_EXTENT, MPI_TYPE_SIZE };

/// The call Complete serves MPI_Wait, MPI_Test and their kin. Its request: a
/// word of these flags, the number of requests, the requests.
enum {
  MPI_COMPLETE_ALL = 0,
  MPI_COMPLETE_ANY = 1,
  MPI_COMPLETE_SOME = 2,
  MPI_COMPLETE_MODE = 3,
  MPI_COMPLETE_WAITS = 4, ///< answers only when the condition is true
  MPI_COMPLETE_LOOKS = 8, ///< completed requests stay as they are
};
/// Its answer: 1 if the condition is true, the number of active requests among
/// the given, the number of completed ones that follow.
typedef struct {
  uint32_t index;   ///< among the given requests
  uint32_t is_gone; ///< the handle is not valid any more
  uint64_t comm;    ///< the communicator, or 0
  int32_t error;
  uint32_t unused;
  int32_t status[2 * MPI_STATUS_WORDS]; ///< an MPI_Status
} mpi_completed;

/// Where mpi.h's MPI_Status keeps what the functions of MPI tell of it.
enum {
  MPI_STATUS_SOURCE,
  MPI_STATUS_TAG,
  MPI_STATUS_ERROR,
  MPI_STATUS_BYTES_LOW,
  MPI_STATUS_BYTES_HIGH,
  MPI_STATUS_CANCELLED
};

/// Handles of objects that the program has made: this bit, how often the entry
/// was used before (10 bits), the entry (16 bits), an MPI_KIND of the host
/// (4 bits).
enum { MPI_OBJECT_BIT = 1 << 30 };

#endif
