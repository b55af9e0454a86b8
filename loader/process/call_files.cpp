//===-- loader/process/call_files.cpp - What the options name -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/call_files.h"
#include "support/cache_folder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace gpuexec {
namespace {

/// An option that names a report.
struct Report {
  llvm::StringLiteral name;
  std::string RunOptions::*path;
  ReportFile CallFiles::*file;
  mode_t mode;
  bool is_of_runs; ///< each run of --repeat writes it
};
constexpr Report REPORTS[] = {
    {"timings", &RunOptions::timings, &CallFiles::timings, 0666, true},
    {"stats-json", &RunOptions::stats_json, &CallFiles::stats_json, 0666, true},
    {"trace", &RunOptions::trace, &CallFiles::trace, 0666, true},
    // Only for its owner: it contains all that the program reads.
    {"record", &RunOptions::record, &CallFiles::record, 0600, true},
    {"junit", &RunOptions::junit, &CallFiles::junit, 0666, false},
};
constexpr llvm::StringLiteral DIRECTORY = "dir";

/// Fails if a program could change the file that `option` names.
llvm::Error check_trusted(const ProgramFolders &folders, const char *option,
                          const std::string &path) {
  llvm::Expected<const ProgramFolders::Folder *> found =
      folders.changeable(path);
  if (!found)
    return failure(Reason::failed, "{0}: {1}", option,
                   llvm::toString(found.takeError()));
  if (!*found)
    return llvm::Error::success();
  return failure(Reason::failed,
                 "{0}: {1}: is in {2}, where programs may write: what is "
                 "executed or trusted must be elsewhere",
                 option, path, (*found)->name);
}

/// Files that every call of gpuexec executes without an option that names them:
/// gpuexec itself, its libraries, and the folders where compiled code is kept.
std::vector<std::string> own_files() {
  std::vector<std::string> all;
  llvm::SmallString<128> program;
  if (!llvm::sys::fs::real_path("/proc/self/exe", program)) {
    all.push_back(std::string(program));
    llvm::StringRef prefix = llvm::sys::path::parent_path(program);
    prefix = llvm::sys::path::parent_path(prefix);
    all.push_back((prefix + "/lib/gpuexec").str());
  }
  all.push_back(CacheFolder::default_path("jit"));
  for (const char *name : {"GPUEXEC_JIT_CACHE", "GPUEXEC_LINK_CACHE"})
    if (const char *folder = std::getenv(name); folder && *folder == '/')
      all.push_back(folder);
  return all;
}

/// The directory in which a program could change `path`, which need not exist,
/// or null.
const ProgramFolders::Folder *find_changeable(const ProgramFolders &folders,
                                              const std::string &path) {
  std::string name = path;
  while (!name.empty()) {
    llvm::Expected<const ProgramFolders::Folder *> found =
        folders.changeable(name);
    if (found)
      return *found;
    llvm::consumeError(found.takeError()); // not there: try its parent
    llvm::StringRef around = llvm::StringRef(name);
    around.consume_back("/.");
    around = llvm::sys::path::parent_path(around);
    name = around.empty() || around == "/" ? "" : (around + "/.").str();
  }
  return nullptr;
}

llvm::Error check_own_files(const ProgramFolders &folders) {
  for (const std::string &path : own_files())
    if (const ProgramFolders::Folder *found = find_changeable(folders, path))
      return failure(Reason::failed,
                     "--dir: {0}: gpuexec's own files are in it ({1}), and a "
                     "program could replace them: grant a directory without "
                     "them",
                     found->name, path);
  return llvm::Error::success();
}

/// Fails if a program could change a file that gpuexec executes or relies on.
llvm::Error check_trusted_files(const RunOptions &options,
                                const ProgramFolders &folders) {
  if (folders.empty())
    return llvm::Error::success();
  if (llvm::Error error = check_own_files(folders))
    return error;
  const CredentialFiles &credentials = options.job.device_settings.credentials;
  const std::pair<const char *, const std::string &> files[] = {
      {"--server-key", credentials.key},
      {"--server-certificate", credentials.certificate},
      {"--server-certificate-key", credentials.certificate_key},
      {"--server-authority", credentials.authority},
      // The user executes it later, outside of any sandbox.
      {"--record-standalone", options.record_standalone},
      // An ensemble writes there while its programs run.
      {"--joblog", options.ensemble.joblog},
      {"--results", options.ensemble.results},
  };
  for (const auto &[option, path] : files)
    if (!path.empty())
      if (llvm::Error error = check_trusted(folders, option, path))
        return error;
  for (const std::string &service : options.job.server.services)
    if (llvm::Error error =
            check_trusted(folders, "--service",
                          llvm::StringRef(service).split(',').first.str()))
      return error;
  return llvm::Error::success();
}

UniqueFd open_directory(const std::string &path) {
  return UniqueFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

llvm::Error bad_handle(const RunOptions &options) {
  return failure(Reason::failed,
                 "--handles: '{0}' is not what gpuexec tells a run that it has "
                 "started",
                 options.handles);
}

} // namespace

llvm::Error CallFiles::open_directories(const RunOptions &options,
                                        ProgramFolders &folders) {
  auto fail = [](const std::string &path, int error) {
    return failure(Reason::failed, "{0}: {1}", path, std::strerror(error));
  };
  // What is writable must be known before a path is resolved.
  std::vector<UniqueFd> writable;
  for (const rpc::SandboxDirectory &directory :
       options.job.server.directories) {
    if (!directory.writable)
      continue;
    UniqueFd fd = open_directory(directory.path);
    if (!fd)
      return fail(directory.path, errno);
    if (int error = folders.add(directory.path, fd.get()))
      return fail(directory.path, error);
    writable.push_back(std::move(fd)); // open until all are resolved
  }
  for (const rpc::SandboxDirectory &directory :
       options.job.server.directories) {
    UniqueFd fd;
    if (folders.empty()) {
      fd = open_directory(directory.path);
    } else {
      llvm::Expected<ProgramFolders::Place> place =
          folders.locate(directory.path);
      if (!place)
        return place.takeError();
      fd = ProgramFolders::open_at(*place, O_PATH | O_DIRECTORY);
    }
    if (!fd)
      return fail(directory.path, errno);
    directories.push_back({directory.path, directory.writable, directory.name,
                           std::make_shared<UniqueFd>(std::move(fd))});
  }
  return llvm::Error::success();
}

llvm::Error CallFiles::open_reports(const RunOptions &options,
                                    const ProgramFolders &folders) {
  for (const Report &report : REPORTS) {
    const std::string &path = options.*report.path;
    if (path.empty())
      continue;
    llvm::Expected<ReportFile> opened =
        ReportFile::open(path, folders, report.mode);
    if (!opened)
      return failure(Reason::failed, "--{0}: {1}", report.name,
                     llvm::toString(opened.takeError()));
    this->*report.file = std::move(*opened);
  }
  return llvm::Error::success();
}

llvm::Error CallFiles::take_handles(const RunOptions &options) {
  directories = options.job.server.directories;
  auto next = directories.begin();
  for (llvm::StringRef left = options.handles; !left.empty();) {
    auto [entry, rest] = left.split(',');
    left = rest;
    auto [name, number] = entry.split('=');
    int descriptor;
    if (!llvm::to_integer(number, descriptor, 10) ||
        descriptor <= STDERR_FILENO ||
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
      return bad_handle(options);
    UniqueFd fd(descriptor);
    if (name == DIRECTORY && next != directories.end()) {
      (next++)->handle = std::make_shared<UniqueFd>(std::move(fd));
      continue;
    }
    const Report *report = llvm::find_if(
        REPORTS, [&](const Report &known) { return known.name == name; });
    if (report == std::end(REPORTS) || (options.*report->path).empty())
      return bad_handle(options);
    llvm::Expected<ReportFile> taken =
        ReportFile::take(options.*report->path, std::move(fd));
    if (!taken)
      return taken.takeError();
    this->*report->file = std::move(*taken);
  }
  return next == directories.end() ? llvm::Error::success()
                                   : bad_handle(options);
}

llvm::Expected<CallFiles> CallFiles::open(const RunOptions &options) {
  CallFiles files;
  if (!options.handles.empty()) {
    if (llvm::Error error = files.take_handles(options))
      return std::move(error);
    return std::move(files);
  }
  ProgramFolders folders;
  if (llvm::Error error = files.open_directories(options, folders))
    return std::move(error);
  if (llvm::Error error = check_trusted_files(options, folders))
    return std::move(error);
  if (llvm::Error error = files.open_reports(options, folders))
    return std::move(error);
  return std::move(files);
}

CallFiles::Handles CallFiles::handles() const {
  Handles all;
  auto add = [&](llvm::StringRef name, int descriptor) {
    if (!all.text.empty())
      all.text += ",";
    all.text += (name + "=" + llvm::Twine(descriptor)).str();
    all.descriptors.push_back(descriptor);
  };
  for (const Report &report : REPORTS)
    if (const ReportFile &file = this->*report.file; file && report.is_of_runs)
      add(report.name, file.descriptor());
  for (const rpc::SandboxDirectory &directory : directories)
    add(DIRECTORY, directory.handle->get());
  return all;
}

} // namespace gpuexec
