//===-- loader/process/observer.cpp - What is done while a job starts -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process is confined between loading the program and running it. First the
// files that are still needed are opened or granted; then the existing threads
// are confined. The threads of the server and of the emulated device start
// afterwards and inherit the confinement.
//===----------------------------------------------------------------------===//
#include "loader/command_line/messages.h"
#include "loader/job/needed_services.h"
#include "loader/process/run.h"
#include "rpc/services/time_zones.h"
#include "support/printable.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <unistd.h>

namespace gpuexec {

llvm::Error check_sandbox(const RunOptions &options, llvm::StringRef command) {
  if (!options.job.server.sandbox)
    return llvm::Error::success();
  std::string missing = sandbox::missing_layers();
  if (missing.empty())
    return llvm::Error::success();
  if (!options.sandbox_weak)
    return failure(Reason::failed,
                   "--sandbox: this kernel has no {0}; --sandbox-weak does "
                   "without",
                   missing);
  if (!options.quiet)
    print_warning(command, "--sandbox-weak: this kernel has no " + missing);
  return llvm::Error::success();
}

llvm::Error ProcessObserver::check_addresses(const DeviceInfo &info) {
  if (!info.reaches_host_memory)
    return llvm::Error::success();
  static constexpr char WHY[] =
      "device code can read and write all memory of this process (HMM, ATS or "
      "XNACK)";
  if (!options.sandbox_weak)
    return failure(Reason::failed, "--sandbox: cannot hold on {0}: {1}",
                   info.spec(), WHY);
  if (!options.quiet)
    print_warning(personality.command, "--sandbox-weak: on " + info.spec() +
                                           " " + WHY +
                                           ": only the kernel's layers hold");
  return llvm::Error::success();
}

/// Fails for a program that calls a service: gpu-replay has none.
static llvm::Error check_standalone(const Image &image) {
  llvm::Expected<std::vector<std::string>> needed =
      needed_services(image, {}, services_folder());
  if (!needed)
    return needed.takeError();
  if (needed->empty())
    return llvm::Error::success();
  return failure(Reason::failed,
                 "--record-standalone: {0}: it calls a service ({1}), which "
                 "gpu-replay does not have; --record alone records it",
                 image.name(), needed->front());
}

llvm::Error ProcessObserver::opened(Device &device, const Image &image) {
  const DeviceInfo &info = device.info();
  if (options.verbose)
    say_error(llvm::formatv("{0}: {1}: {2} for {3}, on {4}: {5}, {6}{7}\n",
                            personality.command, printable(image.name()),
                            image.format_name(), image.target_id(), info.spec(),
                            info.name, info.target_id,
                            !info.lent       ? ""
                            : info.is_shared ? ", lent by a server, beside "
                                               "other programs"
                                             : ", lent by a server")
                  .str());
  if (unshared && !info.is_shared)
    unshared();
  if (!options.record_standalone.empty())
    if (llvm::Error error = check_standalone(image))
      return error;
  if (reports->recorder)
    if (llvm::Error error = reports->recorder->opened(device, image))
      return error;
  return options.job.server.sandbox ? check_addresses(info)
                                    : llvm::Error::success();
}

/// Prints the registers of a kernel as LLVM's loader does. That loader does not
/// know those of AMD GPUs, so under its name gpuexec prints the same refusal.
void ProcessObserver::launching(const Image &image, const Kernel &kernel,
                                Module &module) {
  if (!options.print_resource_usage)
    return;
  if (personality.llvm && image.format() == Image::Format::amdgpu) {
    say_error("Kernel resources on AMDGPU is not supported yet.\n");
    return;
  }
  Resources known = module.resources(kernel);
  const std::string name = printable(kernel.name);
  say(llvm::formatv("Executing kernel {0}:\n{0,6} registers: {1}\n", name,
                    known.vgprs ? std::to_string(*known.vgprs) : "unknown")
          .str());
  llvm::outs().flush();
}

sandbox::Grants ProcessObserver::grants(Device &device) const {
  HostFiles files = device.host_files();
  sandbox::Grants grants;
  for (const rpc::SandboxDirectory &directory : reports->files.directories)
    grants.directories.push_back(
        {directory.path, directory.writable, directory.handle->get()});
  for (const std::string &path : files.writable)
    grants.directories.push_back({path, /*writable=*/true});
  grants.readable = files.readable;
  grants.readable.push_back(rpc::ZONE_DATABASE); // whatever TZ will name
  grants.readable.push_back(rpc::LOCAL_ZONE);
  grants.devices = files.devices;
  grants.writable_files = reports->late_names();
  grants.calls =
      device.info().emulated ? sandbox::Calls::server : sandbox::Calls::driver;
  grants.ends_children = device.info().emulated;
  return grants;
}

llvm::Error ProcessObserver::confine(Device &device) {
  llvm::Expected<sandbox::Sandbox> prepared =
      sandbox::Sandbox::prepare(grants(device));
  if (!prepared)
    return prepared.takeError();
  sandbox.emplace(std::move(*prepared));
  if (llvm::Error error =
          device.confine([this] { return sandbox->confine_thread(); }))
    return error;
  if (llvm::Error error = sandbox->confine_thread())
    return error;
  // Landlock confines single threads: the thread that waits for the job
  // confines itself.
  confined();
  std::string why = followed.get_future().get();
  if (!why.empty())
    return llvm::createStringError(why);
  return sandbox->confine_process();
}

llvm::Error ProcessObserver::loaded(Device &device, const Program &program) {
  if (reports->recorder)
    reports->recorder->loaded(program);
  if (!options.job.server.sandbox)
    return llvm::Error::success();
  if (options.job.device_settings.fault_report &&
      device.info().writes_core_dumps && !options.quiet)
    print_warning(personality.command,
                  "--fault-report: in a sandbox NVIDIA's driver cannot write "
                  "the file that tells where a fault was");
  // Inherited descriptors lead to files that were not granted. Those that this
  // process has taken over (CallFiles) are close-on-exec now.
  for (int fd : inherited)
    if (!(::fcntl(fd, F_GETFD) & FD_CLOEXEC))
      ::close(fd);
  if (llvm::Error error = confine(device))
    return failure(Reason::failed, "--sandbox: {0}",
                   llvm::toString(std::move(error)));
  phases->done("sandbox");
  return llvm::Error::success();
}

void ProcessObserver::follow_into_sandbox() {
  llvm::Error error = sandbox->confine_thread();
  followed.set_value(error ? llvm::toString(std::move(error)) : "");
}

} // namespace gpuexec
