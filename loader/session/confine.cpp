//===-- loader/session/confine.cpp - Into the sandbox ---------------------===//
// Between loading the program and running it: what is still needed is opened or
// granted, then the threads that there are go in. Those of the server and of
// the emulated device start afterwards, and are in it from the beginning.
//===----------------------------------------------------------------------===//
#include "loader/session/run.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <unistd.h>

namespace gpuexec {

llvm::Error Run::check_sandbox() {
  std::string missing = sandbox::missing_layers();
  if (missing.empty())
    return llvm::Error::success();
  if (!options.sandbox_weak)
    return failure(status::Failed,
                   "--sandbox: this kernel has no {0}; --sandbox-weak does "
                   "without",
                   missing);
  llvm::errs() << command << ": warning: --sandbox-weak: this kernel has no "
               << missing << "\n";
  return llvm::Error::success();
}

llvm::Error Run::check_addresses() {
  const DeviceInfo &info = device->info();
  if (!info.reaches_host_memory)
    return llvm::Error::success();
  static constexpr char WHY[] =
      "device code can read and write all memory of this process (HMM, ATS or "
      "XNACK)";
  if (!options.sandbox_weak)
    return failure(status::Failed, "--sandbox: cannot hold on {0}: {1}",
                   info.spec(), WHY);
  llvm::errs() << command << ": warning: --sandbox-weak: on " << info.spec()
               << " " << WHY << ": only the kernel's layers hold\n";
  return llvm::Error::success();
}

llvm::Error Run::confine() {
  if (options.fault_report && device->info().writes_core_dumps)
    llvm::errs() << command
                 << ": warning: --fault-report: in a sandbox NVIDIA's driver "
                    "cannot write the file that tells where a fault was\n";
  ::tzset(); // reads the files of the time zone, for the program's localtime()
  for (int fd : inherited) // whatever they lead to was not granted
    ::close(fd);
  HostFiles files = device->host_files();
  sandbox::Grants grants;
  for (const rpc::SandboxDirectory &directory : options.directories)
    grants.directories.push_back({directory.path, directory.writable});
  for (const std::string &path : files.writable)
    grants.directories.push_back({path, /*writable=*/true});
  grants.readable = files.readable;
  grants.devices = files.devices;
  for (const ReportFile *report : {&timings, &stats_json})
    if (std::string name = report->late_name(); !name.empty())
      grants.writable_files.push_back(name);
  grants.calls =
      device->info().emulated ? sandbox::Calls::server : sandbox::Calls::driver;
  grants.ends_children = device->info().emulated;
  llvm::Expected<sandbox::Sandbox> prepared = sandbox::Sandbox::prepare(grants);
  if (!prepared)
    return failure(status::Failed, "--sandbox: {0}",
                   llvm::toString(prepared.takeError()));
  sandbox.emplace(std::move(*prepared));
  if (llvm::Error error =
          device->confine([this] { return sandbox->confine_thread(); }))
    return failure(status::Failed, "--sandbox: {0}",
                   llvm::toString(std::move(error)));
  if (llvm::Error error = sandbox->confine_thread())
    return failure(status::Failed, "--sandbox: {0}",
                   llvm::toString(std::move(error)));
  // The thread that waits for us must go in by itself.
  on_confined();
  std::string why = followed.get_future().get();
  if (why.empty())
    if (llvm::Error error = sandbox->confine_process())
      why = llvm::toString(std::move(error));
  if (!why.empty())
    return failure(status::Failed, "--sandbox: {0}", why);
  phases.done("sandbox");
  return llvm::Error::success();
}

void Run::follow_into_sandbox() {
  llvm::Error error = sandbox->confine_thread();
  followed.set_value(error ? llvm::toString(std::move(error)) : "");
}

} // namespace gpuexec
