//===-- replayer/server.c - Serves the program's calls --------------------===//
#include "replayer/server.h"
#include "replayer/live.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_ABORTED = 128 + SIGABRT, MALLOC_ALIGNMENT = 2 << 20 };
// No allocation is larger than an address space.
#define MOST_ALLOCATED ((uint64_t)1 << 46)

//===-- The end -----------------------------------------------------------===//

void end_program(struct server *server, struct end end) {
  if (server->live)
    flush_live(server->live);
  if (server->matcher)
    finish_match(server->matcher, end);
  fflush(stderr);
  if (strcmp(end.kind, "exited") == 0)
    _exit((int)end.value & 0xff);
  if (end.value == SIGABRT)
    _exit(STATUS_ABORTED);
  signal((int)end.value, SIG_DFL);
  raise((int)end.value);
  _exit(128 + (int)end.value);
}

/// `why`: behind "aborted", or "".
_Noreturn static void abort_program(struct server *server, const char *why) {
  fprintf(stderr, "gpu-replay: %s: aborted%s\n", server->plan->program, why);
  end_program(server, (struct end){"signalled", SIGABRT});
}

/// The device has broken the program: what it had printed comes first.
static void on_fault(void *context) {
  struct server *server = context;
  if (server->matcher)
    finish_match(server->matcher, (struct end){"faulted", 0});
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

/// While a port is waited for.
static void wait_for_port(void *context, uint64_t *since) {
  struct server *server = context;
  if (!server->host.device->runs(server->host.device)) {
    // Its last packet may have come meanwhile: one more look.
    if (server->kernel_ended)
      fail(STATUS_FAILED, "%s: a wave has ended in the middle of a call",
           server->plan->program);
    server->kernel_ended = true;
  }
  back_off(since);
}

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
  mailbox->wait = wait_for_port;
  mailbox->wait_context = server;
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

/// Memory for all lanes, as if nothing were recorded.
static void allocate_lanes(struct server *server, const struct call *call,
                           struct buffer *answer) {
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t address = allocate_for(server, call, lane);
    append_number(answer, address);
    append_number(answer, address ? 0 : ENOMEM);
  }
}

/// The recorded answer holds addresses of then: `answer` gets those of now.
static void allocate_again(struct server *server, const struct call *call,
                           struct bytes recorded, struct buffer *answer) {
  struct packed from = {recorded, false};
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t then = read_number(&from), error = read_number(&from);
    const uint64_t now = then ? allocate_for(server, call, lane) : 0;
    if (from.failed || (then && !now))
      refuse(call, now ? "its recorded answer is damaged"
                       : "there is no memory where there was some");
    if (now)
      note_allocated(server->matcher, then, now,
                     call->words[ALLOCATE_SIZE][lane]);
    append_number(answer, now);
    append_number(answer, error);
  }
}

static void free_lanes(struct server *server, const struct call *call) {
  struct device *device = server->host.device;
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t address = call->words[0][lane];
    if (!address)
      continue;
    if (server->matcher)
      note_freed(server->matcher, address);
    if (!device->free(device, address)) {
      char why[80];
      snprintf(why, sizeof why, ": free of 0x%llx, which is not allocated",
               (unsigned long long)address);
      abort_program(server, why);
    }
  }
}

//===-- Answers from the recording ----------------------------------------===//

/// What a bulk call does besides its answer. What remains of the answer.
static struct bytes move_memory(struct server *server, const struct call *call,
                                struct bytes answer) {
  struct packed from = {answer, false};
  rpc_output *output = mailbox_output(&server->mailbox);
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t address = call->words[BULK_ADDRESS][lane];
    if (is_bulk_write(call->noted.opcode)) {
      // As when the host has written the program's buffer out.
      if (mailbox_view(&server->mailbox, address, 1) == output->text)
        __atomic_store_n(&output->used, 0, __ATOMIC_RELAXED);
      continue;
    }
    const struct bytes bytes = read_bytes(&from);
    if (from.failed || bytes.size > call->words[BULK_LENGTH][lane])
      refuse(call, "its recorded answer is damaged");
    if (write_memory(&server->host, address, bytes.data, bytes.size))
      refuse(call, "what it had read does not fit where the program wants it");
  }
  return from.left;
}

static void send_recorded(struct server *server, struct call *call,
                          struct bytes answer) {
  const uint32_t opcode = call->noted.opcode;
  struct buffer now = {0};
  if (is_bulk(opcode))
    answer = move_memory(server, call, answer);
  if (allocates(opcode)) {
    allocate_again(server, call, answer, &now);
    answer = view(&now);
  }
  if (!(prints(opcode) ? send_printed(call, answer)
                       : send_answer(call, answer)))
    refuse(call, "its recorded answer is damaged");
  free(now.data);
}

/// False: it is too early, or the program has ended.
static bool answer_from_recording(struct server *server, struct call *call) {
  struct bytes answer = {0};
  struct end end;
  struct buffer now = {0};
  switch (match(server->matcher, &call->noted, &answer, &end)) {
  case FOUND_LATER:
    return false;
  case FOUND_END:
    end_program(server, end);
  case FOUND_MEMORY:
    if (call->noted.opcode == RPC_FREE)
      free_lanes(server, call);
    if (allocates(call->noted.opcode))
      allocate_lanes(server, call, &now);
    if (!send_answer(call, view(&now)))
      refuse(call, "cannot be served");
    free(now.data);
    return true;
  case FOUND_ANSWER:
    break;
  }
  if (call->noted.opcode == RPC_EXIT)
    end_program(
        server,
        (struct end){
            "exited",
            (int64_t)(call->words[0][__builtin_ctzll(call->port->mask)] &
                      0xff)});
  if (call->noted.opcode == RPC_ABORT)
    abort_program(server, "");
  send_recorded(server, call, answer);
  return true;
}

//===-- Live --------------------------------------------------------------===//

static void answer_live(struct server *server, struct call *call) {
  struct buffer answer = {0};
  switch (call->noted.opcode) {
  case RPC_NOOP:
    break;
  case RPC_EXIT:
    end_program(
        server,
        (struct end){
            "exited",
            (int64_t)(call->words[0][__builtin_ctzll(call->port->mask)] &
                      0xff)});
  case RPC_ABORT:
    abort_program(server, "");
  case RPC_FREE:
    free_lanes(server, call);
    break;
  case RPC_MALLOC:
  case RPC_ALLOCATE:
    allocate_lanes(server, call, &answer);
    break;
  default:
    if (prints(call->noted.opcode))
      print_live(server->live, call, &server->print, &answer);
    else if (!serve_live(server->live, call, &answer))
      refuse(call, "gpu-replay --live does not serve this call; gpuexec "
                   "--replay-live does");
  }
  if (!(prints(call->noted.opcode) ? send_printed(call, view(&answer))
                                   : send_answer(call, view(&answer))))
    refuse(call, "cannot be served");
  free(answer.data);
}

//===-- Ports -------------------------------------------------------------===//

static void begin_call(struct server *server, struct port *port) {
  uint32_t opcode, caller;
  open_port(port, &opcode, &caller);
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
  receive_request(&server->host, call);
  if (prints(opcode))
    make_texts(&server->host, call,
               server->mailbox.client_size == sizeof(rpc_client22),
               &server->print);
}

static void serve_port(struct server *server, struct port *port) {
  if (!port->deferred)
    begin_call(server, port);
  bool answered = true;
  if (server->matcher)
    answered = answer_from_recording(server, port->call);
  else
    answer_live(server, port->call);
  if (answered && port->owns) // a call that ends without a reply
    hand_over(port);
  server->deferred += (unsigned)port->deferred * -1u + !answered;
  port->deferred = !answered;
}

/// Serves new requests, or those that wait for an answer. False: there was
/// nothing to do.
static bool serve_ports(struct server *server, bool deferred) {
  bool worked = false;
  for (uint32_t i = 0; i < server->mailbox.port_count; ++i) {
    struct port *port = &server->mailbox.ports[i];
    if (port->deferred != deferred || (!deferred && !is_pending(port)))
      continue;
    serve_port(server, port);
    worked |= !deferred || !port->deferred;
  }
  return worked;
}

bool serve(struct server *server) {
  enum { RETRIED_EACH = 64 };
  if (!server->has_mailbox)
    return false;
  bool worked = serve_ports(server, false);
  // Others make the calls that a deferred one waits for. Some may never cease.
  if (server->deferred && (!worked || ++server->passes % RETRIED_EACH == 0))
    worked |= serve_ports(server, true);
  return worked;
}
