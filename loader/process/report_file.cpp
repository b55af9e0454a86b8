//===-- loader/process/report_file.cpp - Where a report goes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/report_file.h"
#include "loader/command_line/messages.h"
#include "support/failure.h"
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace gpuexec {

static llvm::Error fail(const std::string &path, const std::string &reason) {
  return failure(Reason::failed, "{0}: {1}", path, reason);
}

/// Why a file in a directory where programs may write is not taken for a
/// report: a program may have made it another name of a file elsewhere, or a
/// FIFO that nobody reads. Null when it is taken.
static const char *objection(const struct stat &status) {
  if (!S_ISREG(status.st_mode))
    return "is no regular file";
  return status.st_nlink > 1 ? "has another name as well" : nullptr;
}

/// Opens the file for writing; with O_PATH if it is a FIFO without a reader.
static llvm::Expected<UniqueFd>
open_file(const std::string &path, const ProgramFolders &folders, mode_t mode) {
  ProgramFolders::Place place;
  if (folders.empty()) {
    place = {UniqueFd(), path};
  } else {
    llvm::Expected<ProgramFolders::Place> found = folders.locate(path);
    if (!found)
      return found.takeError();
    place = std::move(*found);
  }
  auto open = [&](int flags) {
    return folders.empty()
               ? UniqueFd(
                     ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode))
               : ProgramFolders::open_at(place, flags, mode);
  };
  UniqueFd fd = open(O_WRONLY | O_CREAT | O_NONBLOCK);
  if (!fd && errno == ENXIO)
    fd = open(O_PATH);
  struct stat status;
  if (!fd || ::fstat(fd.get(), &status) != 0)
    return fail(path, std::strerror(errno));
  if (place.folder)
    if (const char *reason = objection(status))
      return fail(path, std::string(reason) + ", in " + place.folder->name +
                            ", where programs may write: name another file");
  return std::move(fd);
}

llvm::Expected<ReportFile> ReportFile::open(const std::string &path,
                                            const ProgramFolders &folders,
                                            mode_t mode) {
  llvm::Expected<UniqueFd> fd = open_file(path, folders, mode);
  return fd ? take(path, std::move(*fd)) : fd.takeError();
}

/// True for a name such as /dev/stdout or /dev/fd/3, which is void when a
/// sandbox has closed the descriptor.
static bool names_descriptor(llvm::StringRef path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

llvm::Expected<ReportFile> ReportFile::take(const std::string &path,
                                            UniqueFd fd) {
  ReportFile file;
  file.path = file.name = path;
  const int flags = ::fcntl(fd.get(), F_GETFL);
  struct stat status;
  if (flags < 0 || ::fstat(fd.get(), &status) != 0)
    return fail(path, std::strerror(errno));
  file.late = (flags & O_PATH) != 0;
  file.linked = S_ISREG(status.st_mode) && status.st_nlink > 0;
  if (!file.late) // from now on a write waits for its reader
    ::fcntl(fd.get(), F_SETFL, flags & ~O_NONBLOCK);
  file.fd = std::move(fd);
  char text[PATH_MAX];
  if (names_descriptor(path)) {
    const std::string link = "/proc/self/fd/" + std::to_string(file.fd.get());
    const ssize_t size = ::readlink(link.c_str(), text, sizeof text);
    file.name.assign(text, size_t(std::max<ssize_t>(size, 0)));
  }
  return std::move(file);
}

std::string ReportFile::late_name() const {
  return late ? "/proc/self/fd/" + std::to_string(fd.get()) : std::string();
}

bool ReportFile::is(const std::string &other) const {
  struct stat own, found;
  return ::fstat(fd.get(), &own) == 0 && ::stat(other.c_str(), &found) == 0 &&
         own.st_ino == found.st_ino && own.st_dev == found.st_dev;
}

bool ReportFile::say(llvm::StringRef command, const std::string &reason) const {
  print_error(command, path + ": " + reason);
  return false;
}

int ReportFile::replace_content(int to, llvm::StringRef text) const {
  if (linked && ::ftruncate(to, 0) != 0)
    return errno;
  if (linked)
    ::lseek(to, 0, SEEK_SET);
  return write_all(to, text);
}

bool ReportFile::check_name(llvm::StringRef command) const {
  struct stat status;
  if (!linked || is(name))
    return true;
  if (::fstat(fd.get(), &status) == 0 && status.st_nlink == 0)
    return say(command, std::string(std::strerror(ENOENT)) +
                            ": the program has removed the report");
  return say(command, "another file has this name, or none: the program has "
                      "moved the report");
}

bool ReportFile::write(llvm::StringRef command, llvm::StringRef text) const {
  UniqueFd opened(late ? ::open(late_name().c_str(), O_WRONLY | O_CLOEXEC)
                       : -1);
  int error = late && !opened
                  ? errno
                  : replace_content(late ? opened.get() : fd.get(), text);
  return error ? say(command, std::strerror(error)) : check_name(command);
}

llvm::Expected<UniqueFd> ReportFile::stream(bool empties) const {
  UniqueFd own(late ? ::open(late_name().c_str(), O_WRONLY | O_CLOEXEC)
                    : ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
  int error = own ? 0 : errno;
  if (!error && empties)
    error = replace_content(own.get(), "");
  if (error)
    return fail(path, std::strerror(error));
  return std::move(own);
}

} // namespace gpuexec
