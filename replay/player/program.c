//===-- replay/player/program.c - An image, wired up and run --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does what loader/program/ does, with the recording's plan instead of the
// image.
//===----------------------------------------------------------------------===//
#include "replay/player/program.h"
#include "gpu/start_up.h"
#include "replay/player/process.h"
#include <stdlib.h>
#include <string.h>

/// The arguments of `_start`; `_begin` gets all but the last.
struct start_arguments {
  int32_t argc;
  uint32_t padding;
  uint64_t argv, envp, ret;
};
_Static_assert(sizeof(struct start_arguments) == 32, "llvm-gpu-abi.md 4.1");

static void write_global(struct server *server, uint64_t address,
                         const void *from, uint64_t size) {
  struct device *device = server->host.device;
  if (device->write(device, address, from, size))
    fail(STATUS_NOT_RUNNABLE, "%s: a variable for the loader cannot be written",
         server->plan->program);
}
static void read_global(struct server *server, void *to, uint64_t address,
                        uint64_t size) {
  struct device *device = server->host.device;
  if (device->read(device, to, address, size))
    fail(STATUS_NOT_RUNNABLE, "%s: a variable for the loader cannot be read",
         server->plan->program);
}
static bool find_global(struct server *server, const char *name,
                        uint64_t *address) {
  struct device *device = server->host.device;
  return device->find_global(device, name, address);
}

//===-- Start-up memory ---------------------------------------------------===//

/// Builds a table of constructors or destructors from the objects of an NVIDIA
/// image. For AMD images the linker has built it.
static void build_table(struct server *server, struct names objects,
                        const char *begin, const char *end) {
  struct device *device = server->host.device;
  if (!objects.count)
    return;
  const struct host_memory table =
      device->allocate_host(device, objects.count * sizeof(uint64_t));
  for (size_t i = 0; i < objects.count; ++i) {
    uint64_t address;
    if (!find_global(server, objects.all[i], &address))
      fail(STATUS_NOT_RUNNABLE, "%s: the driver has no '%s'",
           server->plan->program, objects.all[i]);
    read_global(server, table.host + i * sizeof(uint64_t), address,
                sizeof(uint64_t));
  }
  const uint64_t bounds[] = {table.address,
                             table.address + objects.count * sizeof(uint64_t)};
  const char *const names[] = {begin, end};
  for (int i = 0; i < 2; ++i) {
    uint64_t address;
    if (!find_global(server, names[i], &address))
      fail(STATUS_NOT_RUNNABLE, "%s: has constructors, but no '%s'",
           server->plan->program, names[i]);
    write_global(server, address, &bounds[i], sizeof bounds[i]);
  }
}

/// argv and envp: the pointers of both lists, each ended by a null, then the
/// strings.
static struct start_arguments
copy_arguments(struct server *server, struct names argv, struct names envp) {
  struct device *device = server->host.device;
  const struct names lists[] = {argv, envp};
  uint64_t size = 8 * (argv.count + 1 + envp.count + 1), text = size;
  for (int i = 0; i < 2; ++i)
    for (size_t k = 0; k < lists[i].count; ++k)
      size += strlen(lists[i].all[k]) + 1;
  const struct host_memory memory = device->allocate_host(device, size);
  uint64_t *pointer = (uint64_t *)memory.host;
  for (int i = 0; i < 2; ++i, ++pointer)
    for (size_t k = 0; k < lists[i].count; ++k) {
      const size_t length = strlen(lists[i].all[k]) + 1;
      *pointer++ = memory.address + text;
      memcpy(memory.host + text, lists[i].all[k], length);
      text += length;
    }
  // Threads only ever OR into the status: it must begin as zero.
  const int32_t zero = 0;
  const uint64_t ret = device->allocate(device, sizeof zero, 256);
  if (!ret)
    fail(STATUS_FAILED, "%s: no memory for the status", device->name);
  write_global(server, ret, &zero, sizeof zero);
  return (struct start_arguments){(int32_t)argv.count, 0, memory.address,
                                  memory.address + 8 * (argv.count + 1), ret};
}

static void connect_mailbox(struct server *server) {
  const struct plan *plan = server->plan;
  uint64_t address;
  create_server(server);
  if (!server->has_mailbox)
    return;
  const struct buffer client = client_object(&server->mailbox);
  if (!find_global(server, plan->client, &address))
    fail(STATUS_NOT_RUNNABLE, "%s: the driver has no '%s'", plan->program,
         plan->client);
  if (plan->version_19) // it is a pointer to the client
    read_global(server, &address, address, sizeof address);
  write_global(server, address, client.data, client.size);
  if (!find_global(server, RPC_EXTENSIONS_SYMBOL, &address))
    return;
  const rpc_extensions extensions = extensions_object(
      &server->mailbox, plan->bulk_threshold, server->answers != NULL);
  write_global(server, address, &extensions, sizeof extensions);
}

static void set_clock(struct server *server) {
  struct device *device = server->host.device;
  const uint64_t hertz = device->clock_frequency(device);
  uint64_t address;
  if (hertz && find_global(server, GPUEXEC_CLOCK_FREQUENCY, &address))
    write_global(server, address, &hertz, sizeof hertz);
}

//===-- Launches ----------------------------------------------------------===//

static void run_kernels(struct server *server) {
  struct device *device = server->host.device;
  uint64_t since = 0;
  while (device->runs(device))
    if (serve(server))
      since = 0;
    else
      back_off(&since);
  // Serve requests whose waves have not waited for an answer.
  while (serve(server))
    ;
  check_all_ended(server);
}

/// After a status of 0: fails if no thread has returned from main, because then
/// no thread has set the status.
static void check_return(struct server *server) {
  const char *program = server->plan->program;
  uint32_t word = GPUEXEC_HAS_RETURNED;
  uint64_t address;
  if (find_global(server, GPUEXEC_MAIN_RETURNED, &address))
    read_global(server, &word, address, sizeof word);
  if (word == GPUEXEC_HAS_RETURNED)
    return;
  if (server->answers)
    finish_replay(server->answers, (struct end){"failed", 0});
  if (word == GPUEXEC_NEVER_RETURNED)
    fail(STATUS_FAILED,
         "%s: never set an exit status: no thread returned from main or called "
         "exit",
         program);
  fail(STATUS_FAILED,
       "%s: its memory is corrupt: '%s' holds 0x%08x, which no start-up code "
       "wrote",
       program, GPUEXEC_MAIN_RETURNED, word);
}

/// Whether the kernels before this one must have ended when it is launched.
static bool waits(const struct server *server, const struct kernel *kernel) {
  const bool takes_status = kernel->role == ROLE_END && kernel->arguments_size;
  return !server->host.device->queues || takes_status ||
         kernel->wave_size != server->mailbox.lanes;
}

void run_program(struct server *server, struct bytes image,
                 struct names arguments, struct names environment) {
  const struct plan *plan = server->plan;
  struct device *device = server->host.device;
  const struct grid single = {{1, 1, 1}, {1, 1, 1}};
  bool starts = false;
  device->load(device, plan, image);
  build_table(server, plan->constructors, GPUEXEC_INIT_ARRAY_START,
              GPUEXEC_INIT_ARRAY_END);
  build_table(server, plan->destructors, GPUEXEC_FINI_ARRAY_START,
              GPUEXEC_FINI_ARRAY_END);
  const struct start_arguments start =
      copy_arguments(server, arguments, environment);
  connect_mailbox(server);
  set_clock(server);
  for (unsigned i = 0; i < plan->kernel_count; ++i) {
    const struct kernel *kernel = &plan->kernels[i];
    int32_t status = 0;
    starts |= kernel->role == ROLE_START;
    if (i && waits(server, kernel))
      run_kernels(server);
    if (kernel->role == ROLE_END && kernel->arguments_size)
      read_global(server, &status, start.ret, sizeof status);
    server->mailbox.lanes = kernel->wave_size;
    device->launch(device, kernel, kernel->single ? &single : &plan->grid,
                   kernel->role == ROLE_END ? (const void *)&status : &start);
  }
  run_kernels(server);
  int32_t status = 0;
  read_global(server, &status, start.ret, sizeof status);
  if (starts && !status)
    check_return(server);
  end_program(server, (struct end){"exited", status & 0xff});
}
