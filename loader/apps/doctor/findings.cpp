//===-- loader/apps/doctor/findings.cpp - See findings.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/doctor/findings.h"
#include "lending/transport/socket.h"
#include "loader/binfmt/binfmt.h"
#include "loader/command_line/units.h"
#include "loader/device/device.h"
#include "loader/sandbox/filter.h"
#include "loader/sandbox/landlock.h"
#include "support/cache_folder.h"
#include "support/cache_kinds.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::doctor {
namespace {

/// Where the dynamic linker finds a library; the reason in `problem` where it
/// does not.
std::string find_library(const char *name, std::string &problem) {
  void *library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    problem = ::dlerror();
    return "";
  }
  const char *origin = name;
  char folder[4096];
  if (::dlinfo(library, RTLD_DI_ORIGIN, folder) == 0)
    return std::string(folder) + "/" + name;
  return origin;
}

/// The first of the libraries that there is.
Finding library(const char *what, std::vector<const char *> names,
                const char *lost) {
  Finding finding{what, false, "", lost};
  for (const char *name : names) {
    std::string problem;
    const std::string path = find_library(name, problem);
    if (!path.empty())
      return {what, true, path, ""};
    if (finding.where.empty())
      finding.where = problem;
  }
  return finding;
}

/// The devices of one back end, and what its driver complained of.
Finding devices(const char *what, llvm::StringRef backend,
                llvm::ArrayRef<DeviceInfo> all, const std::string &otherwise,
                const char *lost) {
  std::string found;
  for (const DeviceInfo &info : all)
    if (backend == info.backend)
      found += (found.empty() ? "" : ", ") +
               (info.emulated ? info.arch().str()
                              : info.spec() + " " + info.name + " (" +
                                    info.arch().str() + ")");
  if (!found.empty())
    return {what, true, found, ""};
  return {what, false, otherwise, lost};
}

void look_at_devices(Findings &findings) {
  std::string complaints;
  const std::vector<DeviceInfo> all =
      list_devices([&](const llvm::Twine &text) {
        complaints += (complaints.empty() ? "" : "; ") + text.str();
      });
  for (const DeviceInfo &info : all)
    findings.devices.push_back(info.spec());
  const auto reason = [&](const char *usual) {
    return complaints.empty() ? std::string(usual) : complaints;
  };
  findings.all.push_back(
      devices("emulated GPUs", "emulator", all,
              reason("gpuexec's own lib/gpuexec/libhsa-runtime64.so.1"),
              "programs for AMD GPUs run on an AMD GPU only"));
  std::string problem;
  const bool has_driver = !find_library("libcuda.so.1", problem).empty();
  findings.all.push_back(devices(
      "NVIDIA GPU", "cuda", all,
      has_driver ? reason("libcuda.so.1 is there, and no GPU") : problem,
      "PTX runs on an emulated NVIDIA GPU, machine code (cubin) does not"));
  const bool has_kfd = ::access("/dev/kfd", F_OK) == 0;
  std::string amd = "no /dev/kfd";
  if (has_kfd && ::access("/dev/kfd", R_OK | W_OK) != 0)
    amd = "/dev/kfd cannot be opened (Debian: the groups render and video)";
  else if (has_kfd)
    amd = find_library("libhsa-runtime64.so.1", problem).empty()
              ? problem
              : reason("ROCm finds no GPU");
  findings.all.push_back(devices("AMD GPU", "hsa", all, amd,
                                 "programs for AMD GPUs run on emulated ones"));
}

void look_at_sandbox(Findings &findings) {
  constexpr char LOST[] = "--sandbox is refused; --sandbox-weak does without";
  if (const int abi = sandbox::landlock_abi())
    findings.all.push_back(
        {"Landlock", true, "ABI " + std::to_string(abi), ""});
  else
    findings.all.push_back({"Landlock", false,
                            "this kernel has none, or it is switched off "
                            "(lsm=landlock,...)",
                            LOST});
  const bool filters = sandbox::has_seccomp();
  findings.all.push_back(
      {"seccomp", filters,
       filters ? "filters system calls" : "this kernel filters no system calls",
       filters ? "" : LOST});
}

void look_at_libraries(Findings &findings) {
#define GPUEXEC_SERVICE_LIBRARY(TITLE, FILES, LOST)                            \
  findings.all.push_back(library(TITLE, FILES, LOST));
#include "services/services.def"
}

/// What the program prints, if it ends with 0.
std::optional<std::string> output_of(const std::string &program,
                                     llvm::StringRef option) {
  llvm::SmallString<64> out;
  if (llvm::sys::fs::createTemporaryFile("gpuexec-doctor", "", out))
    return std::nullopt;
  std::optional<llvm::StringRef> streams[] = {"", llvm::StringRef(out), ""};
  const int status = llvm::sys::ExecuteAndWait(program, {program, option},
                                               std::nullopt, streams, 20);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> text =
      llvm::MemoryBuffer::getFile(out);
  llvm::sys::fs::remove(out);
  if (status != 0 || !text)
    return std::nullopt;
  return (*text)->getBuffer().str();
}

/// gpucc knows best what it would use: lines "NAME<tab>PATH<tab>PROBLEM".
void look_at_compiler(Findings &findings) {
  llvm::SmallString<256> gpucc;
  llvm::sys::fs::real_path("/proc/self/exe", gpucc);
  llvm::sys::path::remove_filename(gpucc);
  llvm::sys::path::append(gpucc, "gpucc");
  const std::optional<std::string> text =
      output_of(gpucc.str().str(), "--print-tools");
  findings.all.push_back({"gpucc", text.has_value(), gpucc.str().str(),
                          text ? "" : "nothing is compiled for GPUs here"});
  const std::string lines = text.value_or("");
  for (llvm::StringRef left = lines; !left.empty();) {
    auto [line, rest] = left.split('\n');
    left = rest;
    auto [name, more] = line.split('\t');
    auto [path, problem] = more.split('\t');
    const bool is_cuda = name == "ptxas and nvlink";
    findings.all.push_back(
        {name.str(), !path.empty(), path.empty() ? problem.str() : path.str(),
         !path.empty() ? ""
         : is_cuda     ? "gpucc makes PTX instead of cubins, which the driver "
                         "compiles at each first start"
                       : "gpucc does not compile"});
  }
}

bool is_ours(const std::string &folder) {
  struct stat status;
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() &&
         !(status.st_mode & (S_IWGRP | S_IWOTH));
}

void look_at_folders(Findings &findings) {
  const std::string socket = lending::default_socket();
  std::string problem;
  const bool listens = bool(lending::connect_to(socket, problem));
  findings.all.push_back({"server", listens, socket,
                          listens ? ""
                                  : "each program opens its device "
                                    "(gpuexec serve keeps them open)"});
  for (const CacheKind &kind : CACHE_KINDS) {
    const std::string name = std::string(kind.name) + " cache";
    const std::string path = CacheFolder::path_of(kind);
    const char *lost = "nothing is kept: each run begins anew";
    if (path.empty() || path == "off") {
      findings.all.push_back(
          {name, false, path.empty() ? "no HOME" : "off", lost});
      continue;
    }
    struct stat status;
    if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) {
      findings.all.push_back({name, true, path + " (empty)", ""});
      continue;
    }
    if (!is_ours(path)) {
      findings.all.push_back(
          {name, false, path + " is not yours alone to write", lost});
      continue;
    }
    std::string warning;
    uint64_t others;
    const CacheFolder::Contents contents =
        CacheFolder::open(path, warning)
            .contents(kind.prefix, kind.suffix, others);
    findings.all.push_back({name, true,
                            path + " (" + print_size(contents.bytes) + " of " +
                                print_size(kind.largest) + ")",
                            ""});
  }
}

void look_at_names(Findings &findings) {
  if (std::optional<std::string> program = binfmt::registered_interpreter())
    findings.all.push_back({"run by name", true, "by " + *program, ""});
  else
    findings.all.push_back({"run by name", false, "not in binfmt_misc",
                            "./a.out needs gpuexec before it (gpuexec "
                            "--register, or gpucc --self-run)"});
}

} // namespace

Findings look() {
  Findings findings;
  look_at_devices(findings);
  look_at_compiler(findings);
  look_at_names(findings);
  look_at_sandbox(findings);
  look_at_libraries(findings);
  look_at_folders(findings);
  return findings;
}

} // namespace gpuexec::doctor
