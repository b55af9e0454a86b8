//===-- loader/tests/options_test.cpp - What the user asked for -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/options.h"
#include "loader/command_line/units.h"
#include "loader/device/backend.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StrEq;

namespace {

Options parse(std::vector<const char *> argv,
              const char *default_device = nullptr) {
  llvm::Expected<Options> options = parse_options(argv, default_device);
  if (options)
    return std::move(*options);
  ADD_FAILURE() << llvm::toString(options.takeError());
  return {};
}

std::string error_of(std::vector<const char *> argv,
                     const char *default_device = nullptr) {
  llvm::Expected<Options> options = parse_options(argv, default_device);
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

TEST(Options, EverythingAfterTheImageIsTheProgramS) {
  Options options =
      parse({"--threads", "4", "image", "--threads", "5", "--help", ""});
  EXPECT_STREQ(options.image, "image");
  EXPECT_EQ(options.grid.threads[0], 4u);
  EXPECT_EQ(options.action, Options::Action::run);
  EXPECT_THAT(options.arguments, ElementsAre(StrEq("--threads"), StrEq("5"),
                                             StrEq("--help"), StrEq("")));
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
    EXPECT_EQ(parse(spelling).grid.threads[0], 8u) << spelling[0];
  }
}

TEST(Options, TheWholeGrid) {
  Options options =
      parse({"--threads-x=2", "--threads-y=3", "--threads-z=4", "--blocks-x=5",
             "--blocks-y=6", "--blocks-z=7", "image"});
  EXPECT_THAT(options.grid.threads, ElementsAre(2u, 3u, 4u));
  EXPECT_THAT(options.grid.blocks, ElementsAre(5u, 6u, 7u));
  EXPECT_EQ(parse({"--blocks", "9", "image"}).grid.blocks[0], 9u);
}

TEST(Options, StandardInputAndDoubleDash) {
  EXPECT_STREQ(parse({"-"}).image, "-");
  Options options = parse({"--", "--odd-name", "-x"});
  EXPECT_STREQ(options.image, "--odd-name");
  EXPECT_THAT(options.arguments, ElementsAre(StrEq("-x")));
}

TEST(Options, Devices) {
  EXPECT_FALSE(parse({"image"}).device.backend);
  EXPECT_STREQ(parse({"--device=cuda", "image"}).device.backend->name, "cuda");
  Options options = parse({"--device", "hsa:3", "image"});
  EXPECT_STREQ(options.device.backend->name, "hsa");
  EXPECT_EQ(options.device.index, 3u);
  EXPECT_FALSE(parse({"--device=hsa", "image"}).device.index);
  EXPECT_EQ(parse({"--device=emulator:1", "image"}).device.index, 1u);
  EXPECT_STREQ(parse({"image"}, "emulator").device.backend->name, "emulator");
  // The command line wins over the environment.
  EXPECT_FALSE(parse({"--device=auto", "image"}, "emulator").device.backend);
  EXPECT_THAT(error_of({"--device=gpu", "image"}),
              HasSubstr("no device 'gpu': expected auto, cuda[:N], hsa[:N]"));
  EXPECT_THAT(error_of({"--device=cuda:x", "image"}), HasSubstr("'cuda:x'"));
  EXPECT_THAT(error_of({"image"}, "nonsense"),
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
  EXPECT_EQ(parse({"--stack-size=16K", "image"}).settings.stack_size, 16384u);
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
  EXPECT_EQ(parse({"--timeout=500ms", "image"}).timeout, 0.5);
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
  Options options =
      parse({"--kernel=a", "--kernel", "b", "--sandbox", "--dir=/tmp:rw",
             "--dir", "/usr", "--service=./x.so", "image"});
  EXPECT_THAT(options.kernels, ElementsAre("a", "b"));
  ASSERT_EQ(options.directories.size(), 2u);
  EXPECT_EQ(options.directories[0].path, "/tmp");
  EXPECT_TRUE(options.directories[0].writable);
  EXPECT_EQ(options.directories[1].path, "/usr");
  EXPECT_FALSE(options.directories[1].writable);
  EXPECT_THAT(options.services, ElementsAre("./x.so"));
  EXPECT_EQ(options.directories[0].name, "");
  options = parse({"--sandbox", "--dir=data:/in", "--dir=a:b:/out:rw",
                   "--dir=odd:name:ro", "image"});
  ASSERT_EQ(options.directories.size(), 3u);
  EXPECT_EQ(options.directories[0].path, "data");
  EXPECT_EQ(options.directories[0].name, "/in");
  EXPECT_FALSE(options.directories[0].writable);
  EXPECT_EQ(options.directories[1].path, "a:b");
  EXPECT_EQ(options.directories[1].name, "/out");
  EXPECT_TRUE(options.directories[1].writable);
  EXPECT_EQ(options.directories[2].path, "odd:name");
  EXPECT_EQ(options.directories[2].name, "");
  EXPECT_EQ(error_of({"--sandbox", "--dir=:/in", "image"}),
            "--dir: ':/in' is not a directory, or HOST:/GUEST");
}

TEST(Options, Check) {
  EXPECT_EQ(parse({"image"}).check, "");
  EXPECT_EQ(parse({"--check", "image"}).check, "uninit");
  EXPECT_EQ(parse({"--check=uninit", "image"}).check, "uninit");
  EXPECT_EQ(error_of({"--check=everything", "image"}),
            "--check: unknown check 'everything' (known: uninit)");
}

TEST(Options, JitCache) {
  EXPECT_EQ(parse({"image"}).jit_cache, "");
  EXPECT_EQ(parse({"--jit-cache", "/tmp/x", "image"}).jit_cache, "/tmp/x");
  EXPECT_EQ(parse({"--jit-cache=off", "--sandbox", "image"}).jit_cache, "off");
}

TEST(Options, ActionsNeedNoImage) {
  EXPECT_EQ(parse({"--help"}).action, Options::Action::help);
  EXPECT_EQ(parse({"-h"}).action, Options::Action::brief_help);
  EXPECT_EQ(parse({"--version"}).action, Options::Action::version);
  EXPECT_EQ(parse({"--list-devices"}).action, Options::Action::list_devices);
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

/// What parse_options() makes of the words behind `command`.
llvm::Expected<Options> parse_command(Command command,
                                      std::vector<const char *> argv) {
  return parse_options(argv, nullptr, command);
}

TEST(Commands, NameRecordingsBehindTheirOptions) {
  llvm::Expected<Options> replay =
      parse_command(Command::replay, {"--until-call=3", "file"});
  ASSERT_TRUE(bool(replay)) << llvm::toString(replay.takeError());
  EXPECT_EQ(replay->replay, "file");
  EXPECT_EQ(replay->until_call, 3u);
  llvm::Expected<Options> compare =
      parse_command(Command::compare, {"one", "two"});
  ASSERT_TRUE(bool(compare)) << llvm::toString(compare.takeError());
  EXPECT_EQ(compare->compare, "one");
  EXPECT_EQ(compare->compare_with, "two");
  EXPECT_EQ(llvm::toString(
                parse_command(Command::replay, {"one", "two"}).takeError()),
            "takes one recording, found 2: gpuexec replay [options] RECORDING");
}

TEST(Commands, AdviceNamesTheNearestCommandOrAll) {
  EXPECT_EQ(find_command("serve"), Command::serve);
  EXPECT_FALSE(find_command("Serve"));
  EXPECT_EQ(advice_for("serv"), "did you mean 'gpuexec serve'?");
  EXPECT_EQ(advice_for("version"), "did you mean 'gpuexec --version'?");
  for (const char *word : {"hello", "wc", "a.out", "", "r"})
    EXPECT_THAT(advice_for(word), testing::StartsWith("commands: run, "))
        << word;
}

TEST(Environment, IsOursAndWhatWasAdded) {
  const char *ours[] = {"HOME=/home", "LANG=C", "ODD", nullptr};
  auto environment = [&](std::vector<const char *> arguments) {
    arguments.push_back("image");
    std::vector<std::string> entries;
    for (const char *entry : program_environment(parse(arguments), ours))
      entries.push_back(entry);
    return entries;
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

} // namespace
