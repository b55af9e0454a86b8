//===-- toolchain/gpucc/gpucc.cpp - A C compiler for GPUs -----------------===//
// Picks the processor, then becomes clang 22 with the configuration file of its
// triple, which adds headers, start-up code and C library; every argument that
// is not gpucc's own reaches clang as it is.
//===----------------------------------------------------------------------===//
#include "arch.h"
#include "inputs.h"
#include "ptx_link.h"
#include "self_run.h"
#include "tools.h"
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

using namespace gpuexec;

namespace {

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
  --self-run      make a program that starts gpuexec by itself (./a.out), for
                  make, CTest and configure; nothing where nothing is linked
  --print-arch    print the processor that would be compiled for
  --print-config  print the clang configuration file that would be used
  --help          this text (clang's own: clang-22 --help)
  --version       gpucc's and clang's versions

Everything else is clang's: -c -o -I -D -L -l -O0 ... -O3 -g -E -S -W -std= ...
)";

[[noreturn]] void fail(const std::string &message) {
  fprintf(stderr, "gpucc: error: %s\n", message.c_str());
  exit(1);
}

/// build/bin/gpucc -> build/lib/gpuexec
std::string find_device_root() {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    fail(std::string("cannot find my own executable: ") + strerror(errno));
  std::string bin(self, (size_t)length);
  bin.resize(bin.rfind('/'));
  return bin.substr(0, bin.rfind('/')) + "/lib/gpuexec";
}

/// Takes "--name=value" apart; null when `argument` is another option.
const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 ? argument + length : nullptr;
}

/// The lowest PTX version that knows the processor and has alloca, for arrays
/// of variable length: what older drivers (465 and later) read.
const char *ptx_feature(std::string_view arch) {
  int number = atoi(std::string(arch.substr(3)).c_str());
  struct {
    int arch;
    const char *feature;
  } const first[] = {{120, "+ptx87"},
                     {100, "+ptx86"},
                     {90, "+ptx78"},
                     {89, "+ptx78"},
                     {87, "+ptx74"}};
  for (auto &entry : first)
    if (number >= entry.arch)
      return entry.feature;
  return "+ptx73";
}

struct Options {
  std::string arch = "default";
  std::string registers = "128"; ///< of a thread at most; "": no bound
  bool emit_ptx = false, links = true, any_input = false, is_version = false;
  bool assembly = false, self_run = false, shared = false;
  bool prints_commands = false;   ///< -###, and runs none of them
  std::vector<const char *> rest; ///< clang's
};

Options parse(int argc, char **argv, std::string &print) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (const char *arch = value_of(argument, "--arch=")) {
      options.arch = arch;
    } else if (!strcmp(argument, "--arch")) {
      if (++i == argc)
        fail("--arch: needs a value");
      options.arch = argv[i];
    } else if (const char *arch = value_of(argument, "-mcpu=")) {
      options.arch = arch;
    } else if (const char *arch = value_of(argument, "-march=")) {
      options.arch = arch;
    } else if (const char *count = value_of(argument, "--maxrregcount=")) {
      char *end;
      const unsigned long number = strtoul(count, &end, 10);
      if (*count < '0' || *count > '9' || *end || number > 255 ||
          (number && number < 24))
        fail(std::string(argument) +
             ": not a number of registers (24 to 255, or 0 for no bound)");
      options.registers = number ? std::to_string(number) : "";
    } else if (!strcmp(argument, "--emit-ptx")) {
      options.emit_ptx = true;
    } else if (!strcmp(argument, "--self-run")) {
      options.self_run = true;
    } else if (!strcmp(argument, "--print-arch") ||
               !strcmp(argument, "--print-config")) {
      print = argument;
    } else if (!strcmp(argument, "--help") || !strcmp(argument, "-h")) {
      fputs(usage, stdout);
      exit(0);
    } else {
      for (const char *stop : {"-c", "-E", "-S", "-fsyntax-only", "-M", "-MM"})
        if (!strcmp(argument, stop))
          options.links = false;
      if (!strcmp(argument, "-S"))
        options.assembly = true;
      if (!strcmp(argument, "--version"))
        options.is_version = true;
      if (!strcmp(argument, "-###"))
        options.prints_commands = true;
      if (!strcmp(argument, "-shared"))
        options.shared = true;
      if (*argument != '-' || !argument[1])
        options.any_input = true;
      options.rest.push_back(argument);
    }
  }
  return options;
}

/// Resolves "default" and "native" and checks the name.
std::string choose_arch(const std::string &wanted) {
  std::string arch = wanted;
  if (arch == "native") {
    auto native = native_arch();
    if (!native)
      fail("--arch=native: no GPU found on this machine (name one: "
           "--arch=gfx942, --arch=sm_90)");
    arch = *native;
  } else if (arch == "default") {
    arch = native_arch().value_or("gfx942");
  }
  if (!vendor_of(arch))
    fail("--arch=" + wanted +
         ": not a GPU's name; AMD's begin with gfx, NVIDIA's with sm_");
  if (vendor_of(arch) == Vendor::nvidia && atoi(arch.c_str() + 3) < 70)
    fail("--arch=" + wanted + ": sm_70 is the oldest that is supported");
  return arch;
}

/// The name under which clang is started: its errors begin with it. Where it is
/// told to find its own folder by that name it must be clang's.
std::string name_for_clang(const Options &options, bool cpp,
                           const std::string &clang) {
  for (const char *argument : options.rest)
    if (!strcmp(argument, "-no-canonical-prefixes"))
      return clang;
  return cpp ? "gpuc++" : "gpucc";
}

} // namespace

int main(int argc, char **argv) {
  std::string print;
  Options options = parse(argc, argv, print);
  const char *slash = strrchr(argv[0], '/');
  const std::string name = slash ? slash + 1 : argv[0];
  const bool cpp = name.find("++") != std::string::npos;

  const std::string arch = choose_arch(options.arch);
  const bool nvidia = vendor_of(arch) == Vendor::nvidia;
  const std::string root = find_device_root();
  const std::string triple =
      nvidia ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa";
  const std::string config = root + "/" + triple + ".cfg";
  if (print == "--print-arch")
    return puts(arch.c_str()) < 0;
  if (print == "--print-config")
    return puts(config.c_str()) < 0;
  if (access(config.c_str(), R_OK) != 0)
    fail("no sysroot: " + config + ": " + strerror(errno));

  const Vendor vendor = nvidia ? Vendor::nvidia : Vendor::amd;
  const bool links = options.links && options.any_input;
  std::string problem, warning;
  const std::string clang = find_clang(cpp, problem);
  if (clang.empty())
    fail(problem);
  if (links && !options.prints_commands)
    if (problem = missing_linker(clang, options.rest, vendor); !problem.empty())
      fail(problem);
  if (options.links)
    if (problem = check_inputs(options.rest, vendor); !problem.empty())
      fail(problem);
  if (options.shared && links)
    fail("-shared: programs for GPUs are linked whole, there are no shared "
         "libraries (a static one, made with ar, will do)");
  if (options.is_version) {
    printf("gpucc " GPUEXEC_VERSION " (%s)\n", arch.c_str());
    fflush(stdout);
  }

  // The target is in the configuration too, but clang forgets that one when it
  // meets an option that it does not know.
  std::vector<std::string> arguments = {
      name_for_clang(options, cpp, clang),
      cpp ? "--driver-mode=g++" : "--driver-mode=gcc", "--config=" + config,
      "--target=" + triple, (nvidia ? "-march=" : "-mcpu=") + arch};
  const std::string tools = nvidia ? find_cuda_tools(warning) : "";
  if (nvidia) {
    const bool ptx = options.emit_ptx || tools.empty();
    if (links && !options.emit_ptx && !warning.empty())
      fprintf(stderr, "gpucc: warning: %s\n", warning.c_str());
    // Said in any case, so that PTX and cubins do not depend on which toolkit
    // clang finds.
    arguments.push_back(std::string("--cuda-feature=") + ptx_feature(arch));
    // clang takes a folder that has the tools and no more (Debian's /usr, or
    // scripts that start them) for a CUDA 7.0; ptxas says itself what it lacks.
    if (!tools.empty()) {
      arguments.push_back("--cuda-path=" + tools);
      for (const char *argument :
           {"--start-no-unused-arguments", "--no-cuda-version-check",
            "--end-no-unused-arguments"})
        arguments.push_back(argument);
    }
    // Recursion and calls through pointers are ordinary C; the loader sets the
    // stack's size.
    if (links) {
      arguments.push_back(ptx ? "-Wl,--lto-emit-asm"
                              : "-Wl,--suppress-stack-size-warning");
      // What runs ptxas has no way to pass it options.
      if (!ptx) {
        arguments.push_back("-Wl,--cuda-path=" + root + "/cuda");
        setenv("GPUEXEC_CUDA", tools.c_str(), 1);
        setenv("GPUEXEC_REGISTERS", options.registers.c_str(), 1);
      }
    }
  } else if (options.emit_ptx) {
    fail("--emit-ptx: " + arch + " is an AMD GPU");
  }
  if (options.assembly)
    arguments.push_back("-fno-lto"); // assembly, not bitcode's text
  // LLVM's backend for AMD GPUs makes OpenCL's printf of a declaration with
  // that name; where it meets one before the link, <stdio.h> gives ours
  // another.
  bool lto = !options.assembly;
  for (const std::string argument : options.rest)
    if (argument.rfind("-flto", 0) == 0 || argument == "-fno-lto")
      lto = argument != "-fno-lto" && argument != "-flto=none";
  // Only ptxas makes other objects than bitcode; a machine that has none links
  // PTX, for which bitcode does as well.
  const bool takes_lto_back =
      !lto && nvidia && tools.empty() && !options.assembly;
  lto = lto || takes_lto_back;
  if (!lto)
    arguments.push_back("-fpass-plugin=" + root + "/libgpuexec-passes.so");
  if (!lto && !nvidia)
    arguments.push_back("-D__GPUEXEC_NO_LTO__=1");
  for (const char *argument : options.rest)
    arguments.push_back(argument);
  if (takes_lto_back)
    arguments.push_back("-flto");
  // -ffast-math would switch it off again, and then nothing links.
  arguments.push_back("-fmath-errno");

  std::vector<char *> raw;
  for (std::string &argument : arguments)
    raw.push_back(argument.data());
  raw.push_back(nullptr);
  const bool links_ptx = links && nvidia && (options.emit_ptx || tools.empty());
  if ((options.self_run || links_ptx) && links && !options.prints_commands) {
    const std::string launcher =
        root.substr(0, root.rfind("/lib/gpuexec")) + "/bin/gpuexec";
    if (options.self_run)
      if (problem = unfit_for_first_line(launcher); !problem.empty())
        fail(problem);
    const std::string output = output_of(options.rest);
    if (int status = run_clang(clang, raw.data()))
      return status;
    if (links_ptx)
      if (int status = check_linked_ptx(output))
        return status;
    return options.self_run ? make_self_run(output, launcher) : 0;
  }
  execv(clang.c_str(), raw.data());
  fail(clang + ": " + strerror(errno));
}
