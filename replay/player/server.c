//===-- replay/player/server.c - Serves the program's calls ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/server.h"
#include "replay/player/live.h"
#include "replay/player/process.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_ABORTED = 128 + SIGABRT, MALLOC_ALIGNMENT = 2 << 20 };
// The largest size that is passed on, so that sums cannot overflow.
#define MOST_ALLOCATED ((uint64_t)1 << 46)

//===-- The end -----------------------------------------------------------===//

void end_program(struct server *server, struct end end) {
  if (server->live)
    flush_live(server->live);
  if (server->answers)
    finish_replay(server->answers, end);
  fflush(stderr);
  if (strcmp(end.kind, "exited") == 0)
    _exit((int)end.value & 0xff);
  if (end.value == SIGABRT)
    _exit(STATUS_ABORTED);
  signal((int)end.value, SIG_DFL);
  raise((int)end.value);
  _exit(128 + (int)end.value);
}

/// Ends the process as by SIGABRT. `why`: text behind "aborted", or "".
_Noreturn static void abort_program(struct server *server, const char *why) {
  say("gpu-replay: ");
  say(server->plan->program);
  say(": aborted");
  say(why);
  say("\n");
  end_program(server, (struct end){"signalled", SIGABRT});
}

_Noreturn static void end_by_call(struct server *server,
                                  const struct call *call) {
  if (call->noted.opcode == RPC_ABORT)
    abort_program(server, "");
  const uint64_t lane = (uint64_t)__builtin_ctzll(call->port->mask);
  const uint64_t status = call->words[0][lane] & 0xff;
  end_program(server, (struct end){"exited", (int64_t)status});
}

/// Called after a fault of the program: writes out what it has printed.
static void on_fault(void *context, int signal) {
  struct server *server = context;
  if (server->answers)
    finish_replay(server->answers, (struct end){"faulted", signal});
  else
    flush_live(server->live);
  if (!server->has_mailbox)
    return;
  const rpc_output *output = mailbox_output(&server->mailbox);
  const uint64_t used = __atomic_load_n(&output->used, __ATOMIC_ACQUIRE);
  if (used <= RPC_OUTPUT_BYTES && write(STDOUT_FILENO, output->text, used) < 0)
    return; // nobody reads it
}

void refuse(const struct call *call, const char *why) {
  port_error(call->port, "%s (opcode 0x%x): %s", call->name, call->noted.opcode,
             why);
}

//===-- Setting up --------------------------------------------------------===//

void create_server(struct server *server) {
  const struct plan *plan = server->plan;
  struct device *device = server->host.device;
  struct mailbox *mailbox = &server->mailbox;
  device->broken = on_fault;
  device->broken_context = server;
  server->host.mailbox = mailbox;
  server->has_mailbox = plan->client != NULL;
  if (!server->has_mailbox)
    return;
  if (!lay_out(mailbox, plan->client_size, plan->version_19,
               (uint32_t)plan->ports, (uint32_t)plan->lanes))
    fail(STATUS_NOT_RUNNABLE,
         "%s: symbol '%s' has %llu bytes, which no version of LLVM's has",
         plan->program, plan->client, (unsigned long long)plan->client_size);
  const struct host_memory memory =
      device->allocate_host(device, mailbox_size(mailbox));
  mailbox->host = memory.host;
  mailbox->address = memory.address;
  mailbox->program = plan->program;
}

//===-- Memory ------------------------------------------------------------===//

static uint64_t allocate_for(struct server *server, const struct call *call,
                             uint64_t lane) {
  const uint64_t size = call->words[ALLOCATE_SIZE][lane];
  const uint64_t alignment = call->noted.opcode == RPC_ALLOCATE
                                 ? call->words[ALLOCATE_ALIGNMENT][lane]
                                 : MALLOC_ALIGNMENT;
  if (size > MOST_ALLOCATED || alignment > MOST_ALLOCATED || !alignment ||
      alignment & (alignment - 1))
    return 0;
  return server->host.device->allocate(server->host.device, size, alignment);
}

/// Allocates memory for all lanes, as if nothing were recorded.
static void allocate_lanes(struct server *server, struct call *call) {
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t address = allocate_for(server, call, lane);
    append_number(&call->answer, address);
    append_number(&call->answer, address ? 0 : ENOMEM);
  }
}

/// Allocates memory for the lanes that got some in the recorded run; the answer
/// has the new addresses.
static void allocate_again(struct server *server, struct call *call,
                           struct bytes recorded) {
  struct packed from = {recorded, false};
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t then = read_number(&from), error = read_number(&from);
    const uint64_t now = then ? allocate_for(server, call, lane) : 0;
    if (from.failed || (then && !now))
      refuse(call, now ? "its recorded answer is damaged"
                       : "the device has too little memory for it");
    if (now)
      note_allocated(server->answers->matcher, then, now,
                     call->words[ALLOCATE_SIZE][lane]);
    append_number(&call->answer, now);
    append_number(&call->answer, error);
  }
}

static void free_lanes(struct server *server, const struct call *call) {
  struct device *device = server->host.device;
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t address = call->words[0][lane];
    if (!address)
      continue;
    if (server->answers)
      note_freed(server->answers->matcher, address);
    if (!device->free(device, address)) {
      char why[80];
      snprintf(why, sizeof why, ": free of 0x%llx, which is not allocated",
               (unsigned long long)address);
      abort_program(server, why);
    }
  }
}

//===-- Answers from the recording ----------------------------------------===//

/// Repeats the effects of a bulk call on memory. Returns the rest of the
/// answer.
static struct bytes move_memory(struct server *server, const struct call *call,
                                struct bytes answer) {
  struct packed from = {answer, false};
  rpc_output *output = mailbox_output(&server->mailbox);
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t address = call->words[BULK_ADDRESS][lane];
    if (is_bulk_write(call->noted.opcode)) {
      // The program's output buffer has been written out.
      if (mailbox_view(&server->mailbox, address, 1) == output->text)
        __atomic_store_n(&output->used, 0, __ATOMIC_RELAXED);
      continue;
    }
    const struct bytes bytes = read_bytes(&from);
    if (from.failed || bytes.size > call->words[BULK_LENGTH][lane])
      refuse(call, "its recorded answer is damaged");
    if (write_memory(&server->host, address, bytes.data, bytes.size))
      refuse(call, "its recorded bytes cannot be written to the program");
  }
  return from.left;
}

/// Finds the call's answer in the recording. False: it is too early.
static bool answer_from_recording(struct server *server, struct call *call) {
  const uint32_t opcode = call->noted.opcode;
  struct bytes answer = {0};
  struct end end;
  switch (answer_call(server->answers, &call->noted, &answer, &end)) {
  case FOUND_LATER:
    return false;
  case FOUND_END:
    end_program(server, end);
  case FOUND_MEMORY:
    if (opcode == RPC_FREE)
      free_lanes(server, call);
    if (allocates(opcode))
      allocate_lanes(server, call);
    return true;
  case FOUND_ANSWER:
    break;
  }
  if (ends_program(opcode))
    end_by_call(server, call);
  if (is_bulk(opcode))
    answer = move_memory(server, call, answer);
  // A copy: answer_call() is called again before all of it is sent.
  if (allocates(opcode))
    allocate_again(server, call, answer);
  else
    append(&call->answer, answer.data, answer.size);
  return true;
}

//===-- Live --------------------------------------------------------------===//

static void answer_live(struct server *server, struct call *call) {
  switch (call->noted.opcode) {
  case RPC_NOOP:
    break;
  case RPC_EXIT:
  case RPC_ABORT:
    end_by_call(server, call);
  case RPC_FREE:
    free_lanes(server, call);
    break;
  case RPC_MALLOC:
  case RPC_ALLOCATE:
    allocate_lanes(server, call);
    break;
  default:
    if (prints(call->noted.opcode))
      print_live(server->live, call, &call->answer);
    else if (!serve_live(server->live, call, &call->answer))
      refuse(call, "gpu-replay --live does not serve this call; gpuexec "
                   "--replay-live does");
  }
}

//===-- Ports -------------------------------------------------------------===//

static void begin_call(struct port *port) {
  uint32_t opcode, caller;
  if (!open_port(port, &opcode, &caller))
    return;
  if (!port->call)
    port->call = allocate(1, sizeof *port->call);
  struct call *call = port->call;
  call->port = port;
  call->noted = (struct recorded_call){
      .opcode = opcode, .caller = caller, .mask = port->mask};
  call->name = find_opcode(opcode, &call->sequence);
  if (!call->name)
    port_error(port, "opcode 0x%x is unknown to gpu-replay", opcode);
  if (!call->sequence.is_plain && !prints(opcode) && !ends_program(opcode))
    refuse(call, "gpu-replay does not serve this call");
  call->word_count = call->stream_count = call->step = 0;
  call->notes.size = 0;
  port->state = RECEIVING;
}

/// Receives the request. False: not all of it has arrived.
static bool receive_all(struct server *server, struct call *call) {
  // The request of a printf may be complete while its strings still arrive.
  if (call->step < call->sequence.request_steps &&
      !receive_request(&server->host, call))
    return false;
  return !prints(call->noted.opcode) ||
         make_texts(&server->host, call,
                    server->mailbox.client_size == sizeof(rpc_client22));
}

/// Makes the answer. False: there is none yet.
static bool find_answer(struct server *server, struct call *call) {
  call->answer.size = 0;
  if (!server->answers)
    answer_live(server, call);
  else if (!answer_from_recording(server, call))
    return false;
  call->left = (struct packed){view(&call->answer), false};
  return true;
}

/// Sends the answer. False: not all of it could be sent yet.
static bool send_all(struct server *server, struct call *call) {
  if (!(prints(call->noted.opcode) ? send_printed(call) : send_answer(call)))
    return false;
  if (call->left.failed)
    refuse(call, server->answers ? "its recorded answer is damaged"
                                 : "cannot be served");
  if (call->port->owns) // a call that ends without a reply
    hand_over(call->port);
  return true;
}

/// Goes on with the port's call as far as its packets have come.
static void serve_port(struct server *server, struct port *port) {
  const bool was_waiting = port->state == WAITING;
  if (port->state == UNUSED)
    begin_call(port);
  struct call *call = port->call;
  if (port->state == RECEIVING && receive_all(server, call))
    port->state = WAITING;
  if (port->state == WAITING && find_answer(server, call))
    port->state = SENDING;
  if (port->state == SENDING && send_all(server, call))
    port->state = UNUSED;
  server->deferred += (unsigned)(port->state == WAITING) - was_waiting;
}

/// Serves ports whose client has sent something, or calls that wait for an
/// answer. False: there was nothing to do.
static bool serve_ports(struct server *server, bool waiting) {
  bool worked = false;
  for (uint32_t i = 0; i < server->mailbox.port_count; ++i) {
    struct port *port = &server->mailbox.ports[i];
    if ((port->state == WAITING) != waiting || (!waiting && !is_pending(port)))
      continue;
    serve_port(server, port);
    worked |= !waiting || port->state != WAITING;
  }
  return worked;
}

bool serve(struct server *server) {
  enum { RETRIED_EACH = 64 };
  if (!server->has_mailbox)
    return false;
  bool worked = serve_ports(server, false);
  // A deferred call waits for calls of other waves. Retry it even while others
  // keep calling: some waves never stop.
  if (server->deferred && (!worked || ++server->passes % RETRIED_EACH == 0))
    worked |= serve_ports(server, true);
  return worked;
}

void check_all_ended(struct server *server) {
  for (uint32_t i = 0; i < server->mailbox.port_count; ++i) {
    const enum port_state state = server->mailbox.ports[i].state;
    if (state == RECEIVING || state == SENDING)
      fail(STATUS_FAILED, "%s: a wave has ended in the middle of a call",
           server->plan->program);
  }
}
