//===-- loader/ensemble/job_log.cpp - See job_log.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/job_log.h"
#include "support/failure.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

namespace gpuexec::ensemble {
namespace {

constexpr llvm::StringLiteral HEADER =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";
constexpr size_t COLUMNS = 9;
constexpr uint64_t LARGEST_LOG = uint64_t(4) << 30;

} // namespace

llvm::Error JobLog::read(llvm::StringRef text) {
  for (size_t number = 1; !text.empty(); ++number) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    auto is_wrong = [&] {
      return failure(Reason::failed, "{0}:{1}: is no line of a job log", path,
                     number);
    };
    if (number == 1) {
      if (line != HEADER)
        return is_wrong();
      continue;
    }
    llvm::SmallVector<llvm::StringRef, COLUMNS> columns;
    line.split(columns, '\t', COLUMNS - 1);
    uint64_t instance;
    Earlier earlier;
    if (columns.size() != COLUMNS || //
        !llvm::to_integer(columns[0].trim(), instance, 10) ||
        !llvm::to_integer(columns[6].trim(), earlier.end.status, 10) ||
        !llvm::to_integer(columns[7].trim(), earlier.end.signal, 10))
      return is_wrong();
    earlier.command = columns[8].str();
    before[instance] = std::move(earlier);
  }
  return llvm::Error::success();
}

llvm::Expected<JobLog> JobLog::open(const std::string &path, bool resumes) {
  JobLog log;
  log.path = path;
  log.file = UniqueFd(::open(
      path.c_str(),
      O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (resumes ? 0 : O_TRUNC), 0666));
  if (!log.file)
    return failure(Reason::failed, "--joblog: {0}: {1}", path,
                   std::strerror(errno));
  const std::string text =
      resumes ? read_all(log.file.get(), LARGEST_LOG) : std::string();
  const size_t whole = text.rfind('\n') + 1; // 0 without a line
  if (whole < text.size() && ::ftruncate(log.file.get(), off_t(whole)) != 0)
    return failure(Reason::failed, "--joblog: {0}: {1}", path,
                   std::strerror(errno));
  if (llvm::Error error = log.read(llvm::StringRef(text).take_front(whole)))
    return std::move(error);
  if (whole == 0)
    if (int error = write_all(log.file.get(), (HEADER + "\n").str()))
      return failure(Reason::failed, "--joblog: {0}: {1}", path,
                     std::strerror(error));
  return log;
}

llvm::Error JobLog::write(const LogLine &line) {
  const std::string text = llvm::formatv(
      "{0}\t:\t{1:f3}\t{2,10:f3}\t0\t{3}\t{4}\t{5}\t{6}\n", line.number,
      line.start, line.seconds, line.output_bytes,
      line.end.signal ? 0 : line.end.status, line.end.signal, line.command);
  if (int error = write_all(file.get(), text))
    return failure(Reason::failed, "--joblog: {0}: {1}", path,
                   std::strerror(error));
  return llvm::Error::success();
}

} // namespace gpuexec::ensemble
