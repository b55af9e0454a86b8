//===-- loader/tests/options_test.cpp - What the user asked for -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/run/options.h"
#include "loader/apps/serve/options.h"
#include "loader/command_line/units.h"
#include "loader/device/backend.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

RunOptions parse(std::vector<const char *> argv,
                 std::vector<const char *> environment = {}) {
  environment.push_back(nullptr);
  llvm::Expected<RunOptions> options =
      parse_run_options(argv, environment.data());
  if (options)
    return std::move(*options);
  ADD_FAILURE() << llvm::toString(options.takeError());
  return {};
}

template <typename T> std::string error_of(llvm::Expected<T> options) {
  if (options)
    return "no error";
  std::string text;
  llvm::handleAllErrors(options.takeError(), [&](const Failure &failure) {
    EXPECT_EQ(failure.reason(), Reason::failed);
    text = failure.message();
  });
  EXPECT_EQ(text.find('\n'), std::string::npos);
  return text;
}

std::string error_of(std::vector<const char *> argv,
                     std::vector<const char *> environment = {}) {
  environment.push_back(nullptr);
  return error_of(parse_run_options(argv, environment.data()));
}

TEST(Options, EverythingAfterTheImageIsTheProgramS) {
  RunOptions options =
      parse({"--threads", "4", "image", "--threads", "5", "--help", ""});
  EXPECT_EQ(options.job.image, "image");
  EXPECT_EQ(options.job.grid.threads[0], 4u);
  EXPECT_EQ(options.action, RunOptions::Action::run);
  EXPECT_THAT(options.job.arguments,
              ElementsAre("--threads", "5", "--help", ""));
}

TEST(Options, OneOrTwoDashesWithAndWithoutEquals) {
  for (std::vector<const char *> spelling :
       {std::vector<const char *>{"--threads-x", "8"},
        {"--threads-x=8"},
        {"-threads-x", "8"},
        {"-threads-x=8"},
        {"--threads", "8"},
        {"-threads=8"}}) {
    spelling.push_back("image");
    EXPECT_EQ(parse(spelling).job.grid.threads[0], 8u) << spelling[0];
  }
}

TEST(Options, TheWholeGrid) {
  RunOptions options =
      parse({"--threads-x=2", "--threads-y=3", "--threads-z=4", "--blocks-x=5",
             "--blocks-y=6", "--blocks-z=7", "image"});
  EXPECT_THAT(options.job.grid.threads, ElementsAre(2u, 3u, 4u));
  EXPECT_THAT(options.job.grid.blocks, ElementsAre(5u, 6u, 7u));
  EXPECT_EQ(parse({"--blocks", "9", "image"}).job.grid.blocks[0], 9u);
}

TEST(Options, StandardInputAndDoubleDash) {
  EXPECT_EQ(parse({"-"}).job.image, "-");
  RunOptions options = parse({"--", "--odd-name", "-x"});
  EXPECT_EQ(options.job.image, "--odd-name");
  EXPECT_THAT(options.job.arguments, ElementsAre("-x"));
}

TEST(Options, Devices) {
  EXPECT_FALSE(parse({"image"}).job.device.backend);
  EXPECT_STREQ(parse({"--device=cuda", "image"}).job.device.backend->name,
               "cuda");
  RunOptions options = parse({"--device", "hsa:3", "image"});
  EXPECT_STREQ(options.job.device.backend->name, "hsa");
  EXPECT_EQ(options.job.device.index, 3u);
  EXPECT_FALSE(parse({"--device=hsa", "image"}).job.device.index);
  EXPECT_EQ(parse({"--device=emulator:1", "image"}).job.device.index, 1u);
  EXPECT_STREQ(
      parse({"image"}, {"GPUEXEC_DEVICE=emulator"}).job.device.backend->name,
      "emulator");
  // The command line wins over the environment.
  EXPECT_FALSE(parse({"--device=auto", "image"}, {"GPUEXEC_DEVICE=emulator"})
                   .job.device.backend);
  EXPECT_THAT(error_of({"--device=gpu", "image"}),
              HasSubstr("no device 'gpu': expected auto, cuda[:N], hsa[:N]"));
  EXPECT_THAT(error_of({"--device=cuda:x", "image"}), HasSubstr("'cuda:x'"));
  EXPECT_THAT(error_of({"image"}, {"GPUEXEC_DEVICE=nonsense"}),
              HasSubstr("GPUEXEC_DEVICE: no device 'nonsense'"));
}

TEST(Options, Sizes) {
  const std::pair<const char *, uint64_t> good[] = {
      {"0", 0},
      {"4096", 4096},
      {"64K", 65536},
      {"2m", 2u << 20},
      {"3G", 3ull << 30},
      {"10MB", 10'000'000},
      {"10MiB", 10u << 20},
      {"1gib", 1u << 30},
      {"2kB", 2000},
      {"7B", 7},
  };
  for (auto [text, bytes] : good)
    EXPECT_EQ(parse_size(text), bytes) << text;
  for (const char *bad : {"", "K", "-1", "1.5M", "10X", "99999999999G", "1Mi",
                          "1MBB", "1 M", "20000000TB"})
    EXPECT_FALSE(parse_size(bad)) << bad;
  EXPECT_EQ(parse({"--stack-size=16K", "image"}).job.settings.stack_size,
            16384u);
}

TEST(Options, Times) {
  const std::pair<const char *, double> good[] = {
      {"10", 10},  {"1.5", 1.5}, {"1s", 1},     {"0.5s", 0.5}, {"500ms", 0.5},
      {"2m", 120}, {"1h", 3600}, {"1d", 86400}, {"0", 0},
  };
  for (auto [text, seconds] : good) {
    ASSERT_TRUE(parse_time(text)) << text;
    EXPECT_DOUBLE_EQ(*parse_time(text), seconds) << text;
  }
  for (const char *bad :
       {"", "s", "ms", "-1", "1x", "inf", "nan", "1e10", "1 s", "1s2"})
    EXPECT_FALSE(parse_time(bad)) << bad;
  EXPECT_EQ(parse({"--timeout=500ms", "image"}).job.time_limit->count(), 0.5);
  EXPECT_FALSE(parse({"--timeout=0", "image"}).job.time_limit);
}

TEST(Options, Errors) {
  EXPECT_EQ(error_of({}), "no image: see gpuexec --help");
  EXPECT_EQ(error_of({"--threads"}), "--threads: needs a value");
  EXPECT_EQ(error_of({"--threads=0", "image"}),
            "--threads: '0' is not a number from 1 to 4294967295");
  EXPECT_EQ(error_of({"--blocks-y", "many", "image"}),
            "--blocks-y: 'many' is not a number from 1 to 4294967295");
  EXPECT_EQ(error_of({"--blocks=4294967296", "image"}),
            "--blocks: '4294967296' is not a number from 1 to 4294967295");
  EXPECT_EQ(error_of({"--tread=4", "image"}),
            "unknown option '--tread=4', did you mean '--threads=4'?");
  EXPECT_EQ(error_of({"--frobnicate", "image"}),
            "unknown option '--frobnicate': see gpuexec --help");
  EXPECT_EQ(error_of({"--timeout=soon", "image"}),
            "--timeout: 'soon' is not a time, such as 10, 1.5s, 500ms or 2m");
  EXPECT_EQ(error_of({"--timeout=-1", "image"}),
            "--timeout: '-1' is not a time, such as 10, 1.5s, 500ms or 2m");
  EXPECT_EQ(error_of({"--emulator-threads=4097", "image"}),
            "--emulator-threads: '4097' is not a number from 1 to 4096");
  EXPECT_EQ(error_of({"--jit-cache=", "image"}),
            "--jit-cache: '' is not a folder, or off");
  EXPECT_EQ(error_of({"--jit-cache=/tmp", "--sandbox", "image"}),
            "--jit-cache: no code is kept with --sandbox");
  EXPECT_EQ(error_of({"--dir=/tmp", "image"}),
            "--dir: has no effect without --sandbox");
}

TEST(Options, Lists) {
  RunOptions options =
      parse({"--kernel=a", "--kernel", "b", "--sandbox", "--dir=/tmp:rw",
             "--dir", "/usr", "--service=./x.so", "image"});
  EXPECT_THAT(options.job.kernels, ElementsAre("a", "b"));
  ASSERT_EQ(options.job.server.directories.size(), 2u);
  EXPECT_EQ(options.job.server.directories[0].path, "/tmp");
  EXPECT_TRUE(options.job.server.directories[0].writable);
  EXPECT_EQ(options.job.server.directories[1].path, "/usr");
  EXPECT_FALSE(options.job.server.directories[1].writable);
  EXPECT_THAT(options.job.server.services, ElementsAre("./x.so"));
  EXPECT_EQ(options.job.server.directories[0].name, "");
  options = parse({"--sandbox", "--dir=data:/in", "--dir=a:b:/out:rw",
                   "--dir=odd:name:ro", "image"});
  ASSERT_EQ(options.job.server.directories.size(), 3u);
  EXPECT_EQ(options.job.server.directories[0].path, "data");
  EXPECT_EQ(options.job.server.directories[0].name, "/in");
  EXPECT_FALSE(options.job.server.directories[0].writable);
  EXPECT_EQ(options.job.server.directories[1].path, "a:b");
  EXPECT_EQ(options.job.server.directories[1].name, "/out");
  EXPECT_TRUE(options.job.server.directories[1].writable);
  EXPECT_EQ(options.job.server.directories[2].path, "odd:name");
  EXPECT_EQ(options.job.server.directories[2].name, "");
  EXPECT_EQ(error_of({"--sandbox", "--dir=:/in", "image"}),
            "--dir: ':/in' is not a directory, or HOST:/GUEST");
}

TEST(Options, Check) {
  EXPECT_FALSE(parse({"image"}).job.find_option("check"));
  for (const char *check : {"--check", "--check=uninit"})
    EXPECT_EQ(parse({check, "image"}).job.find_option("check")->value,
              "uninit");
  EXPECT_EQ(error_of({"--check=everything", "image"}),
            "--check: unknown check 'everything' (known: uninit)");
}

TEST(Options, OfTheDeviceTheLastOneHolds) {
  RunOptions options =
      parse({"--emulator-threads=2", "--emulator-threads=3", "image"});
  ASSERT_EQ(options.job.device_options.size(), 1u);
  EXPECT_EQ(options.job.device_options[0].value, "3");
  EXPECT_EQ(options.job.device_options[0].label, "--emulator-threads");
}

TEST(Options, JitCache) {
  EXPECT_EQ(parse({"image"}).job.jit_cache, "");
  EXPECT_EQ(parse({"--jit-cache", "/tmp/x", "image"}).job.jit_cache, "/tmp/x");
  EXPECT_EQ(parse({"--jit-cache=off", "--sandbox", "image"}).job.jit_cache,
            "off");
}

TEST(Options, ActionsNeedNoImage) {
  EXPECT_TRUE(parse({"--help"}).help);
  EXPECT_TRUE(parse({"-h"}).brief_help);
  EXPECT_EQ(parse({"--version"}).action, RunOptions::Action::version);
  EXPECT_EQ(parse({"--list-devices"}).action, RunOptions::Action::list_devices);
}

TEST(Options, HelpKnowsEveryOption) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print_help(os, "gpuexec");
  for (const char *name :
       {"--threads-x", "--blocks-z", "--device", "--list-devices",
        "--stack-size", "--timeout", "--print-resource-usage", "--verbose",
        "--no-parallelism", "--kernel", "--sandbox", "--isolate", "--trace",
        "--check"})
    EXPECT_THAT(text, HasSubstr(name));
}

TEST(Commands, NameRecordingsBehindTheirOptions) {
  auto parse_command = [](llvm::StringRef command,
                          std::vector<const char *> argv) {
    return parse_run_options(argv, nullptr, command);
  };
  llvm::Expected<RunOptions> replay =
      parse_command("replay", {"--until-call=3", "file"});
  ASSERT_TRUE(bool(replay)) << llvm::toString(replay.takeError());
  EXPECT_EQ(replay->replay, "file");
  EXPECT_EQ(replay->until_call, 3u);
  llvm::Expected<RunOptions> compare = parse_command("compare", {"one", "two"});
  ASSERT_TRUE(bool(compare)) << llvm::toString(compare.takeError());
  EXPECT_EQ(compare->compare, "one");
  EXPECT_EQ(compare->compare_with, "two");
  EXPECT_EQ(error_of(parse_command("replay", {"one", "two"})),
            "takes one recording, found 2: gpuexec replay [options] RECORDING");
}

TEST(Commands, AdviceNamesTheNearestCommandOrAll) {
  EXPECT_EQ(find_command("serve")->name, "serve");
  EXPECT_FALSE(find_command("Serve"));
  EXPECT_EQ(advice_for("serv"), "did you mean 'gpuexec serve'?");
  EXPECT_EQ(advice_for("version"), "did you mean 'gpuexec --version'?");
  for (const char *word : {"hello", "wc", "a.out", "", "r"})
    EXPECT_THAT(advice_for(word), testing::StartsWith("commands: run, "))
        << word;
}

TEST(Environment, IsOursAndWhatWasAdded) {
  auto environment = [&](std::vector<const char *> arguments) {
    arguments.push_back("image");
    return parse(arguments, {"HOME=/home", "LANG=C", "ODD"}).job.environment;
  };
  EXPECT_THAT(environment({}), ElementsAre("HOME=/home", "LANG=C", "ODD"));
  EXPECT_THAT(environment({"--env", "NEW=a=b", "--env=LANG=de"}),
              ElementsAre("HOME=/home", "ODD", "NEW=a=b", "LANG=de"));
  EXPECT_THAT(environment({"--sandbox"}), ElementsAre());
  EXPECT_THAT(environment({"--sandbox", "--env", "LANG", "--env", "NONE",
                           "--env", "EMPTY="}),
              ElementsAre("LANG=C", "EMPTY="));
  EXPECT_THAT(environment({"--sandbox", "--env", "A=1", "--env", "A=2"}),
              ElementsAre("A=2"));
}

TEST(ServeSettings, EachOptionIsRead) {
  llvm::Expected<serve::Settings> settings =
      serve::parse_settings({"--device=cuda:1",
                             "--device",
                             "emulator",
                             "--workers=3",
                             "--spare=0",
                             "--memory-limit=2G",
                             "--time-limit=1.5",
                             "--jobs=4",
                             "--idle-exit",
                             "7",
                             "--socket=/x/y",
                             "--foreground",
                             "--listen=tcp://*:0",
                             "--listen",
                             "vsock://*:7",
                             "--key=/k",
                             "--certificate=/c",
                             "--certificate-key",
                             "/p",
                             "--authority=/a"});
  ASSERT_TRUE(bool(settings)) << llvm::toString(settings.takeError());
  EXPECT_THAT(settings->devices, testing::ElementsAre("cuda:1", "emulator"));
  EXPECT_EQ(settings->most_workers(false), 3u);
  EXPECT_EQ(settings->spare, 0u);
  EXPECT_EQ(settings->memory_limit, uint64_t(2) << 30);
  EXPECT_EQ(settings->time_limit->count(), 1.5);
  EXPECT_EQ(settings->jobs, 4u);
  EXPECT_EQ(settings->idle_exit->count(), 7.0);
  EXPECT_EQ(settings->socket, "/x/y");
  EXPECT_TRUE(settings->foreground);
  EXPECT_THAT(settings->listen,
              testing::ElementsAre("tcp://*:0", "vsock://*:7"));
  EXPECT_EQ(settings->credentials.key, "/k");
  EXPECT_EQ(settings->credentials.certificate, "/c");
  EXPECT_EQ(settings->credentials.certificate_key, "/p");
  EXPECT_EQ(settings->credentials.authority, "/a");
  for (const char *wrong :
       {"--workers=", "--workers=1025", "--spare=-1", "--memory-limit=0",
        "--time-limit=soon", "--socket=", "--device=toaster", "--now",
        "--listen=7070",
        "--key=", "--certificate=", "--certificate-key=", "--authority="})
    EXPECT_NE(error_of(serve::parse_settings({wrong})), "no error") << wrong;
}

} // namespace
