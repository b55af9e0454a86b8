//===-- toolchain/gpucc/plan.cpp - See plan.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/plan.h"
#include "toolchain/gpucc/arch.h"
#include "toolchain/gpucc/arguments.h"
#include "toolchain/gpucc/cuda_arguments.h"
#include "toolchain/gpucc/cuda_plan.h"
#include "toolchain/gpucc/inputs.h"
#include "toolchain/gpucc/libraries.h"
#include "toolchain/gpucc/ports.h"
#include "toolchain/gpucc/refused.h"
#include "toolchain/gpucc/self_run.h"
#include "toolchain/gpucc/tools.h"
#include <cstring>

namespace gpuexec {

namespace {

/// The processor that is compiled for, and the tools and folders to do it with.
struct Target {
  std::string arch;
  Vendor vendor = Vendor::amd;
  std::string root; ///< PREFIX/lib/gpuexec
  std::string triple;
  std::string config; ///< clang's configuration file for the triple
  std::string clang;
  std::string linker; ///< ld.lld; "": not needed, or the user names another
  std::string cuda;   ///< folder of the CUDA toolkit; "": none, or AMD
  Ports ports;

  bool nvidia() const { return vendor == Vendor::nvidia; }
};

/// Whether clang gives the linker bitcode (link-time optimisation) or objects.
struct Lto {
  bool on = true;
  bool forced = false; ///< on although the user said -fno-lto
};

Target choose_target(const Arguments &arguments, const Machine &machine,
                     std::string &problem) {
  Target target;
  target.arch = choose_arch(arguments.arch, machine, problem);
  if (!problem.empty())
    return target;
  target.vendor = *vendor_of(target.arch);
  target.root = machine.device_root(problem);
  target.triple = target.nvidia() ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa";
  target.config = target.root + "/" + target.triple + ".cfg";
  target.ports = find_ports(target.arch, machine);
  return target;
}

/// Finds clang and the linker, and checks everything that clang will need.
/// Returns what is missing or wrong, or "".
std::string find_problem(const Arguments &arguments, const Machine &machine,
                         Target &target) {
  if (int error = machine.cannot_read(target.config))
    return "no sysroot: " + target.config + ": " + strerror(error);
  if (arguments.ensemble && target.nvidia())
    return "-fensemble: only for AMD GPUs yet; gpuexec --ensemble runs "
           "programs "
           "without it, too";
  std::string problem;
  target.clang = find_clang(arguments.cpp, machine, problem);
  if (target.clang.empty())
    return problem;
  if (arguments.links() && !arguments.prints_commands)
    target.linker = find_linker(target.clang, arguments.clang, target.vendor,
                                machine, problem);
  if (!problem.empty())
    return problem;
  if (arguments.may_link)
    if (problem = check_inputs(arguments.clang, target.vendor, machine);
        !problem.empty())
      return problem;
  if (arguments.links() && !arguments.prints_commands)
    if (problem =
            check_libraries(arguments.clang,
                            {target.arch, target.root,
                             target.root + "/" + target.triple, target.ports},
                            machine);
        !problem.empty())
      return problem;
  if (arguments.shared && arguments.links())
    return "-shared: programs for GPUs are linked whole, there are no shared "
           "libraries (a static one, made with ar, will do)";
  return "";
}

/// argv[0] for clang, with which its messages begin: gpucc's name, but clang's
/// own path where clang finds its folder by argv[0].
std::string name_for_clang(const Arguments &arguments, const Target &target) {
  if (arguments.clang_is_named)
    return target.clang;
  return arguments.cpp ? "gpuc++" : "gpucc";
}

Lto choose_lto(const Arguments &arguments, const Target &target) {
  Lto lto;
  lto.on = !arguments.assembly;
  for (const std::string &argument : arguments.clang)
    if (argument.starts_with("-flto") || argument == "-fno-lto")
      lto.on = argument != "-fno-lto" && argument != "-flto=none";
  // For NVIDIA only ptxas makes objects other than bitcode. Where the link
  // makes PTX, without ptxas or because the user says so, bitcode serves as
  // well.
  lto.forced = !lto.on && target.nvidia() &&
               (target.cuda.empty() || arguments.emit_ptx) &&
               !arguments.assembly;
  lto.on |= lto.forced;
  return lto;
}

void add_nvidia(const Arguments &arguments, const Target &target,
                Command &clang) {
  auto &to = clang.arguments;
  // Always given, so that PTX and cubins do not depend on the CUDA toolkit that
  // clang finds.
  to.push_back(std::string("--cuda-feature=") + ptx_feature(target.arch));
  // clang takes a folder that has only the tools (Debian's /usr, or scripts
  // that start them) for CUDA 7.0 and would refuse it. If the tools are too
  // old, ptxas itself says so.
  if (!target.cuda.empty()) {
    to.push_back("--cuda-path=" + target.cuda);
    for (const char *argument :
         {"--start-no-unused-arguments", "--no-cuda-version-check",
          "--end-no-unused-arguments"})
      to.push_back(argument);
  }
  // With -fmax-type-align=1 clang derives alignment from the objects that it
  // knows, not from the types of pointers. Atomics keep their alignment
  // (align_atomics.cpp).
  if (arguments.unaligned_access)
    for (const char *argument :
         {"--start-no-unused-arguments", "-fmax-type-align=1",
          "-Wno-atomic-alignment", "-Wno-sync-alignment",
          "--end-no-unused-arguments"})
      to.push_back(argument);
  if (!arguments.links())
    return;
  if (arguments.emit_ptx || target.cuda.empty()) {
    to.push_back("-Wl,--lto-emit-asm");
    return;
  }
  // Recursion and calls through pointers are ordinary C; the loader sets the
  // stack's size.
  to.push_back("-Wl,--suppress-stack-size-warning");
  // clang-nvlink-wrapper cannot pass options to ptxas. It runs our script of
  // that name instead, which reads these variables.
  to.push_back("-Wl,--cuda-path=" + target.root + "/cuda");
  clang.variables = {{"GPUEXEC_CUDA", target.cuda},
                     {"GPUEXEC_REGISTERS", arguments.registers}};
}

/// gpucc-ld (toolchain/link) makes machine code in place of ld.lld.
void add_linker(const Arguments &arguments, const Target &target,
                Command &clang) {
  clang.arguments.push_back("--ld-path=" + target.root + "/gpucc-ld");
  clang.variables = {{"GPUEXEC_LLD", target.linker}};
  if (!arguments.block_threads.empty())
    clang.variables.emplace_back("GPUEXEC_BLOCK_THREADS",
                                 arguments.block_threads);
  if (!arguments.link_cache.empty())
    clang.variables.emplace_back("GPUEXEC_LINK_CACHE", arguments.link_cache);
  if (!arguments.link_jobs.empty())
    clang.variables.emplace_back("GPUEXEC_LINK_JOBS", arguments.link_jobs);
}

/// Does the command line have options with which clang keeps source lines
/// anyway?
bool tracks_lines(const Arguments &arguments) {
  for (const std::string &argument : arguments.clang)
    if (argument.find("optimization-record") != argument.npos ||
        argument.starts_with("-Rpass"))
      return true;
  return false;
}

/// May C++ throw? The last option says.
bool has_exceptions(const Arguments &arguments) {
  bool yes = true;
  for (const std::string &argument : arguments.clang)
    if (argument == "-fexceptions" || argument == "-fno-exceptions")
      yes = argument == "-fexceptions";
  return yes;
}

/// Adds the options for OpenMP: clang compiles it for GPUs only as the device
/// code of a host program.
void add_openmp(const Arguments &arguments, const Target &target,
                Command &clang) {
  auto &to = clang.arguments;
  for (const std::string &argument :
       {std::string("--start-no-unused-arguments"), std::string("-Xclang"),
        std::string("-fopenmp-is-target-device"),
        // Names a host whose types equal the target's: clang compares them.
        std::string("-Xclang"), std::string("-aux-triple"),
        std::string("-Xclang"), target.triple, std::string("-include"),
        std::string("gpuexec/openmp.h"),
        // An access of a threadprivate variable calls the runtime
        // (threadprivate.c).
        std::string("-fnoopenmp-use-tls"),
        // Without this, a constant 0, because clang compiles for a device.
        std::string("-fno-builtin-omp_is_initial_device"),
        // LLVM's OpenMP optimiser assumes that its own runtime is linked.
        std::string("-mllvm"), std::string("-openmp-opt-disable")})
    to.push_back(argument);
  if (!tracks_lines(arguments)) {
    // Makes clang tell the runtime the source lines of regions. The pass
    // strip_locations removes the lines of everything else.
    for (const char *argument :
         {"-Xclang", "-opt-record-passes", "-Xclang", "none"})
      to.push_back(argument);
  }
  if (has_exceptions(arguments)) // clang forgets it (frontend/allow_c.cpp)
    for (const char *argument :
         {"-Xclang", "-plugin-arg-gpuexec-c", "-Xclang", "exceptions"})
      to.push_back(argument);
  to.push_back("--end-no-unused-arguments");
  if (arguments.links())
    to.push_back("-Wl,-mllvm,-openmp-opt-disable");
}

/// Does the command line ask for waves of 64 lanes? RDNA's have 32 otherwise.
bool has_waves_of_64(const Arguments &arguments) {
  bool yes = false; // the last one counts
  for (const std::string &argument : arguments.clang)
    if (argument == "-mwavefrontsize64" || argument == "-mno-wavefrontsize64")
      yes = argument == "-mwavefrontsize64";
  return yes;
}

/// LLVM's attributor has a bug with the results of recursive calls. True at the
/// levels of optimisation, -O1 and -Og, at which the options in the AMD
/// configuration file do not avoid it.
bool attributor_errs(const Arguments &arguments) {
  std::string level;
  for (const std::string &argument : arguments.clang)
    if (argument.starts_with("-O"))
      level = argument;
  return level == "-O1" || level == "-O" || level == "-Og";
}

/// Is the language in a GNU mode, in which compilers for Unix define `unix`?
/// The ISO modes leave that name to the program.
bool is_gnu_mode(const Arguments &arguments) {
  std::string language = "gnu"; // clang's default
  const std::vector<std::string> &all = arguments.clang;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i] == "-ansi" || all[i] == "--ansi")
      language = "c";
    else if (all[i].starts_with("-std=") || all[i].starts_with("--std="))
      language = all[i].substr(all[i].find('=') + 1);
    else if (all[i] == "--std" && i + 1 < all.size())
      language = all[i + 1];
  return language.starts_with("gnu");
}

/// Does the link add C++'s library? A program gets only the parts that it uses.
bool needs_cxx_library(const Arguments &arguments) {
  if (!arguments.any_cxx || !arguments.links() || arguments.partial ||
      arguments.no_cxx_library)
    return false;
  for (const std::string &argument : arguments.clang)
    if (argument == "-nostdlib" || argument == "-nodefaultlibs")
      return false;
  return true;
}

Command clang_command(const Arguments &arguments, const Target &target) {
  Command clang;
  clang.program = target.clang;
  auto &to = clang.arguments;
  // The target is in the configuration too, but clang forgets that one when it
  // meets an option that it does not know.
  to = {name_for_clang(arguments, target),
        arguments.cpp ? "--driver-mode=g++" : "--driver-mode=gcc"};
  if (arguments.any_cxx) // before the other: C++'s headers come before C's
    to.push_back("--config=" + target.root + "/c++.cfg");
  to.push_back("--config=" + target.config);
  to.push_back("--target=" + target.triple);
  to.push_back((target.nvidia() ? "-march=" : "-mcpu=") + target.arch);
  if (target.nvidia())
    add_nvidia(arguments, target, clang);
  if (arguments.openmp)
    add_openmp(arguments, target, clang);
  if (arguments.assembly)
    to.push_back("-fno-lto"); // assembly, not bitcode's text
  const Lto lto = choose_lto(arguments, target);
  // LLVM's AMDGPU backend takes a declared function `printf` for OpenCL's.
  // Where the backend runs before the link, <stdio.h> gives ours another name.
  if (!lto.on && !target.nvidia())
    to.push_back("-D__GPUEXEC_NO_LTO__=1");
  if (is_gnu_mode(arguments))
    to.push_back("-Dunix=1");
  to.insert(to.end(), arguments.clang.begin(), arguments.clang.end());
  if (needs_cxx_library(arguments))
    to.push_back("-lstdc++"); // before the -lc of the configuration file
  if (lto.forced)
    to.push_back("-flto");
  if (lto.on && arguments.links() && !target.nvidia()) {
    if (attributor_errs(arguments))
      to.push_back("-Wl,-mllvm,-amdgpu-attributor-enable=false");
    if (!target.linker.empty())
      add_linker(arguments, target, clang);
  }
  if (arguments.ensemble && arguments.links() && !target.nvidia())
    to.push_back("-Wl,--undefined=__gpuexec_instance_layout");
  // The pass trap_divisions reads this variable, in clang or in the linker.
  if (arguments.unchecked_divisions && !target.nvidia())
    clang.variables.emplace_back("GPUEXEC_DIVISIONS", "unchecked");
  // The kernels are in the C library, which is bitcode for waves of any size:
  // the link chooses the size.
  if (arguments.links() && !target.nvidia() && has_waves_of_64(arguments))
    to.push_back("-Wl,-plugin-opt=-mattr=+wavefrontsize64");
  // After the user's options: -ffast-math switches it off, and without it the
  // link fails.
  to.push_back("-fmath-errno");
  return clang;
}

/// Lets clang look for headers and libraries of gpucc-port after all others.
void add_ports(const Arguments &arguments, const Target &target,
               const Machine &machine, Command &clang) {
  if (!target.ports.usable() ||
      machine.cannot_read(target.ports.folder + "/include"))
    return;
  auto &to = clang.arguments;
  to.push_back("--start-no-unused-arguments");
  to.push_back("-idirafter");
  to.push_back(target.ports.folder + "/include");
  if (arguments.links())
    to.push_back("-L" + target.ports.folder + "/lib");
  to.push_back("--end-no-unused-arguments");
}

/// Why --gpu-max-threads-per-block is not possible in this link, or "". It is
/// gpucc-ld that carries it out.
std::string cannot_limit_blocks(const Arguments &arguments,
                                const Target &target) {
  const std::string option = "--gpu-max-threads-per-block: ";
  if (target.nvidia())
    return option + target.arch + " is an NVIDIA GPU (see --maxrregcount)";
  if (!choose_lto(arguments, target).on)
    return option + "not with -fno-lto";
  if (target.linker.empty() && !arguments.prints_commands)
    return option + "not with another linker";
  return "";
}

/// Adds the steps after the link to the plan. Returns an error, or "".
std::string add_steps_after(const Arguments &arguments, const Target &target,
                            Plan &plan) {
  if (!arguments.links() || arguments.prints_commands)
    return "";
  const std::string output = output_of(arguments.clang);
  if (target.nvidia() && (arguments.emit_ptx || target.cuda.empty()))
    plan.checked_ptx = output;
  if (arguments.partial)
    return "";
  if (!arguments.self_run) {
    plan.plain_image = output;
    return "";
  }
  plan.self_run = output;
  plan.launcher =
      target.root.substr(0, target.root.rfind("/lib/gpuexec")) + "/bin/gpuexec";
  return "";
}

/// The text of --print-tools: for each program that gpucc starts, for either
/// vendor, a line "NAME<tab>PATH<tab>PROBLEM", with an empty PATH or PROBLEM.
std::string print_tools(const Machine &machine) {
  std::string text;
  auto add = [&](const char *name, const std::string &path,
                 const std::string &problem) {
    text += name + ("\t" + path) + "\t" + (path.empty() ? problem : "") + "\n";
  };
  std::string problem;
  const std::string clang = find_clang(false, machine, problem);
  add("clang", clang, problem);
  for (Vendor vendor : {Vendor::amd, Vendor::nvidia}) {
    std::string missing = problem;
    const std::string linker =
        clang.empty() ? "" : find_linker(clang, {}, vendor, machine, missing);
    add(vendor == Vendor::amd ? "ld.lld" : "clang-nvlink-wrapper", linker,
        missing);
  }
  std::string warning;
  const std::string cuda = find_cuda_tools(machine, warning);
  add("ptxas and nvlink", cuda.empty() ? "" : cuda + "/bin",
      warning.empty() ? "not found (the CUDA toolkit)" : warning);
  return text;
}

} // namespace

Plan plan(const std::vector<std::string> &argv, const Machine &machine) {
  if (means_cuda(argv) ||
      has_cuda_object({argv.begin() + 1, argv.end()}, machine))
    return cuda_plan(argv, machine);
  Plan plan;
  Arguments arguments = parse_arguments(argv, plan.error);
  if (!plan.error.empty())
    return plan;
  if (arguments.help) {
    plan.text = usage;
    return plan;
  }
  plan.error = refused_option(arguments.clang);
  if (!plan.error.empty())
    return plan;
  Target target = choose_target(arguments, machine, plan.error);
  if (!plan.error.empty())
    return plan;
  if (arguments.action == Arguments::PRINT_PORTS) {
    plan.text = target.ports.folder + "\n";
    plan.error = target.ports.problem;
    if (!plan.error.empty())
      plan.text.clear();
    return plan;
  }
  if (arguments.action != Arguments::COMPILE) {
    plan.text = arguments.action == Arguments::PRINT_ARCH ? target.arch + "\n"
                : arguments.action == Arguments::PRINT_CONFIG
                    ? target.config + "\n"
                    : print_tools(machine);
    return plan;
  }
  if (!arguments.plain_image)
    arguments.self_run |=
        machine.variable("GPUCC_SELF_RUN").value_or("0") != "0";
  plan.error = find_problem(arguments, machine, target);
  if (!plan.error.empty())
    return plan;
  if (arguments.version)
    plan.text_after = "gpucc " GPUEXEC_VERSION " (" + target.arch + ")\n";
  if (target.nvidia()) {
    std::string warning;
    target.cuda = find_cuda_tools(machine, warning);
    if (arguments.links() && !arguments.emit_ptx)
      plan.warning = warning;
  } else if (arguments.emit_ptx) {
    plan.error = "--emit-ptx: " + target.arch + " is an AMD GPU";
    return plan;
  }
  if (!arguments.block_threads.empty() && arguments.links())
    plan.error = cannot_limit_blocks(arguments, target);
  if (!plan.error.empty())
    return plan;
  plan.error = add_steps_after(arguments, target, plan);
  if (plan.error.empty()) {
    plan.clang = clang_command(arguments, target);
    plan.preprocessed_assembly = target.nvidia();
    add_ports(arguments, target, machine, *plan.clang);
  }
  return plan;
}

} // namespace gpuexec
