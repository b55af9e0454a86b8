//===-- loader/process/report_file.cpp - Where a report goes --------------===//
#include "loader/process/report_file.h"
#include "loader/command_line/messages.h"
#include "loader/device/error.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec {

llvm::Expected<ReportFile> ReportFile::open(const std::string &path) {
  ReportFile file;
  file.path = path;
  file.fd = UniqueFd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!file.fd && errno == ENXIO) { // a FIFO may still lack its reader
    file.late = true;
    file.fd = UniqueFd(::open(path.c_str(), O_PATH | O_CLOEXEC));
  }
  const int fd = file.fd.get();
  if (fd < 0)
    return failure(Reason::failed, "{0}: {1}", path, std::strerror(errno));
  struct stat status;
  file.linked = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                status.st_nlink > 0;
  if (!file.late) // writing waits for whoever reads
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return std::move(file);
}

std::string ReportFile::late_name() const {
  return late ? "/proc/self/fd/" + std::to_string(fd.get()) : std::string();
}

int ReportFile::replace_content(int to, llvm::StringRef text) const {
  if (linked && ::ftruncate(to, 0) != 0)
    return errno;
  if (linked)
    ::lseek(to, 0, SEEK_SET);
  if (int error = write_all(to, text))
    return error;
  struct stat status;
  if (linked && ::fstat(to, &status) == 0 && status.st_nlink == 0)
    return ENOENT; // the program has removed it
  return 0;
}

bool ReportFile::write(llvm::StringRef command, llvm::StringRef text) const {
  UniqueFd opened(late ? ::open(late_name().c_str(), O_WRONLY | O_CLOEXEC)
                       : -1);
  int error = late && !opened
                  ? errno
                  : replace_content(late ? opened.get() : fd.get(), text);
  if (error)
    print_error(command, path + ": " + std::strerror(error));
  return error == 0;
}

} // namespace gpuexec
