//===-- emulator/hsa/api_executable.cpp - Code objects and executables ----===//
#include "emulator/hsa/api.h"
#include "emulator/hsa/code_object.h"
#include "emulator/hsa/readers.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace gpuexec::emulator;

namespace gpuexec::emulator {

// Readers are handed out as pointers; the set tells sound handles from others.
// Kept by the process, as readers may outlive the runtime that made them.
Readers &Readers::get() {
  static auto *readers = new Readers;
  return *readers;
}

hsa_code_object_reader_t Readers::add(CodeObjectBytes bytes) {
  auto reader = std::make_shared<CodeObjectBytes>(std::move(bytes));
  if (!reader->owned.empty())
    reader->data = reader->owned.data();
  std::lock_guard guard(lock);
  uint64_t handle = reinterpret_cast<uint64_t>(reader.get());
  all[handle] = std::move(reader);
  return {handle};
}

std::shared_ptr<const CodeObjectBytes> Readers::find(uint64_t handle) {
  std::lock_guard guard(lock);
  auto found = all.find(handle);
  return found == all.end() ? nullptr : found->second;
}

bool Readers::remove(uint64_t handle) {
  std::lock_guard guard(lock);
  return all.erase(handle) != 0;
}

hsa_status_t Readers::read_file(hsa_file_t file, size_t offset, size_t size,
                                hsa_code_object_reader_t *reader) {
  struct stat info;
  if (fstat(file, &info) || !S_ISREG(info.st_mode))
    return HSA_STATUS_ERROR_INVALID_FILE;
  size_t length = size_t(info.st_size);
  if (offset > length || size > length - offset)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!size)
    size = length - offset;
  CodeObjectBytes bytes;
  bytes.owned.resize(size);
  bytes.size = size;
  bytes.storage = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(file, bytes.owned.data() + done, size - done,
                        off_t(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return HSA_STATUS_ERROR_INVALID_FILE;
    done += size_t(got);
  }
  char link[64], path[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length_of_path = readlink(link, path, sizeof(path));
  if (length_of_path > 0)
    bytes.uri = "file://" + std::string(path, size_t(length_of_path));
  *reader = add(std::move(bytes));
  return HSA_STATUS_SUCCESS;
}

} // namespace gpuexec::emulator

GPUEXEC_EXPORT hsa_status_t hsa_code_object_reader_create_from_file(
    hsa_file_t file, hsa_code_object_reader_t *reader) {
  GPUEXEC_RUNTIME(runtime);
  if (!reader)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return Readers::get().read_file(file, 0, 0, reader);
}

GPUEXEC_EXPORT hsa_status_t hsa_code_object_reader_create_from_memory(
    const void *data, size_t size, hsa_code_object_reader_t *reader) {
  GPUEXEC_RUNTIME(runtime);
  if (!data || !size || !reader)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  CodeObjectBytes bytes;
  bytes.data = static_cast<const char *>(data);
  bytes.size = size;
  *reader = Readers::get().add(std::move(bytes));
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t
hsa_code_object_reader_destroy(hsa_code_object_reader_t reader) {
  GPUEXEC_RUNTIME(runtime);
  return Readers::get().remove(reader.handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
}

//===-- The older way: code objects as handles
//-----------------------------===//

GPUEXEC_EXPORT hsa_status_t hsa_code_object_deserialize(
    void *data, size_t size, const char *options, hsa_code_object_t *object) {
  GPUEXEC_RUNTIME(runtime);
  if (!data || !size || !object)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  CodeObjectBytes bytes; // a copy: the client may free its own
  bytes.owned.assign(static_cast<char *>(data),
                     static_cast<char *>(data) + size);
  bytes.size = size;
  object->handle = Readers::get().add(std::move(bytes)).handle;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_code_object_destroy(hsa_code_object_t object) {
  GPUEXEC_RUNTIME(runtime);
  return Readers::get().remove(object.handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

//===-- Executables
//--------------------------------------------------------===//

GPUEXEC_EXPORT hsa_status_t hsa_executable_create_alt(
    hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding,
    const char *options, hsa_executable_t *result) {
  GPUEXEC_RUNTIME(runtime);
  if (!result || profile > HSA_PROFILE_FULL ||
      rounding > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  auto executable = std::make_shared<Executable>(*runtime, profile, rounding);
  *result = executable->handle();
  runtime->add_executable(std::move(executable));
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_create(hsa_profile_t profile,
                                                  hsa_executable_state_t state,
                                                  const char *options,
                                                  hsa_executable_t *result) {
  hsa_status_t status = hsa_executable_create_alt(
      profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, options, result);
  if (status == HSA_STATUS_SUCCESS && state == HSA_EXECUTABLE_STATE_FROZEN)
    return Runtime::get()->executable(*result)->freeze();
  return status;
}

#define EXECUTABLE(NAME, HANDLE)                                               \
  GPUEXEC_RUNTIME(runtime);                                                    \
  Executable *NAME = runtime->executable(HANDLE);                              \
  if (!NAME)                                                                   \
  return HSA_STATUS_ERROR_INVALID_EXECUTABLE

GPUEXEC_EXPORT hsa_status_t hsa_executable_destroy(hsa_executable_t handle) {
  GPUEXEC_RUNTIME(runtime);
  return runtime->destroy_executable(handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_load_agent_code_object(
    hsa_executable_t handle, hsa_agent_t agent_handle,
    hsa_code_object_reader_t reader, const char *options,
    hsa_loaded_code_object_t *loaded) {
  EXECUTABLE(executable, handle);
  const Agent *agent = runtime->agent(agent_handle);
  if (!agent || !agent->is_gpu())
    return HSA_STATUS_ERROR_INVALID_AGENT;
  auto bytes = Readers::get().find(reader.handle);
  if (!bytes)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
  LoadedCodeObject *object = nullptr;
  hsa_status_t status = executable->load(*agent, std::move(bytes), &object);
  if (status == HSA_STATUS_SUCCESS && loaded)
    *loaded = object->handle();
  return status;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_load_program_code_object(
    hsa_executable_t, hsa_code_object_reader_t, const char *,
    hsa_loaded_code_object_t *) {
  return not_emulated(__func__); // no compiler makes program code objects
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_load_code_object(
    hsa_executable_t handle, hsa_agent_t agent_handle, hsa_code_object_t object,
    const char *options) {
  EXECUTABLE(executable, handle);
  const Agent *agent = runtime->agent(agent_handle);
  if (!agent || !agent->is_gpu())
    return HSA_STATUS_ERROR_INVALID_AGENT;
  auto bytes = Readers::get().find(object.handle);
  return bytes ? executable->load(*agent, std::move(bytes), nullptr)
               : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_freeze(hsa_executable_t handle,
                                                  const char *options) {
  EXECUTABLE(executable, handle);
  return executable->freeze();
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_get_info(
    hsa_executable_t handle, hsa_executable_info_t attribute, void *value) {
  EXECUTABLE(executable, handle);
  if (!value)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  switch (attribute) {
  case HSA_EXECUTABLE_INFO_PROFILE:
    return answer(value, executable->profile);
  case HSA_EXECUTABLE_INFO_STATE:
    return answer(value, executable->frozen() ? HSA_EXECUTABLE_STATE_FROZEN
                                              : HSA_EXECUTABLE_STATE_UNFROZEN);
  case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
    return answer(value, executable->rounding);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t define(hsa_executable_t handle, const Agent *agent,
                           const char *name, void *address, bool constant) {
  EXECUTABLE(executable, handle);
  if (!name || !address)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return executable->define(agent, name, address, constant);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_global_variable_define(
    hsa_executable_t executable, const char *name, void *address) {
  return define(executable, nullptr, name, address, false);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_agent_global_variable_define(
    hsa_executable_t executable, hsa_agent_t agent, const char *name,
    void *address) {
  GPUEXEC_RUNTIME(runtime);
  const Agent *known = runtime->agent(agent);
  return known ? define(executable, known, name, address, false)
               : HSA_STATUS_ERROR_INVALID_AGENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_readonly_variable_define(
    hsa_executable_t executable, hsa_agent_t agent, const char *name,
    void *address) {
  GPUEXEC_RUNTIME(runtime);
  const Agent *known = runtime->agent(agent);
  return known ? define(executable, known, name, address, true)
               : HSA_STATUS_ERROR_INVALID_AGENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_validate(hsa_executable_t handle,
                                                    uint32_t *result) {
  EXECUTABLE(executable, handle);
  if (!result)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *result = 0; // loading has checked it
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_validate_alt(hsa_executable_t handle,
                                                        const char *options,
                                                        uint32_t *result) {
  return hsa_executable_validate(handle, result);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_get_symbol_by_name(
    hsa_executable_t handle, const char *name, const hsa_agent_t *agent_handle,
    hsa_executable_symbol_t *symbol) {
  EXECUTABLE(executable, handle);
  if (!name || !symbol)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const Agent *agent = agent_handle ? runtime->agent(*agent_handle) : nullptr;
  if (agent_handle && !agent)
    return HSA_STATUS_ERROR_INVALID_AGENT;
  const ExecutableSymbol *found = executable->find(name, agent);
  if (!found)
    return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
  *symbol = found->handle();
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_get_symbol(
    hsa_executable_t executable, const char *module, const char *name,
    hsa_agent_t agent, int32_t, hsa_executable_symbol_t *symbol) {
  return hsa_executable_get_symbol_by_name(
      executable, name, agent.handle ? &agent : nullptr, symbol);
}

using SymbolCallback = hsa_status_t (*)(hsa_executable_t,
                                        hsa_executable_symbol_t, void *);

static hsa_status_t
iterate(hsa_executable_t handle, SymbolCallback callback, void *data,
        const std::function<bool(const ExecutableSymbol &)> &wanted) {
  EXECUTABLE(executable, handle);
  if (!callback)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const ExecutableSymbol *symbol : executable->symbols())
    if (wanted(*symbol))
      if (hsa_status_t status = callback(handle, symbol->handle(), data);
          status != HSA_STATUS_SUCCESS)
        return status;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_iterate_symbols(
    hsa_executable_t executable, SymbolCallback callback, void *data) {
  return iterate(executable, callback, data,
                 [](const ExecutableSymbol &) { return true; });
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_iterate_agent_symbols(
    hsa_executable_t executable, hsa_agent_t agent_handle,
    hsa_status_t (*callback)(hsa_executable_t, hsa_agent_t,
                             hsa_executable_symbol_t, void *),
    void *data) {
  EXECUTABLE(known, executable);
  GPUEXEC_FIND(agent, runtime->agent(agent_handle), AGENT);
  if (!callback)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const ExecutableSymbol *symbol : known->symbols())
    if (symbol->agent == agent)
      if (hsa_status_t status =
              callback(executable, agent_handle, symbol->handle(), data);
          status != HSA_STATUS_SUCCESS)
        return status;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t executable, SymbolCallback callback, void *data) {
  return iterate(executable, callback, data,
                 [](const ExecutableSymbol &symbol) { return !symbol.agent; });
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_symbol_get_info(
    hsa_executable_symbol_t handle, hsa_executable_symbol_info_t attribute,
    void *value) {
  GPUEXEC_RUNTIME(runtime);
  auto *symbol = reinterpret_cast<const ExecutableSymbol *>(handle.handle);
  bool known = false;
  for (const auto &executable : runtime->executables())
    known |= executable->owns(symbol);
  if (!known)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
  if (!value)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  bool kernel = symbol->kind == HSA_SYMBOL_KIND_KERNEL;
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
    return answer(value, symbol->kind);
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
    return answer(value, uint32_t(symbol->name.size()));
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
    memcpy(value, symbol->name.data(),
           symbol->name.size()); // no zero: the length was asked before
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
    return answer(value, uint32_t(0));
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
    return answer(value,
                  symbol->agent ? symbol->agent->handle() : hsa_agent_t{0});
  case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
    return answer(value, symbol->is_global ? HSA_SYMBOL_LINKAGE_PROGRAM
                                           : HSA_SYMBOL_LINKAGE_MODULE);
  case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
    return answer(value, true);
  default:
    break;
  }
  if (!kernel) {
    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
      return answer(value, symbol->address);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
      return answer(value, symbol->agent ? HSA_VARIABLE_ALLOCATION_AGENT
                                         : HSA_VARIABLE_ALLOCATION_PROGRAM);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
      return answer(value, symbol->is_const ? HSA_VARIABLE_SEGMENT_READONLY
                                            : HSA_VARIABLE_SEGMENT_GLOBAL);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
      return answer(value, uint32_t(symbol->address & -symbol->address));
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
      return answer(value, uint32_t(symbol->size));
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
      return answer(value, symbol->is_const);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  }
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
    return answer(value, symbol->address);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
    return answer(value, symbol->kernarg_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
    return answer(value, symbol->kernarg_alignment);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
    return answer(value, symbol->group_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
    return answer(value, symbol->private_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
    return answer(value, symbol->dynamic_stack);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
    return answer(value, uint32_t(0));
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}
