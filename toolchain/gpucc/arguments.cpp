//===-- toolchain/gpucc/arguments.cpp - See arguments.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/arguments.h"
#include <cstdlib>
#include <optional>
#include <string_view>

namespace gpuexec {

const char usage[] =
    R"(usage: gpucc [--arch=ARCH] [clang options] file...

Compiles C (as gpuc++, C++) into a program for a GPU; run it with gpuexec.

  --arch=ARCH     gfx942, gfx90a, gfx9-4-generic ..., sm_70 ... sm_90 ...,
                  or native: this machine's GPU. Without it: native, or gfx942
                  where there is no GPU. -mcpu= and -march= mean the same.
  --emit-ptx      link to PTX text instead of a cubin (NVIDIA; what happens
                  anyway where ptxas and nvlink are missing)
  --maxrregcount=N
                  registers of a thread at most (NVIDIA): 128, with which a
                  block can have 512 threads, unless said; 64 allows 1024, 0
                  leaves it to ptxas
  --gpu-max-threads-per-block=N
                  threads of a block at most (AMD). Unless said, 1024 at -O0
                  and in a program that can tell threads from blocks
                  (<gpuintrin.h>, kernels, memory of a block, assembly); any
                  other is compiled for one thread, without masks of lanes, and
                  gpuexec launches a block for each of its --threads. With 1024
                  such a program's threads are lanes too. OpenMP: 256, and 1
                  in a program whose loops wait for other threads
  --link-cache=FOLDER
                  keep machine code there (AMD), instead of ~/.cache/gpuexec;
                  off: keep none. The next link makes what is new only
  --link-jobs=N   threads that make machine code (AMD): one per processor
  --self-run      make a program that starts gpuexec by itself (./a.out), for
                  make, CTest and configure; nothing where nothing is linked.
                  GPUCC_SELF_RUN=1 in the environment makes it the default of
                  a whole build; --no-self-run: a plain image all the same
  --no-division-check
                  at the link: an integer divided by zero gives a number (AMD).
                  Unless said, it ends the program with status 136 and a report
                  of the line, as on a CPU; so does the least number by -1
  --unaligned-access, -munaligned-access
                  expect words that are not aligned, as x86 accepts them,
                  behind every pointer (NVIDIA), not only behind cast ones:
                  memory is accessed byte by byte, and the code gets larger.
                  On AMD GPUs they work without
  -fensemble      make a program of which one launch runs thousands of instances
                  (AMD): gpuexec --ensemble. Each is one thread, with its own
                  variables, those of the C library too
  -fopenmp        compile OpenMP; its threads are the lanes of the whole grid
                  (gpuexec --threads, --blocks)
  --print-arch    print the processor that would be compiled for
  --print-config  print the clang configuration file that would be used
  --print-ports   print the folder in which libraries of gpucc-port are looked
                  for (gpucc-port help)
  --print-tools   print where clang, the linkers and CUDA's tools are found
  --help          this text (clang's own: clang-22 --help)
  --version       gpucc's and clang's versions

Everything else is clang's: -c -o -I -D -L -l -O0 ... -O3 -g -E -S -W -std= ...
A source that ends with .cu is CUDA C++, for programs of the host with kernels;
see gpu-nvcc --help.
)";

namespace {

/// The value of an option: the rest of `argument` after `name` ("--arch=");
/// nothing when `argument` is another option.
std::optional<std::string> value_of(std::string_view argument,
                                    std::string_view name) {
  if (!argument.starts_with(name))
    return std::nullopt;
  return std::string(argument.substr(name.size()));
}

/// Reads `count`, the value of --maxrregcount=. Returns "" for 0 (no bound).
/// On an error sets `problem`, which begins with `argument`.
std::string read_registers(const std::string &argument,
                           const std::string &count, std::string &problem) {
  char *end;
  const unsigned long number = strtoul(count.c_str(), &end, 10);
  if (count[0] < '0' || count[0] > '9' || *end || number > 255 ||
      (number && number < 24)) {
    problem =
        argument + ": not a number of registers (24 to 255, or 0 for no bound)";
    return "";
  }
  return number ? std::to_string(number) : "";
}

/// Reads `count`, a number of threads, 1 to 1024. On an error sets `problem`,
/// which begins with `argument`.
std::string read_threads(const std::string &argument, const std::string &count,
                         std::string &problem) {
  char *end;
  const unsigned long number = strtoul(count.c_str(), &end, 10);
  if (count[0] < '0' || count[0] > '9' || *end || number < 1 || number > 1024)
    problem = argument + ": not a number of threads (1 to 1024)";
  return count;
}

/// If `argument` is an option of gpucc's own, stores it in `to`; false for
/// every other argument.
bool take_own(const std::string &argument, Arguments &to,
              std::string &problem) {
  for (const char *name : {"--arch=", "-mcpu=", "-march="})
    if (auto arch = value_of(argument, name)) {
      to.arch = *arch;
      return true;
    }
  if (auto count = value_of(argument, "--maxrregcount="))
    to.registers = read_registers(argument, *count, problem);
  else if (auto folder = value_of(argument, "--link-cache=")) {
    to.link_cache = *folder;
    if (folder->empty())
      problem = argument + ": needs a folder, or off";
  } else if (auto count = value_of(argument, "--link-jobs="))
    to.link_jobs = read_threads(argument, *count, problem);
  else if (auto count = value_of(argument, "--gpu-max-threads-per-block="))
    to.block_threads = read_threads(argument, *count, problem);
  else if (argument == "--emit-ptx")
    to.emit_ptx = true;
  else if (argument == "--self-run" || argument == "--no-self-run") {
    to.self_run = argument == "--self-run";
    to.plain_image = !to.self_run;
  } else if (argument == "--no-division-check")
    to.unchecked_divisions = true;
  else if (argument == "--unaligned-access" ||
           argument == "-munaligned-access")
    to.unaligned_access = true;
  else if (argument == "--print-arch")
    to.action = Arguments::PRINT_ARCH;
  else if (argument == "--print-config")
    to.action = Arguments::PRINT_CONFIG;
  else if (argument == "--print-ports")
    to.action = Arguments::PRINT_PORTS;
  else if (argument == "--print-tools")
    to.action = Arguments::PRINT_TOOLS;
  else if (argument == "--help" || argument == "-h")
    to.help = true;
  else
    return false;
  return true;
}

/// May clang compile the file as C++, by its name? A response file (@FILE) may
/// name such files.
bool may_be_cxx(const std::string &file) {
  const size_t dot = file.rfind('.');
  if (file.starts_with('@') || dot == file.npos)
    return file.starts_with('@');
  const std::string ending = file.substr(dot + 1);
  for (const char *cxx :
       {"C",    "CC",  "cc",   "cp",   "cpp", "CPP", "cxx", "c++",
        "C++",  "ii",  "hh",   "HH",   "hpp", "hxx", "h++", "H",
        "cppm", "ccm", "c++m", "cxxm", "iim", "tcc", "txx", "inl"})
    if (ending == cxx)
      return true;
  return false;
}

/// Notes the facts that `argument`, an argument for clang that follows
/// `before`, tells about the command line.
void note_clang_argument(const std::string &before, const std::string &argument,
                         Arguments &to) {
  for (const char *stop : {"-c", "-E", "-S", "-fsyntax-only", "-M", "-MM"})
    if (argument == stop)
      to.may_link = false;
  to.assembly |= argument == "-S";
  to.version |= argument == "--version";
  to.prints_commands |= argument == "-###";
  to.shared |= argument == "-shared";
  to.partial |= argument == "-r" || argument == "-Wl,-r";
  if (argument == "-fopenmp" || argument.starts_with("-fopenmp="))
    to.openmp = true;
  if (argument == "-fno-openmp")
    to.openmp = false;
  to.clang_is_named |= argument == "-no-canonical-prefixes";
  const bool is_input = !argument.starts_with('-') || argument == "-";
  to.any_input |= is_input;
  to.any_cxx |= (is_input && may_be_cxx(argument)) ||
                argument.starts_with("-xc++") ||
                (before == "-x" && argument.starts_with("c++")) ||
                argument == "--driver-mode=g++";
}

} // namespace

Arguments parse_arguments(const std::vector<std::string> &argv,
                          std::string &problem) {
  Arguments arguments;
  const std::string name = argv[0].substr(argv[0].rfind('/') + 1);
  arguments.cpp = name.find("++") != std::string::npos;
  arguments.any_cxx = arguments.cpp;
  for (size_t i = 1; i < argv.size() && problem.empty(); ++i) {
    const std::string &argument = argv[i];
    if (argument == "--arch") {
      if (++i == argv.size())
        problem = "--arch: needs a value";
      else
        arguments.arch = argv[i];
    } else if (take_own(argument, arguments, problem)) {
      if (arguments.help)
        break;
    } else if (argument == "-fensemble" || argument == "-fno-ensemble") {
      arguments.ensemble = argument == "-fensemble";
    } else if (argument == "-rdynamic") {
      // Dropped: CMake passes it for every program with ENABLE_EXPORTS. No
      // shared library looks for a GPU program's symbols, and clang would warn
      // of an option without a meaning.
    } else if (argument == "-nostdlib++") {
      arguments.no_cxx_library = true; // plan() adds the library, not clang
    } else {
      note_clang_argument(argv[i - 1], argument, arguments);
      // gpucc has one OpenMP runtime: the name in -fopenmp=NAME is ignored.
      arguments.clang.push_back(argument.starts_with("-fopenmp=") ? "-fopenmp"
                                                                  : argument);
    }
  }
  return arguments;
}

} // namespace gpuexec
