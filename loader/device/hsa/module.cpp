//===-- loader/device/hsa/module.cpp - A code object on its device --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/device.h"
#include "loader/device/stack_limits.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <hsa/hsa_ven_amd_loader.h>

namespace gpuexec::hsa {

HsaModule::~HsaModule() {
  if (device.hung)
    return;
  for (DeviceAddress address : read_only)
    device.device_heap->unprotect(address);
  if (executable.handle)
    device.api.hsa_executable_destroy(executable);
  if (reader.handle)
    device.api.hsa_code_object_reader_destroy(reader);
}

/// The read-only parts of the image, by its program headers. On the emulator
/// the device cannot write to them; on real GPUs it can.
static std::vector<std::pair<uint64_t, uint64_t>>
read_only_parts(llvm::StringRef image) {
  using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
  constexpr uint64_t PAGE = 4096; // a part reaches to the end of its last page
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  llvm::Expected<Elf> elf = Elf::create(image);
  auto headers = elf ? elf->program_headers() : elf.takeError();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return parts; // the runtime has accepted the image
  }
  for (const auto &header : *headers) {
    if (header.p_type != llvm::ELF::PT_LOAD || !header.p_memsz ||
        header.p_flags & llvm::ELF::PF_W)
      continue;
    uint64_t end = llvm::alignTo(header.p_vaddr + header.p_memsz, PAGE);
    for (const auto &other : *headers)
      if (other.p_type == llvm::ELF::PT_LOAD &&
          other.p_flags & llvm::ELF::PF_W && other.p_vaddr > header.p_vaddr)
        end = std::min<uint64_t>(end, other.p_vaddr);
    parts.emplace_back(header.p_vaddr, end);
  }
  return parts;
}

void HsaModule::protect_read_only_parts() {
  const Api &api = device.api;
  hsa_ven_amd_loader_1_01_pfn_t loader{};
  if (api.hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
                                               sizeof(loader),
                                               &loader) != HSA_STATUS_SUCCESS ||
      !loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects ||
      !loader.hsa_ven_amd_loader_loaded_code_object_get_info)
    return;
  struct Search {
    const hsa_ven_amd_loader_1_01_pfn_t &loader;
    std::optional<int64_t> delta;
  } search{loader, {}};
  loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
      executable,
      [](hsa_executable_t, hsa_loaded_code_object_t object, void *data) {
        auto &search = *static_cast<Search *>(data);
        int64_t delta = 0;
        if (search.loader.hsa_ven_amd_loader_loaded_code_object_get_info(
                object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA,
                &delta) == HSA_STATUS_SUCCESS)
          search.delta = delta;
        return HSA_STATUS_SUCCESS;
      },
      &search);
  if (!search.delta)
    return;
  for (auto [begin, end] : read_only_parts(image.bytes())) {
    DeviceAddress address(begin + uint64_t(*search.delta));
    device.device_heap->protect(address, end - begin);
    read_only.push_back(address);
  }
}

llvm::Error HsaModule::load() {
  const Api &api = device.api;
  auto check = [&](hsa_status_t result) -> llvm::Error {
    if (result == HSA_STATUS_SUCCESS)
      return llvm::Error::success();
    return failure(Reason::not_runnable, "{0}: {1} cannot load it: {2}",
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
  if (llvm::Error error = check(api.hsa_executable_freeze(executable, "")))
    return error;
  protect_read_only_parts();
  return llvm::Error::success();
}

llvm::Expected<hsa_executable_symbol_t>
HsaModule::symbol(const std::string &name) {
  hsa_executable_symbol_t found{};
  hsa_status_t result = device.api.hsa_executable_get_symbol_by_name(
      executable, name.c_str(), &device.agent, &found);
  if (result != HSA_STATUS_SUCCESS)
    return failure(Reason::not_runnable, "{0}: symbol '{1}': {2}", image.name(),
                   name, device.api.describe(result));
  return found;
}

/// Reads an attribute, whose type is `T` by HSA's specification.
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

llvm::Expected<std::optional<DeviceAddress>>
HsaModule::find_global(llvm::StringRef name) {
  const Global *global = image.find_global(name);
  if (!global || !global->defined)
    return std::nullopt;
  llvm::Expected<hsa_executable_symbol_t> found = symbol(name.str());
  if (!found)
    return found.takeError();
  llvm::Expected<uint64_t> address =
      symbol_info<uint64_t>(*found, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS,
                            "address of a variable");
  if (!address)
    return address.takeError();
  return DeviceAddress(*address);
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
    return *fixed; // the compiler knows the depth
  bool emulated = device.facts.emulated;
  uint64_t wanted = settings.stack_size.value_or(default_stack(
      grid.threads_per_block() * grid.block_count(),
      std::min(grid.waves(kernel.wave_size), device.facts.resident_waves()),
      emulated));
  wanted = std::max<uint64_t>(wanted, *fixed);
  if (wanted > largest_stack(emulated))
    return failure(Reason::failed,
                   "--stack-size: {0} bytes per thread, where the device has "
                   "at most {1}",
                   wanted, largest_stack(emulated));
  return uint32_t((wanted + 15) / 16 * 16);
}

llvm::Error HsaModule::launch(const KernelLaunch &launch) {
  const Kernel &kernel = *launch.kernel;
  llvm::Expected<hsa_executable_symbol_t> found = symbol(kernel.symbol);
  if (!found)
    return found.takeError();
  llvm::Expected<uint64_t> object = symbol_info<uint64_t>(
      *found, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, "kernel object");
  if (!object)
    return object.takeError();
  llvm::Expected<uint32_t> stack = private_size(kernel, launch.grid, *found);
  if (!stack)
    return stack.takeError();
  if (kernel.resources.dynamic_stack)
    if (llvm::Error error = write_stack_limits(device, *this, *stack))
      return error;
  return device.dispatch(kernel, launch.grid, *object, *stack,
                         launch.arguments);
}

} // namespace gpuexec::hsa
