//===-- loader/device/hsa/runtime.cpp - The HSA runtime, opened -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/runtime.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

namespace gpuexec::hsa {

std::string Api::describe(hsa_status_t result) const {
  const char *text = nullptr;
  if (!hsa_status_string ||
      hsa_status_string(result, &text) != HSA_STATUS_SUCCESS || !text)
    return llvm::formatv("status {0:x}", unsigned(result)).str();
  // ROCm's strings are sentences that begin with the status' name.
  llvm::StringRef reason(text);
  return reason.rtrim(". \n").str();
}

llvm::Error Api::check(hsa_status_t result, const char *what) const {
  if (result == HSA_STATUS_SUCCESS || result == HSA_STATUS_INFO_BREAK)
    return llvm::Error::success();
  return failure(Reason::failed, "hsa: {0}: {1}", what, describe(result));
}

llvm::Expected<Api> load_api(const std::string &name) {
  llvm::Expected<Library> opened = Library::open(name);
  if (!opened)
    return opened.takeError();
  const Library &library = *opened;
  Api api;
#define REQUIRE(NAME)                                                          \
  if (!(api.NAME = library.symbol<decltype(api.NAME)>(#NAME)))                 \
    return failure(Reason::failed, "{0}: missing symbol '{1}'",                \
                   library.name(), #NAME);
  GPUEXEC_HSA_FUNCTIONS(REQUIRE)
#undef REQUIRE
  api.fault_signal = library.symbol<decltype(api.fault_signal)>(
      "gpuexec_emulator_fault_signal");
  api.fault_report = library.symbol<decltype(api.fault_report)>(
      "gpuexec_emulator_fault_report");
  api.where = library.symbol<decltype(api.where)>("gpuexec_emulator_where");
  api.set_option =
      library.symbol<decltype(api.set_option)>("gpuexec_emulator_set_option");
  api.written =
      library.symbol<decltype(api.written)>("gpuexec_emulator_written");
  api.statistics =
      library.symbol<decltype(api.statistics)>("gpuexec_emulator_stats");
  api.run_in_lockstep = library.symbol<decltype(api.run_in_lockstep)>(
      "gpuexec_emulator_run_in_lockstep");
  api.serve_calls = library.symbol<decltype(api.serve_calls)>(
      "gpuexec_emulator_serve_calls");
  api.use_memory =
      library.symbol<decltype(api.use_memory)>("gpuexec_emulator_use_memory");
  return api;
}

llvm::Expected<std::shared_ptr<Runtime>>
Runtime::open(const std::string &name, Kind kind,
              llvm::MutableArrayRef<std::byte> memory) {
  llvm::Expected<Api> api = load_api(name);
  if (!api)
    return api.takeError();
  if (!memory.empty() &&
      (!api->use_memory || api->use_memory(memory.data(), memory.size()) !=
                               HSA_STATUS_SUCCESS))
    return failure(Reason::failed, "{0}: cannot use memory of ours", name);
  if (llvm::Error error = api->check(api->hsa_init(), "hsa_init"))
    return std::move(error);
  return std::shared_ptr<Runtime>(new Runtime(*api, kind));
}

std::shared_ptr<Runtime> Runtime::adopt(const Api &api, Kind kind) {
  return std::shared_ptr<Runtime>(new Runtime(api, kind));
}

Runtime::~Runtime() { api.hsa_shut_down(); }

/// Agents of one type, in the runtime's order.
static llvm::Expected<std::vector<hsa_agent_t>> agents(const Api &api,
                                                       hsa_device_type_t type) {
  struct Search {
    const Api &api;
    hsa_device_type_t type;
    std::vector<hsa_agent_t> found;
  } search{api, type, {}};
  hsa_status_t result = api.hsa_iterate_agents(
      [](hsa_agent_t agent, void *data) {
        Search &search = *static_cast<Search *>(data);
        hsa_device_type_t type;
        hsa_status_t result =
            search.api.hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
        if (result == HSA_STATUS_SUCCESS && type == search.type)
          search.found.push_back(agent);
        return result;
      },
      &search);
  if (llvm::Error error = api.check(result, "hsa_iterate_agents"))
    return std::move(error);
  return std::move(search.found);
}

llvm::Expected<std::vector<hsa_agent_t>> Runtime::gpu_agents() const {
  return agents(api, HSA_DEVICE_TYPE_GPU);
}

llvm::Expected<hsa_agent_t> Runtime::cpu_agent() const {
  llvm::Expected<std::vector<hsa_agent_t>> found =
      agents(api, HSA_DEVICE_TYPE_CPU);
  if (!found)
    return found.takeError();
  if (found->empty())
    return failure(Reason::failed, "hsa: the runtime has no CPU agent");
  return found->front();
}

/// The ISA's name without its triple: `gfx942:sramecc+:xnack-`.
static std::string target_id(const Api &api, hsa_agent_t agent) {
  struct Search {
    const Api &api;
    std::string name;
  } search{api, {}};
  api.hsa_agent_iterate_isas(
      agent,
      [](hsa_isa_t isa, void *data) {
        Search &search = *static_cast<Search *>(data);
        uint32_t length = 0;
        if (search.api.hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH,
                                            &length) != HSA_STATUS_SUCCESS)
          return HSA_STATUS_SUCCESS;
        std::string name(length, '\0');
        if (search.api.hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME,
                                            name.data()) != HSA_STATUS_SUCCESS)
          return HSA_STATUS_SUCCESS;
        name.resize(strnlen(name.data(), name.size()));
        search.name = std::move(name);
        return HSA_STATUS_INFO_BREAK; // the first is the most specific
      },
      &search);
  llvm::StringRef name = search.name;
  size_t triple_end = name.rfind("--");
  return (triple_end == llvm::StringRef::npos ? name
                                              : name.substr(triple_end + 2))
      .str();
}

/// Bytes of the agent's largest pool of global memory.
static uint64_t largest_pool(const Api &api, hsa_agent_t agent) {
  struct Search {
    const Api &api;
    uint64_t bytes = 0;
  } search{api};
  api.hsa_amd_agent_iterate_memory_pools(
      agent,
      [](hsa_amd_memory_pool_t pool, void *data) {
        Search &search = *static_cast<Search *>(data);
        hsa_amd_segment_t segment;
        size_t size = 0;
        if (search.api.hsa_amd_memory_pool_get_info(
                pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment) ==
                HSA_STATUS_SUCCESS &&
            segment == HSA_AMD_SEGMENT_GLOBAL &&
            search.api.hsa_amd_memory_pool_get_info(
                pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size) ==
                HSA_STATUS_SUCCESS)
          search.bytes = std::max<uint64_t>(search.bytes, size);
        return HSA_STATUS_SUCCESS;
      },
      &search);
  return search.bytes;
}

llvm::Expected<DeviceInfo> Runtime::describe(hsa_agent_t agent,
                                             uint32_t index) const {
  DeviceInfo info;
  info.emulated = kind == Kind::emulated;
  info.backend = backend_name(kind);
  info.index = index;
  info.target_id = target_id(api, agent);

  char name[64] = {}; // the size that both name queries document
  if (api.hsa_agent_get_info(agent,
                             hsa_agent_info_t(HSA_AMD_AGENT_INFO_PRODUCT_NAME),
                             name) != HSA_STATUS_SUCCESS ||
      !name[0])
    if (llvm::Error error =
            api.check(api.hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name),
                      "agent name"))
      return std::move(error);
  info.name.assign(name, strnlen(name, sizeof(name)));
  if (info.target_id.empty())
    info.target_id = info.name;

  // Absent on a runtime that is older than the question: 0 = unknown.
  api.hsa_agent_get_info(
      agent, hsa_agent_info_t(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT),
      &info.units);
  api.hsa_agent_get_info(agent,
                         hsa_agent_info_t(HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU),
                         &info.waves_per_unit);

  // With XNACK the device pages the host's memory in by itself. Runtimes that
  // do not know the question have no such mode.
  bool by_default = false;
  if (api.hsa_system_get_info(
          hsa_system_info_t(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT),
          &by_default) != HSA_STATUS_SUCCESS)
    by_default = false;
  info.reaches_host_memory =
      !info.emulated &&
      (by_default || llvm::StringRef(info.target_id).contains(":xnack+"));

  info.memory = largest_pool(api, agent);
  return info;
}

std::string emulator_library() {
  llvm::SmallString<256> path;
  if (llvm::sys::fs::real_path("/proc/self/exe", path))
    path = "/usr/bin/gpuexec"; // no /proc: where a package would have put us
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib", "gpuexec",
                          "libhsa-runtime64.so.1");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

bool system_has_driver() {
  // The kernel's interface on Linux, and that of the Windows subsystem.
  return ::access("/dev/kfd", F_OK) == 0 || ::access("/dev/dxg", F_OK) == 0;
}

} // namespace gpuexec::hsa
