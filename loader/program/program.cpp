//===-- loader/program/program.cpp - An image, wired up and run -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/program.h"
#include "gpu/start_up.h"
#include "loader/device/own_grid.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

namespace gpuexec {

static llvm::ArrayRef<std::byte> as_bytes(const auto &value) {
  return {reinterpret_cast<const std::byte *>(&value), sizeof(value)};
}

/// The most ports of a program that divides its work by itself; each takes 2
/// KiB of memory that host and device share.
constexpr uint32_t MOST_PORTS_OF_OWN_GRID = 1024;

llvm::Expected<std::unique_ptr<Program>> Program::load(Device &device,
                                                       const Image &image,
                                                       ProgramOptions options,
                                                       Phases &phases) {
  std::unique_ptr<Program> program(
      new Program(device, image, std::move(options), phases));
  if (llvm::Error error = program->load())
    return std::move(error);
  return std::move(program);
}

llvm::Error Program::load() {
  llvm::Expected<Contract> contract =
      find_contract(image, options.constructors, options.kernels);
  if (!contract)
    return contract.takeError();
  startup = std::move(*contract);
  llvm::Expected<Grid> launched = grid_for(image, options.grid);
  if (!launched)
    return launched.takeError();
  grid = *launched;
  llvm::Expected<std::unique_ptr<Module>> module =
      device.load(image, options.settings);
  if (!module)
    return module.takeError();
  loaded = std::move(*module);
  if (llvm::Error error = find_own_grid())
    return error;
  if (startup.gcc_main) {
    llvm::Expected<std::unique_ptr<GccProcess>> process = GccProcess::create(
        device, image, options.argv(), options.server.stdout_fd);
    if (!process)
      return process.takeError();
    gcc = std::move(*process);
    phases.done("load");
    return llvm::Error::success();
  }
  if (llvm::Error error = build_constructor_tables())
    return error;
  if (llvm::Error error = copy_arguments())
    return error;
  if (llvm::Error error = set_up_mailbox())
    return error;
  if (llvm::Error error = set_clock())
    return error;
  if (llvm::Error error = find_return_mark())
    return error;
  if (llvm::Error error = set_up_region_log())
    return error;
  phases.done("load");
  return llvm::Error::success();
}

Program::~Program() {
  mailbox_server.reset(); // its threads look at the mailbox
  for (const HostBuffer *buffer : {&argument_memory, &mailbox, &tables})
    if (buffer->host)
      device.free_host(*buffer);
  if (start_arguments.ret)
    device.free_device(start_arguments.ret);
}

llvm::Error Program::copy_arguments() {
  const std::vector<std::string> argv = options.argv();
  ArgumentBlock block(argv, options.environment);
  llvm::Expected<HostBuffer> memory = device.allocate_host(block.size());
  if (!memory)
    return memory.takeError();
  argument_memory = *memory;
  block.fill(memory->host, memory->address);
  start_arguments.argc = block.argc();
  start_arguments.argv = memory->address + block.argv_offset();
  start_arguments.envp = memory->address + block.envp_offset();
  // Threads only ever OR into the status: it must begin as zero.
  llvm::Expected<DeviceAddress> ret = device.allocate_device(sizeof(int32_t));
  if (!ret)
    return ret.takeError();
  start_arguments.ret = *ret;
  device.queue().will_read(*ret, sizeof(int32_t));
  return llvm::Error::success();
}

llvm::Error Program::build_constructor_tables() {
  // For AMDGPU the linker has built the tables.
  struct {
    llvm::ArrayRef<InitObject> objects;
    const char *begin, *end;
    std::vector<uint64_t> functions = {};
  } lists[] = {
      {image.constructors(), GPUEXEC_INIT_ARRAY_START, GPUEXEC_INIT_ARRAY_END},
      {image.destructors(), GPUEXEC_FINI_ARRAY_START, GPUEXEC_FINI_ARRAY_END},
  };
  uint64_t count = 0;
  for (auto &list : lists) {
    for (const InitObject &object : list.objects) {
      llvm::Expected<std::optional<DeviceAddress>> address =
          find_global(object.symbol);
      if (!address)
        return address.takeError();
      if (!*address)
        return failure(Reason::not_runnable, "{0}: the driver has no '{1}'",
                       image.name(), object.symbol);
      uint64_t function = 0;
      if (llvm::Error error = device.queue().copy_from_device(
              {reinterpret_cast<std::byte *>(&function), sizeof(function)},
              **address))
        return error;
      list.functions.push_back(function);
    }
    count += list.functions.size();
  }
  if (count == 0)
    return llvm::Error::success();
  llvm::Expected<HostBuffer> memory =
      device.allocate_host(count * sizeof(uint64_t));
  if (!memory)
    return memory.takeError();
  tables = *memory;
  uint64_t offset = 0;
  for (auto &list : lists) {
    uint64_t bytes = list.functions.size() * sizeof(uint64_t);
    if (bytes)
      std::memcpy(tables.host + offset, list.functions.data(), bytes);
    for (auto [name, value] : {std::pair{list.begin, tables.address + offset},
                               {list.end, tables.address + offset + bytes}}) {
      llvm::Expected<std::optional<DeviceAddress>> bound = find_global(name);
      if (!bound)
        return bound.takeError();
      if (!*bound && bytes)
        return failure(Reason::not_runnable,
                       "{0}: has constructors, but no '{1}' to say where they "
                       "are: not linked with start-up code",
                       image.name(), name);
      if (*bound)
        if (llvm::Error error =
                device.queue().copy_to_device(**bound, as_bytes(value)))
          return error;
    }
    offset += bytes;
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<DeviceAddress>>
Program::find_global(llvm::StringRef name) {
  llvm::Expected<std::optional<DeviceAddress>> found =
      loaded->find_global(name);
  if (found && *found)
    return found;
  const Global *global = image.find_global(name);
  if (!global || !global->defined || global->visible)
    return found;
  llvm::consumeError(found.takeError());
  return failure(Reason::not_runnable,
                 "{0}: symbol '{1}' is hidden or local, where the loader must "
                 "find it: make it protected",
                 image.name(), name);
}

llvm::Expected<std::optional<DeviceAddress>>
Program::find_own_variable(llvm::StringRef name, uint64_t size) {
  const Global *global = image.find_global(name);
  if (!global || !global->defined || global->size != size)
    return std::nullopt;
  return find_global(name);
}

llvm::Error Program::find_own_grid() {
  gpuexec_grid own = {};
  if (!startup.start)
    return llvm::Error::success();
  llvm::Expected<std::optional<DeviceAddress>> address =
      find_own_variable(GPUEXEC_GRID, sizeof(own));
  if (!address || !*address)
    return address.takeError();
  if (llvm::Error error = device.queue().copy_from_device(
          {reinterpret_cast<std::byte *>(&own), sizeof(own)}, **address))
    return error;
  Kernel start = *startup.start;
  start.resources = loaded->resources(start);
  llvm::Expected<Grid> found = own_grid(
      image, start, device.info(), own,
      options.grid_is_given ? &options.grid : nullptr, options.shares_device);
  if (!found)
    return found.takeError();
  grid = *found;
  // All waves are resident, and few call the host at the same time: a wave that
  // finds no free port can wait for one.
  most_ports = MOST_PORTS_OF_OWN_GRID;
  return llvm::Error::success();
}

llvm::Error Program::set_clock() {
  uint64_t hertz = device.clock_frequency();
  if (hertz == 0)
    return llvm::Error::success();
  llvm::Expected<std::optional<DeviceAddress>> address =
      find_own_variable(GPUEXEC_CLOCK_FREQUENCY, sizeof(hertz));
  if (!address)
    return address.takeError();
  return *address ? device.queue().copy_to_device(**address, as_bytes(hertz))
                  : llvm::Error::success();
}

void Program::abandon_output() {
  if (mailbox_server)
    mailbox_server->abandon();
  if (gcc)
    gcc->abandon();
}

std::string Program::running_kernel() const {
  std::vector<std::string> names;
  {
    std::lock_guard lock(running_mutex);
    names = running;
  }
  if (names.size() < 2)
    return names.empty() ? std::string() : names.front();
  return names[std::min(device.queue().ended(), names.size() - 1)];
}

llvm::Error Program::launch(llvm::ArrayRef<KernelLaunch> kernels) {
  while (!kernels.empty()) {
    // Launch together only kernels with the same wave size: server and relay
    // know only one at a time.
    size_t count = 1;
    while (!options.separate_kernels && count < kernels.size() &&
           kernels[count].kernel->wave_size == kernels[0].kernel->wave_size)
      ++count;
    if (llvm::Error error = launch_together(kernels.take_front(count)))
      return error;
    kernels = kernels.drop_front(count);
  }
  return llvm::Error::success();
}

llvm::Error Program::launch_together(llvm::ArrayRef<KernelLaunch> kernels) {
  std::vector<std::string> names;
  for (const KernelLaunch &each : kernels) {
    names.push_back(each.kernel->name);
    if (options.before_launch)
      options.before_launch(*each.kernel);
  }
  const std::string phase = llvm::join(
      llvm::map_range(names, [](llvm::StringRef n) { return n.ltrim('_'); }),
      "+");
  {
    std::lock_guard lock(running_mutex);
    running = std::move(names);
  }
  if (mailbox_server) {
    const uint32_t lanes = kernels[0].kernel->wave_size;
    mailbox_server->set_lanes(lanes);
    if (llvm::Error error =
            device.queue().carry_mailbox(mailbox_layout, mailbox, lanes))
      return error;
  }
  llvm::Error error = device.queue().launch(*loaded, kernels);
  if (region_log && kernels.back().kernel == startup.start)
    region_log->main_ended();
  // Serve requests whose waves have not waited for an answer.
  if (mailbox_server && !error)
    mailbox_server->drain();
  {
    std::lock_guard lock(running_mutex);
    running.clear();
  }
  phases.done(phase);
  return error;
}

llvm::Error Program::find_return_mark() {
  const Global *global = image.find_global(GPUEXEC_MAIN_RETURNED);
  if (!startup.start || !global || !global->defined)
    return llvm::Error::success();
  llvm::Expected<std::optional<DeviceAddress>> address =
      find_global(GPUEXEC_MAIN_RETURNED);
  if (!address)
    return address.takeError();
  return_mark = address->value_or(DeviceAddress());
  if (return_mark)
    device.queue().will_read(return_mark, sizeof(uint32_t));
  return llvm::Error::success();
}

llvm::Error Program::set_up_region_log() {
  if (!options.time_regions || !startup.start)
    return llvm::Error::success();
  llvm::Expected<std::optional<DeviceAddress>> address =
      find_own_variable(GPUEXEC_REGIONS, sizeof(gpuexec_regions));
  if (!address || !*address)
    return address.takeError();
  llvm::Expected<std::unique_ptr<RegionLog>> created =
      RegionLog::create(device, **address, options.note_regions);
  if (!created)
    return created.takeError();
  region_log = std::move(*created);
  return llvm::Error::success();
}

llvm::Error Program::check_return() {
  uint32_t word = GPUEXEC_HAS_RETURNED;
  if (return_mark)
    if (llvm::Error error = device.queue().copy_from_device(
            {reinterpret_cast<std::byte *>(&word), sizeof(word)}, return_mark))
      return error;
  if (word == GPUEXEC_HAS_RETURNED)
    return llvm::Error::success();
  if (word == GPUEXEC_NEVER_RETURNED)
    return failure(Reason::failed,
                   "{0}: never set an exit status: no thread returned from "
                   "main or called exit",
                   image.name());
  return failure(Reason::failed,
                 "{0}: its memory is corrupt: '{1}' holds {2:x8}, which no "
                 "start-up code wrote",
                 image.name(), GPUEXEC_MAIN_RETURNED, word);
}

llvm::Expected<int32_t> Program::run_gcc() {
  gcc->start();
  for (const Kernel *kernel : startup.launches())
    if (llvm::Error error =
            launch({KernelLaunch{kernel, gcc->grid(), gcc->arguments()}}))
      return std::move(error);
  return gcc->finish();
}

llvm::Expected<int32_t> Program::run() {
  if (gcc)
    return run_gcc();
  if (mailbox_server)
    mailbox_server->start();
  const Grid single;
  const std::vector<std::byte> begin = start_arguments.bytes(
                                   StartArguments::BEGIN_SIZE),
                               start = start_arguments.bytes(
                                   StartArguments::START_SIZE);
  std::vector<KernelLaunch> kernels;
  auto add = [&](const Kernel *kernel, const Grid &grid,
                 llvm::ArrayRef<std::byte> arguments) {
    if (kernel)
      kernels.push_back({kernel, grid, arguments});
  };
  add(startup.init, single, {});
  add(startup.begin, single, begin);
  add(startup.start, grid, start);
  for (const Kernel *kernel : startup.named)
    add(kernel, grid, {});
  int32_t status = 0;
  auto read_status = [&] {
    return device.queue().copy_from_device(
        {reinterpret_cast<std::byte *>(&status), sizeof(status)},
        start_arguments.ret);
  };
  if (startup.end && startup.end_takes_status) {
    if (llvm::Error error = launch(std::exchange(kernels, {})))
      return std::move(error);
    if (llvm::Error error = read_status())
      return std::move(error);
  }
  const int32_t returned = status;
  add(startup.end, single,
      startup.end_takes_status ? as_bytes(returned)
                               : llvm::ArrayRef<std::byte>());
  add(startup.fini, single, {});
  if (llvm::Error error = launch(kernels))
    return std::move(error);
  if (!startup.end_takes_status)
    if (llvm::Error error = read_status())
      return std::move(error);
  if (mailbox_server)
    mailbox_server->stop();
  bool asked_to_end = mailbox_server && mailbox_server->outcome();
  if (startup.start && status == 0 && !asked_to_end)
    if (llvm::Error error = check_return())
      return std::move(error);
  return status;
}

} // namespace gpuexec
