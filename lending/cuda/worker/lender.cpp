//===-- lending/cuda/worker/lender.cpp - See lender.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/worker/lender.h"
#include "lending/cuda/worker/session.h"
#include "lending/wire/channel.h"
#include "lending/wire/shared_memory.h"
#include "support/failure.h"

#include <cstdio>
#include <cstring>
#include <sys/mman.h>

namespace gpuexec::lent_cuda {

namespace {

/// While it lives a standard stream goes to a file in memory.
struct Printed {
  explicit Printed(int stream)
      : stream(stream), before(::fcntl(stream, F_DUPFD_CLOEXEC, 10)),
        file(::memfd_create("gpuexec-printed", MFD_CLOEXEC)) {
    ::fcntl(file.get(), F_SETFL, O_APPEND);
    ::dup2(file.get(), stream);
  }
  ~Printed() {
    std::fflush(stream == STDOUT_FILENO ? stdout : stderr);
    ::dup2(before.get(), stream);
  }
  const int stream;
  UniqueFd before, file;
};

} // namespace

Lender::~Lender() {
  if (shared)
    ::munmap(shared, sizeof(Shared));
}

/// Retains the primary context, and registers the staging area with it.
bool Lender::take_context() {
  return driver.cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS &&
         driver.cuCtxSetCurrent(context) == CUDA_SUCCESS &&
         driver.cuMemHostRegister_v2(shared->staging, sizeof(shared->staging),
                                     CU_MEMHOSTREGISTER_PORTABLE |
                                         CU_MEMHOSTREGISTER_DEVICEMAP) ==
             CUDA_SUCCESS;
}

llvm::Error Lender::prepare(const std::string &library, int number) {
  if (std::string problem = driver.open(library); !problem.empty())
    return failure(Reason::failed, "{0}", problem);
  if (driver.cuInit(0) || driver.cuDeviceGet(&device, number))
    return failure(Reason::failed, "no device of CUDA's driver");
  file = wire::sealed_memory("gpuexec-cuda", sizeof(Shared));
  void *memory = MAP_FAILED;
  if (file)
    memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED,
                    file.get(), 0);
  if (memory == MAP_FAILED)
    return failure(Reason::failed, "no memory to share: {0}",
                   std::strerror(errno));
  shared = static_cast<Shared *>(memory);
  if (!take_context())
    return failure(Reason::failed, "no context of CUDA's driver");
  driver.cuDriverGetVersion(&facts.driver_version);
  driver.cuDeviceGetName(facts.name, sizeof(facts.name) - 1, device);
  driver.cuDeviceGetPCIBusId(facts.bus_id, sizeof(facts.bus_id) - 1, device);
  CUuuid uuid{};
  driver.cuDeviceGetUuid_v2(&uuid, device);
  std::memcpy(facts.uuid, &uuid, sizeof(facts.uuid));
  size_t memory_size = 0;
  driver.cuDeviceTotalMem_v2(&memory_size, device);
  facts.memory = memory_size;
  driver.cuCtxGetStreamPriorityRange(&facts.least_priority,
                                     &facts.greatest_priority);
  for (uint32_t i = 1; i < ATTRIBUTES; ++i)
    facts.has_attribute[i] =
        driver.cuDeviceGetAttribute(&facts.attributes[i], CUdevice_attribute(i),
                                    device) == CUDA_SUCCESS;
  return llvm::Error::success();
}

bool Lender::serve(int socket, uint64_t most_memory) {
  std::memset(static_cast<void *>(shared), 0, offsetof(Shared, ring));
  shared->facts = facts;
  Printed out(STDOUT_FILENO), error(STDERR_FILENO);
  const int printed[2] = {out.file.get(), error.file.get()};
  if (driver.cuCtxSetCurrent(context) != CUDA_SUCCESS || !out.file ||
      !error.file ||
      !wire::Channel(socket).send(wire::CudaLent{sizeof(Shared)},
                                  {file.get(), printed[0], printed[1]}))
    return false;
  // The driver's own waits, which are short ones, poll: a program waits for
  // them. Where the driver cannot change that, they take longer.
  unsigned flags = 0;
  driver.cuCtxGetFlags(&flags);
  driver.cuCtxSetFlags((flags & ~unsigned(CU_CTX_SCHED_MASK)) |
                       CU_CTX_SCHED_SPIN);
  auto session = std::make_unique<Session>(*this, socket, printed, most_memory);
  session->serve();
  const bool reusable = session->clean_up();
  session.reset();
  if (reusable)
    driver.cuCtxSetFlags(flags);
  std::memset(static_cast<void *>(shared), 0, sizeof(Shared));
  return reusable;
}

} // namespace gpuexec::lent_cuda
