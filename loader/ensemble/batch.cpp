//===-- loader/ensemble/batch.cpp - See batch.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/batch.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <csignal>
#include <cstring>

namespace gpuexec::ensemble {
namespace {

/// What the process writes to its standard output for each instance. A pipe
/// keeps records of this size whole.
struct Told {
  uint64_t place;
  int32_t status, signal;
  double seconds;
};

End end_of(const Result &result) {
  switch (result.kind) {
  case Result::Kind::exited:
    return {result.value, 0};
  case Result::Kind::signalled:
    // As gpuexec ends after abort() in a run of its own.
    return result.value == SIGABRT ? End{status::signalled(SIGABRT), 0}
                                   : End{0, result.value};
  default:
    return {status::Failed, 0};
  }
}

/// In the process of the batch.
ExitResult run_batch(const Job &job, std::vector<InstanceOptions> options) {
  ::signal(SIGPIPE, SIG_IGN); // one instance's reader is not the others'
  std::vector<int> errors;
  for (const InstanceOptions &one : options)
    errors.push_back(one.server.stderr_fd);
  const auto begin = std::chrono::steady_clock::now();
  auto tell = [&](size_t place, const Result &result) {
    if (!result.message.empty())
      write_all(errors[place], "gpuexec: " + result.message + "\n");
    const End end = end_of(result);
    const Told told = {
        place, end.status, end.signal,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count()};
    write_all(STDOUT_FILENO,
              {reinterpret_cast<const char *>(&told), sizeof(told)});
  };
  // Those that have not ended run again, each alone, and tell why: this error
  // is for --verbose.
  if (llvm::Error error = run_instances(job, std::move(options), tell))
    return own_failure("gpuexec: launch", std::move(error));
  return {0, 0, /*clean=*/false};
}

} // namespace

bool suits_batches(const Job &job) {
  llvm::Expected<std::vector<Image>> images =
      Image::parse_all(job.bytes->getMemBufferRef());
  if (!images) {
    llvm::consumeError(images.takeError());
    return false;
  }
  return images->size() == 1 && Instances::suit(images->front()) &&
         !job.server.sandbox && !job.grid_is_given && job.kernels.empty() &&
         job.server.services.empty() && !job.server.stats && !job.count_work &&
         !job.find_option("check");
}

llvm::Expected<Batch> Batch::start(const Job &job,
                                   std::vector<InstanceOptions> options,
                                   bool tells_errors) {
  Pipe pipe;
  UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!pipe.make() || !null)
    return failure(Reason::failed, "cannot start a launch: {0}",
                   std::strerror(errno));
  std::vector<int> kept;
  for (const InstanceOptions &one : options)
    for (int file : {one.server.stdin_fd, one.server.stdout_fd,
                     one.server.stderr_fd, one.server.working_directory})
      if (file >= 0)
        kept.push_back(file);
  const size_t count = options.size();
  llvm::Expected<InstanceProcess> process = InstanceProcess::start(
      null.get(), pipe.write.get(), tells_errors ? STDERR_FILENO : null.get(),
      kept, [&] { return run_batch(job, std::move(options)); });
  if (!process)
    return process.takeError();
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return Batch(std::move(*process), std::move(pipe.read), count);
}

std::optional<std::vector<Batch::Ended>> Batch::read() {
  std::vector<Ended> ended;
  for (Told told;;) {
    const ssize_t got = ::read(pipe.get(), &told, sizeof(told));
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0 && ended.empty())
      return std::nullopt;
    if (got != sizeof(told) || told.place >= count)
      return ended;
    ended.push_back(
        {size_t(told.place), {told.status, told.signal}, told.seconds});
  }
}

} // namespace gpuexec::ensemble
