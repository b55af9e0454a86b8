//===-- replay/player/hsa.c - An AMD GPU, real or emulated ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/hsa.h"
#include "support/trusted_path.h"
#include <elf.h>
#include <errno.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIBRARY "libhsa-runtime64.so.1"

void check_hsa(struct hsa_device *hsa, hsa_status_t result, const char *what) {
  const char *text = NULL;
  if (result == HSA_STATUS_SUCCESS || result == HSA_STATUS_INFO_BREAK)
    return;
  if (hsa->api.hsa_status_string(result, &text) != HSA_STATUS_SUCCESS || !text)
    text = "unknown status";
  fail(STATUS_FAILED, "%s: %s: %s", hsa->device.name, what, text);
}

void protect_range(struct hsa_device *hsa, uint64_t begin, uint64_t size) {
  if (hsa->protected_count == MOST_PROTECTED)
    fail(STATUS_NOT_RUNNABLE, "an image with too many read-only parts");
  hsa->protected[hsa->protected_count++] = (struct range){begin, begin + size};
}

//===-- Images ------------------------------------------------------------===//

/// Protects the read-only parts of the image (by its program headers), which
/// the device cannot write on the emulator. `delta`: the loaded address minus
/// the address in the image.
static void protect_parts(struct hsa_device *hsa, struct bytes image,
                          uint64_t delta) {
  enum { PAGE = 4096 }; // a part reaches to the end of its last page
  Elf64_Ehdr header;
  if (image.size < sizeof header)
    return;
  memcpy(&header, image.data, sizeof header);
  if (header.e_phentsize != sizeof(Elf64_Phdr) ||
      !in_range(header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr),
                image.size))
    return;
  const uint8_t *parts = image.data + header.e_phoff;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part, other;
    memcpy(&part, parts + i * sizeof part, sizeof part);
    if (part.p_type != PT_LOAD || !part.p_memsz || part.p_flags & PF_W)
      continue;
    uint64_t end =
        (part.p_vaddr + part.p_memsz + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    for (unsigned k = 0; k < header.e_phnum; ++k) {
      memcpy(&other, parts + k * sizeof other, sizeof other);
      if (other.p_type == PT_LOAD && other.p_flags & PF_W &&
          other.p_vaddr > part.p_vaddr && other.p_vaddr < end)
        end = other.p_vaddr;
    }
    protect_range(hsa, part.p_vaddr + delta, end - part.p_vaddr);
  }
}

struct search {
  const hsa_ven_amd_loader_1_01_pfn_t *loader;
  int64_t delta;
  bool found;
};

static hsa_status_t note_delta(hsa_executable_t executable,
                               hsa_loaded_code_object_t object, void *data) {
  struct search *search = data;
  (void)executable;
  search->found |=
      search->loader->hsa_ven_amd_loader_loaded_code_object_get_info(
          object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA,
          &search->delta) == HSA_STATUS_SUCCESS;
  return HSA_STATUS_SUCCESS;
}

static void protect_image(struct hsa_device *hsa, struct bytes image) {
  hsa_ven_amd_loader_1_01_pfn_t loader = {0};
  struct search search = {&loader, 0, false};
  if (hsa->api.hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
                                                    sizeof loader, &loader) !=
          HSA_STATUS_SUCCESS ||
      !loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects ||
      !loader.hsa_ven_amd_loader_loaded_code_object_get_info)
    return;
  loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
      hsa->executable, note_delta, &search);
  if (search.found)
    protect_parts(hsa, image, (uint64_t)search.delta);
}

static void load(struct device *device, const struct plan *plan,
                 struct bytes image) {
  struct hsa_device *hsa = hsa_of(device);
  const struct hsa_api *api = &hsa->api;
  hsa_code_object_reader_t reader;
  hsa->limit = plan->heap_size ? plan->heap_size : UINT64_MAX;
  check_hsa(hsa,
            api->hsa_code_object_reader_create_from_memory(image.data,
                                                           image.size, &reader),
            "reading the image");
  check_hsa(hsa,
            api->hsa_executable_create_alt(
                HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "",
                &hsa->executable),
            "an executable");
  const hsa_status_t result = api->hsa_executable_load_agent_code_object(
      hsa->executable, hsa->gpu, reader, "", NULL);
  if (result != HSA_STATUS_SUCCESS) {
    const char *text = NULL;
    api->hsa_status_string(result, &text);
    fail(STATUS_NOT_RUNNABLE, "%s: %s cannot load it: %s", plan->program,
         device->name, text ? text : "unknown status");
  }
  check_hsa(hsa, api->hsa_executable_freeze(hsa->executable, ""),
            "loading the image");
  protect_image(hsa, image);
}

hsa_executable_symbol_t find_symbol(struct hsa_device *hsa, const char *name,
                                    bool *found) {
  hsa_executable_symbol_t symbol = {0};
  *found = hsa->api.hsa_executable_get_symbol_by_name(
               hsa->executable, name, &hsa->gpu, &symbol) == HSA_STATUS_SUCCESS;
  return symbol;
}

static bool find_global(struct device *device, const char *name,
                        uint64_t *address) {
  struct hsa_device *hsa = hsa_of(device);
  bool found;
  const hsa_executable_symbol_t symbol = find_symbol(hsa, name, &found);
  return found && hsa->api.hsa_executable_symbol_get_info(
                      symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS,
                      address) == HSA_STATUS_SUCCESS;
}

static uint64_t clock_frequency(struct device *device) {
  struct hsa_device *hsa = hsa_of(device);
  uint64_t hertz = 0;
  // The agent's own counter, which the device reads; ROCm below 5.3 does not
  // know the question, and there it ticks as the system's does.
  if (hsa->api.hsa_agent_get_info(hsa->gpu, (hsa_agent_info_t)0xA016, &hertz) !=
          HSA_STATUS_SUCCESS ||
      !hertz)
    hsa->api.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hertz);
  return hertz;
}

//===-- Opening -----------------------------------------------------------===//

/// How well a GPU suits the recording: 0 is best. Names of agents have 63
/// characters at most.
static unsigned rank_of(struct hsa_device *hsa, hsa_agent_t agent) {
  enum { PROCESSORS = sizeof hsa->plan->processors / sizeof(char *) };
  char name[64] = "";
  unsigned rank = 0;
  if (hsa->api.hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name) !=
      HSA_STATUS_SUCCESS)
    return PROCESSORS;
  for (; rank < PROCESSORS; ++rank) {
    const char *wanted = hsa->plan->processors[rank];
    if (wanted && strncmp(name, wanted, sizeof name) == 0)
      break;
  }
  return rank;
}

/// Takes the agent if it suits the recording better than the earlier ones: a
/// machine may have GPUs of several kinds, and the emulator has one of each.
static hsa_status_t note_agent(hsa_agent_t agent, void *data) {
  struct hsa_device *hsa = data;
  hsa_device_type_t type;
  if (hsa->api.hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) !=
      HSA_STATUS_SUCCESS)
    return HSA_STATUS_SUCCESS;
  if (type == HSA_DEVICE_TYPE_CPU && !hsa->cpu.handle)
    hsa->cpu = agent;
  const unsigned rank = type == HSA_DEVICE_TYPE_GPU ? rank_of(hsa, agent) : 0;
  if (type == HSA_DEVICE_TYPE_GPU &&
      (!hsa->gpu.handle || rank < hsa->gpu_rank)) {
    hsa->gpu = agent;
    hsa->gpu_rank = rank;
  }
  return HSA_STATUS_SUCCESS;
}

/// Puts all memory of the emulated device at the recorded address, so that
/// programs that print addresses print the same. Does nothing if that address
/// is in use.
static void use_fixed_memory(void *library, uint64_t memory) {
  const uint64_t size = (uint64_t)256 << 30; // of addresses
  hsa_status_t (*use)(void *, size_t);
  *(void **)&use = dlsym(library, "gpuexec_emulator_use_memory");
  void *mapped = mmap(
      (void *)memory, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == (void *)memory && use)
    use(mapped, size);
}

/// Opens a runtime library. NULL if it does not exist or lacks a function;
/// `*why` is then the reason.
static struct hsa_device *open_runtime(const char *path, const char *name,
                                       const struct plan *plan,
                                       const char **why) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *why = dlerror();
    return NULL;
  }
  struct hsa_device *hsa = allocate(1, sizeof *hsa);
  const char *missing =
      bind_functions(library, HSA_FUNCTIONS(DRIVER_NAME), &hsa->api);
  if (missing) {
    char *text = allocate(1, 80);
    snprintf(text, 80, "missing symbol '%s'", missing);
    *why = text;
    return NULL;
  }
  *(void **)&hsa->api.fault_report =
      dlsym(library, "gpuexec_emulator_fault_report");
  *(void **)&hsa->api.fault_signal =
      dlsym(library, "gpuexec_emulator_fault_signal");
  *(void **)&hsa->api.set_option =
      dlsym(library, "gpuexec_emulator_set_option");
  hsa->device.name = name;
  hsa->plan = plan;
  hsa->emulated = hsa->api.set_option != NULL;
  if (hsa->emulated) {
    hsa->api.set_option("signals", "host");
    hsa->api.set_option("jit-cache", "default");
    if (plan->emulator_memory)
      use_fixed_memory(library, plan->emulator_memory);
  }
  if (hsa->api.hsa_init() != HSA_STATUS_SUCCESS ||
      hsa->api.hsa_iterate_agents(note_agent, hsa) != HSA_STATUS_SUCCESS ||
      !hsa->gpu.handle || !hsa->cpu.handle) {
    *why = "there is no device";
    return NULL;
  }
  find_pools(hsa);
  create_queue(hsa);
  hsa->device.load = load;
  hsa->device.find_global = find_global;
  hsa->device.allocate_host = hsa_allocate_host;
  hsa->device.allocate = hsa_allocate;
  hsa->device.free = hsa_free;
  hsa->device.holds = hsa_holds;
  hsa->device.read = hsa_read;
  hsa->device.write = hsa_write;
  hsa->device.clock_frequency = clock_frequency;
  hsa->device.launch = hsa_launch;
  hsa->device.runs = hsa_runs;
  return hsa;
}

struct device *open_hsa(const struct plan *plan, bool forced) {
  const char *why = "this machine has no AMD GPU (no /dev/kfd)";
  struct hsa_device *hsa = NULL;
  if (forced || access("/dev/kfd", F_OK) == 0 || access("/dev/dxg", F_OK) == 0)
    hsa = open_runtime(LIBRARY, "hsa", plan, &why);
  if (!hsa && forced)
    fail(STATUS_FAILED, "no device hsa: %s", why);
  return hsa ? &hsa->device : NULL;
}

/// Opens a library of gpuexec. NULL if it does not exist or work, or if another
/// user could have put it there.
static struct device *open_library(const char *path, const struct plan *plan,
                                   const char **why) {
  char real[PATH_MAX];
  const char *problem = gpuexec_distrust(path, real);
  if (problem && errno != ENOENT) {
    char *text = allocate(2, PATH_MAX);
    snprintf(text, 2 * PATH_MAX, "%s: %s", real, problem);
    *why = text;
  }
  struct hsa_device *hsa =
      problem ? NULL : open_runtime(real, "emulator", plan, why);
  return hsa ? &hsa->device : NULL;
}

/// Opens the library that is installed with the programs of a folder. Ignores a
/// relative folder, which depends on the working directory and may be
/// anybody's.
static struct device *open_beside(const char *folder, size_t size,
                                  const struct plan *plan, const char **why) {
  char path[PATH_MAX];
  if (*folder != '/')
    return NULL;
  snprintf(path, sizeof path, "%.*s/../lib/gpuexec/" LIBRARY, (int)size,
           folder);
  return open_library(path, plan, why);
}

struct device *open_emulator(const struct plan *plan) {
  const char *why = "no " LIBRARY " of gpuexec's beside this program or in "
                    "PATH (GPUEXEC_EMULATOR can name it)";
  const char *named = getenv("GPUEXEC_EMULATOR"), *folder = getenv("PATH");
  struct device *device = named ? open_library(named, plan, &why) : NULL;
  char self[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  self[size < 0 ? 0 : size] = 0;
  char *name = strrchr(self, '/');
  if (!device && name)
    device = open_beside(self, (size_t)(name - self), plan, &why);
  // Look beside an installed gpuexec: in the folders of PATH.
  while (!device && folder) {
    const size_t length = strcspn(folder, ":");
    device = open_beside(folder, length, plan, &why);
    folder = folder[length] ? folder + length + 1 : NULL;
  }
  if (!device)
    fail(STATUS_FAILED, "no device emulator: %s", why);
  return device;
}
