//===-- loader/ensemble/starting.cpp - How instances begin ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scheduler does before an instance runs: its files, its process, or
// its place in a launch.
#include "loader/ensemble/scheduler.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cstring>

namespace gpuexec::ensemble {
namespace {

/// How long an instance may take to end after its time limit.
constexpr std::chrono::seconds LATE_AFTER_LIMIT(5);

double seconds_since_1970() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

} // namespace

llvm::Expected<std::pair<Output, Output>>
Scheduler::outputs(const Instance &instance) {
  const uint64_t number = instance.number;
  if (results)
    if (llvm::Error error = results.begin(number))
      return std::move(error);
  auto make = [&](const char *name) {
    return results ? Output::make(results.path(number, name))
                   : Output::make_temporary();
  };
  llvm::Expected<Output> out = make("stdout");
  if (!out)
    return out.takeError();
  llvm::Expected<Output> errors = make("stderr");
  if (!errors)
    return errors.takeError();
  return std::pair(std::move(*out), std::move(*errors));
}

/// In the process of the instance.
ExitResult Scheduler::run_instance(const Instance &instance, unsigned slot,
                                   int directory) const {
  RunOptions own = options;
  own.job.arguments = plan.arguments(instance, slot);
  own.job.environment = plan.environment(instance, slot);
  own.job.server.working_directory = directory;
  return host.run(own);
}

llvm::Expected<Scheduler::Prepared> Scheduler::prepare(const Instance &instance,
                                                       unsigned slot) {
  auto cannot_open = [&](const std::string &path) {
    return failure(Reason::failed, "{0}: {1}: {2}", instance.name(), path,
                   std::strerror(errno));
  };
  auto files = outputs(instance);
  if (!files)
    return files.takeError();
  const std::string input = plan.input(instance, slot),
                    path = plan.directory(instance, slot);
  Prepared prepared{{&instance, slot, seconds_since_1970(), Clock::now(),
                     std::move(files->first), std::move(files->second)},
                    UniqueFd(::open(input.empty() ? "/dev/null" : input.c_str(),
                                    O_RDONLY | O_CLOEXEC)),
                    UniqueFd()};
  if (!prepared.input)
    return cannot_open(input);
  if (path.empty())
    return std::move(prepared);
  (void)llvm::sys::fs::create_directories(path); // else open() fails
  prepared.directory =
      UniqueFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!prepared.directory)
    return cannot_open(path);
  return std::move(prepared);
}

llvm::Expected<Scheduler::Running> Scheduler::start(const Instance &instance,
                                                    unsigned slot) {
  llvm::Expected<Prepared> prepared = prepare(instance, slot);
  if (!prepared)
    return prepared.takeError();
  const int directory = prepared->directory.get();
  std::vector<int> kept;
  if (directory >= 0)
    kept.push_back(directory);
  Record &record = prepared->record;
  llvm::Expected<InstanceProcess> process =
      InstanceProcess::start(prepared->input.get(), record.out.descriptor(),
                             record.errors.descriptor(), kept, [&] {
                               return run_instance(instance, slot, directory);
                             });
  if (!process)
    return process.takeError();
  Running started{std::move(record), std::move(*process)};
  if (options.job.time_limit)
    started.deadline =
        Clock::now() + LATE_AFTER_LIMIT +
        std::chrono::duration_cast<Clock::duration>(*options.job.time_limit);
  return std::move(started);
}

llvm::Error Scheduler::start_some() {
  while (may_start()) {
    const Instance &instance = *to_start.front();
    llvm::Expected<Running> started = start(instance, free_slots.back());
    if (!started)
      return started.takeError();
    to_start.pop_front();
    free_slots.pop_back();
    if (!llvm::is_contained(order, instance.number))
      order.push_back(instance.number);
    running.push_back(std::move(*started));
  }
  return llvm::Error::success();
}

/// Has a process run the next instances, in one launch.
llvm::Error Scheduler::start_launch() {
  std::vector<std::optional<Record>> records;
  std::vector<InstanceOptions> instances;
  std::vector<Prepared> prepared;
  const size_t count = std::min(launch_size, to_start.size());
  for (unsigned slot = 1; slot <= count; ++slot) {
    const Instance &instance = *to_start.front();
    llvm::Expected<Prepared> one = prepare(instance, slot);
    if (!one)
      return one.takeError();
    to_start.pop_front();
    order.push_back(instance.number);
    InstanceOptions &to = instances.emplace_back();
    to.argv = plan.arguments(instance, slot);
    to.argv.insert(to.argv.begin(), options.job.image);
    to.environment = plan.environment(instance, slot);
    to.server = options.job.server;
    to.server.stdin_fd = one->input.get();
    to.server.stdout_fd = one->record.out.descriptor();
    to.server.stderr_fd = one->record.errors.descriptor();
    to.server.working_directory = one->directory.get();
    prepared.push_back(std::move(*one));
  }
  llvm::Expected<Batch> batch =
      Batch::start(options.job, std::move(instances), options.verbose);
  if (!batch)
    return batch.takeError();
  for (Prepared &one : prepared)
    records.push_back(std::move(one.record));
  launch.emplace(Launch{std::move(*batch), std::move(records), Clock::now()});
  return llvm::Error::success();
}

} // namespace gpuexec::ensemble
