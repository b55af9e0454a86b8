//===-- services/mpi/device/requests.c - Waiting for requests -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/device/call.h"
#include <string.h>

static const MPI_Status EMPTY = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, {0}};

/// What one of the functions that complete requests is asked for and answers.
typedef struct {
  int flags; ///< MPI_COMPLETE_*
  int count;
  MPI_Request *requests;
  int *indices;
  MPI_Status *statuses; ///< null: ignored. Of MPI_COMPLETE_ANY one
  bool is_true;         ///< the answer: the condition of a test
  int active, completed;
} completion;

/// Takes the answer for one completed request.
static int take_completed(completion *asked, const mpi_completed *done,
                          int place) {
  MPI_Request *request = &asked->requests[done->index];
  const int mode = asked->flags & MPI_COMPLETE_MODE;
  if (asked->indices)
    asked->indices[place] = (int)done->index;
  if (asked->statuses) {
    MPI_Status *status =
        &asked->statuses[mode == MPI_COMPLETE_ALL ? (int)done->index : place];
    const int error = status->MPI_ERROR;
    memcpy(status, done->status, sizeof *status);
    status->MPI_ERROR = mode == MPI_COMPLETE_ANY ? error : done->error;
  }
  if (!(asked->flags & MPI_COMPLETE_LOOKS)) {
    mpi_release(*request, done->is_gone);
    if (done->is_gone)
      *request = MPI_REQUEST_NULL;
  }
  return done->error;
}

/// Asks the host. `is_single`: for one request, whose error is the function's.
static int complete(completion *asked, bool is_single, const char *function) {
  mpi_call call;
  mpi_begin(&call, MPI_CALL_Complete);
  if (asked->count < 0)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_COUNT,
                     function);
  mpi_need(&call, 2);
  mpi_put(&call, (uint64_t)asked->flags);
  mpi_put_array(&call, asked->requests, asked->count, sizeof(MPI_Request));
  int error = mpi_exchange(&call);
  uint64_t comm = (uint64_t)MPI_COMM_WORLD;
  asked->is_true = false;
  asked->active = asked->completed = 0;
  if (!error) {
    asked->is_true = mpi_get(&call) != 0;
    asked->active = (int)mpi_get(&call);
    asked->completed = (int)mpi_get(&call);
  }
  const int mode = asked->flags & MPI_COMPLETE_MODE;
  if (asked->statuses && !error && asked->is_true)
    for (int i = 0; i < (mode == MPI_COMPLETE_ALL   ? asked->count
                         : mode == MPI_COMPLETE_ANY ? 1
                                                    : 0);
         ++i) {
      const int old = asked->statuses[i].MPI_ERROR;
      asked->statuses[i] = EMPTY;
      if (mode == MPI_COMPLETE_ANY)
        asked->statuses[i].MPI_ERROR = old;
    }
  int failed = MPI_SUCCESS;
  for (int i = 0; !error && i < asked->completed; ++i) {
    mpi_completed done;
    memcpy(&done, call.words + call.at, sizeof done);
    call.at += sizeof done / 8;
    const int one = done.index < (uint32_t)asked->count
                        ? take_completed(asked, &done, i)
                        : MPI_SUCCESS;
    if (one && !failed) {
      failed = one;
      comm = done.comm ? done.comm : comm;
    }
  }
  if (failed)
    error = is_single ? failed : MPI_ERR_IN_STATUS;
  return mpi_end(&call, error, MPI_ON_COMM, comm, function);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  completion asked = {.flags = MPI_COMPLETE_ANY | MPI_COMPLETE_WAITS,
                      .count = 1,
                      .requests = request,
                      .statuses = status};
  return complete(&asked, true, "MPI_Wait");
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  completion asked = {.flags = MPI_COMPLETE_ANY,
                      .count = 1,
                      .requests = request,
                      .statuses = status};
  const int error = complete(&asked, true, "MPI_Test");
  *flag = asked.is_true;
  return error;
}

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  completion asked = {.flags = MPI_COMPLETE_ANY | MPI_COMPLETE_LOOKS,
                      .count = 1,
                      .requests = &request,
                      .statuses = status};
  const int error = complete(&asked, true, "MPI_Request_get_status");
  *flag = asked.is_true;
  return error;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  completion asked = {.flags = MPI_COMPLETE_ALL | MPI_COMPLETE_WAITS,
                      .count = count,
                      .requests = requests,
                      .statuses = statuses};
  return complete(&asked, false, "MPI_Waitall");
}

int MPI_Testall(int count, MPI_Request requests[], int *flag,
                MPI_Status statuses[]) {
  completion asked = {.flags = MPI_COMPLETE_ALL,
                      .count = count,
                      .requests = requests,
                      .statuses = statuses};
  const int error = complete(&asked, false, "MPI_Testall");
  *flag = asked.is_true;
  return error;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index,
                MPI_Status *status) {
  int completed = MPI_UNDEFINED;
  completion asked = {.flags = MPI_COMPLETE_ANY | MPI_COMPLETE_WAITS,
                      .count = count,
                      .requests = requests,
                      .indices = &completed,
                      .statuses = status};
  const int error = complete(&asked, true, "MPI_Waitany");
  *index = completed;
  return error;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
                MPI_Status *status) {
  int completed = MPI_UNDEFINED;
  completion asked = {.flags = MPI_COMPLETE_ANY,
                      .count = count,
                      .requests = requests,
                      .indices = &completed,
                      .statuses = status};
  const int error = complete(&asked, true, "MPI_Testany");
  *flag = asked.is_true;
  *index = completed;
  return error;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *outcount,
                 int indices[], MPI_Status statuses[]) {
  completion asked = {.flags = MPI_COMPLETE_SOME | MPI_COMPLETE_WAITS,
                      .count = count,
                      .requests = requests,
                      .indices = indices,
                      .statuses = statuses};
  const int error = complete(&asked, false, "MPI_Waitsome");
  *outcount = asked.active ? asked.completed : MPI_UNDEFINED;
  return error;
}

int MPI_Testsome(int count, MPI_Request requests[], int *outcount,
                 int indices[], MPI_Status statuses[]) {
  completion asked = {.flags = MPI_COMPLETE_SOME,
                      .count = count,
                      .requests = requests,
                      .indices = indices,
                      .statuses = statuses};
  const int error = complete(&asked, false, "MPI_Testsome");
  *outcount = asked.active ? asked.completed : MPI_UNDEFINED;
  return error;
}

int MPI_Start(MPI_Request *request) {
  mpi_refresh(*request);
  return mpi_raw_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    const int error = MPI_Start(&requests[i]);
    if (error)
      return error;
  }
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request) {
  // A copied buffer of a request that is not complete stays: the host still
  // uses it.
  return mpi_raw_Request_free(request);
}

int MPI_Cancel(MPI_Request *request) { return mpi_raw_Cancel(request); }

//===-- Statuses ----------------------------------------------------------===//

static int64_t bytes_of(const MPI_Status *status) {
  const int *words = (const int *)status;
  return (int64_t)((uint64_t)(uint32_t)words[MPI_STATUS_BYTES_HIGH] << 32 |
                   (uint32_t)words[MPI_STATUS_BYTES_LOW]);
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag) {
  *flag = ((const int *)status)[MPI_STATUS_CANCELLED] != 0;
  return MPI_SUCCESS;
}

int MPI_Status_set_cancelled(MPI_Status *status, int flag) {
  ((int *)status)[MPI_STATUS_CANCELLED] = flag != 0;
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  const int64_t size = mpi_type_size(datatype), bytes = bytes_of(status);
  if (size < 0)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_TYPE,
                     "MPI_Get_count");
  if (!size)
    *count = bytes ? MPI_UNDEFINED : 0;
  else
    *count = bytes % size || bytes / size > INT32_MAX ? MPI_UNDEFINED
                                                      : (int)(bytes / size);
  return MPI_SUCCESS;
}

int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype,
                     int *count) {
  return mpi_raw_Get_elements(status, datatype, count);
}

int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype,
                       MPI_Count *count) {
  return mpi_raw_Get_elements_x(status, datatype, count);
}

int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype,
                              MPI_Count count) {
  const int64_t size = mpi_type_size(datatype);
  if (size < 0)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_TYPE,
                     "MPI_Status_set_elements");
  const uint64_t bytes = (uint64_t)size * (uint64_t)count;
  ((int *)status)[MPI_STATUS_BYTES_LOW] = (int)(uint32_t)bytes;
  ((int *)status)[MPI_STATUS_BYTES_HIGH] = (int)(bytes >> 32);
  return MPI_SUCCESS;
}

int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype,
                            int count) {
  return MPI_Status_set_elements_x(status, datatype, count);
}

int MPI_Status_get_source(const MPI_Status *status, int *source) {
  *source = status->MPI_SOURCE;
  return MPI_SUCCESS;
}
int MPI_Status_get_tag(const MPI_Status *status, int *tag) {
  *tag = status->MPI_TAG;
  return MPI_SUCCESS;
}
int MPI_Status_get_error(const MPI_Status *status, int *error) {
  *error = status->MPI_ERROR;
  return MPI_SUCCESS;
}
