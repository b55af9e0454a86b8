//===-- rpc/services/plugins.cpp - Services from shared libraries ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/plugins.h"
#include "rpc/include/gpuexec_service.h"
#include "rpc/server/completion.h"
#include "rpc/services/services.h"
#include "support/trusted_path.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstddef>
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

// The largest number of inputs and outputs of an operation.
static constexpr size_t MAX_STEPS = 16;

struct Plugins::Plugin {
  Services *services;
  std::string path;
  std::string program, device;
  const gpuexec_service_description *description = nullptr;
  void *state = nullptr;
  bool open = false;
  gpuexec_host host = {};
  struct Served {
    Plugin *plugin;
    const gpuexec_operation *operation;
  };
  std::vector<std::unique_ptr<Served>> served;
};

namespace {

/// A call: the C structure that the library sees, and the server's part.
struct PluginCall : gpuexec_call {
  PluginCall() = default;
  PluginCall(const PluginCall &) = delete;
  /// The library still has the address of a pending call that is dropped: asks
  /// it to complete the call, and waits for that.
  ~PluginCall() {
    if (!is_pending)
      return;
    if (cancel && !completion->result())
      cancel(state, this);
    completion->abandon();
  }

  Services *services;
  Port *port;
  const gpuexec_operation *operation;
  std::vector<Buffer> outputs; // step * 64 + lane
  std::vector<gpuexec_bytes> views;
  bool failed = false;
  // Of services that may answer later:
  bool is_pending = false;
  std::shared_ptr<Completion> completion; // null: interface version 1
  void (*cancel)(void *, gpuexec_call *) = nullptr;
  void *state = nullptr;
};

int reply(gpuexec_call *base, uint32_t step, uint32_t lane, const void *data,
          uint64_t size) {
  PluginCall &call = *static_cast<PluginCall *>(base);
  if (step >= call.output_count || lane >= 64 ||
      !(call.lane_mask >> lane & 1) || (size && !data))
    return EINVAL;
  char kind = call.operation->sequence[call.input_count + step];
  if (kind == 'P' && size > GPUEXEC_PACKET_BYTES)
    return EMSGSIZE;
  Buffer &output = call.outputs[step * 64 + lane];
  output.clear();
  return output.append(data, size) ? 0 : ENOMEM;
}

int read_device(gpuexec_call *base, void *to, uint64_t address, uint64_t size) {
  return to_errno(static_cast<PluginCall *>(base)->services->memory.read(
      to, DeviceAddress(address), size));
}

int write_device(gpuexec_call *base, uint64_t address, const void *from,
                 uint64_t size) {
  return to_errno(static_cast<PluginCall *>(base)->services->memory.write(
      DeviceAddress(address), from, size));
}

void *view_device(gpuexec_call *base, uint64_t address, uint64_t size,
                  int writable) {
  return size ? static_cast<PluginCall *>(base)->services->memory.host_view(
                    DeviceAddress(address), size, writable)
              : nullptr;
}

int check_device(gpuexec_call *base, uint64_t address, uint64_t size,
                 int writable) {
  const bool holds =
      !size || static_cast<PluginCall *>(base)->services->memory.holds(
                   DeviceAddress(address), size, writable);
  return holds ? 0 : EFAULT;
}

uint64_t allocate_device(gpuexec_call *base, uint64_t size) {
  constexpr uint64_t ALIGNMENT = 256;
  return static_cast<PluginCall *>(base)
      ->services->memory.allocate(size, ALIGNMENT)
      .value;
}

void free_device(gpuexec_call *base, uint64_t address) {
  if (address)
    static_cast<PluginCall *>(base)->services->memory.free(
        DeviceAddress(address));
}

void fail(gpuexec_call *base, const char *message) {
  PluginCall &call = *static_cast<PluginCall *>(base);
  call.failed = true;
  call.port->fail(std::string(call.operation->name) + ": " + message);
}

void complete(gpuexec_call *base, int result) {
  // The call may be gone before this returns.
  const std::shared_ptr<Completion> completion =
      static_cast<PluginCall *>(base)->completion;
  if (completion)
    completion->complete(result);
}

bool valid_sequence(const char *sequence) {
  std::string_view text = sequence;
  size_t inputs = text.find_first_not_of("pb");
  inputs = inputs == text.npos ? text.size() : inputs;
  return inputs > 0 && text.size() <= MAX_STEPS &&
         text.find_first_not_of("PB", inputs) == text.npos;
}

} // namespace

Plugins::Plugins() = default;

Plugins::~Plugins() {
  for (auto &plugin : plugins)
    if (plugin->open && plugin->description->close)
      plugin->description->close(plugin->state);
}

/// The reason why dlopen() failed. For a file of another machine dlerror() says
/// that the file does not exist; this says what it is.
static std::string why_not_opened(const std::string &file) {
  const char *error = dlerror();
  std::string reason = error ? error : "cannot be opened";
  if (llvm::StringRef(reason).starts_with(file + ": cannot open") &&
      access(file.c_str(), R_OK) == 0)
    reason = "not a shared library of this machine's";
  return reason;
}

llvm::Expected<std::unique_ptr<Plugins>> Plugins::load(Services &services,
                                                       Registry &registry) {
  std::unique_ptr<Plugins> all(new Plugins);
  for (const std::string &text : services.options.services) {
    auto plugin = std::make_unique<Plugin>();
    auto [path, argument] = llvm::StringRef(text).split(',');
    plugin->services = &services;
    plugin->path = path.str();
    plugin->program = services.options.program_name;
    plugin->device = services.options.device_name;
    // dlopen() searches system directories for a name without a slash; the user
    // means a file in the working directory.
    std::string file = path.contains('/') ? path.str() : "./" + path.str();
    std::string problem = distrust(file, &file);
    if (!problem.empty() && errno != ENOENT)
      return llvm::createStringError("service '%s': %s", plugin->path.c_str(),
                                     problem.c_str());
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return llvm::createStringError("service '%s': %s", plugin->path.c_str(),
                                     why_not_opened(file).c_str());
    auto describe = reinterpret_cast<decltype(&gpuexec_service)>(
        dlsym(library, "gpuexec_service"));
    plugin->description = describe ? describe() : nullptr;
    const gpuexec_service_description *description = plugin->description;
    if (!description)
      return llvm::createStringError(
          "service '%s': no function 'gpuexec_service'", plugin->path.c_str());
    const size_t least_size =
        description->version == 1
            ? offsetof(gpuexec_service_description, cancel)
            : sizeof(gpuexec_service_description);
    if (!description->version ||
        description->version > GPUEXEC_SERVICE_VERSION ||
        description->struct_size < least_size)
      return llvm::createStringError(
          "service '%s': interface version %u of %u bytes, expected 1 to %u, "
          "and %zu bytes",
          plugin->path.c_str(), description->version, description->struct_size,
          GPUEXEC_SERVICE_VERSION, least_size);
    plugin->host = {sizeof(gpuexec_host),
                    description->version,
                    plugin->program.c_str(),
                    reply,
                    read_device,
                    write_device,
                    fail,
                    view_device,
                    services.options.vendor_library
                        ? services.memory.cuda_context()
                        : nullptr,
                    check_device,
                    allocate_device,
                    free_device,
                    plugin->device.c_str(),
                    complete};
    for (uint32_t i = 0; i < description->operation_count; ++i) {
      const gpuexec_operation &operation = description->operations[i];
      if (!operation.name || !operation.sequence || !operation.serve ||
          !valid_sequence(operation.sequence))
        return llvm::createStringError("service '%s': operation %u: sequence "
                                       "'%s', expected p or b, then P "
                                       "or B",
                                       plugin->path.c_str(), i,
                                       operation.sequence ? operation.sequence
                                                          : "(null)");
      if (services.options.journal && !(operation.flags & GPUEXEC_REPEATABLE))
        return llvm::createStringError(
            "service '%s': operation '%s' answers otherwise each time, so a "
            "program that needs it is not recorded (GPUEXEC_REPEATABLE)",
            plugin->path.c_str(), operation.name);
      if (registry.find(operation.opcode))
        return llvm::createStringError(
            "service '%s': operation '%s': opcode 0x%08x is served already",
            plugin->path.c_str(), operation.name, operation.opcode);
      plugin->served.push_back(std::make_unique<Plugin::Served>(
          Plugin::Served{plugin.get(), &operation}));
      registry.add(operation.opcode,
                   {operation.name, {serve}, plugin->served.back().get()});
    }
    char error[256] = "open() failed";
    if (description->open &&
        description->open(&plugin->host, argument.str().c_str(), &plugin->state,
                          error, sizeof error)) {
      error[sizeof error - 1] = 0;
      return llvm::createStringError("service '%s': %s", plugin->path.c_str(),
                                     error);
    }
    plugin->open = true;
    all->plugins.push_back(std::move(plugin));
  }
  return all;
}

Task<> Plugins::serve(void *context, Port &port) {
  auto &served = *static_cast<Plugin::Served *>(context);
  Plugin &plugin = *served.plugin;
  const gpuexec_operation &operation = *served.operation;
  std::string_view sequence = operation.sequence;
  port.forget_notes(); // a replay calls the service again: GPUEXEC_REPEATABLE
  PluginCall call;
  call.struct_size = sizeof(gpuexec_call);
  call.may_wait = 0;
  call.opcode = operation.opcode;
  call.lane_mask = port.mask();
  call.input_count = uint32_t(sequence.find_first_of("PB"));
  call.input_count =
      uint32_t(std::min<size_t>(call.input_count, sequence.size()));
  call.output_count = uint32_t(sequence.size()) - call.input_count;
  call.services = plugin.services;
  call.port = &port;
  call.operation = &operation;
  call.state = plugin.state;
  if (plugin.description->version >= 2) {
    call.completion = std::make_shared<Completion>();
    call.cancel = plugin.description->cancel;
  }
  call.views.resize(call.input_count * 64);

  std::vector<LaneBytes> streams(call.input_count);
  std::vector<std::vector<char>> packets(call.input_count);
  for (uint32_t step = 0; step < call.input_count; ++step) {
    gpuexec_bytes *views = &call.views[step * 64];
    if (sequence[step] == 'b') {
      streams[step] = co_await port.receive_bytes();
      bool complete = true;
      port.for_each_lane([&](unsigned lane) {
        llvm::StringRef text = streams[step][lane];
        views[lane] = {text.data(), text.size()};
        complete &= streams[step].complete(lane);
      });
      if (!complete) {
        fail(&call, "out of memory for what the device sent");
        co_return;
      }
    } else {
      co_await port.receive();
      packets[step].resize(64 * GPUEXEC_PACKET_BYTES);
      port.for_each_lane([&](unsigned lane) {
        char *copy = &packets[step][lane * GPUEXEC_PACKET_BYTES];
        port.read(lane, copy, 0, GPUEXEC_PACKET_BYTES);
        views[lane] = {copy, GPUEXEC_PACKET_BYTES};
      });
    }
  }
  call.inputs = call.views.data();
  call.outputs = std::vector<Buffer>(call.output_count * 64);
  for (uint32_t step = 0; step < call.output_count; ++step)
    port.for_each_lane([&](unsigned lane) {
      call.outputs[step * 64 + lane] = Buffer(port.budget());
    });

  int result = GPUEXEC_NOT_QUICK;
  if (operation.flags & GPUEXEC_QUICK)
    result = operation.serve(plugin.state, &plugin.host, &call);
  if (result == GPUEXEC_NOT_QUICK) {
    co_await port.background();
    call.may_wait = 1;
    result = operation.serve(plugin.state, &plugin.host, &call);
  }
  if (result == GPUEXEC_PENDING && call.completion) {
    call.is_pending = true;
    co_await CompletionWait(port, call.completion);
    call.is_pending = false;
    result = *call.completion->result();
  }
  if (result && !call.failed)
    fail(&call, llvm::formatv("failed with {0}", result).str().c_str());
  if (call.failed)
    co_return;

  for (uint32_t step = 0; step < call.output_count; ++step) {
    const Buffer *outputs = &call.outputs[step * 64];
    if (sequence[call.input_count + step] == 'B') {
      llvm::StringRef texts[64];
      port.for_each_lane(
          [&](unsigned lane) { texts[lane] = outputs[lane].text(); });
      co_await port.send_bytes(texts);
    } else {
      co_await port.send([&](unsigned lane, rpc_packet &packet) {
        memset(packet.bytes, 0, sizeof packet.bytes);
        if (outputs[lane].size())
          memcpy(packet.bytes, outputs[lane].data(), outputs[lane].size());
      });
    }
  }
}
