//===-- lending/peer/lent_peer.cpp - One client of a worker ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/lent_peer.h"
#include "support/thread.h"
#include <chrono>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace gpuexec::lending {

/// How long the kernel of a client that has gone may go on where programs run
/// side by side.
static constexpr std::chrono::milliseconds KERNEL_TIMEOUT(500);

/// How long the slot is polled after a copy. A program that writes megabytes
/// asks for the next one within some tens of microseconds.
static constexpr std::chrono::microseconds POLL_SLOT_FOR(200);

/// Defines the function that answers one request.
#define SERVE(NAME)                                                            \
  llvm::Error LentPeer::serve([[maybe_unused]] const wire::NAME &request,      \
                              [[maybe_unused]] wire::NAME::Reply &reply,       \
                              [[maybe_unused]] Response &response)

llvm::Error LentPeer::continue_image(llvm::StringRef bytes) {
  if (bytes.size() > image_size - image_bytes.size())
    return nonsense();
  image_bytes.append(bytes.begin(), bytes.end());
  return image_bytes.size() < image_size ? llvm::Error::success()
                                         : parse_image(image_bytes);
}

/// `bytes`: the whole image, followed by a zero.
llvm::Error LentPeer::parse_image(llvm::StringRef bytes) {
  llvm::Expected<Image> parsed = Image::parse({bytes, image_name});
  if (!parsed)
    return parsed.takeError();
  if (llvm::Error error = parsed->runs_on(device->info().target_id))
    return error;
  images.push_back(std::move(*parsed));
  image = &images.front();
  return llvm::Error::success();
}

SERVE(SendImage) {
  if (!request.size || image_size)
    return nonsense();
  if (!session.take(request.size))
    return too_much(request.size);
  image_name = request.name.str();
  image_size = request.size;
  if (response.file < 0)
    return continue_image(request.bytes);
  in_file = true;
  if (!request.bytes.empty())
    return nonsense();
  if (llvm::Error error = mapped_image.map(response.file, request.size))
    return error;
  return parse_image(mapped_image.bytes());
}

SERVE(ImageBytes) {
  return image || in_file ? nonsense() : continue_image(request.bytes);
}

SERVE(SetOption) {
  options_set |= request.name != "jit-cache";
  // Another machine's client does not choose files of this one.
  wire::SetOption allowed = request;
  if (is_far && request.name == "jit-cache" && request.value != "off")
    allowed.value = "default";
  return Peer::serve(allowed, reply, response);
}

static Response::Part part_of(const HostMemory::Part &part) {
  return {{part.begin, part.size, part.offset}, part.file};
}

/// Each allocation is a part of its own.
llvm::Expected<DeviceAddress> LentPeer::allocate_in_arena(uint64_t size,
                                                          Response &response) {
  llvm::Expected<HostBuffer> buffer = device->allocate_host(size);
  if (!buffer)
    return buffer.takeError();
  in_arena.push_back(*buffer);
  response.part = part_of(part_of_arena(buffer->address, buffer->size));
  return buffer->address;
}

SERVE(AllocateHost) {
  // The relay of another machine's client keeps a copy.
  const uint64_t size = request.size;
  if (size > UINT64_MAX / 2 || !session.take(is_far ? 2 * size : size))
    return too_much(size);
  if (!memory && !shared)
    return Peer::serve(request, reply, response);
  if (!memory) {
    llvm::Expected<DeviceAddress> address = allocate_in_arena(size, response);
    if (!address)
      return address.takeError();
    reply.address = *address;
    return llvm::Error::success();
  }
  llvm::Expected<HostMemory::Piece> piece = memory->allocate(size);
  if (!piece)
    return piece.takeError();
  reply.address = piece->address;
  if (piece->part)
    response.part = part_of(*piece->part);
  return llvm::Error::success();
}

/// Where this process sees what allocate_host() has given the client.
std::byte *LentPeer::host_view(DeviceAddress address, uint64_t size) const {
  if (memory)
    return memory->view(address, size);
  for (const HostBuffer &buffer : in_arena)
    if (lies_in(address, size, buffer.address, buffer.size))
      return buffer.host + (address - buffer.address);
  return nullptr;
}

/// The halves are in host memory that the client has mapped, or its relay: the
/// client reads and writes them itself.
SERVE(UseCopies) {
  if (copies || !request.half || request.half % rpc::COPY_END_WORD)
    return nonsense();
  std::byte *bytes =
      host_view(request.address, wire::copies_size(request.half));
  if (!bytes)
    return nonsense();
  copies.emplace(*device, bytes, request.address, request.half, is_far);
  if (!is_far && copies->has_end_words() && polls)
    slot.emplace(bytes + rpc::copy_memory_size(request.half));
  reply.has_end_words = copies->has_end_words();
  return llvm::Error::success();
}

SERVE(CopyRead) {
  return copies ? copies->read(request, response) : nonsense();
}

SERVE(CopyWrite) {
  return copies ? copies->write(request, response) : nonsense();
}

SERVE(CopyFinish) { return copies ? copies->finish(request) : nonsense(); }

SERVE(Launch) {
  running = true;
  llvm::Error error = Peer::serve(request, reply, response);
  running = false;
  return error;
}

void LentPeer::limit(LaunchSettings &settings) {
  if (most_heap != UINT64_MAX)
    settings.heap_size =
        std::min(settings.heap_size.value_or(UINT64_MAX), most_heap);
}

/// The kernel of a program that has called exit() still has to return. It may,
/// because the end of the process would end those of others.
void LentPeer::wait_for_kernel() {
  const auto end = std::chrono::steady_clock::now() + KERNEL_TIMEOUT;
  while (running && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// The next request: from the slot, or over the socket. Polls both for a while
/// after each copy.
std::optional<wire::Message> LentPeer::next_request(wire::Channel &control) {
  // Looks at the slot between two system calls, which take a microsecond: a
  // request is to be seen soon, since a write of 1 MiB takes 35 us on an H200.
  constexpr unsigned LOOKS = 4096;
  for (;;) {
    if (slot)
      for (unsigned left = is_polling && !held ? LOOKS : 1; left; --left)
        if (std::optional<wire::Message> posted = slot->take())
          return posted;
    if (held)
      return std::exchange(held, std::nullopt);
    if (is_polling && Clock::now() > poll_until) {
      is_polling = false;
      slot->stop_polling();
      continue;
    }
    if (!is_polling)
      held = control.receive();
    else
      held = control.receive(std::chrono::milliseconds(0));
    if (!held && !(is_polling && control.has_timed_out()))
      return std::nullopt;
    // What the client put into the slot before it sent this comes first.
  }
}

/// After a copy the next one is expected soon.
void LentPeer::expect_copy() {
  if (!std::exchange(is_polling, true))
    slot->start_polling();
  poll_until = Clock::now() + POLL_SLOT_FOR;
}

void LentPeer::serve_client(int connection, int launches) {
  Thread launcher;
  const bool started = launcher.start([this, launches] {
    if (Leasable *leasable = device->leasable())
      leasable->enter_thread();
    wire::Channel channel(launches);
    while (std::optional<wire::Message> asked = channel.receive())
      if (asked->kind != wire::Launch::KIND || !answer(*asked, channel))
        return;
  });
  wire::Channel control(connection, is_far);
  if (is_far)
    control.take_no_descriptors();
  while (std::optional<wire::Message> asked = next_request(control)) {
    if (!started || asked->kind == wire::Launch::KIND ||
        !answer(*asked, control))
      break;
    if (asked->kind == wire::SendImage::KIND)
      control.take_no_descriptors(); // only the image comes in a file
    if (slot && (asked->kind == wire::CopyRead::KIND ||
                 asked->kind == wire::CopyWrite::KIND))
      expect_copy();
  }
  // A launch that has been sent and not read yet is not read any more.
  ::shutdown(launches, SHUT_RDWR);
  if (device->info().is_shared)
    wait_for_kernel();
  if (running && end_kernel && end_kernel())
    wait_for_kernel();
  if (running) {
    if (before_end)
      before_end();
    ::_exit(0); // the kernel, and all that it uses, ends with the process
  }
  if (started)
    launcher.join();
}

} // namespace gpuexec::lending
