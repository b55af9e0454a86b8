//===-- toolchain/gpucc/cuda_arguments.cpp - See cuda_arguments.h ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/cuda_arguments.h"
#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace gpuexec {
namespace {

// NOLINTBEGIN(readability-identifier-naming): the words of cuda_options.def
enum class CudaOption {
  ARCH,
  CODE,
  GENCODE,
  OUTPUT,
  LANGUAGE,
  STANDARD,
  STOP_OBJECT,
  STOP_ASSEMBLY,
  STOP_PREPROCESS,
  STOP_SYNTAX,
  STOP_DEPENDENCIES,
  STOP_PTX,
  STOP_FATBIN,
  STOP_CUBIN,
  STOP_DEVICE_LINK,
  STOP_RELOCATABLE,
  RELOCATABLE,
  STOP_LINK,
  SHARED,
  CUDART,
  FOR_HOST,
  FOR_LINKER,
  FOR_PTXAS,
  REGISTERS,
  FAST_MATH,
  FLUSH,
  PRECISE_DIVISION,
  PRECISE_ROOT,
  FUSE,
  DEVICE_DEBUG,
  LINES,
  DEBUG,
  OPTIMIZE,
  DRY_RUN,
  COMPILE,
  INCLUDE,
  INCLUDE_PATH,
  SYSTEM_INCLUDE,
  DEFINE,
  UNDEFINE,
  LIBRARY,
  LIBRARY_PATH,
  LINK,
  HOST,
  DEPENDENCY,
  NO_WARNINGS,
  WARNINGS_AS_ERRORS,
  VERBOSE,
  IGNORED,
  REFUSED
};
// NOLINTEND(readability-identifier-naming)

enum Value { NONE, NEEDED };

struct Row {
  std::string_view names; ///< separated by spaces
  Value value;
  CudaOption meaning;
  std::string_view why = "";
};

constexpr Row ROWS[] = {
#define CUDA_OPTION(NAMES, VALUE, MEANING) {NAMES, VALUE, CudaOption::MEANING},
#define CUDA_IGNORED(NAMES, VALUE) {NAMES, VALUE, CudaOption::IGNORED},
#define CUDA_REFUSED(NAMES, VALUE, WHY)                                        \
  {NAMES, VALUE, CudaOption::REFUSED, WHY},
#include "toolchain/gpucc/cuda_options.def"
};

bool has_name(const Row &row, std::string_view name) {
  for (size_t begin = 0; begin < row.names.size();) {
    const size_t end = std::min(row.names.find(' ', begin), row.names.size());
    if (row.names.substr(begin, end - begin) == name)
      return true;
    begin = end + 1;
  }
  return false;
}

/// The row of an option: its whole text, or the part before "=".
const Row *find_row(std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  for (const Row &row : ROWS)
    if (has_name(row, argument) || (name.size() < argument.size() &&
                                    row.value == NEEDED && has_name(row, name)))
      return &row;
  return nullptr;
}

/// The words of a list as nvcc takes it: between commas, or between spaces, as
/// nvcc hands them to a shell.
std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find_first_of(", \t", begin), list.size());
    if (end > begin)
      parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool ends_with_any(const std::string &path,
                   std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](auto ending) { return path.ends_with(ending); });
}

/// An object or a library: for the linker, whatever -x says.
bool is_for_linker(const std::string &path) {
  return ends_with_any(path, {".o", ".a", ".so", ".lo", ".obj"}) ||
         path.find(".so.") != path.npos;
}

class Reader {
public:
  Reader(const std::string &native, CudaArguments &to, std::string &problem)
      : native(native), to(to), problem(problem) {}

  void read(const std::vector<std::string> &argv) {
    for (size_t i = 1; i < argv.size() && problem.empty(); ++i) {
      const std::string &argument = argv[i];
      if (argument.size() < 2 || argument[0] != '-') {
        add_input(argument);
        continue;
      }
      const Row *row = find_row(argument);
      if (!row) {
        add_clang_option(argument);
        continue;
      }
      std::string value;
      const size_t equals = argument.find('=');
      if (row->value == NEEDED && equals != argument.npos)
        value = argument.substr(equals + 1);
      else if (row->value == NEEDED && i + 1 == argv.size())
        problem = argument + ": needs a value";
      else if (row->value == NEEDED)
        value = argv[++i];
      if (problem.empty())
        take(*row, argument, value);
    }
    finish();
  }

private:
  void add_input(const std::string &path) {
    if (is_for_linker(path)) {
      to.link.push_back({path});
      return;
    }
    const bool is_cuda =
        language.empty() ? path.ends_with(".cu") : language == "cuda";
    to.link.push_back({"", (int)to.inputs.size()});
    to.inputs.push_back({path, is_cuda, is_cuda ? "cuda" : language});
  }

  /// An option of clang's that is no row of the table.
  void add_clang_option(const std::string &argument) {
    if (argument == "--version")
      to.version = true;
    else if (argument.starts_with("-Wl,") || argument.starts_with("-l") ||
             argument.starts_with("-L") || argument.starts_with("-fuse-ld="))
      to.link.push_back({argument});
    else if (argument.starts_with("-march=sm_"))
      take_arch(argument, argument.substr(7));
    else if (argument.starts_with("-march=") || argument.starts_with("-mtune="))
      to.host.push_back(argument);
    else if (argument.starts_with("-xcuda"))
      language = "cuda";
    else {
      optimizes |= argument.starts_with("-O");
      to.both.push_back(argument);
    }
  }

  /// 80 for sm_80 and compute_80; 0, with a problem, for other names.
  unsigned number_of(const std::string &option, std::string name) {
    if (name == "native")
      name = native.empty() ? "sm_80" : native;
    if (name.starts_with("all"))
      name = "sm_80";
    const size_t at = name.starts_with("sm_")        ? 3
                      : name.starts_with("compute_") ? 8
                                                     : 0;
    const int number = at ? atoi(name.c_str() + at) : 0;
    if (number < 50)
      problem = option + ": not a processor of CUDA from sm_50 on: " + name;
    return (unsigned)number;
  }

  void take_arch(const std::string &option, const std::string &names) {
    for (const std::string &name : split(names))
      to.ptx_for.insert(number_of(option, name));
  }

  /// "sm_80" or "[sm_80,compute_80]": machine code for sm_80. PTX is made
  /// anyway.
  void take_code(const std::string &option, std::string names) {
    std::erase_if(names, [](char c) { return c == '[' || c == ']'; });
    for (const std::string &name : split(names))
      if (const unsigned number = number_of(option, name);
          name.starts_with("sm_"))
        to.cubin_for.insert(number);
  }

  /// "arch=compute_75,code=[sm_75,compute_75]".
  void take_gencode(const std::string &option, const std::string &value) {
    const size_t code = value.find(",code=");
    if (!value.starts_with("arch="))
      problem = option + ": not arch=compute_NN,code=sm_NN";
    else
      take_arch(option, value.substr(5, code == value.npos ? code : code - 5));
    if (code != value.npos)
      take_code(option, value.substr(code + 6));
  }

  void take_switch(const std::string &option, const std::string &value,
                   std::vector<std::string> if_true,
                   std::vector<std::string> if_false) {
    const bool yes = value == "true";
    if (!yes && value != "false")
      problem = option + ": neither true nor false";
    const auto &chosen = yes ? if_true : if_false;
    to.device.insert(to.device.end(), chosen.begin(), chosen.end());
  }

  void add(std::vector<std::string> &list,
           std::initializer_list<std::string> words) {
    list.insert(list.end(), words);
  }

  void take(const Row &row, const std::string &argument,
            const std::string &value) {
    switch (row.meaning) {
    case CudaOption::ARCH:
      return take_arch(argument, value);
    case CudaOption::CODE:
      return take_code(argument, value);
    case CudaOption::GENCODE:
      return take_gencode(argument, value);
    case CudaOption::OUTPUT:
      to.output = value;
      return;
    case CudaOption::LANGUAGE:
      language = value == "cu" ? "cuda" : value == "none" ? "" : value;
      return;
    case CudaOption::STANDARD:
      return add(to.both, {"-std=" + value});
    case CudaOption::STOP_OBJECT:
    case CudaOption::STOP_ASSEMBLY:
    case CudaOption::STOP_PREPROCESS:
    case CudaOption::STOP_SYNTAX:
    case CudaOption::STOP_DEPENDENCIES:
    case CudaOption::STOP_PTX:
    case CudaOption::STOP_FATBIN:
    case CudaOption::STOP_CUBIN:
    case CudaOption::STOP_DEVICE_LINK:
    case CudaOption::STOP_RELOCATABLE:
    case CudaOption::STOP_LINK:
      return take_stop(row.meaning, argument);
    case CudaOption::RELOCATABLE:
      to.relocatable = value == "true";
      if (value != "true" && value != "false")
        problem = argument + ": true or false expected";
      return;
    case CudaOption::SHARED:
      to.shared = true;
      return;
    case CudaOption::CUDART:
      to.cudart = value != "none";
      if (value == "static")
        problem = argument + " static: libcudart is a shared library here; "
                             "leave the option out, or say shared";
      return;
    case CudaOption::FOR_HOST:
      for (const std::string &word : split(value))
        to.host.push_back(word);
      return;
    case CudaOption::FOR_LINKER:
      for (const std::string &word : split(value)) {
        to.link.push_back({"-Xlinker"});
        to.link.push_back({word});
      }
      return;
    case CudaOption::REFUSED:
      problem = argument + ": " + std::string(row.why);
      return;
    case CudaOption::DRY_RUN:
      to.dry_run = true;
      return;
    case CudaOption::IGNORED:
      return;
    default:
      return take_compiler_option(row.meaning, argument, value);
    }
  }

  void take_stop(CudaOption meaning, const std::string &argument) {
    switch (meaning) {
    case CudaOption::STOP_RELOCATABLE:
      to.relocatable = true;
      [[fallthrough]];
    case CudaOption::STOP_OBJECT:
      to.stop = CudaArguments::OBJECT;
      break;
    case CudaOption::STOP_ASSEMBLY:
      to.stop = CudaArguments::ASSEMBLY;
      break;
    case CudaOption::STOP_PREPROCESS:
      to.stop = CudaArguments::PREPROCESS;
      break;
    case CudaOption::STOP_SYNTAX:
      to.stop = CudaArguments::SYNTAX;
      break;
    case CudaOption::STOP_DEPENDENCIES:
      to.stop = CudaArguments::DEPENDENCIES;
      to.dependencies.push_back(argument == "-MM" ? "-MM" : "-M");
      break;
    case CudaOption::STOP_PTX:
      to.stop = CudaArguments::PTX;
      break;
    case CudaOption::STOP_FATBIN:
      to.stop = CudaArguments::FATBIN;
      break;
    case CudaOption::STOP_DEVICE_LINK:
      to.stop = CudaArguments::DEVICE_LINK;
      break;
    case CudaOption::STOP_CUBIN:
      to.stop = CudaArguments::CUBIN;
      break;
    default:
      to.stop = CudaArguments::LINK;
    }
  }

  void take_compiler_option(CudaOption meaning, const std::string &argument,
                            const std::string &value) {
    switch (meaning) {
    case CudaOption::FOR_PTXAS:
      for (const std::string &word : split(value))
        to.ptxas.push_back(word);
      return;
    case CudaOption::REGISTERS:
      return add(to.ptxas, {"-maxrregcount", value});
    case CudaOption::FAST_MATH:
      for (const char *word :
           {"-fgpu-approx-transcendentals", "-fgpu-flush-denormals-to-zero",
            "-mllvm", "-nvptx-prec-divf32=0", "-mllvm",
            "-nvptx-prec-sqrtf32=0"})
        to.device.push_back(word);
      return;
    case CudaOption::FLUSH:
      return take_switch(argument, value, {"-fgpu-flush-denormals-to-zero"},
                         {"-fno-gpu-flush-denormals-to-zero"});
    case CudaOption::PRECISE_DIVISION:
      return take_switch(argument, value, {},
                         {"-mllvm", "-nvptx-prec-divf32=0"});
    case CudaOption::PRECISE_ROOT:
      return take_switch(argument, value, {},
                         {"-mllvm", "-nvptx-prec-sqrtf32=0"});
    case CudaOption::FUSE:
      return take_switch(argument, value, {"-ffp-contract=fast-honor-pragmas"},
                         {"-ffp-contract=off"});
    case CudaOption::DEVICE_DEBUG:
      optimizes = true;
      return add(to.device, {"-g", "-O0"});
    case CudaOption::LINES:
      return add(to.device, {"-gline-tables-only"});
    case CudaOption::DEBUG:
      to.host.push_back("-g");
      return add(to.device, {"-gline-tables-only"});
    case CudaOption::OPTIMIZE:
      optimizes = true;
      return add(to.both, {"-O" + value});
    case CudaOption::WARNINGS_AS_ERRORS:
      return add(to.both, {"-Werror"});
    case CudaOption::NO_WARNINGS:
      return add(to.both, {"-w"});
    case CudaOption::VERBOSE:
      return add(to.host, {"-v"});
    default:
      return take_preprocessor_option(meaning, argument, value);
    }
  }

  void take_preprocessor_option(CudaOption meaning, const std::string &argument,
                                const std::string &value) {
    switch (meaning) {
    case CudaOption::INCLUDE:
      return add(to.both, {"-include", value});
    case CudaOption::INCLUDE_PATH:
      return add(to.both, {"-I", value});
    case CudaOption::SYSTEM_INCLUDE:
      return add(to.both, {"-isystem", value});
    case CudaOption::DEFINE:
      return add(to.both, {"-D", value});
    case CudaOption::UNDEFINE:
      return add(to.both, {"-U", value});
    case CudaOption::COMPILE:
      return add(to.both, {argument.substr(0, argument.find('=')), value});
    case CudaOption::LIBRARY:
      to.link.push_back({"-l" + value});
      return;
    case CudaOption::LIBRARY_PATH:
      to.link.push_back({"-L" + value});
      return;
    case CudaOption::LINK:
      to.link.push_back({argument});
      if (!value.empty())
        to.link.push_back({value});
      return;
    case CudaOption::DEPENDENCY:
      to.dependencies.push_back(argument);
      if (!value.empty())
        to.dependencies.push_back(value);
      return;
    default: // CudaOption::HOST
      to.host.push_back(argument);
    }
  }

  void finish() {
    if (!problem.empty())
      return;
    if (to.ptx_for.empty())
      to.ptx_for = to.cubin_for.empty() ? std::set<unsigned>{80} : to.cubin_for;
    // nvcc optimizes device code unless it is told otherwise.
    if (!optimizes)
      to.device.insert(to.device.begin(), "-O2");
  }

  const std::string &native;
  CudaArguments &to;
  std::string &problem;
  std::string language;
  bool optimizes = false; ///< an option says how far
};

} // namespace

bool means_cuda(const std::vector<std::string> &argv) {
  const std::string name = argv[0].substr(argv[0].rfind('/') + 1);
  if (name == "gpu-nvcc")
    return true;
  for (size_t i = 1; i < argv.size(); ++i) {
    const bool is_x = argv[i] == "-x" || argv[i] == "--x";
    if (is_x && i + 1 < argv.size() &&
        (argv[i + 1] == "cuda" || argv[i + 1] == "cu"))
      return true;
    if (argv[i] == "-xcuda" || argv[i] == "-x=cu" ||
        (argv[i].ends_with(".cu") && argv[i][0] != '-' && argv[i - 1] != "-o"))
      return true;
  }
  return false;
}

CudaArguments parse_cuda_arguments(const std::vector<std::string> &argv,
                                   const std::string &native,
                                   std::string &problem) {
  CudaArguments arguments;
  Reader(native, arguments, problem).read(argv);
  return arguments;
}

} // namespace gpuexec
