//===-- loader/tests/repeat_test.cpp - Reports and personalities ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/exit_result.h"
#include "loader/process/repeat.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(JUnit, CountsAndEscapes) {
  std::vector<RunResult> results(3);
  results[0] = {0, 0.5, "fine", ""};
  results[1] = {139, 0.25, "<tag> & \"quote\"\x01\xff\xc3\xa9", "boom\n"};
  results[2] = {124, 2, "", ""};
  std::string xml = junit_xml("a<b", results);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"a&lt;b\" tests=\"3\" "
                             "failures=\"2\" errors=\"0\" skipped=\"0\" "
                             "time=\"2.750000\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"a&lt;b #2\" time=\"0.250000\">\n"
                             "<failure message=\"device fault\" "
                             "type=\"fault\">boom\n</failure>"));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"timed out\" "
                             "type=\"timeout\"></failure>"));
  // Control characters and broken UTF-8 are not XML; letters stay.
  EXPECT_THAT(xml, HasSubstr("<system-out>&lt;tag&gt; &amp; "
                             "&quot;quote&quot;??\xc3\xa9</system-out>"));
  EXPECT_THAT(xml, HasSubstr("<system-err>boom\n</system-err>"));
}

TEST(JUnit, FailuresHoldTheReport) {
  const std::string report = "gpuexec: error: p: an address <0x10>\n"
                             "  #0 main p.c:3\n";
  const RunResult fault{139, 1, "", "the program's\n" + report};
  EXPECT_THAT(junit_xml("p", fault),
              HasSubstr("<failure message=\"device fault\" type=\"fault\">"
                        "gpuexec: error: p: an address &lt;0x10&gt;\n"
                        "  #0 main p.c:3\n</failure>"));
  // gpuexec's own failures are no results of the test.
  const RunResult own{125, 1, "", "gpuexec: error: no memory\n"};
  const std::string xml = junit_xml("p", own);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<error message=\"gpuexec failed\" "
                             "type=\"gpuexec\">gpuexec: error: no memory\n"
                             "</error>"));
  EXPECT_THAT(junit_xml("p", RunResult{3, 1, "", ""}),
              HasSubstr("<failure message=\"exit status 3\" "
                        "type=\"status\"></failure>"));
}

TEST(JUnit, OneRunNeedsNoNumber) {
  std::string xml = junit_xml("image", RunResult{0, 1, "", ""});
  EXPECT_THAT(xml, HasSubstr("name=\"image\" time=\"1.000000\">\n</testcase>"));
  EXPECT_THAT(xml, Not(HasSubstr("failure message")));
}

TEST(Status, InWords) {
  EXPECT_EQ(describe_status(3), "exit status 3");
  EXPECT_EQ(describe_status(134), "aborted");
  EXPECT_EQ(describe_status(139), "device fault");
  EXPECT_EQ(describe_status(124), "timed out");
}

TEST(Personality, NamesOfLlvmsLoaders) {
  for (const char *name :
       {"llvm-gpu-loader", "/opt/bin/amdhsa-loader", "./nvptx-loader"}) {
    Personality personality = Personality::from_command(name);
    EXPECT_TRUE(personality.llvm) << name;
    EXPECT_EQ(personality.failure_status(126), 1);
    EXPECT_EQ(personality.failure_status(124), 124);
    EXPECT_EQ(personality.failure_status(139), 139);
  }
  Personality own = Personality::from_command("/usr/bin/gpuexec");
  EXPECT_FALSE(own.llvm);
  EXPECT_EQ(own.command, "gpuexec");
  EXPECT_EQ(own.failure_status(126), 126);
}

} // namespace
