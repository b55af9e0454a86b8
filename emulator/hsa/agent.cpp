//===-- emulator/hsa/agent.cpp - Agents, ISAs, memory pools ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/agent.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <cstring>
#include <sys/sysinfo.h>

namespace gpuexec::emulator {

static const GpuModel MODELS[] = {
    {*gpu::find_amd_processor("gfx942"), ":sramecc+:xnack-",
     "gpuexec emulated gfx942", 0x74a1, 304, 32, 1, 2100, 8192, 2600, 32, 4096,
     8},
    {*gpu::find_amd_processor("gfx90a"), ":sramecc+:xnack-",
     "gpuexec emulated gfx90a", 0x7408, 104, 8, 1, 1700, 4096, 1600, 16, 8192,
     1},
    {*gpu::find_amd_processor("gfx1100"), "", "gpuexec emulated gfx1100",
     0x744c, 96, 6, 2, 2500, 384, 1249, 32, 6144, 1},
    {*gpu::find_amd_processor("gfx1201"), "", "gpuexec emulated gfx1201",
     0x7550, 64, 4, 2, 2970, 256, 1258, 32, 8192, 1},
    {*gpu::find_amd_processor("gfx1030"), "", "gpuexec emulated gfx1030",
     0x73bf, 80, 4, 2, 2250, 256, 1000, 16, 4096, 1},
    {*gpu::find_amd_processor("gfx1010"), ":xnack-", "gpuexec emulated gfx1010",
     0x731f, 40, 2, 2, 1905, 256, 875, 16, 4096, 1},
};

static void add_pool(Agent &agent, hsa_amd_segment_t segment, uint32_t flags,
                     uint64_t size, MemoryKind kind) {
  auto pool = std::make_unique<Pool>();
  pool->agent = &agent;
  pool->segment = segment;
  pool->flags = flags;
  pool->size = size;
  pool->kind = kind;
  agent.pools.push_back(std::move(pool));
}

static std::string processor_name() {
  std::string name = "host CPU";
  if (FILE *file = fopen("/proc/cpuinfo", "re")) {
    char line[256];
    while (fgets(line, sizeof(line), file))
      if (!strncmp(line, "model name", 10))
        if (const char *colon = strchr(line, ':')) {
          name = llvm::StringRef(colon + 1).trim().str();
          break;
        }
    fclose(file);
  }
  return name;
}

static std::unique_ptr<Agent> make_cpu(uint64_t memory) {
  auto cpu = std::make_unique<Agent>();
  cpu->name = cpu->product = processor_name();
  add_pool(*cpu, HSA_AMD_SEGMENT_GLOBAL,
           HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED, memory,
           MemoryKind::fine_host);
  add_pool(*cpu, HSA_AMD_SEGMENT_GLOBAL,
           HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT |
               HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
           memory, MemoryKind::arguments);
  add_pool(*cpu, HSA_AMD_SEGMENT_GLOBAL,
           HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED, memory,
           MemoryKind::coarse_host);
  return cpu;
}

static std::unique_ptr<Agent> make_gpu(const GpuModel &model, uint32_t node,
                                       uint64_t memory) {
  auto gpu = std::make_unique<Agent>();
  gpu->type = HSA_DEVICE_TYPE_GPU;
  gpu->name = model.processor.name;
  gpu->product = model.product;
  gpu->node = node;
  gpu->model = &model;
  auto add_isa = [&](std::string_view processor) {
    auto isa = std::make_unique<Isa>();
    isa->name = "amdgcn-amd-amdhsa--" + std::string(processor) + model.features;
    isa->agent = gpu.get();
    gpu->isas.push_back(std::move(isa));
  };
  add_isa(model.processor.name);
  if (!model.processor.generic.empty())
    add_isa(model.processor.generic);
  add_pool(*gpu, HSA_AMD_SEGMENT_GLOBAL,
           HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED, memory,
           MemoryKind::device);
  add_pool(*gpu, HSA_AMD_SEGMENT_GLOBAL,
           HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED, memory,
           MemoryKind::device);
  add_pool(*gpu, HSA_AMD_SEGMENT_GROUP, 0,
           model.processor.limits.lds_of_block(), MemoryKind::device);
  return gpu;
}

std::vector<std::unique_ptr<Agent>> make_agents(const char *processors) {
  struct sysinfo system = {};
  sysinfo(&system);
  uint64_t total = uint64_t(system.totalram) * system.mem_unit;
  uint64_t device =
      (total - total / 4) & ~uint64_t(0x1fffff); // the host needs some of it
  std::vector<std::unique_ptr<Agent>> agents;
  agents.push_back(make_cpu(total & ~uint64_t(0xfff)));
  llvm::SmallVector<llvm::StringRef, 4> words;
  llvm::StringRef(processors).split(words, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    bool known = false;
    for (const GpuModel &model : MODELS)
      if (word.trim() == llvm::StringRef(model.processor.name)) {
        agents.push_back(make_gpu(model, uint32_t(agents.size()), device));
        known = true;
      }
    if (known)
      continue;
    fprintf(stderr, "gpuexec emulator: no GPU '%s'; there are",
            word.trim().str().c_str());
    for (const GpuModel &model : MODELS)
      fprintf(stderr, " %s", std::string(model.processor.name).c_str());
    fprintf(stderr, "\n");
  }
  return agents;
}

} // namespace gpuexec::emulator
