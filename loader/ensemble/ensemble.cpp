//===-- loader/ensemble/ensemble.cpp - See ensemble.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/ensemble.h"
#include "loader/command_line/messages.h"
#include "loader/device/backend.h"
#include "loader/ensemble/batch.h"
#include "loader/ensemble/device.h"
#include "loader/ensemble/scheduler.h"
#include "loader/process/call_files.h"
#include "support/failure.h"
#include "support/processors.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <optional>

namespace gpuexec::ensemble {
namespace {

/// Programs at a time on a GPU: as many as `gpuexec serve` runs in turns, or
/// side by side.
constexpr unsigned GPU_JOBS = 8, GPU_JOBS_SIDE_BY_SIDE = 16;

unsigned jobs_of(const EnsembleOptions &options, unsigned otherwise) {
  if (options.jobs == 0)
    return otherwise;
  const double jobs = options.jobs_are_percent
                          ? usable_processors() * options.jobs / 100
                          : options.jobs;
  return std::max(1u, unsigned(jobs));
}

/// An earlier call must have run the same instances.
llvm::Error check_log(const JobLog &log, const std::string &path,
                      const Plan &plan) {
  for (const Instance &instance : plan.instances()) {
    const auto earlier = log.earlier().find(instance.number);
    // The slot may have been another one.
    if (earlier == log.earlier().end() ||
        plan.command(instance, 1) == earlier->second.command ||
        plan.command(instance, 1) != plan.command(instance, 2))
      continue;
    return failure(Reason::failed,
                   "--resume: {0}: instance {1} was '{2}' and is '{3}' now: "
                   "the input is not the one of the log",
                   path, instance.number, earlier->second.command,
                   plan.command(instance, 1));
  }
  return llvm::Error::success();
}

void print_commands(const Plan &plan) {
  for (const Instance &instance : plan.instances())
    say(plan.command(instance, 1) + "\n");
}

/// Each instance opens the emulated device anew: what all do alike is done
/// here.
void prepare_forks(const Job &job) {
  llvm::Expected<std::vector<Image>> images =
      Image::parse_all(job.bytes->getMemBufferRef());
  if (!images) // each instance reports it
    return llvm::consumeError(images.takeError());
  for (const Backend *backend : backends())
    if (backend->prepare_forks)
      backend->prepare_forks(*images);
}

/// Has the instances get a device: emulated ones, their own; GPUs, one that is
/// kept open. Changes the options of each instance for that. Returns how the
/// command ends if there is no device.
std::optional<ExitResult>
prepare_device(RunOptions &options, unsigned &jobs, const Host &host,
               std::unique_ptr<PrivateServer> &server) {
  Job &job = options.job;
  std::string &lender = job.device_settings.server;
  if (!lender.empty() && lender != "off") {
    jobs = jobs_of(options.ensemble, GPU_JOBS);
    return std::nullopt;
  }
  const auto found = find_device(job, host.command);
  if (const ExitResult *end = std::get_if<ExitResult>(&found))
    return *end;
  const FoundDevice &device = std::get<FoundDevice>(found);
  lender = "off";
  if (device.is_emulated) {
    prepare_forks(job);
    jobs = jobs_of(options.ensemble, usable_processors());
    if (!job.find_option("threads"))
      job.device_options.push_back(
          {"threads", std::to_string(std::max(1u, usable_processors() / jobs)),
           "--jobs"});
    return std::nullopt;
  }
  jobs = jobs_of(options.ensemble, GPU_JOBS_SIDE_BY_SIDE);
  auto started = PrivateServer::start(device, jobs);
  if (!started)
    return own_failure(host.command, started.takeError());
  server = std::move(*started);
  lender = server->socket();
  options.rerun |= server->is_shared();
  return std::nullopt;
}

llvm::Error read_image(Job &job) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read =
      Image::read_file(job.image);
  if (!read)
    return read.takeError();
  job.bytes = std::move(*read);
  return llvm::Error::success();
}

} // namespace

ExitResult run(const RunOptions &given, const Host &host) {
  RunOptions options = given;
  const EnsembleOptions &ensemble = options.ensemble;
  auto fail = [&](llvm::Error error) {
    return own_failure(host.command, std::move(error));
  };
  llvm::Expected<Plan> plan = Plan::make(given);
  if (!plan)
    return fail(plan.takeError());
  if (ensemble.dry_run) {
    print_commands(*plan);
    return {0, 0, /*clean=*/true};
  }
  if (llvm::Error error = read_image(options.job))
    return fail(std::move(error));
  if (!ensemble.joblog.empty() || !ensemble.results.empty())
    if (llvm::Expected<CallFiles> checked = CallFiles::open(options); !checked)
      return fail(checked.takeError());
  std::optional<JobLog> log;
  if (!ensemble.joblog.empty()) {
    llvm::Expected<JobLog> opened = JobLog::open(
        ensemble.joblog, ensemble.resume || ensemble.resume_failed);
    if (!opened)
      return fail(opened.takeError());
    log = std::move(*opened);
    if (llvm::Error error = check_log(*log, ensemble.joblog, *plan))
      return fail(std::move(error));
  }
  const int signal_fd = host.catch_signals();
  unsigned jobs = 1;
  std::unique_ptr<PrivateServer> server;
  if (std::optional<ExitResult> end =
          prepare_device(options, jobs, host, server))
    return *end;
  return Scheduler(options, *plan, log ? &*log : nullptr, jobs,
                   !server && suits_batches(options.job), host)
      .run(signal_fd);
}

} // namespace gpuexec::ensemble
