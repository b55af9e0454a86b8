//===-- loader/device/hsa/module.cpp - A code object on its device --------===//
#include "loader/device/hsa/device.h"

namespace gpuexec::hsa {

HsaModule::~HsaModule() {
  if (device.hung)
    return;
  if (executable.handle)
    device.api.hsa_executable_destroy(executable);
  if (reader.handle)
    device.api.hsa_code_object_reader_destroy(reader);
}

llvm::Error HsaModule::load() {
  const Api &api = device.api;
  auto check = [&](hsa_status_t result) -> llvm::Error {
    if (result == HSA_STATUS_SUCCESS)
      return llvm::Error::success();
    return failure(status::NotRunnable, "{0}: {1} cannot load it: {2}",
                   image.name(), device.facts.spec(), api.describe(result));
  };
  if (llvm::Error error = check(api.hsa_code_object_reader_create_from_memory(
          image.bytes().data(), image.bytes().size(), &reader)))
    return error;
  if (llvm::Error error = check(api.hsa_executable_create_alt(
          HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "",
          &executable)))
    return error;
  if (llvm::Error error = check(api.hsa_executable_load_agent_code_object(
          executable, device.agent, reader, "", nullptr)))
    return error;
  return check(api.hsa_executable_freeze(executable, ""));
}

llvm::Expected<hsa_executable_symbol_t>
HsaModule::symbol(const std::string &name) {
  hsa_executable_symbol_t found{};
  hsa_status_t result = device.api.hsa_executable_get_symbol_by_name(
      executable, name.c_str(), &device.agent, &found);
  if (result != HSA_STATUS_SUCCESS)
    return failure(status::NotRunnable, "{0}: symbol '{1}': {2}", image.name(),
                   name, device.api.describe(result));
  return found;
}

/// `T`: what HSA says that the attribute is.
template <typename T>
llvm::Expected<T> HsaModule::symbol_info(hsa_executable_symbol_t symbol,
                                         hsa_executable_symbol_info_t attribute,
                                         const char *what) {
  T value = 0;
  if (llvm::Error error = device.api.check(
          device.api.hsa_executable_symbol_get_info(symbol, attribute, &value),
          what))
    return std::move(error);
  return value;
}

llvm::Expected<std::optional<uint64_t>>
HsaModule::find_global(llvm::StringRef name) {
  const Global *global = image.find_global(name);
  if (!global || !global->defined)
    return std::nullopt;
  llvm::Expected<hsa_executable_symbol_t> found = symbol(name.str());
  if (!found)
    return found.takeError();
  return symbol_info<uint64_t>(*found,
                               HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS,
                               "address of a variable");
}

llvm::Expected<uint32_t>
HsaModule::private_size(const Kernel &kernel, const Grid &grid,
                        hsa_executable_symbol_t symbol) {
  llvm::Expected<uint32_t> fixed = symbol_info<uint32_t>(
      symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
      "private segment size");
  if (!fixed)
    return fixed.takeError();
  if (!kernel.resources.dynamic_stack)
    return *fixed; // the compiler knows: more would only cost
  bool emulated = device.facts.backend == Backend::emulator;
  uint64_t wanted = settings.stack_size.value_or(default_stack(
      std::min(grid.waves(kernel.wave_size), device.facts.resident_waves()),
      emulated));
  wanted = std::max<uint64_t>(wanted, *fixed);
  if (wanted > largest_stack(emulated))
    return failure(status::Failed,
                   "--stack-size: {0} bytes per thread, where the device has "
                   "at most {1}",
                   wanted, largest_stack(emulated));
  return uint32_t((wanted + 15) / 16 * 16);
}

llvm::Error HsaModule::launch(const Kernel &kernel, const Grid &grid,
                              llvm::ArrayRef<std::byte> arguments) {
  llvm::Expected<hsa_executable_symbol_t> found = symbol(kernel.symbol);
  if (!found)
    return found.takeError();
  llvm::Expected<uint64_t> object = symbol_info<uint64_t>(
      *found, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, "kernel object");
  if (!object)
    return object.takeError();
  llvm::Expected<uint32_t> stack = private_size(kernel, grid, *found);
  if (!stack)
    return stack.takeError();
  return device.dispatch(kernel, grid, *object, *stack, arguments);
}

} // namespace gpuexec::hsa
