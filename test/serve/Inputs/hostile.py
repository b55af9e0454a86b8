"""Clients that do not keep to the protocol; a program runs among them as if they were not there.

usage: hostile.py GPUEXEC DEVICE FOLDER [SEED]

FOLDER has the image `hello`. The seed is printed first.
"""

import array
import os
import random
import socket
import struct
import subprocess
import sys
import time

import lent_protocol

TIMEOUT = 60
BORROW, IMAGE, ASK_STATUS = (lent_protocol.KIND[name] for name in ("Borrow", "SendImage", "AskStatus"))


def fail(text):
    sys.exit("FAILED: " + text)


def message(kind, body):
    return struct.pack("<II", kind, len(body)) + body


def wish(version=lent_protocol.VERSION, indices=(0,)):
    return message(BORROW, struct.pack("<IBBBBI", version, 0, 0, 0, 0, len(indices)) + b"".join(struct.pack("<I", i) for i in indices))


class Rudeness:
    def __init__(self, path):
        self.path, self.open = path, []

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(TIMEOUT)
        client.connect(self.path)
        return client

    def says_nothing(self):
        self.open.append(self.connect())

    def half_a_message(self):
        client = self.connect()
        client.sendall(wish()[:5])
        self.open.append(client)

    def sends_noise(self):
        client = self.connect()
        client.sendall(random.randbytes(3000))
        self.open.append(client)

    def wants_much(self):
        client = self.connect()
        client.sendall(struct.pack("<II", BORROW, 0xFFFFFFFF))
        self.open.append(client)

    def wants_another_device(self):
        client = self.connect()
        client.sendall(wish(indices=[63]))
        self.must_be_refused(client, b"no such device")

    def is_of_another_version(self):
        client = self.connect()
        client.sendall(wish(version=99))
        self.must_be_refused(client, b"another version")

    def sends_descriptors(self):
        client = self.connect()
        files = array.array("i", [os.open("/dev/null", os.O_RDONLY) for _ in range(100)])
        try:
            client.sendmsg([wish()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
        except OSError:
            pass
        for file in files:
            os.close(file)
        self.open.append(client)

    def borrows_and_raves(self):
        """Has a worker, to which it sends nonsense."""
        client = self.connect()
        client.sendall(wish() + message(IMAGE, struct.pack("<I", 4) + b"name" + struct.pack("<QI", 1 << 40, 4) + b"what"))
        client.sendall(b"".join(message(random.randrange(30), random.randbytes(random.randrange(60))) for _ in range(200)))
        self.open.append(client)

    def asks_and_does_not_read(self):
        client = self.connect()
        client.setblocking(False)
        try:
            for _ in range(3000):
                client.send(message(ASK_STATUS, b""))
        except OSError:
            pass
        self.open.append(client)

    def borrows_and_goes(self):
        client = self.connect()
        client.sendall(wish())
        client.close()

    def must_be_refused(self, client, why):
        text = b""
        while part := client.recv(65536):
            text += part
        if why not in text:
            fail("%r was expected, there came %r" % (why, text))


def main():
    gpuexec, device, folder = sys.argv[1:4]
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    random.seed(seed)
    print("seed %d" % seed, flush=True)
    path = os.path.join(folder, "socket")
    subprocess.run([gpuexec, "serve", "--device=" + device, "--socket=" + path, "--workers=4", "--time-limit=1",
                    "--idle-exit=120"], check=True,
                   timeout=TIMEOUT)
    rude = Rudeness(path)
    kinds = [getattr(rude, name) for name in dir(Rudeness) if name[0] != "_" and name not in ("connect", "must_be_refused")]
    kinds.remove(rude.borrows_and_raves)
    begin = time.monotonic()
    for turn in range(12):
        for kind in kinds * 5:
            kind()
        rude.borrows_and_raves()
        while len(rude.open) > 150:
            rude.open.pop(random.randrange(len(rude.open))).close()
        result = subprocess.run([gpuexec, "--server=" + path, os.path.join(folder, "hello")], timeout=TIMEOUT,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if (result.returncode, result.stdout) != (0, "hello\n"):
            fail("hello: status %d, %r, %r" % (result.returncode, result.stdout, result.stderr))
    for client in rude.open:
        client.close()
    status = subprocess.run([gpuexec, "serve", "--socket=" + path, "--status"], check=True, timeout=TIMEOUT,
                            stdout=subprocess.PIPE, text=True).stdout
    subprocess.run([gpuexec, "serve", "--socket=" + path, "--stop", "--now"], check=True, timeout=TIMEOUT)
    print("12 times hello among rude clients")
    print(status, "%.1f s" % (time.monotonic() - begin), file=sys.stderr)


main()
