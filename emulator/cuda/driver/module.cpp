//===-- emulator/cuda/driver/module.cpp - See module.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/module.h"
#include "emulator/cuda/driver/texture_reference.h"
#include "gpu/start_up.h"
#include "support/printable.h"

#include <cstdio>
#include <utility>

namespace gpuexec::cuda {

CUresult result_of(CodeError error) {
  switch (error) {
  case CodeError::none:
    return CUDA_SUCCESS;
  case CodeError::invalid_image:
    return CUDA_ERROR_INVALID_IMAGE;
  case CodeError::no_binary:
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  case CodeError::invalid_ptx:
    return CUDA_ERROR_INVALID_PTX;
  case CodeError::no_compiler:
    return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  }
  return CUDA_ERROR_UNKNOWN;
}

CUresult Module::prepare(std::string &log) {
  std::lock_guard guard(mutex);
  if (source.kind == SourceKind::fat_binary)
    return result_of(check_source(source, settings, log));
  return load(log);
}

namespace {

void tell(const std::string &text) {
  fprintf(stderr, "gpuexec cuda: %s\n", printable_lines(text).c_str());
}

/// What a launch must know of a kernel that has no code object.
KernelFacts facts_of(const host::Kernel &kernel) {
  constexpr uint32_t REGISTERS = 32; // a number that some programs divide by
  KernelFacts facts;
  for (uint32_t at = 0; at < kernel.parameter_count; ++at)
    facts.parameters.push_back(
        {kernel.parameters[at].offset, kernel.parameters[at].size});
  facts.parameters_size = kernel.parameters_size;
  facts.shared_size = kernel.shared_bytes;
  facts.private_size = kernel.frame_bytes;
  facts.max_threads = kernel.max_threads;
  facts.registers = REGISTERS;
  return facts;
}

std::map<std::string, KernelFacts> facts_of(const host::Table &table) {
  std::map<std::string, KernelFacts> facts;
  for (uint32_t at = 0; at < table.kernel_count; ++at)
    facts[table.kernels[at].name] = facts_of(table.kernels[at]);
  return facts;
}

/// Why kernels do not run as host code. library: null where none does, because
/// of `problem`.
void tell_why(const host::Library *library, const std::string &problem) {
  if (!library)
    return tell("a module does not run as host code: " + problem);
  for (uint32_t at = 0; at < library->table().kernel_count; ++at)
    if (const host::Kernel &kernel = library->table().kernels[at]; kernel.unfit)
      tell(std::string("kernel '") + kernel.name +
           "' does not run as host code: " + kernel.unfit);
}

/// Whether all that can be asked for is in the library.
bool is_host_enough(const std::shared_ptr<host::Library> &library) {
  return library && !library->table().has_unfit &&
         !library->table().variable_count && library->table().kernel_count;
}

/// Both kinds of code use the same variables. executable: what has them, or
/// null.
bool connect_variables(host::Library &library, const Executable *executable) {
  if (!executable && library.table().variable_count)
    return false;
  for (uint32_t at = 0; at < library.table().variable_count; ++at) {
    const uint64_t address =
        executable->variable(library.table().variables[at]).begin;
    library.variables[at] = reinterpret_cast<void *>(address);
  }
  return true;
}

} // namespace

CUresult Module::load(std::string &log) {
  if (is_loaded)
    return result;
  is_loaded = true;
  const Source image = std::exchange(source, {});
  if (image.kind == SourceKind::amdgpu) {
    auto made = std::make_shared<Executable>(hsa, services);
    result = keep(make_code(image, settings, made->code, log), made, log);
    return result;
  }
  std::string ptx;
  result = result_of(find_ptx(image, settings, ptx, log));
  if (result != CUDA_SUCCESS)
    return result;
  if (image.kind == SourceKind::fat_binary)
    texts = KernelTexts::divide(ptx);
  result = texts ? load_variables(log) : load_whole(ptx, log);
  return result;
}

/// Loads what has been made, unless `error` says that it could not be.
CUresult Module::keep(CodeError error, std::shared_ptr<Executable> made,
                      std::string &log) {
  if (error != CodeError::none)
    return result_of(error);
  if (!made->load(log))
    return CUDA_ERROR_INVALID_IMAGE;
  executable = std::move(made);
  facts = executable->code.kernels;
  return CUDA_SUCCESS;
}

CUresult Module::load_whole(const std::string &ptx, std::string &log) {
  library = load_host(ptx);
  if (is_host_enough(library)) {
    facts = facts_of(library->table());
    return CUDA_SUCCESS;
  }
  auto made = std::make_shared<Executable>(hsa, services);
  const CUresult error = keep(
      make_code(ptx, settings, Made::code_object, made->code, log), made, log);
  if (library && !(executable && connect_variables(*library, executable.get())))
    library.reset();
  return error;
}

CUresult Module::load_variables(std::string &log) {
  const std::string variables = texts->variables();
  if (variables.empty())
    return CUDA_SUCCESS;
  auto made = std::make_shared<Executable>(hsa, services);
  return keep(make_code(variables, settings, Made::part, made->code, log), made,
              log);
}

std::shared_ptr<host::Library> Module::load_host(const std::string &ptx) {
  if (settings.choice == CodeChoice::waves)
    return nullptr;
  // Compiling a large text takes longer than most programs run. A program of
  // gpucc's own C library calls its host, which host code does not.
  constexpr size_t LARGEST_TEXT = 512 << 10;
  if (settings.choice == CodeChoice::automatic &&
      (ptx.size() > LARGEST_TEXT || ptx.find(GPUEXEC_RPC_CLIENT) != ptx.npos))
    return nullptr;
  std::string bytes, problem;
  std::shared_ptr<host::Library> made;
  if (translate(ptx, settings, Made::host_code, bytes, problem) ==
      CodeError::none)
    made = host::Library::open(bytes, problem);
  if (settings.tells_why)
    tell_why(made.get(), problem);
  return made;
}

CUresult Module::load() {
  std::string log;
  const CUresult error = load(log);
  if (!log.empty())
    tell(log);
  return error;
}

CUresult Module::function(const std::string &name,
                          std::shared_ptr<Function> &found) {
  std::lock_guard guard(mutex);
  if (CUresult error = load())
    return error;
  if (const auto known = functions.find(name); known != functions.end()) {
    found = known->second;
    return CUDA_SUCCESS;
  }
  CUresult error = CUDA_ERROR_NOT_FOUND;
  std::shared_ptr<Function> function =
      texts ? make_part_function(name, error) : make_function(name);
  if (!function)
    return error;
  function->name = name;
  function->module = this;
  function->context = context;
  functions[name] = found = std::move(function);
  return CUDA_SUCCESS;
}

std::shared_ptr<Function> Module::make_function(const std::string &name) {
  const auto known = facts.find(name);
  const uint64_t object = known == facts.end() || !executable
                              ? 0
                              : executable->kernel(known->second.symbol);
  if (known == facts.end() || (executable && !object))
    return nullptr;
  auto function = std::make_shared<Function>();
  function->executable = executable;
  function->facts = &known->second;
  function->kernel_object = object;
  const host::Kernel *kernel = library ? library->find(name) : nullptr;
  // Arguments are where the code object wants them, too.
  if (kernel && !kernel->unfit &&
      kernel->parameters_size == known->second.parameters_size) {
    function->host = kernel;
    function->library = library;
  }
  return function;
}

std::shared_ptr<Function> Module::make_part_function(const std::string &name,
                                                     CUresult &error) {
  const std::string text = texts->text_of(name);
  if (text.empty())
    return nullptr;
  auto function = std::make_shared<Function>();
  std::shared_ptr<host::Library> host = load_host(text);
  const host::Kernel *kernel = host ? host->find(name) : nullptr;
  if (kernel && !kernel->unfit && connect_variables(*host, executable.get())) {
    function->facts = &(facts[name] = facts_of(*kernel));
    function->host = kernel;
    function->library = std::move(host);
    return function;
  }
  auto made = std::make_shared<Executable>(hsa, services);
  std::string log;
  error = result_of(make_code(text, settings, Made::part, made->code, log));
  if (error == CUDA_SUCCESS &&
      !(made->load(log) && made->connect(executable.get(), log)))
    error = CUDA_ERROR_INVALID_IMAGE;
  const auto known = made->code.kernels.find(name);
  if (error == CUDA_SUCCESS && known == made->code.kernels.end())
    error = CUDA_ERROR_NOT_FOUND;
  if (!log.empty())
    tell("kernel '" + name + "': " + log);
  if (error != CUDA_SUCCESS)
    return nullptr;
  function->facts = &(facts[name] = known->second);
  function->kernel_object = made->kernel(known->second.symbol);
  function->executable = std::move(made);
  return function;
}

CUresult Module::variable(const std::string &name, DeviceRange &range) {
  std::lock_guard guard(mutex);
  if (CUresult error = load())
    return error;
  range = executable ? executable->variable(name) : DeviceRange{};
  return range.size ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult Module::reference(const std::string &name,
                           std::shared_ptr<TextureReference> &found) {
  DeviceRange range;
  if (CUresult error = variable(name, range))
    return error;
  if (range.size != GPUEXEC_CUDA_TEXTURE_BYTES)
    return CUDA_ERROR_NOT_FOUND;
  std::lock_guard guard(mutex);
  auto &kept = references[name];
  if (!kept)
    kept = std::make_shared<TextureReference>(range.begin, this, context);
  found = kept;
  return CUDA_SUCCESS;
}

CUresult Module::names(std::vector<std::string> &names) {
  std::lock_guard guard(mutex);
  if (CUresult error = load())
    return error;
  if (texts)
    names = texts->kernels();
  else
    for (const auto &[name, known] : facts)
      names.push_back(name);
  return CUDA_SUCCESS;
}

CUresult result_of(SourceError error) {
  switch (error) {
  case SourceError::none:
    return CUDA_SUCCESS;
  case SourceError::invalid:
    return CUDA_ERROR_INVALID_IMAGE;
  case SourceError::machine_code:
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  case SourceError::relocatable:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_UNKNOWN;
}

CUresult make_module(const Hsa &hsa, const CodeSettings &settings,
                     const std::shared_ptr<Services> &services,
                     const void *image, std::shared_ptr<Module> &module,
                     std::string &log) {
  Source source;
  // As NVIDIA's driver does, so that what runs here runs there: a wrapper is
  // for cuLibraryLoadData() alone.
  if (is_wrapper(reinterpret_cast<uint64_t>(image), read_own_memory)) {
    log = "the image is the wrapper of a fat binary, and not the fat binary";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (CUresult error = result_of(read_source(reinterpret_cast<uint64_t>(image),
                                             read_own_memory, source, log)))
    return error;
  auto made =
      std::make_shared<Module>(hsa, settings, services, std::move(source));
  if (CUresult error = made->prepare(log))
    return error;
  module = std::move(made);
  return CUDA_SUCCESS;
}

} // namespace gpuexec::cuda
