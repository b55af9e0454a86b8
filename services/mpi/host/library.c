//===-- services/mpi/host/library.c - See library.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/library.h"
#include "support/trusted_path.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *title, *word, *file, *package;
} KNOWN[MPI_LIBRARIES] = {
    {"Open MPI", "openmpi", "libmpi.so.40", "openmpi-bin"},
    {"MPICH", "mpich", "libmpich.so.12", "mpich"}};

static const struct {
  const char *symbol; ///< Open MPI's
  uint64_t number;    ///< MPICH's
  uint16_t value;
  uint8_t kind;
} HANDLES[] = {
#define MPI_HANDLE(KIND, NAME, VALUE, SYMBOL, NUMBER, SIZE, EXTENT)            \
  {SYMBOL, NUMBER, VALUE, MPI_KIND_##KIND},
#include "mpi_handles.inc"
#undef MPI_HANDLE
};

static const struct {
  int value, native[MPI_LIBRARIES];
  uint8_t class;
} CONSTANTS[] = {
#define MPI_CONSTANT(CLASS, NAME, VALUE, OPENMPI, MPICH)                       \
  {VALUE, {OPENMPI, MPICH}, MPI_CLASS_##CLASS},
#include "mpi_constants.inc"
#undef MPI_CONSTANT
};
enum { CONSTANT_COUNT = sizeof CONSTANTS / sizeof *CONSTANTS };

//===-- Opening -----------------------------------------------------------===//

static int has_variable(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

/// The library whose launcher has started this process, or MPI_LIBRARIES.
static mpi_library_kind launched_by(void) {
  if (has_variable("OMPI_COMM_WORLD_SIZE"))
    return MPI_OPEN_MPI;
  if (has_variable("PMI_RANK") || has_variable("PMI_FD") ||
      has_variable("MPI_LOCALNRANKS"))
    return MPI_MPICH;
  return MPI_LIBRARIES;
}

static int find_functions(mpi_library *mpi) {
  for (unsigned i = 0; i < MPI_CALLS; ++i)
    mpi->functions[i] = dlsym(mpi->library, mpi_functions[i].name);
  const mpi_call_number needed[] = {MPI_CALL_Init_thread,
                                    MPI_CALL_Finalize,
                                    MPI_CALL_Abort,
                                    MPI_CALL_Test,
                                    MPI_CALL_Error_class,
                                    MPI_CALL_Comm_rank,
                                    MPI_CALL_Comm_size,
                                    MPI_CALL_Comm_set_errhandler,
                                    MPI_CALL_Type_get_true_extent_x};
  for (unsigned i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!mpi->functions[needed[i]])
      return 0;
  return 1;
}

static void find_handles(mpi_library *mpi) {
  for (unsigned i = 0; i < ABI_HANDLE_END; ++i)
    mpi->handles[i] = MPI_NO_HANDLE;
  for (unsigned i = 0; i < sizeof HANDLES / sizeof *HANDLES; ++i) {
    uint64_t native = HANDLES[i].number;
    if (mpi->kind == MPI_OPEN_MPI) {
      void *symbol =
          HANDLES[i].symbol ? dlsym(mpi->library, HANDLES[i].symbol) : NULL;
      native = symbol ? (uint64_t)(uintptr_t)symbol : MPI_NO_HANDLE;
    }
    mpi->handles[HANDLES[i].value] = native;
    mpi->kinds[HANDLES[i].value] = HANDLES[i].kind;
  }
}

static void set_addresses(mpi_library *mpi) {
  const int is_mpich = mpi->kind == MPI_MPICH;
  mpi->call = is_mpich ? mpi_call_mpich : mpi_call_open_mpi;
  mpi->handle_size = is_mpich ? sizeof(int) : sizeof(void *);
  mpi->in_place = is_mpich ? UINT64_MAX : 1;
  mpi->unweighted = 2;
  mpi->weights_empty = 3;
  if (is_mpich) {
    int **unweighted = (int **)dlsym(mpi->library, "MPI_UNWEIGHTED");
    int **empty = (int **)dlsym(mpi->library, "MPI_WEIGHTS_EMPTY");
    mpi->unweighted = unweighted ? (uint64_t)(uintptr_t)*unweighted : 0;
    mpi->weights_empty = empty ? (uint64_t)(uintptr_t)*empty : 0;
  }
}

/// Opens a library that is there.
static int open_one(mpi_library *mpi, mpi_library_kind kind, const char *file) {
  // Open MPI's components refer to symbols of the library.
  mpi->library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (!mpi->library)
    return 0;
  mpi->kind = kind;
  mpi->title = KNOWN[kind].title;
  mpi->file = KNOWN[kind].file;
  if (!find_functions(mpi)) {
    dlclose(mpi->library);
    mpi->library = NULL;
    return 0;
  }
  find_handles(mpi);
  set_addresses(mpi);
  return 1;
}

/// Opens the library that the user names: a word, or a file.
static int open_named(mpi_library *mpi, const char *name, char *error,
                      size_t size) {
  for (unsigned kind = 0; kind < MPI_LIBRARIES; ++kind)
    if (!strcmp(name, KNOWN[kind].word)) {
      if (open_one(mpi, kind, KNOWN[kind].file))
        return 0;
      snprintf(error, size,
               "no %s on this machine (Debian: apt-get install %s)",
               KNOWN[kind].title, KNOWN[kind].package);
      return 1;
    }
  char real[PATH_MAX];
  const char *problem = strchr(name, '/') ? gpuexec_distrust(name, real)
                                          : "expected openmpi, mpich or a path";
  if (problem) {
    snprintf(error, size, "GPUEXEC_MPI: %s: %s",
             strchr(name, '/') ? real : name, problem);
    return 1;
  }
  void *library = dlopen(real, RTLD_NOW | RTLD_GLOBAL);
  const int is_open_mpi = library && dlsym(library, "ompi_mpi_comm_world");
  if (library && open_one(mpi, is_open_mpi ? MPI_OPEN_MPI : MPI_MPICH, real))
    return 0;
  snprintf(error, size, "GPUEXEC_MPI: %s: neither Open MPI 4 nor MPICH 4",
           real);
  return 1;
}

int mpi_open(mpi_library *mpi, const char *argument, char *error, size_t size) {
  const mpi_library_kind launcher = launched_by();
  const char *named = *argument ? argument : getenv("GPUEXEC_MPI");
  if (launcher != MPI_LIBRARIES) {
    if (open_one(mpi, launcher, KNOWN[launcher].file))
      return 0;
    snprintf(error, size,
             "the launcher is of %s, whose library is not there: %s",
             KNOWN[launcher].title, KNOWN[launcher].file);
    return 1;
  }
  if (named && *named)
    return open_named(mpi, named, error, size);
  for (unsigned kind = 0; kind < MPI_LIBRARIES; ++kind)
    if (open_one(mpi, kind, KNOWN[kind].file))
      return 0;
  snprintf(error, size,
           "no MPI on this machine (Debian: apt-get install openmpi-bin, or "
           "mpich)");
  return 1;
}

//===-- Numbers -----------------------------------------------------------===//

/// Bits, each of which is translated.
static int is_bits(mpi_class class) {
  return class == MPI_CLASS_MODE || class == MPI_CLASS_ASSERT;
}
/// Other values mean themselves.
static int is_open(mpi_class class, int64_t value) {
  return class == MPI_CLASS_DARG ||
         ((class == MPI_CLASS_RANK || class == MPI_CLASS_TAG) && value >= 0);
}

int mpi_to_native(const mpi_library *mpi, mpi_class class, int64_t value,
                  int *native) {
  int64_t left = value;
  *native = 0;
  for (unsigned i = 0; i < CONSTANT_COUNT; ++i) {
    if (CONSTANTS[i].class != class)
      continue;
    if (is_bits(class) && left & CONSTANTS[i].value) {
      *native |= CONSTANTS[i].native[mpi->kind];
      left &= ~(int64_t)CONSTANTS[i].value;
    } else if (!is_bits(class) && CONSTANTS[i].value == value) {
      *native = CONSTANTS[i].native[mpi->kind];
      return 1;
    }
  }
  if (is_bits(class))
    return !left;
  *native = (int)value;
  return value >= INT32_MIN && value <= INT32_MAX &&
         (is_open(class, value) || value == MPI_UNDEFINED);
}

int mpi_from_native(const mpi_library *mpi, mpi_class class, int native,
                    int *value) {
  int left = native;
  *value = 0;
  for (unsigned i = 0; i < CONSTANT_COUNT; ++i) {
    if (CONSTANTS[i].class != class)
      continue;
    const int bits = CONSTANTS[i].native[mpi->kind];
    if (is_bits(class) && (left & bits) == bits) {
      *value |= CONSTANTS[i].value;
      left &= ~bits;
    } else if (!is_bits(class) && bits == native) {
      *value = CONSTANTS[i].value;
      return 1;
    }
  }
  if (is_bits(class))
    return 1;
  *value = native;
  return is_open(class, native);
}

int mpi_error_class(const mpi_library *mpi, int code) {
  if (!code)
    return MPI_SUCCESS;
  int native = code, class = MPI_ERR_UNKNOWN;
  const uint64_t words[] = {(uint64_t)code, (uint64_t)(uintptr_t)&native};
  if (mpi_native(mpi, MPI_CALL_Error_class, words))
    return MPI_ERR_UNKNOWN;
  return mpi_from_native(mpi, MPI_CLASS_ERROR, native, &class) ? class
                                                               : MPI_ERR_OTHER;
}

//===-- Statuses ----------------------------------------------------------===//

typedef struct {
  int source, tag, error, cancelled;
  uint64_t bytes;
} open_mpi_status;
typedef struct {
  uint32_t bytes_low;
  uint32_t bytes_high_and_cancelled; ///< bit 0: cancelled
  int source, tag, error;
} mpich_status;
_Static_assert(sizeof(open_mpi_status) == 24, "MPI_Status of Open MPI 4");
_Static_assert(sizeof(mpich_status) == 20, "MPI_Status of MPICH 4");
_Static_assert(sizeof(open_mpi_status) <= sizeof(mpi_native_status), "room");

void mpi_read_status(const mpi_library *mpi, const mpi_native_status *from,
                     int32_t status[2 * MPI_STATUS_WORDS]) {
  open_mpi_status s;
  memcpy(&s, from, sizeof s);
  if (mpi->kind == MPI_MPICH) {
    mpich_status m;
    memcpy(&m, from, sizeof m);
    s = (open_mpi_status){
        m.source, m.tag, m.error, (int)(m.bytes_high_and_cancelled & 1),
        (uint64_t)(m.bytes_high_and_cancelled >> 1) << 32 | m.bytes_low};
  }
  memset(status, 0, 8 * MPI_STATUS_WORDS);
  int value;
  mpi_from_native(mpi, MPI_CLASS_RANK, s.source, &value);
  status[MPI_STATUS_SOURCE] = value;
  mpi_from_native(mpi, MPI_CLASS_TAG, s.tag, &value);
  status[MPI_STATUS_TAG] = value;
  status[MPI_STATUS_BYTES_LOW] = (int32_t)(uint32_t)s.bytes;
  status[MPI_STATUS_BYTES_HIGH] = (int32_t)(s.bytes >> 32);
  status[MPI_STATUS_CANCELLED] = s.cancelled != 0;
}

void mpi_write_status(const mpi_library *mpi,
                      const int32_t status[2 * MPI_STATUS_WORDS],
                      mpi_native_status *to) {
  const uint32_t low = (uint32_t)status[MPI_STATUS_BYTES_LOW];
  // Both libraries compute with a signed count.
  const uint32_t high = (uint32_t)status[MPI_STATUS_BYTES_HIGH] & 0x7FFFFFFF;
  const int cancelled = status[MPI_STATUS_CANCELLED] != 0;
  memset(to, 0, sizeof *to);
  if (mpi->kind == MPI_MPICH) {
    const mpich_status m = {low, high << 1 | (uint32_t)cancelled, 0, 0, 0};
    memcpy(to, &m, sizeof m);
  } else {
    const open_mpi_status s = {0, 0, 0, cancelled, (uint64_t)high << 32 | low};
    memcpy(to, &s, sizeof s);
  }
}
