//===-- loader/tests/exit_result_test.cpp - From results to statuses ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/exit_result.h"
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;
using Kind = Result::Kind;

namespace {

Result result(Kind kind, int value, std::string message = "",
              std::string report = "") {
  Result result;
  result.kind = kind;
  result.value = value;
  result.message = std::move(message);
  result.report = std::move(report);
  return result;
}

struct Case {
  const char *name;
  Result result;
  int status, signal;
  bool ours;
  const char *text;
};

class ExitResults : public testing::TestWithParam<Case> {};

TEST_P(ExitResults, StatusSignalAndText) {
  const Case &expected = GetParam();
  CaptureStderr();
  ExitResult end = report("command", expected.result);
  EXPECT_EQ(GetCapturedStderr(), expected.text);
  EXPECT_EQ(end.status, expected.status);
  EXPECT_EQ(end.signal, expected.signal);
  EXPECT_EQ(end.ours, expected.ours);
  EXPECT_EQ(end.clean, expected.result.settled);
}

INSTANTIATE_TEST_SUITE_P(
    Of, ExitResults,
    testing::Values(
        Case{"AnExit", result(Kind::exited, 255), 255, 0, false, ""},
        Case{"AnAbort", result(Kind::signalled, SIGABRT, "image: aborted: why"),
             134, 0, false, "command: image: aborted: why\n"},
        Case{"AClosedPipe", result(Kind::signalled, SIGPIPE), 141, SIGPIPE,
             false, ""},
        Case{"AFault", result(Kind::faulted, 0, "image: at 0", "  here\n"), 139,
             0, false, "command: error: image: at 0\n  here\n"},
        Case{"ADivisionByZero",
             result(Kind::faulted, SIGFPE, "image: a", "  b\n"), 136, 0, false,
             "command: error: image: a\n  b\n"},
        Case{"ATimeout", result(Kind::timed_out, 0, "image: timed out", " x\n"),
             124, 0, false, "command: error: image: timed out\n x\n"},
        Case{"AMissingImage", result(Kind::not_found, 0, "image: no"), 127, 0,
             true, "command: error: image: no\n"},
        Case{"ARefusedImage", result(Kind::refused, 0, "image: bad"), 126, 0,
             true, "command: error: image: bad\n"},
        Case{"AFailure", result(Kind::failed, 0, "a driver"), 125, 0, true,
             "command: error: a driver\n"},
        Case{"AFailureThatTheProgramNoticed",
             result(Kind::failed, 3, "lost\noutput"), 3, 0, true,
             "command: error: lost\\x0aoutput\n"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(ExitResult, AFailureOfGpuexecs) {
  CaptureStderr();
  ExitResult end = own_failure(
      "command", failure(Reason::not_runnable, "{0}: cannot run", "image"));
  EXPECT_EQ(GetCapturedStderr(), "command: error: image: cannot run\n");
  EXPECT_EQ(end.status, 126);
  EXPECT_TRUE(end.clean);
}

} // namespace
