"""A client that borrows a device of a server with --memory-limit=64M, and allocates.

usage: memory_limit.py GPUEXEC DEVICE FOLDER
"""

import array
import os
import socket
import struct
import subprocess
import sys

import lent_protocol

MIB = 1 << 20
BORROW, PART, LENT, DONE, FAILED = (lent_protocol.KIND[name] for name in ("Borrow", "Part", "Lent", "Done", "Failed"))
ALLOCATE_HOST, ALLOCATE_DEVICE, FREE_DEVICE, HEAP_ALLOCATE = (
    lent_protocol.KIND[name] for name in ("AllocateHost", "AllocateDevice", "FreeDevice", "HeapAllocate"))


def receive(client):
    """One message: kind, body, descriptors."""
    files = array.array("i")
    head, ancillary, _, _ = client.recvmsg(8, socket.CMSG_SPACE(16))
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            files.frombytes(data)
    kind, size = struct.unpack("<II", head)
    body = b""
    while len(body) < size:
        body += client.recv(size - len(body))
    return kind, body, files


def main():
    gpuexec, device, folder = sys.argv[1:4]
    path = os.path.join(folder, "socket")
    subprocess.run([gpuexec, "serve", "--device=" + device, "--socket=" + path, "--memory-limit=64M"], check=True, timeout=60)
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(path)
    receive(client)  # the greeting

    def send(kind, body):
        client.sendall(struct.pack("<II", kind, len(body)) + body)

    def ask(kind, *numbers):
        send(kind, struct.pack("<%dQ" % len(numbers), *numbers))
        return receive(client)[:2]

    def must(condition, what):
        if not condition:
            sys.exit("FAILED: " + what)

    try:
        send(BORROW, struct.pack("<IBBBBII", lent_protocol.VERSION, 0, 0, 0, 0, 1, 0))
        kind, _, files = receive(client)
        must(kind == PART and len(files) == 1, "no memory was lent")
        must(os.fstat(files[0]).st_size <= 200 * MIB, "the device has %d MiB" % (os.fstat(files[0]).st_size // MIB))
        kind, _, files = receive(client)
        must(kind == LENT and len(files) == 1, "no device was lent")
        for request in (ALLOCATE_DEVICE, ALLOCATE_HOST):
            kind, body = ask(request, 2048 * MIB)
            must(kind == FAILED and b"--memory-limit" in body, "2 GiB: %d, %r" % (kind, body))
        kind, first = ask(ALLOCATE_DEVICE, 100 * MIB)
        must(kind == DONE, "100 MiB were refused: %r" % first)
        must(ask(ALLOCATE_DEVICE, 100 * MIB)[0] == FAILED, "another 100 MiB")
        must(ask(HEAP_ALLOCATE, 100 * MIB, 16) == (DONE, bytes(8)), "100 MiB of heap besides")
        must(ask(FREE_DEVICE, *struct.unpack("<Q", first))[0] == DONE, "freeing")
        must(ask(ALLOCATE_DEVICE, 100 * MIB)[0] == DONE, "100 MiB again")
    finally:
        client.close()
        subprocess.run([gpuexec, "serve", "--socket=" + path, "--stop", "--now"], check=True, timeout=60)


main()
