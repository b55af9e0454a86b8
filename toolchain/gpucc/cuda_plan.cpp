//===-- toolchain/gpucc/cuda_plan.cpp - See cuda_plan.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/cuda_plan.h"
#include "toolchain/gpucc/cuda_arguments.h"
#include "toolchain/gpucc/cuda_uses.h"
#include "toolchain/gpucc/tools.h"
#include <algorithm>
#include <cstring>

namespace gpuexec {

const char cuda_usage[] =
    R"(usage: gpucc [options] file.cu...
       gpu-nvcc [options] file...

Compiles CUDA C++ into a program of this machine whose kernels run on an NVIDIA
GPU or, without one, on the emulated device. NVIDIA's toolkit is not needed.

  -arch=sm_80     the processor to make PTX for, from sm_50 on (sm_80 unless
                  said); later ones, and the emulated device, run it too
  -gencode arch=compute_75,code=sm_75, -code=sm_75
                  add machine code for sm_75, where ptxas is found
  -c -o -E -S -M -I -D -L -l -O2 -g -std= -W...   as for clang
  -ptx -fatbin -cubin   stop there
  -Xcompiler X    an option for the host's compilation; -Xlinker, -Xptxas
  -use_fast_math -fmad=false -ftz=true -lineinfo -G   as nvcc has them
  -shared         a shared library of the host
  --dry-run       print the commands instead

docs/cuda.md says what of CUDA is there.
)";

namespace {

/// Clang's warning of a CUDA toolkit that is newer than it knows, and its
/// version: none of its files are used.
constexpr const char *NO_TOOLKIT[] = {"-nocudainc", "-nocudalib",
                                      "-Wno-unknown-cuda-version"};
/// What nvcc takes, with a warning or without, and clang 22 refuses: the first
/// is in Thrust and CUB of before 2024, the others are in old programs.
constexpr const char *ALLOWED[] = {
    "-Wno-error=missing-template-arg-list-after-template-kw",
    "-Wno-error=register", "-Wno-error=c++11-narrowing",
    "-Wno-error=reserved-user-defined-literal"};
/// What clang would read from the toolkit: the launch of kernels and the
/// registration of fat binaries depend on it.
constexpr const char *TOOLKIT_VERSION = "-target-sdk-version=12.4";

/// The lowest PTX version for a processor that has all that CUDA 12.4 has.
const char *ptx_feature_for(unsigned processor) {
  return processor >= 120   ? "--cuda-feature=+ptx87"
         : processor >= 100 ? "--cuda-feature=+ptx86"
                            : "--cuda-feature=+ptx84";
}

std::string sm(unsigned processor) { return "sm_" + std::to_string(processor); }

class Planner {
public:
  Planner(const CudaArguments &arguments, const Machine &machine,
          const std::string &clang, const std::string &root)
      : arguments(arguments), machine(machine), clang(clang), root(root) {
    const auto folders = include_folders(arguments.both);
    for (const CudaArguments::Input &input : arguments.inputs)
      uses.push_back(input.is_cuda ? cuda_uses(input.path, folders, machine)
                                   : CudaUses());
  }

  void plan(Plan &to) {
    for (size_t i = 0; i < arguments.inputs.size() && to.error.empty(); ++i)
      compile(i, to);
    if (arguments.stop == CudaArguments::LINK && to.error.empty())
      to.steps.push_back(link());
    if (arguments.stop == CudaArguments::DEVICE_LINK && to.error.empty())
      to.steps.push_back(empty_object());
  }

private:
  std::string temporary(size_t input, const std::string &ending) const {
    return TEMPORARY_FOLDER + ("/" + std::to_string(input)) + ending;
  }

  /// -o, or the input's name with another ending, in the current folder.
  std::string output(size_t input, const std::string &ending) const {
    if (!arguments.output.empty())
      return arguments.output;
    std::string name = arguments.inputs[input].path;
    name = name.substr(name.rfind('/') + 1);
    return name.substr(0, name.rfind('.')) + ending;
  }

  /// What a link makes.
  std::string program() const {
    return arguments.output.empty() ? "a.out" : arguments.output;
  }

  /// The processors that there is PTX for, as nvcc tells them to the source.
  std::string architectures() const {
    std::string list;
    for (unsigned processor : arguments.ptx_for)
      list += (list.empty() ? "" : ",") + std::to_string(processor) + "0";
    return "-D__CUDA_ARCH_LIST__=" + list;
  }

  /// clang for one file: what the device's and the host's have in common.
  Command clang_command(size_t number) const {
    Command command{clang, {"gpucc", "--driver-mode=gcc"}, {}};
    auto &to = command.arguments;
    if (arguments.inputs[number].is_cuda) {
      to.insert(to.end(), std::begin(NO_TOOLKIT), std::end(NO_TOOLKIT));
      to.insert(to.end(), std::begin(ALLOWED), std::end(ALLOWED));
      to.insert(to.end(), {"-Xclang", TOOLKIT_VERSION, "-include",
                           root + "/cuda/include/gpuexec/compiler.h",
                           // clang's differs between device and host, and CUB
                           // puts it into the names of kernels.
                           "-U__CUDA_ARCH_LIST__", architectures()});
      if (uses[number].references)
        to.push_back("-DGPUEXEC_CUDA_REFERENCES");
      if (uses[number].managed) {
        const std::string plugin = root + "/cuda/libgpuexec-managed.so";
        to.insert(to.end(), {"-fplugin=" + plugin, "-fpass-plugin=" + plugin});
      }
    }
    // Without an #include of a system header they would be in front of C++'s.
    to.insert(to.end(), {"-isystem", root + "/cuda/include"});
    to.insert(to.end(), arguments.both.begin(), arguments.both.end());
    return command;
  }

  void add_input(const CudaArguments::Input &input, Command &command) const {
    auto &to = command.arguments;
    if (!input.language.empty())
      to.insert(to.end(), {"-x", input.language});
    to.push_back(input.path);
  }

  /// -MD and its like. In a link the rule is for the program, not for the
  /// temporary object, and its file has the program's name.
  void add_dependencies(std::vector<std::string> &to) const {
    const auto &options = arguments.dependencies;
    auto has = [&](const char *option) {
      return std::find(options.begin(), options.end(), option) != options.end();
    };
    to.insert(to.end(), options.begin(), options.end());
    if (arguments.stop != CudaArguments::LINK || !(has("-MD") || has("-MMD")))
      return;
    if (!has("-MT") && !has("-MQ"))
      to.insert(to.end(), {"-MQ", program()});
    if (!has("-MF"))
      to.insert(to.end(), {"-MF", program() + ".d"});
  }

  Command device_command(size_t number, unsigned processor,
                         const std::string &out) const {
    const auto &input = arguments.inputs[number];
    Command command = clang_command(number);
    auto &to = command.arguments;
    to.insert(to.end(),
              {"--cuda-device-only", "--cuda-gpu-arch=" + sm(processor),
               ptx_feature_for(processor),
               // Fuses what the user's code has, but not the math library's.
               "-ffp-contract=fast-honor-pragmas", "-Xclang",
               "-mlink-builtin-bitcode", "-Xclang", root + "/cuda/math.bc",
               "-fpass-plugin=" + root + "/cuda/libgpuexec-ptx-fixes.so"});
    to.insert(to.end(), arguments.device.begin(), arguments.device.end());
    if (arguments.stop == CudaArguments::SYNTAX)
      to.push_back("-fsyntax-only");
    else
      to.insert(to.end(), {"-S", "-o", out});
    add_input(input, command);
    return command;
  }

  Command host_command(size_t number, const char *stop,
                       const std::string &out) const {
    const auto &input = arguments.inputs[number];
    Command command = clang_command(number);
    auto &to = command.arguments;
    if (input.is_cuda)
      to.push_back("--cuda-host-only");
    const bool makes_code = !strcmp(stop, "-c") || !strcmp(stop, "-S");
    if (input.is_cuda && makes_code)
      to.insert(to.end(), {"-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                           temporary(number, ".fatbin")});
    if (arguments.shared && makes_code)
      to.push_back("-fPIC");
    to.insert(to.end(), arguments.host.begin(), arguments.host.end());
    add_dependencies(to);
    if (*stop)
      to.push_back(stop);
    if (!out.empty())
      to.insert(to.end(), {"-o", out});
    add_input(input, command);
    return command;
  }

  /// The cubin's command, or nothing where ptxas is missing.
  std::optional<Command> ptxas_command(const std::string &ptx,
                                       unsigned processor,
                                       const std::string &out) const {
    std::string warning;
    const std::string folder = find_cuda_tools(machine, warning);
    if (folder.empty())
      return std::nullopt;
    Command command{folder + "/bin/ptxas",
                    {"ptxas", "-arch=" + sm(processor), "-o", out, ptx},
                    {}};
    if (arguments.relocatable)
      command.arguments.push_back("-c");
    command.arguments.insert(command.arguments.end(), arguments.ptxas.begin(),
                             arguments.ptxas.end());
    return command;
  }

  /// The latest processor with PTX whose PTX runs on this one.
  unsigned ptx_source(unsigned processor) const {
    auto after = arguments.ptx_for.upper_bound(processor);
    return after == arguments.ptx_for.begin() ? *after : *std::prev(after);
  }

  /// PTX, machine code and the fat binary of one file.
  void make_fatbin(size_t number, const std::string &out, Plan &to) const {
    Command fatbin{root + "/gpucc-fatbin", {"gpucc-fatbin"}, {}};
    if (arguments.relocatable)
      fatbin.arguments.push_back("--relocatable");
    fatbin.arguments.push_back(out);
    auto add = [&](const char *kind, unsigned processor,
                   const std::string &file) {
      fatbin.arguments.push_back(kind + ("," + std::to_string(processor)) +
                                 "," + file);
    };
    for (unsigned processor : arguments.ptx_for) {
      const std::string ptx = temporary(number, "." + sm(processor) + ".ptx");
      to.steps.push_back(device_command(number, processor, ptx));
    }
    for (unsigned processor : arguments.cubin_for) {
      const std::string cubin =
          temporary(number, "." + sm(processor) + ".cubin");
      const unsigned source = ptx_source(processor);
      auto command = ptxas_command(temporary(number, "." + sm(source) + ".ptx"),
                                   processor, cubin);
      if (!command)
        break;
      to.steps.push_back(*command);
      add("cubin", processor, cubin);
    }
    for (unsigned processor : arguments.ptx_for)
      add("ptx", processor, temporary(number, "." + sm(processor) + ".ptx"));
    to.steps.push_back(fatbin);
  }

  void compile(size_t number, Plan &to) const {
    const bool is_cuda = arguments.inputs[number].is_cuda;
    const unsigned first = *arguments.ptx_for.begin();
    switch (arguments.stop) {
    case CudaArguments::PTX:
      if (is_cuda)
        to.steps.push_back(
            device_command(number, first, output(number, ".ptx")));
      return;
    case CudaArguments::FATBIN:
      if (is_cuda)
        make_fatbin(number, output(number, ".fatbin"), to);
      return;
    case CudaArguments::CUBIN:
      return make_cubin(number, to);
    case CudaArguments::SYNTAX:
      if (is_cuda)
        to.steps.push_back(device_command(number, first, ""));
      to.steps.push_back(host_command(number, "-fsyntax-only", ""));
      return;
    case CudaArguments::PREPROCESS:
      to.steps.push_back(host_command(number, "-E", arguments.output));
      return;
    case CudaArguments::DEPENDENCIES:
      to.steps.push_back(host_command(number, "", arguments.output));
      return;
    default:
      break;
    }
    if (is_cuda)
      make_fatbin(number, temporary(number, ".fatbin"), to);
    const bool assembly = arguments.stop == CudaArguments::ASSEMBLY;
    const std::string out = arguments.stop == CudaArguments::LINK
                                ? temporary(number, ".o")
                                : output(number, assembly ? ".s" : ".o");
    to.steps.push_back(host_command(number, assembly ? "-S" : "-c", out));
  }

  void make_cubin(size_t number, Plan &to) const {
    const unsigned processor = arguments.cubin_for.empty()
                                   ? *arguments.ptx_for.begin()
                                   : *arguments.cubin_for.begin();
    const std::string ptx = temporary(number, ".ptx");
    auto command = ptxas_command(ptx, processor, output(number, ".cubin"));
    if (!command) {
      to.error = "-cubin: ptxas not found, which is part of the CUDA toolkit "
                 "(-ptx and -fatbin work without)";
      return;
    }
    to.steps.push_back(device_command(number, ptx_source(processor), ptx));
    to.steps.push_back(*command);
  }

  /// What is linked in the place of a library of CUDA's or GCC's; "": nothing
  /// is. No value: the option stays.
  static std::optional<std::string> own_library(std::string_view option) {
    static constexpr struct {
      std::string_view name, ours;
      bool has_static = false; ///< the toolkit has NAME_static, too
    } LIBRARIES[] = {
        {"-lcuda", "-l:libcuda.so.1"},
        {"-lcudart", "-l:libcudart.so.12", true},
        {"-lcurand", "-l:libcurand.so.10", true},
        {"-lcublas", "-l:libcublas.so.12", true},
        {"-lcublasLt", "-l:libcublasLt.so.12", true},
        {"-lcufft", "-l:libcufft.so.11", true},
        {"-lcusolver", "-l:libcusolver.so.11", true},
        {"-lnvidia-ml", "-l:libnvidia-ml.so.1"},
        // clang's OpenMP has the functions of GCC's library, too.
        {"-lgomp", "-fopenmp"},
        // There is nothing to link: NVTX is headers alone.
        {"-lcudadevrt", ""},
        {"-lculibos", ""},
        {"-lnvToolsExt", ""},
    };
    for (const auto &[name, ours, has_static] : LIBRARIES)
      if (option == name || (has_static && option.starts_with(name) &&
                             option.substr(name.size()) == "_static"))
        return std::string(ours);
    return std::nullopt;
  }

  /// What -dlink makes: libcudart links device code when it is needed.
  Command empty_object() const {
    const std::string &out = arguments.output;
    return {clang,
            {"gpucc", "-c", "-x", "c", "/dev/null", "-o",
             out.empty() ? "a_dlink.o" : out},
            {}};
  }

  Command link() const {
    Command command{clang, {"gpucc", "--driver-mode=g++"}, {}};
    auto &to = command.arguments;
    if (arguments.shared)
      to.push_back("-shared");
    to.insert(to.end(), arguments.host.begin(), arguments.host.end());
    to.push_back("--start-no-unused-arguments");
    for (const std::string &option : arguments.both)
      if (option.starts_with("-O") || option.starts_with("-f"))
        to.push_back(option);
    to.push_back("--end-no-unused-arguments");
    to.insert(to.end(), {"-o", program()});
    const std::string libraries = root + "/cuda";
    to.push_back("-L" + libraries);
    for (const CudaArguments::LinkItem &item : arguments.link)
      if (item.input >= 0)
        to.push_back(temporary((size_t)item.input, ".o"));
      else if (auto own = own_library(item.text); !own)
        to.push_back(item.text);
      else if (!own->empty())
        to.push_back(*own);
    if (arguments.cudart)
      to.insert(to.end(), {"-l:libcudart.so.12", "-Wl,-rpath," + libraries});
    return command;
  }

  const CudaArguments &arguments;
  const Machine &machine;
  const std::string clang, root;
  std::vector<CudaUses> uses; ///< of each input
};

/// What is wrong with the command line as a whole, or "".
std::string find_problem(const CudaArguments &arguments,
                         const std::string &root, const Machine &machine) {
  if (arguments.inputs.empty() && arguments.link.empty())
    return "no input files";
  if (arguments.stop != CudaArguments::LINK && !arguments.output.empty() &&
      arguments.inputs.size() > 1)
    return "-o: names one file, but there are " +
           std::to_string(arguments.inputs.size()) + " inputs and no link";
  for (const char *file : {"/cuda/math.bc", "/cuda/libgpuexec-ptx-fixes.so",
                           "/cuda/include/cuda_runtime.h"})
    if (int error = machine.cannot_read(root + file))
      return "no sysroot for CUDA: " + root + file + ": " + strerror(error);
  const std::string cudart = root + "/cuda/libcudart.so.12";
  if (arguments.stop == CudaArguments::LINK && arguments.cudart &&
      !arguments.dry_run)
    if (int error = machine.cannot_read(cudart))
      return "no runtime library: " + cudart + ": " + strerror(error);
  return "";
}

} // namespace

Plan cuda_plan(const std::vector<std::string> &argv, const Machine &machine) {
  Plan plan;
  if (std::find(argv.begin(), argv.end(), "--help") != argv.end()) {
    plan.text = cuda_usage;
    return plan;
  }
  const auto native = machine.native_arch();
  const CudaArguments arguments = parse_cuda_arguments(
      argv, native && native->starts_with("sm_") ? *native : "", plan.error);
  if (!plan.error.empty())
    return plan;
  const std::string root = machine.device_root(plan.error);
  const std::string clang =
      plan.error.empty() ? find_clang(false, machine, plan.error) : "";
  if (!plan.error.empty())
    return plan;
  if (arguments.version) {
    plan.clang = Command{clang, {"gpucc", "--version"}, {}};
    plan.text_after = "gpucc " GPUEXEC_VERSION " (CUDA 12.4)\n";
    return plan;
  }
  plan.error = find_problem(arguments, root, machine);
  if (!plan.error.empty())
    return plan;
  plan.dry_run = arguments.dry_run;
  Planner(arguments, machine, clang, root).plan(plan);
  return plan;
}

} // namespace gpuexec
