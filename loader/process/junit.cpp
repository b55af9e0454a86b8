//===-- loader/process/junit.cpp - Runs as JUnit's XML --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/exit_result.h"
#include "loader/process/repeat.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace gpuexec {

static std::string escape(llvm::StringRef text) {
  std::string escaped;
  while (!text.empty()) {
    unsigned length =
        llvm::getUTF8SequenceSize(text.bytes_begin(), text.bytes_end());
    unsigned char first = static_cast<unsigned char>(text.front());
    if (length == 0) {
      escaped += '?'; // no UTF-8
      length = 1;
    } else if (length == 2 && first == 0xc2 && uint8_t(text[1]) < 0xa0) {
      // A control character of the second set: a terminal may obey it.
      escaped += llvm::formatv("&#{0};", uint8_t(text[1])).str();
    } else if (length == 3 && first == 0xef && uint8_t(text[1]) == 0xbf &&
               uint8_t(text[2]) >= 0xbe) {
      escaped += '?'; // U+FFFE and U+FFFF are no characters of XML's
    } else if (length > 1) {
      escaped += text.take_front(length);
    } else if (first == '&') {
      escaped += "&amp;";
    } else if (first == '<') {
      escaped += "&lt;";
    } else if (first == '>') {
      escaped += "&gt;";
    } else if (first == '"') {
      escaped += "&quot;";
    } else if (first == 0x7f) {
      escaped += "&#127;";
    } else if (first < 0x20 && first != '\n' && first != '\t') {
      escaped += '?'; // XML 1.0 has no way to say it
    } else {
      escaped += char(first);
    }
    text = text.drop_front(length);
  }
  return escaped;
}

std::string describe_status(int status) {
  switch (status) {
  case status::TimedOut:
    return "timed out";
  case status::Failed:
    return "gpuexec failed";
  case status::NotRunnable:
    return "not a runnable image";
  case status::NotFound:
    return "image not found";
  case status::signalled(SIGABRT):
    return "aborted";
  case status::signalled(SIGSEGV):
    return "device fault";
  }
  return llvm::formatv("exit status {0}", status).str();
}

namespace {

/// The most bytes of a program's own output that are put into its <failure>.
constexpr size_t MOST_TEXT = 4096;

/// gpuexec could not run the program: no result of the test.
bool is_error(int status) {
  return status == status::Failed || status == status::NotRunnable ||
         status == status::NotFound;
}

/// A word for the kind of failure, as test reports group them.
const char *type_of(int status) {
  switch (status) {
  case status::TimedOut:
    return "timeout";
  case status::Failed:
    return "gpuexec";
  case status::NotRunnable:
  case status::NotFound:
    return "image";
  case status::signalled(SIGABRT):
    return "abort";
  case status::signalled(SIGSEGV):
    return "fault";
  }
  return status > status::signalled(0) ? "signal" : "status";
}

/// What explains a failure: gpuexec's message and the report behind it, or the
/// end of what the program said.
llvm::StringRef explanation(llvm::StringRef error_output) {
  constexpr llvm::StringLiteral MESSAGE = "gpuexec: ";
  size_t begin = error_output.rfind(("\n" + MESSAGE).str());
  if (begin != llvm::StringRef::npos)
    return error_output.drop_front(begin + 1);
  return error_output.starts_with(MESSAGE) ? error_output
                                           : error_output.take_back(MOST_TEXT);
}

void print_failure(llvm::raw_ostream &os, const RunResult &result) {
  const char *element = is_error(result.status) ? "error" : "failure";
  os << llvm::formatv("<{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", element,
                      escape(describe_status(result.status)),
                      type_of(result.status),
                      escape(explanation(result.error_output)));
}

} // namespace

std::string junit_xml(llvm::StringRef image,
                      llvm::ArrayRef<RunResult> results) {
  unsigned failures = 0, errors = 0;
  double seconds = 0;
  for (const RunResult &result : results) {
    errors += is_error(result.status);
    failures += result.status != 0 && !is_error(result.status);
    seconds += result.seconds;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string name = escape(image);
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     << llvm::formatv("<testsuites>\n<testsuite name=\"{0}\" tests=\"{1}\" "
                      "failures=\"{2}\" errors=\"{3}\" skipped=\"0\" "
                      "time=\"{4:f6}\">\n",
                      name, results.size(), failures, errors, seconds);
  for (size_t i = 0; i < results.size(); ++i) {
    const RunResult &result = results[i];
    os << llvm::formatv(
        "<testcase classname=\"gpuexec\" name=\"{0}{1}\" time=\"{2:f6}\">\n",
        name, results.size() > 1 ? " #" + std::to_string(i + 1) : "",
        result.seconds);
    if (result.status)
      print_failure(os, result);
    if (!result.output.empty())
      os << "<system-out>" << escape(result.output) << "</system-out>\n";
    if (!result.error_output.empty())
      os << "<system-err>" << escape(result.error_output) << "</system-err>\n";
    os << "</testcase>\n";
  }
  os << "</testsuite>\n</testsuites>\n";
  return text;
}

} // namespace gpuexec
