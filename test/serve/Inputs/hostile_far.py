"""Other machines that do not keep to the protocol, with the key and without; a program runs as if they were not there.

usage: hostile_far.py GPUEXEC FOLDER ADDRESS [SEED]

ADDRESS is a server's whose key and socket are in FOLDER, as is the image `hello`. Who has the key is `openssl s_client`. Then the
client is the one that is lied to, by `openssl s_server`. The seed is printed first.
"""

import os
import random
import re
import select
import socket
import struct
import subprocess
import sys
import time

import lent_protocol

TIMEOUT = 60
MAGIC, VERSION, KIND = lent_protocol.MAGIC, lent_protocol.VERSION, lent_protocol.KIND
HELLO, CONTROL, LAUNCHES, PART, MAILBOX, MEMORY, PORT_REQUEST, PORT_ANSWER, FAST_ANSWER, OUTPUT, USED, COPIES, COPIED = (
    KIND[name]
    for name in ("Hello", "ControlBytes", "LaunchBytes", "Part", "SetMailbox", "ChangedMemory", "PortRequest", "PortAnswer", "FastAnswer",
                 "Output", "OutputUsed", "UseCopies", "CopiedBytes"))
GREETING, BORROW, REFUSED, LENT, STATUS, STOP = (
    KIND[name] for name in ("Greeting", "Borrow", "Refused", "Lent", "AskStatus", "Stop"))
KINDS = sorted(KIND.values())


def fail(text):
    sys.exit("FAILED: " + text)


def frame(kind, body):
    return struct.pack("<II", kind, len(body)) + body


def hello(version=VERSION):
    return frame(HELLO, struct.pack("<II", MAGIC, version))


def message(kind, body):
    return struct.pack("<II", kind, len(body)) + body


def wish():
    return message(BORROW, struct.pack("<IBBBBII", lent_protocol.VERSION, 0, 0, 0, 0, 1, 0))


class Strangers:
    """Without the key."""

    def __init__(self, host, port):
        self.place, self.open = (host, port), []

    def connect(self):
        client = socket.create_connection(self.place, TIMEOUT)
        self.open.append(client)
        return client

    def says_nothing(self):
        self.connect()

    def goes_at_once(self):
        self.connect().close()

    def sends_noise(self):
        self.send(random.randbytes(5000))

    def speaks_http(self):
        self.send(b"GET / HTTP/1.1\r\n\r\n")

    def speaks_without_tls(self):
        self.send(hello() + frame(CONTROL, wish()))

    def half_a_hello(self):
        self.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + random.randbytes(40))

    def noise_in_a_record(self):
        self.send(b"\x16\x03\x01\x40\x00" + random.randbytes(0x4000))

    def send(self, data):
        try:
            self.connect().sendall(data)
        except OSError:
            pass  # it was ended before


class Keyed:
    """With the key: what is sent arrives at the relay."""

    def __init__(self, address, key):
        self.command = ["openssl", "s_client", "-quiet", "-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256", "-psk_identity",
                        "gpuexec", "-psk", key, "-connect", address]

    def talk(self, data, keep=0.3):
        """Sends it all, and returns what came until the end, or until nothing came for `keep` seconds."""
        client = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        answer = b""
        try:
            client.stdin.write(data)
            client.stdin.flush()
            end = time.monotonic() + TIMEOUT
            while time.monotonic() < end and select.select([client.stdout], [], [], keep if answer else 10)[0]:
                part = os.read(client.stdout.fileno(), 65536)
                if not part:
                    break
                answer += part
        except BrokenPipeError:
            pass
        client.kill()
        client.wait()
        return answer


def bodies(seed):
    """Sequences of frames after the greeting."""
    begin = hello() + frame(CONTROL, wish())
    place = struct.pack("<QIIIHH", 1 << 40, 22, 552, 64, 64, 64)
    yield hello(99)
    yield frame(CONTROL, wish())  # without a hello
    yield hello() + frame(CONTROL, message(STOP, b"\1"))
    yield hello() + frame(CONTROL, message(STATUS, b""))
    yield hello() + struct.pack("<II", CONTROL, 0xFFFFFFFF)
    yield hello() + frame(LAUNCHES, b"before there is a device")
    yield begin + frame(MAILBOX, place)
    yield begin + frame(MEMORY, struct.pack("<QI", 0x1000, 4) + b"what")
    yield begin + frame(PORT_ANSWER, struct.pack("<II", 0xFFFFFFFF, 1))
    yield begin + frame(FAST_ANSWER, struct.pack("<I", 99) + bytes(36))
    yield begin + frame(USED, struct.pack("<Q", 1 << 63))
    yield begin + frame(PART, struct.pack("<QQQ", 1 << 40, 1 << 40, 0))
    yield begin + frame(COPIES, struct.pack("<QQ", 1 << 40, 1 << 20))
    yield begin + frame(COPIED, struct.pack("<Q", 1 << 40) + b"what")
    yield begin + struct.pack("<IIQ", COPIED, 1 << 19, 1 << 40) + bytes(100)  # more is to come
    yield begin + frame(77, b"?")
    yield begin + frame(CONTROL, struct.pack("<II", 20, 0xFFFFFFFF))
    yield begin + b"".join(frame(CONTROL, message(random.choice(KINDS), random.randbytes(random.randrange(60)))) for _ in range(50))
    for _ in range(6):
        yield begin + b"".join(frame(random.choice(KINDS), random.randbytes(random.randrange(80))) for _ in range(30))


def check_hello(gpuexec, folder, address):
    result = subprocess.run([gpuexec, "--server=tcp://" + address, "--server-key=" + folder + "/key", folder + "/hello"],
                            timeout=TIMEOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if (result.returncode, result.stdout) != (0, "hello\n"):
        fail("hello: status %d, %r, %r" % (result.returncode, result.stdout, result.stderr))


def relays():
    """Of all servers here."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/cmdline" % name, "rb") as file:
                count += file.read() == b"gpuexec-relay\0server\0\0"
        except OSError:
            pass
    return count


def lie_to_client(gpuexec, folder, key):
    """Servers that have a key, or only a certificate, and send nonsense: the client says so and ends with 125."""
    certificate = folder + "/certificate"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                    certificate, "-out", certificate + ".crt", "-subj", "/CN=localhost", "-days", "2"], check=True,
                   stderr=subprocess.DEVNULL)
    with_key = ["-nocert", "-psk_identity", "gpuexec", "-psk", key]
    with_certificate = ["-cert", certificate + ".crt", "-key", certificate]
    greeting = message(GREETING, struct.pack("<IIII", MAGIC, lent_protocol.VERSION, 0, 0))
    cases = [(with_certificate, b"", "no secure connection"),
             (with_key + ["-no_tls1_3"], b"", "no secure connection"),
             (with_key, b"HTTP/1.1 200 OK\r\n\r\n", "replies nonsense"),
             (with_key, frame(CONTROL, greeting), "replies nonsense"),
             (with_key, hello(99), "another version"),
             (with_key, hello() + struct.pack("<II", CONTROL, 1 << 30), "replies nonsense"),
             (with_key, hello() + frame(PORT_REQUEST, bytes(24)), "replies nonsense"),
             (with_key, hello() + frame(OUTPUT, bytes(12)), "replies nonsense"),
             (with_key, hello() + frame(PART, struct.pack("<QQQ", 0, 4096, 0)), "replies nonsense"),
             (with_key, hello() + frame(PART, struct.pack("<QQQ", 4096, 1 << 62, 0)), "replies nonsense"),
             (with_key, hello() + frame(COPIED, bytes(12)), "replies nonsense"),
             (with_key, hello() + struct.pack("<IIQ", COPIED, 1 << 19, 4096), "replies nonsense"),
             (with_key, hello() + frame(CONTROL, message(LENT, b"")), "replies nonsense"),
             (with_key, hello() + frame(LENT, b""), "replies nonsense"),
             (with_key, hello() + frame(CONTROL, greeting[:9]) + frame(PART, struct.pack("<QQQ", 4096, 4096, 0)), "ended the connection"),
             (with_key, hello() + frame(CONTROL, greeting), "no device that suits"),
             (with_key, hello() + frame(CONTROL, message(REFUSED, struct.pack("<I", 4) + b"no\x1b!\0")), "no"),
             (with_key, hello() + frame(CONTROL, random.randbytes(300)), "")]
    for options, sent, expected in cases:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        server = subprocess.Popen(["openssl", "s_server", "-quiet", "-naccept", "1", "-ciphersuites", "TLS_AES_128_GCM_SHA256",
                                   "-accept", "127.0.0.1:%d" % port, *options],
                                  stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + TIMEOUT
        while not listens(port) and time.monotonic() < end:
            time.sleep(0.02)
        client = subprocess.Popen([gpuexec, "--device=emulator", "--server=tcp://127.0.0.1:%d" % port, "--server-key=" + folder + "/key",
                                   folder + "/hello"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            server.stdin.write(sent)
            server.stdin.close()  # the end of the connection, after that
        except BrokenPipeError:
            pass
        out, err = client.communicate(timeout=TIMEOUT)
        server.kill()
        server.wait()
        if client.returncode != 125 or out or expected not in err or not err.startswith("gpuexec: error: the server at tcp://"):
            fail("%r from a server: status %d, %r, %r" % (sent[:40], client.returncode, out, err))
        if any(ord(letter) < 32 for letter in err.rstrip("\n")):
            fail("what a server has said is printed as it is: %r" % err)
    return len(cases)


def listens(port):
    """Without a connection, which would be the one that it serves."""
    with open("/proc/net/tcp") as file:
        return any(line.split()[1].endswith(":%04X" % port) and line.split()[3] == "0A" for line in file.readlines()[1:])


def main():
    gpuexec, folder, address = sys.argv[1:4]
    address = address.removeprefix("tcp://")
    host, port = address.rsplit(":", 1)
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    random.seed(seed)
    print("seed %d" % seed, flush=True)
    with open(folder + "/key") as file:
        key = file.read().strip()
    # A server that has a client is not idle: it ends with this test, however long a busy machine takes.
    held = socket.socket(socket.AF_UNIX)
    held.connect(folder + "/socket")
    before = relays()
    strangers = Strangers(host, int(port))
    kinds = [getattr(strangers, name) for name in dir(Strangers) if name[0] != "_" and name not in ("connect", "send")]
    for turn in range(3):
        for kind in kinds * 8:
            kind()
        # Those that made room end; who says nothing would be there for 10 s.
        end = time.monotonic() + 5
        while relays() - before > 40:
            if time.monotonic() > end:
                fail("%d relays for strangers" % (relays() - before))
            time.sleep(0.05)
        check_hello(gpuexec, folder, address)
    keyed = Keyed(address, key)
    if b"gfx942" not in keyed.talk(hello()):
        fail("who has the key is not greeted")
    tries = 0
    for body in bodies(seed):
        keyed.talk(body)
        tries += 1
        if tries % 5 == 0:
            check_hello(gpuexec, folder, address)
    check_hello(gpuexec, folder, address)
    for client in strangers.open:
        client.close()
    lies = lie_to_client(gpuexec, folder, key)
    print("%d strangers, %d with the key, %d servers: hello is unharmed" % (3 * 8 * len(kinds), tries, lies))
    end = time.monotonic() + TIMEOUT
    while relays() > before:
        if time.monotonic() > end:
            fail("%d relays are left" % (relays() - before))
        time.sleep(0.05)
    held.close()


main()
