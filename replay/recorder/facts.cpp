//===-- replay/recorder/facts.cpp - A job in a recording ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/facts.h"
#include "loader/device/backend.h"
#include "support/fixed_addresses.h"
#include "llvm/ADT/StringExtras.h"
#include <sys/mman.h>

namespace gpuexec::record {

static std::string text_of(std::optional<uint64_t> number) {
  return number ? std::to_string(*number) : "";
}

static std::vector<std::string> numbers(const std::array<uint32_t, 3> &values) {
  std::vector<std::string> all;
  for (uint32_t value : values)
    all.push_back(std::to_string(value));
  return all;
}

/// Version of the schedule that a seed produces: order of waves, lengths of
/// slices, turns of the host, counting of instructions. Increase it with any
/// change of these.
static constexpr uint64_t SCHEDULE_VERSION = 1;

RecordedFacts facts_of(const Job &job) {
  RecordedFacts facts;
  facts["gpuexec"] = {GPUEXEC_VERSION};
  facts["program"] = {job.image};
  facts["arguments"] = job.arguments;
  facts["environment"] = job.environment;
  facts["threads"] = numbers(job.grid.threads);
  facts["blocks"] = numbers(job.grid.blocks);
  facts["grid is given"] = {job.grid_is_given ? "1" : "0"};
  facts["stack size"] = {text_of(job.settings.stack_size)};
  facts["heap size"] = {text_of(job.settings.heap_size)};
  if (job.settings.recursion_size)
    facts["recursion size"] = {text_of(job.settings.recursion_size)};
  facts["constructors"] = {std::to_string(int(job.constructors))};
  facts["kernels"] = job.kernels;
  if (job.schedule)
    facts["schedule"] = {std::to_string(SCHEDULE_VERSION),
                         std::to_string(job.schedule->seed)};
  return facts;
}

void add_device(RecordedFacts &facts, const DeviceInfo &device,
                const Image &image) {
  facts["device"] = {device.spec()};
  facts["device name"] = {device.name};
  facts["device target"] = {device.target_id};
  facts["image target"] = {image.target_id().str()};
  if (device.emulated) // fixed_memory()
    facts["emulator memory"] = {std::to_string(FIXED_ARENA)};
}

/// Version of the facts of add_launches(), which gpu-replay checks.
static constexpr int STAND_ALONE_VERSION = 1;

static void add_kernel(std::vector<std::string> &to, const char *role,
                       const Kernel &kernel) {
  to.insert(to.end(), {role, kernel.symbol});
  for (uint64_t number :
       {uint64_t(kernel.wave_size), kernel.arguments_size, kernel.kernarg_size,
        kernel.shared_size, uint64_t(kernel.resources.dynamic_stack),
        uint64_t(kernel.hidden.size())})
    to.push_back(std::to_string(number));
  for (const HiddenArgument &hidden : kernel.hidden)
    to.insert(to.end(),
              {to_string(hidden.kind).str(), std::to_string(hidden.offset),
               std::to_string(hidden.size)});
}

static std::vector<std::string> symbols(llvm::ArrayRef<InitObject> objects) {
  std::vector<std::string> names;
  for (const InitObject &object : objects)
    names.push_back(object.symbol);
  return names;
}

void add_launches(RecordedFacts &facts, const Program &program) {
  const Image &image = program.loaded_image();
  const Contract &contract = program.contract();
  std::vector<std::string> launches;
  auto add = [&](const char *role, const Kernel *kernel) {
    if (kernel)
      add_kernel(launches, role, *kernel);
  };
  add("init", contract.init);
  add("begin", contract.begin);
  add("start", contract.start);
  for (const Kernel *kernel : contract.named)
    add("named", kernel);
  add("end", contract.end);
  add("fini", contract.fini);
  facts["stand-alone"] = {std::to_string(STAND_ALONE_VERSION)};
  facts["image format"] = {image.format() == Image::Format::amdgpu  ? "amdgpu"
                           : image.format() == Image::Format::cubin ? "cubin"
                                                                    : "ptx"};
  facts["unknown stack"] = {image.has_unknown_stack() ? "1" : "0"};
  facts["launches"] = std::move(launches);
  facts["launched threads"] = numbers(program.launched_grid().threads);
  facts["launched blocks"] = numbers(program.launched_grid().blocks);
  facts["constructor objects"] = symbols(image.constructors());
  facts["destructor objects"] = symbols(image.destructors());
  std::optional<RpcClient> client = image.rpc_client();
  if (!client)
    return;
  facts["mailbox client"] = {client->symbol, std::to_string(client->size)};
  facts["ports"] = {std::to_string(program.ports())};
  facts["bulk threshold"] = {
      std::to_string(program.server_options().bulk_threshold)};
}

/// Reads the numbers of a fact. False if their count differs from to.size(), or
/// if a string is no number.
template <typename T>
static bool read(const Recording &recording, const std::string &name,
                 llvm::MutableArrayRef<T> to) {
  auto found = recording.facts().find(name);
  if (found == recording.facts().end() || found->second.size() != to.size())
    return false;
  for (size_t i = 0; i < to.size(); ++i)
    if (!llvm::to_integer(found->second[i], to[i], 10))
      return false;
  return true;
}

static bool read(const Recording &recording, const std::string &name,
                 std::optional<uint64_t> &to) {
  uint64_t number = 0;
  if (recording.fact(name).empty())
    return true;
  if (!read<uint64_t>(recording, name, number))
    return false;
  to = number;
  return true;
}

static std::vector<std::string> strings(const Recording &recording,
                                        const std::string &name) {
  auto found = recording.facts().find(name);
  std::vector<std::string> all;
  if (found != recording.facts().end())
    for (const std::string &text : found->second)
      all.push_back(text.substr(0, text.find('\0')));
  return all;
}

bool has_schedule(const Recording &recording) {
  return recording.facts().count("schedule") != 0;
}

llvm::Error apply_schedule(const Recording &recording, Job &job) {
  uint64_t schedule[2] = {}; // version, seed
  if (!read<uint64_t>(recording, "schedule", schedule))
    return failure(Reason::failed,
                   "what it says about the schedule is damaged");
  if (schedule[0] != SCHEDULE_VERSION)
    return failure(Reason::failed,
                   "gpuexec {0} has made its schedule, which this version "
                   "cannot repeat: --replay-schedule=off",
                   recording.fact("gpuexec"));
  if (const DeviceOption *threads = job.find_option("threads"))
    return failure(Reason::failed,
                   "{0}: not with a recorded schedule, which one thread "
                   "repeats: --replay-schedule=off ignores the schedule",
                   threads->label);
  job.schedule = {schedule[1], "the recorded schedule (--replay-schedule=off "
                               "ignores it)"};
  return llvm::Error::success();
}

void apply_image(const Recording &recording, Job &job) {
  job.image = recording.fact("program").str();
  job.bytes = llvm::MemoryBuffer::getMemBuffer(recording.image(), job.image);
}

llvm::Error apply(const Recording &recording, Job &job) {
  apply_image(recording, job);
  job.arguments = strings(recording, "arguments");
  job.environment = strings(recording, "environment");
  job.kernels = strings(recording, "kernels");
  uint32_t given = 0, constructors = 0;
  const bool good =
      read<uint32_t>(recording, "threads", job.grid.threads) &&
      read<uint32_t>(recording, "blocks", job.grid.blocks) &&
      read<uint32_t>(recording, "grid is given", given) &&
      read<uint32_t>(recording, "constructors", constructors) &&
      constructors <= uint32_t(Constructors::by_runtime) &&
      read(recording, "stack size", job.settings.stack_size) &&
      read(recording, "heap size", job.settings.heap_size) &&
      read(recording, "recursion size", job.settings.recursion_size);
  if (!good)
    return failure(Reason::failed, "what it says about the launch is damaged");
  job.grid_is_given = given;
  job.constructors = Constructors(constructors);
  if (job.device.text != "auto")
    return llvm::Error::success();
  llvm::Expected<DeviceRequest> device =
      DeviceRequest::parse(recording.fact("device").split(':').first);
  if (!device)
    return failure(Reason::failed, "its device: {0}",
                   llvm::toString(device.takeError()));
  job.device = std::move(*device);
  return llvm::Error::success();
}

llvm::MutableArrayRef<std::byte> fixed_memory() {
  // This reserves only address space; a limit may still forbid the whole size.
  constexpr uint64_t WANTED = uint64_t(256) << 30, LEAST = uint64_t(1) << 30;
  for (uint64_t size = WANTED; size >= LEAST; size /= 4) {
    void *memory = ::mmap(
        reinterpret_cast<void *>(FIXED_ARENA), size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
        0);
    if (memory == MAP_FAILED)
      continue;
    ::madvise(memory, size, MADV_DONTDUMP);
    return {static_cast<std::byte *>(memory), size};
  }
  return {};
}

} // namespace gpuexec::record
