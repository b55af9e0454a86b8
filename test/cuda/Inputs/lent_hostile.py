"""Clients of a lent CUDA driver that write nonsense into the memory that they share with its worker.

usage: lent_hostile.py SOURCE SOCKET SESSIONS CALLS SEED        SOURCE: the checkout

A session is a client that borrows the device, writes calls with random fields (some of them sensible), and goes. A worker may end a session, and
must not crash: the test looks at the server's log.
"""

import array
import ctypes
import mmap
import random
import re
import socket
import struct
import sys
import time

source, path, sessions, calls, seed = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
sys.path.insert(0, source + "/test/serve/Inputs")
import lent_protocol  # noqa: E402

with open(source + "/lending/cuda/calls.def") as file:
    NAMES = re.findall(r"^(?:FORWARD|OWN)\((\w+)", file.read(), re.M)
RING, STAGING, STEP, LARGEST = 1 << 20, 8 << 20, 16, 16 << 10
TAIL, ASLEEP = 64, 128
libc = ctypes.CDLL(None)


def receive(connection, files=0):
    header, ancillary, _, _ = connection.recvmsg(8, socket.CMSG_SPACE(4 * 4))
    kind, size = struct.unpack("<II", header)
    body = b""
    while len(body) < size:
        body += connection.recv(size - len(body))
    found = array.array("i")
    for _, _, data in ancillary:
        found.frombytes(data[: len(data) // 4 * 4])
    return kind, body, list(found)


def value(rng):
    """Handles of each kind, small numbers, addresses, anything."""
    kind = rng.randrange(6)
    if kind == 0:
        return 0x6C << 40 | rng.randrange(10) << 32 | rng.randrange(2) << 20 | rng.randrange(4)
    if kind < 3:
        return rng.choice([0, 1, 2, 3, 4, 8, 16, 64, 256, 1000, 4096, 65536])
    if kind == 3:
        return rng.choice([0x600000000000, 0x7F0000000000, (1 << 64) - 1, 1 << 63, 1 << 32])
    return rng.getrandbits(rng.choice([8, 16, 32, 64]))


def call(rng):
    # A body that is too short ends the session.
    body = b"".join(struct.pack("<Q", value(rng)) for _ in range(60 if rng.randrange(100) else rng.randrange(40)))
    size = (16 + len(body) + STEP - 1) // STEP * STEP
    number = rng.randrange(1, len(NAMES) + 1)
    if NAMES[number - 1] == "LoadModule" and rng.randrange(100):  # waits for a file
        number = 1 + NAMES.index("Allocate")
    slot = rng.choice([0xFFFF, 0, 1, 63])
    if rng.randrange(200) == 0:  # the header itself is wrong
        size, number, slot = rng.choice([0, 8, 16, 1 << 31, LARGEST * 2]), rng.randrange(1 << 16), rng.randrange(1 << 16)
    return struct.pack("<IHHII", size, number, slot, rng.choice([0, 0, 0, 0, 0, 1, 99]), rng.randrange(2)) + body.ljust(max(size, 16) - 16 if size < LARGEST else len(body), b"\0")


def session(rng):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(60)
    connection.connect(path)
    receive(connection)
    body = struct.pack("<IBBBBII", lent_protocol.VERSION, 0, 0, 0, 1, 1, 0)
    connection.sendall(struct.pack("<II", lent_protocol.KIND["Borrow"], len(body)) + body)
    kind, body, files = receive(connection)
    if kind != lent_protocol.KIND["CudaLent"]:
        sys.exit("not lent: %r" % body)
    size = struct.unpack("<Q", body)[0]
    memory = mmap.mmap(files[0], size)
    ring, head = size - STAGING - RING, 0
    word = ctypes.c_uint32.from_buffer(memory, ASLEEP)
    for _ in range(calls):
        bytes_ = call(rng)
        place = head % RING
        if place + len(bytes_) > RING:
            break
        memory[ring + place : ring + place + len(bytes_)] = bytes_
        head += len(bytes_)
        memory[0:8] = struct.pack("<Q", head if rng.randrange(500) else rng.getrandbits(64))
        word.value = 0
        libc.syscall(202, ctypes.byref(word), 1, 1, None, None, 0)  # futex, FUTEX_WAKE
    end = time.monotonic() + 5
    while struct.unpack("<Q", memory[TAIL : TAIL + 8])[0] != head and time.monotonic() < end:
        connection.setblocking(False)
        try:
            if not connection.recv(4096):  # it has ended the session
                break
        except BlockingIOError:
            pass
        except ConnectionError:
            break
        time.sleep(0.01)
    del word
    connection.close()


for number in range(sessions):
    session(random.Random(seed * 1000 + number))
print(sessions, "sessions")
