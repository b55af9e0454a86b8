//===-- loader/device/hsa/runtime.h - The HSA runtime, opened --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ROCm's libhsa-runtime64 and gpuexec's emulator have the same interface: what
// is here and in device.cpp cannot tell them apart, except for the few
// functions of gpuexec_emulator.h that only the emulator exports.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_HSA_RUNTIME_H
#define GPUEXEC_LOADER_DEVICE_HSA_RUNTIME_H

#include "drivers/hsa.h"
#include "loader/device/backend.h"
#include "loader/device/library.h"

namespace gpuexec::hsa {

/// The functions that every runtime library must have.
#define GPUEXEC_HSA_FUNCTIONS(F)                                               \
  F(hsa_init)                                                                  \
  F(hsa_shut_down)                                                             \
  F(hsa_status_string)                                                         \
  F(hsa_system_get_info)                                                       \
  F(hsa_system_get_major_extension_table)                                      \
  F(hsa_iterate_agents)                                                        \
  F(hsa_agent_get_info)                                                        \
  F(hsa_agent_iterate_isas)                                                    \
  F(hsa_isa_get_info_alt)                                                      \
  F(hsa_queue_create)                                                          \
  F(hsa_queue_destroy)                                                         \
  F(hsa_queue_load_write_index_relaxed)                                        \
  F(hsa_queue_store_write_index_screlease)                                     \
  F(hsa_signal_create)                                                         \
  F(hsa_signal_destroy)                                                        \
  F(hsa_signal_store_screlease)                                                \
  F(hsa_signal_wait_scacquire)                                                 \
  F(hsa_memory_copy)                                                           \
  F(hsa_code_object_reader_create_from_memory)                                 \
  F(hsa_code_object_reader_destroy)                                            \
  F(hsa_executable_create_alt)                                                 \
  F(hsa_executable_load_agent_code_object)                                     \
  F(hsa_executable_freeze)                                                     \
  F(hsa_executable_destroy)                                                    \
  F(hsa_executable_get_symbol_by_name)                                         \
  F(hsa_executable_symbol_get_info)                                            \
  F(hsa_amd_agent_iterate_memory_pools)                                        \
  F(hsa_amd_memory_pool_get_info)                                              \
  F(hsa_amd_memory_pool_allocate)                                              \
  F(hsa_amd_memory_pool_free)                                                  \
  F(hsa_amd_memory_fill)                                                       \
  F(hsa_amd_agents_allow_access)                                               \
  F(hsa_amd_pointer_info)                                                      \
  F(hsa_amd_register_system_event_handler)

/// The functions of one runtime library.
struct Api {
  GPUEXEC_HSA_FUNCTIONS(DRIVER_MEMBER)
  // Only in the emulator (emulator/include/gpuexec_emulator.h); null elsewhere.
  const char *(*fault_report)() = nullptr;
  int (*fault_signal)() = nullptr;
  size_t (*where)(char *, size_t) = nullptr;
  hsa_status_t (*set_option)(const char *, const char *) = nullptr;
  size_t (*statistics)(char *, size_t, int) = nullptr;
  hsa_status_t (*use_memory)(void *, size_t) = nullptr;
  void (*written)(void *, size_t) = nullptr;
  hsa_status_t (*run_in_lockstep)(uint64_t seed,
                                  int (*turn)(void *, uint64_t, int,
                                              uint64_t *),
                                  void *context) = nullptr;
  hsa_status_t (*serve_calls)(int (*serve)(void *), void *context) = nullptr;

  /// Error unless `result` is success: "hsa: WHAT: REASON".
  llvm::Error check(hsa_status_t result, const char *what) const;
  std::string describe(hsa_status_t result) const;
};

/// Whose runtime a library is.
enum class Kind { system, emulated };
/// The name of the back end that uses it.
constexpr const char *backend_name(Kind kind) {
  return kind == Kind::emulated ? "emulator" : "hsa";
}

/// A runtime that is initialised; hsa_shut_down() is called when it dies.
class Runtime {
public:
  /// Opens `library` and initialises it. `kind` is only recorded. Unless
  /// `memory` is empty, everything that the device allocates lies in it; only
  /// the emulator can do that.
  static llvm::Expected<std::shared_ptr<Runtime>>
  open(const std::string &library, Kind kind,
       llvm::MutableArrayRef<std::byte> memory = {});
  /// Takes over a runtime that the caller has initialised: it is used through
  /// the functions of `api`, and shut down in the end.
  static std::shared_ptr<Runtime> adopt(const Api &api, Kind kind);
  ~Runtime();
  Runtime(const Runtime &) = delete;

  const Api api;
  const Kind kind;

  /// The GPU agents, in the runtime's order.
  llvm::Expected<std::vector<hsa_agent_t>> gpu_agents() const;
  llvm::Expected<hsa_agent_t> cpu_agent() const;
  llvm::Expected<DeviceInfo> describe(hsa_agent_t agent, uint32_t index) const;

  /// Keeps `data`, which callbacks use, alive until the runtime is shut down.
  /// One thread at a time.
  void keep(std::shared_ptr<void> data) { kept.push_back(std::move(data)); }

private:
  Runtime(const Api &api, Kind kind) : api(api), kind(kind) {}
  std::vector<std::shared_ptr<void>> kept;
};

/// Opens a runtime library and looks its functions up, without calling one.
/// Errors: Failure when it is not there or lacks a function.
llvm::Expected<Api> load_api(const std::string &library);

/// The emulator's library, beside the running executable.
std::string emulator_library();
/// True when the kernel has a driver through which AMD GPUs are reached.
bool system_has_driver();

/// Opens device `index` of a runtime.
llvm::Expected<std::unique_ptr<Device>>
open_device(std::shared_ptr<Runtime> runtime, uint32_t index);

// Functions for the back ends hsa and emulator. `runtime`: the result of
// Runtime::open().

/// Backend::open on a runtime.
llvm::Expected<OpenedDevice>
open_device(llvm::Expected<std::shared_ptr<Runtime>> runtime,
            const OpenRequest &request);
/// Backend::list on a runtime.
void list_devices(llvm::Expected<std::shared_ptr<Runtime>> runtime,
                  std::vector<DeviceInfo> &devices,
                  llvm::function_ref<void(llvm::Twine)> warn);
/// True when one of the images is AMD's.
bool any_amd(llvm::ArrayRef<Image> images);

} // namespace gpuexec::hsa

#endif
